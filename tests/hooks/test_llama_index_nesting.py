"""LlamaIndex runs side by side and inside each other: agents as tools, threads, many at once."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hooks.scripted_llama_index import build, run
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step

import toolscore
from toolscore_integrations.llama_index import ToolscoreEventHandler
from toolscore_integrations.llama_index._versions import THREADS_FORGET

threads_know = pytest.mark.skipif(
    THREADS_FORGET, reason="this version runs synchronous tools without the context of their run"
)


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def calls(a: int, id_: str = "c1") -> list[tuple[str, dict[str, int], str]]:
    return [("add", {"a": a, "b": 0}, id_)]


def inner() -> Any:
    return build([calls(7, "in1"), "inner done"], [add], name="Inner")


async def research(topic: str) -> str:
    """Let another agent do it."""
    return str(await inner().run(user_msg=topic))


def research_in_a_thread(topic: str) -> str:
    """Let another agent do it, in a loop of its own."""
    return run(inner(), topic).response.content


@pytest.mark.parametrize("tool", [research, pytest.param(research_in_a_thread, marks=threads_know)])
def test_an_agent_as_a_tool_is_a_part_of_the_run_around_it(tool: Callable[..., Any]):
    """Its calls have the depth and the parent of the call that it is; they are not scored."""
    turn = [(tool.__name__, {"topic": "x"}, "r1"), (tool.__name__, {"topic": "y"}, "r2")]
    agent = toolscore.watch(build([turn, "done"], [tool]), expected=[tool.__name__, tool.__name__])

    run(agent)

    [recorded] = agent.runs
    outer = [c for c in recorded.calls if c.metadata["depth"] == 0]
    nested = [c for c in recorded.calls if c.metadata["depth"] == 1]
    assert [(c.result, c.metadata["kind"]) for c in outer] == [("inner done", "agent")] * 2
    assert {c.metadata["parent"] for c in nested} == {c.metadata["key"] for c in outer}
    assert [(c.tool, c.metadata["agent"], c.result) for c in nested] == [("add", "Inner", 7)] * 2
    assert (recorded.output, recorded.status, recorded.complete) == ("done", "ok", True)
    assert agent.score


def test_a_nested_agent_that_is_watched_has_a_run_of_its_own_too():
    """Two records, each complete."""
    watched = toolscore.watch(inner(), expected=["add"])

    async def delegate(topic: str) -> str:
        """Let the watched agent do it."""
        return str(await watched.run(user_msg=topic))

    agent = toolscore.watch(build([[("delegate", {"topic": "x"}, "d1")], "done"], [delegate]))

    run(agent)

    assert [(c.tool, c.metadata["depth"]) for c in agent.runs[0].calls] == [
        ("delegate", 0),
        ("add", 1),
    ]
    [own] = watched.runs
    assert [(c.tool, c.metadata["depth"]) for c in own.calls] == [("add", 0)]
    assert watched.score


async def test_many_runs_at_once_are_kept_apart():
    """64 runs of one agent in one loop: one run each, each with its own call."""
    agent = toolscore.watch(
        build([calls(1), "done"], [add]),
        expected=lambda _: [{"tool": "add", "args": {"a": 1, "b": 0}}],
    )

    await asyncio.gather(*(agent.run(f"q{i}") for i in range(64)))

    assert sorted(r.input for r in agent.runs) == sorted(f"q{i}" for i in range(64))
    assert all([c.result for c in r.calls] == [1] for r in agent.runs)
    assert all(agent.scores)


def test_runs_in_threads_are_kept_apart():
    """Eight threads, each with a loop of its own, on one agent."""
    agent = toolscore.watch(build([calls(1), "done"], [add]), expected=["add"])
    read: list[bool] = []

    def work(number: int) -> None:
        run(agent, f"q{number}")
        read.append(agent.score.run is not None and agent.score.run.input == f"q{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))

    assert sorted(r.input for r in agent.runs) == [f"q{i}" for i in range(8)]
    assert all(len(r.calls) == 1 for r in agent.runs)
    assert read == [True] * 8


async def test_the_score_of_a_request_is_its_own():
    """Request A never reads the score of request B, whichever ended last."""
    agent = toolscore.watch(build([calls(1), "done"], [add]))
    first, second = asyncio.Event(), asyncio.Event()

    async def request(text: str, before: asyncio.Event | None, after: asyncio.Event) -> object:
        await agent.run(text)
        after.set()
        if before is not None:
            await before.wait()
        return agent.score.run and agent.score.run.input

    inputs = await asyncio.gather(request("A", second, first), request("B", first, second))

    assert inputs == ["A", "B"]


async def test_an_agent_that_is_not_watched_is_not_seen():
    """Recording is confined to the context of the watched run."""
    agent = toolscore.watch(build([calls(1), "done"], [add]))
    other = build([calls(2), "done"], [add])

    await asyncio.gather(agent.run("a"), other.run("b"), agent.run("c"))

    assert sorted(r.input for r in agent.runs) == ["a", "c"]
    assert {c.args["a"] for r in agent.runs for c in r.calls if c.args} == {1}


@threads_know
def test_a_tool_that_calls_a_tool_makes_a_nested_call():
    """Called by code, inside the call of the model."""
    helper = FunctionTool.from_defaults(add)

    def twice(a: int) -> int:
        """Add to itself."""
        return int(helper(a=a, b=a).content)

    agent = toolscore.watch(
        build([[("twice", {"a": 4}, "t1")], "done"], [twice]), expected=["twice"]
    )

    run(agent)

    top, nested = agent.runs[0].calls
    assert (top.tool, top.result, top.metadata["attempts"]) == ("twice", 8, 1)
    assert (nested.tool, nested.args, nested.result) == ("add", {"a": 4, "b": 4}, 8)
    assert (nested.metadata["parent"], nested.metadata["origin"]) == (top.metadata["key"], "code")
    assert agent.score


def test_a_workflow_that_runs_an_agent_records_its_calls():
    """In a step there is no call around the agent: its calls are the workflow's own."""

    class Flow(Workflow):
        @step
        async def go(self, ev: StartEvent) -> StopEvent:
            """Run an agent."""
            return StopEvent(result=str(await inner().run(user_msg=ev.topic)))

    flow = toolscore.watch(Flow(), expected=["add"])

    async def main() -> str:
        return await flow.run(topic="x")

    assert asyncio.run(main()) == "inner done"
    [recorded] = flow.runs
    assert [(c.tool, c.metadata["depth"], c.metadata["agent"]) for c in recorded.calls] == [
        ("add", 0, "Inner")
    ]
    assert (recorded.agent, recorded.input, recorded.output) == (
        "Flow",
        {"topic": "x"},
        "inner done",
    )
    assert flow.score


def test_a_thread_without_the_context_makes_the_run_incomplete():
    """What is called there belongs to nobody: the run says that a call may be missing."""
    helper = FunctionTool.from_defaults(add)

    def outsource(a: int) -> str:
        """Use a thread that knows of nothing."""
        thread = threading.Thread(target=lambda: helper(a=a, b=a))
        thread.start()
        thread.join()
        return "ok"

    agent = toolscore.watch(build([[("outsource", {"a": 1}, "o1")], "done"], [outsource, helper]))

    run(agent)

    [recorded] = agent.runs
    assert [c.tool for c in recorded.calls] == ["outsource"]
    assert not recorded.complete
    assert "add was called in a thread" in recorded.warnings[0]


@threads_know
def test_a_thread_with_the_context_is_seen():
    """The way out that the warning names."""
    helper = FunctionTool.from_defaults(add)

    def outsource(a: int) -> str:
        """Use a thread that knows of the run."""
        context = contextvars.copy_context()
        thread = threading.Thread(target=lambda: context.run(helper, a=a, b=a))
        thread.start()
        thread.join()
        return "ok"

    agent = toolscore.watch(build([[("outsource", {"a": 1}, "o1")], "done"], [outsource, helper]))

    run(agent)

    [recorded] = agent.runs
    assert [(c.tool, c.metadata["depth"]) for c in recorded.calls] == [("outsource", 0), ("add", 1)]
    assert recorded.complete


@pytest.mark.skipif(not THREADS_FORGET, reason="newer versions keep the context")
@pytest.mark.parametrize(
    "inside", [lambda: FunctionTool.from_defaults(add)(1, 2), lambda: run(inner())]
)
def test_a_synchronous_tool_that_forgets_its_run_makes_it_incomplete(inside: Callable[[], Any]):
    """With an old version what such a tool runs is not seen; the run says so."""

    def outsource() -> str:
        """Run something in the tool's own thread."""
        inside()
        return "ok"

    agent = toolscore.watch(build([[("outsource", {}, "o1")], "done"], [outsource]))

    run(agent)

    [recorded] = agent.runs
    assert [c.tool for c in recorded.calls] == ["outsource"]
    assert not recorded.complete
    assert "synchronous tool outsource" in recorded.warnings[0]


async def test_three_hundred_parallel_calls_keep_their_order():
    """The framework runs four at a time; the record has all, as requested."""
    turn = [("add", {"a": i, "b": 0}, f"c{i}") for i in range(300)]
    agent = toolscore.watch(build([turn, "done"], [add]))

    await agent.run("hi")

    assert [c.result for c in agent.runs[0].calls] == list(range(300))


async def test_a_handler_beside_a_watched_agent_records_the_same_run():
    """Two records of one run, each complete, and each call once."""
    agent = toolscore.watch(build([calls(1), "done"], [add]))

    with ToolscoreEventHandler() as handler:
        await agent.run("hi")

    for record in (agent, handler):
        [recorded] = record.runs
        assert [(c.tool, c.metadata["attempts"]) for c in recorded.calls] == [("add", 1)]
