"""What recording LlamaIndex never does: break, change, mix, leak or pretend."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
import copy
import gc
import pickle
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from hooks.scripted_llama_index import build, run
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.span_handlers import SimpleSpanHandler
from llama_index.core.tools import ToolOutput
from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step
from pydantic import PrivateAttr

import toolscore
from toolscore import UnwatchableAgentError
from toolscore_integrations.llama_index import ToolscoreEventHandler
from toolscore_integrations.llama_index import _call_span as call_span
from toolscore_integrations.llama_index._table import table


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


ADD = [("add", {"a": 1, "b": 2}, "c1")]


def handlers() -> int:
    root = get_dispatcher()
    return len(root.span_handlers) + len(root.event_handlers)


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """After each test the dispatcher is as before, and no span is kept."""
    gc.collect()
    before = handlers()
    yield
    gc.collect()
    assert handlers() == before
    assert not table.busy
    assert table.size == 0


@pytest.mark.guarding
def test_a_failure_of_ours_leaves_the_run_alone(monkeypatch: pytest.MonkeyPatch):
    """The user's answer is as ever; the record says that a call may be missing."""

    def broken(*_: Any) -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr(call_span, "record_output", broken)
    agent = toolscore.watch(build([ADD, "done"], [add]), expected=["add"])

    assert str(run(agent)) == "done"

    [recorded] = agent.runs
    assert not recorded.complete
    assert "ours" in recorded.warnings[0]
    assert not agent.score


@pytest.mark.guarding
def test_a_sink_that_raises_leaves_the_run_alone():
    """``on_score`` and ``on_run`` belong to the user, and still must not break the run."""

    def broken(_: object) -> None:
        raise RuntimeError("sink")

    agent = toolscore.watch(build([ADD, "done"], [add]), on_score=broken, on_run=broken)

    assert str(run(agent)) == "done"
    assert len(agent.runs) == 1


def test_values_that_cannot_be_read_or_written_leave_the_run_alone():
    """A result whose every method raises is recorded as what it is."""

    class Hostile:
        def __str__(self) -> str:
            return "shown"

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("eq")

        def __repr__(self) -> str:
            raise RuntimeError("repr")

        __hash__ = None  # type: ignore[assignment]

    def odd() -> Hostile:
        """Return something odd."""
        return Hostile()

    agent = toolscore.watch(build([[("odd", {}, "c1")], "done"], [odd]))

    assert str(run(agent)) == "done"
    [call] = agent.runs[0].calls
    assert call.status == "ok"
    assert call.metadata["model_visible_result"] == "shown"


def test_a_huge_result_is_cut_and_says_so():
    """The model got all of it; the record is bounded."""

    def flood() -> str:
        """Much."""
        return "x" * 5_000_000

    agent = toolscore.watch(build([[("flood", {}, "c1")], "done"], [flood]), max_value_bytes=1000)

    run(agent)

    [call] = agent.runs[0].calls
    assert (len(call.result), call.metadata["truncated"]) == (1000, True)
    assert call.status == "ok"


def test_the_users_own_handlers_still_hear_everything():
    """Ours stands beside them."""

    class Mine(BaseEventHandler):
        _heard: list[str] = PrivateAttr(default_factory=list[str])

        def handle(self, event: Any, **_: Any) -> None:
            self._heard.append(type(event).__name__)

    root = get_dispatcher()
    mine, spans = Mine(), SimpleSpanHandler()
    before = list(root.event_handlers), list(root.span_handlers)
    root.add_event_handler(mine)
    root.add_span_handler(spans)
    try:
        run(build([ADD, "done"], [add]))
        alone, alone_spans = list(mine._heard), len(spans.completed_spans)
        mine._heard.clear()
        spans.completed_spans.clear()
        run(toolscore.watch(build([ADD, "done"], [add])))
        assert (mine._heard, len(spans.completed_spans)) == (alone, alone_spans)
    finally:
        root.event_handlers, root.span_handlers = before


def test_nothing_of_the_users_is_kept_after_the_run():
    """Tools, results and the agent can be collected while the record is read."""

    class Thing:
        pass

    things: list[weakref.ref[Thing]] = []

    def make() -> Thing:
        """Make a thing."""
        thing = Thing()
        things.append(weakref.ref(thing))
        return thing

    agent = toolscore.watch(build([[("make", {}, "c1")], "done"], [make]))
    run(agent)
    gc.collect()

    assert things
    assert things[0]() is None
    assert table.size == 0


def test_many_runs_leave_no_objects_behind():
    """A handler that lives long keeps its last runs, and nothing else grows."""
    agent = toolscore.watch(build([ADD, "done"], [add]), max_runs=2)

    async def runs(number: int) -> int:
        for _ in range(number):
            await agent.run("hi")
        gc.collect()
        return len([o for o in gc.get_objects() if str(type(o).__module__).startswith("toolscore")])

    async def main() -> tuple[int, int]:
        return await runs(5), await runs(10)

    few, many = asyncio.run(main())
    assert many <= few


def test_unwatch_gives_the_agent_back():
    """What was recorded stays readable; what comes after is not recorded."""
    bare = build([ADD, "done"], [add])
    agent = toolscore.watch(bare, expected=["add"])
    run(agent)

    assert agent.unwatch() is bare
    run(bare)
    run(agent)

    assert len(agent.runs) == 1
    assert agent.score


async def test_unwatch_while_a_run_goes_on_lets_it_be_recorded():
    """It began while it was watched."""
    agent = toolscore.watch(build([ADD, "done"], [add]))

    handler = agent.run("hi")
    agent.unwatch()
    await handler

    assert [c.status for c in agent.runs[0].calls] == ["ok"]


def test_watching_twice_gives_two_complete_records():
    """Another expectation is another record; neither call is counted twice."""
    agent = toolscore.watch(build([ADD, "done"], [add]), expected=["add"])
    other = toolscore.watch(agent, expected=[])

    run(other)

    assert (len(agent.runs), len(other.runs)) == (0, 1)
    assert [c.metadata["attempts"] for c in other.runs[0].calls] == [1]
    assert not other.score


def test_the_proxy_is_the_agent_in_every_other_way():
    """Class, attributes, assignment, membership in a team."""
    bare = build([ADD, "done"], [add], name="A", description="a")
    agent = toolscore.watch(bare)

    assert isinstance(agent, FunctionAgent)
    assert agent.name == "A"
    agent.description = "b"
    assert bare.description == "b"
    team = AgentWorkflow(agents=[agent], root_agent="A")
    assert str(run(team)) == "done"
    assert agent.runs == ()


def test_copies_are_agents_that_nobody_watches():
    """Copying and pickling behave as those of the agent."""

    class Flow(Workflow):
        @step
        async def go(self, ev: StartEvent) -> StopEvent:
            """Stop."""
            return StopEvent(result="x")

    agent = toolscore.watch(build(["done"], [add]))
    assert type(copy.copy(agent)) is FunctionAgent
    assert type(copy.deepcopy(toolscore.watch(Plain()))) is Plain
    assert type(pickle.loads(pickle.dumps(toolscore.watch(Plain())))) is Plain
    assert Flow is not Plain


class Plain(Workflow):
    """A workflow that can be copied."""

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]

    @step
    async def go(self, ev: StartEvent) -> StopEvent:
        """Stop."""
        return StopEvent(result="x")


def test_what_is_not_a_workflow_is_refused():
    """A class instead of an object, or something else of the framework's."""
    with pytest.raises(UnwatchableAgentError, match="That is a class"):
        toolscore.watch(FunctionAgent)
    with pytest.raises(UnwatchableAgentError):
        toolscore.watch(ToolOutput(tool_name="t", content="x", raw_input={}, raw_output=1))


def test_a_disabled_watch_records_nothing(monkeypatch: pytest.MonkeyPatch):
    """``TOOLSCORE_DISABLED=1`` puts nothing on the dispatcher."""
    monkeypatch.setenv("TOOLSCORE_DISABLED", "1")
    before = handlers()
    agent = toolscore.watch(build([ADD, "done"], [add]), expected=["add"])
    with ToolscoreEventHandler(expected=["add"]).install() as handler:
        assert handlers() == before
        assert str(run(agent)) == "done"

    assert (agent.runs, handler.runs) == ((), ())
    assert "TOOLSCORE_DISABLED" in str(agent.score)


def test_install_records_every_run_of_the_process_until_uninstall():
    """In any context; twice is once."""
    handler = ToolscoreEventHandler(expected=["add"]).install().install()
    run(build([ADD, "done"], [add]))
    handler.uninstall()
    handler.uninstall()
    run(build([ADD, "done"], [add]))

    [recorded] = handler.runs
    assert [(c.tool, c.metadata["attempts"]) for c in recorded.calls] == [("add", 1)]
    assert handler.score


def test_a_handler_on_the_dispatcher_records_as_well():
    """The framework's own way to attach a handler, and with a block around it still once."""
    root = get_dispatcher()
    before = list(root.event_handlers)
    handler = ToolscoreEventHandler(expected=["add"])
    root.add_event_handler(handler)
    try:
        run(build([ADD, "done"], [add]))
        with handler:
            run(build([ADD, "done"], [add]))
    finally:
        root.event_handlers = [h for h in root.event_handlers if h is not handler]
    run(build([ADD, "done"], [add]))

    assert [[c.tool for c in r.calls] for r in handler.runs] == [["add"], ["add"]]
    assert len(before) == len(root.event_handlers) - 1  # ours, while the handler lives


def test_a_block_ends_with_its_context():
    """What runs after it is not recorded; the block may be used again."""
    handler = ToolscoreEventHandler()
    with handler:
        run(build([ADD, "done"], [add]))
    run(build([ADD, "done"], [add]))
    with handler, handler.session() as session:
        run(build([ADD, "done"], [add]))

    assert len(handler.runs) == 2
    assert len(session.runs) == 1


async def test_a_library_that_takes_our_handlers_off_makes_the_run_incomplete():
    """Uninstrumenting often replaces the lists: the end of the run is then not seen."""
    root = get_dispatcher()
    kept = list(root.span_handlers), list(root.event_handlers)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def pause() -> str:
        """Wait."""
        begun.set()
        await go_on.wait()
        return "ok"

    agent = toolscore.watch(build([[("pause", {}, "c1")], "done"], [pause]), expected=["pause"])

    handler = agent.run("hi")
    await begun.wait()
    root.span_handlers, root.event_handlers = [], []
    go_on.set()
    await handler
    await asyncio.sleep(0)
    root.span_handlers, root.event_handlers = kept

    [recorded] = agent.runs
    assert (recorded.status, recorded.complete) == ("unfinished", False)
    assert [c.status for c in recorded.calls] == ["unfinished"]
    assert "took the recording handlers off" in recorded.warnings[0]
    assert not agent.score
