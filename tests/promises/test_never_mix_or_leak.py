"""Promises 3 and 4: runs at the same time are separate records, and nothing is left of them."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from agents import Runner
from hooks import scripted_langchain, scripted_llama_index, scripted_openai_agents

import toolscore
from toolscore import OpenCall, OpenRun, ToolCall

RUNS = 64


def double(number: int) -> str:
    """Twice the number."""
    return str(2 * number)


TURNS = [[("double", {"number": 1}, "same"), ("double", {"number": 2}, "ids")], "done"]
TOOLS = [double]


def langchain() -> tuple[Any, Callable[[Any, str], Any]]:
    """An agent, and how one run of it is started."""

    async def go(agent: Any, text: str) -> Any:
        return await agent.ainvoke({"messages": [("user", text)]})

    return scripted_langchain.build(TURNS, TOOLS), go


def openai_agents() -> tuple[Any, Callable[[Any, str], Any]]:
    """The same for the SDK."""

    async def go(agent: Any, text: str) -> Any:
        return await Runner.run(agent, text)

    return scripted_openai_agents.build(TURNS, TOOLS, by_input=True), go


def llama_index() -> tuple[Any, Callable[[Any, str], Any]]:
    """The same for LlamaIndex."""

    async def go(agent: Any, text: str) -> Any:
        return await agent.run(user_msg=text)

    return scripted_llama_index.build(TURNS, TOOLS), go


EACH = pytest.mark.parametrize("build", [langchain, openai_agents, llama_index])


def right(run: toolscore.Run) -> bool:
    """The two calls of one run, in request order, and no other."""
    return [(c.args, c.result, c.metadata["id"]) for c in run.calls] == [
        ({"number": 1}, "2", "same"),
        ({"number": 2}, "4", "ids"),
    ]


@EACH
async def test_runs_at_the_same_time_are_separate(build: Callable[[], Any]):
    """64 runs of one watched agent in one loop, all with the same call ids."""
    plain, go = build()
    agent = toolscore.watch(plain, expected=["double", "double"])

    await asyncio.gather(*(go(agent, f"run {number}") for number in range(RUNS)))

    assert len(agent.runs) == RUNS
    assert all(right(run) and run.complete for run in agent.runs)
    assert len({run.id for run in agent.runs}) == RUNS
    assert all(result.passed for result in agent.scores)


@EACH
async def test_each_request_reads_its_own_score(build: Callable[[], Any]):
    """In a service, the score that a request reads is that of its own run."""
    plain, go = build()
    asked: dict[str, str] = {}

    def expected(given: Any) -> Any:
        return ["double", "double"] if "good" in str(given) else ["no such call"]

    agent = toolscore.watch(plain, expected=expected)
    together = asyncio.Event()

    async def request(text: str) -> None:
        await go(agent, text)
        if len(agent.runs) == 2:
            together.set()
        await together.wait()  # both have ended before either is read
        asked[text] = "passed" if agent.score else "failed"

    await asyncio.gather(request("a good one"), request("a bad one"))
    assert asked == {"a good one": "passed", "a bad one": "failed"}


@EACH
def test_threads_with_loops_of_their_own_are_separate(build: Callable[[], Any]):
    """One watched agent, eight threads."""
    plain, go = build()
    agent = toolscore.watch(plain, expected=["double", "double"])
    threads = [
        threading.Thread(target=lambda n=n: asyncio.run(go(agent, f"run {n}"))) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(agent.runs) == 8
    assert all(right(run) for run in agent.runs)


async def settled() -> None:
    """Let the frameworks' own tasks of a run end: the last one may still hold its frames."""
    for _ in range(20):
        await asyncio.sleep(0)


def ours_alive() -> Counter[str]:
    """How many objects of the recording there are."""
    gc.collect()
    kinds = (OpenRun, OpenCall, ToolCall, toolscore.Run, toolscore.EvaluationResult)
    found = Counter(type(o).__name__ for o in gc.get_objects() if isinstance(o, kinds))
    mine = (o for o in gc.get_objects() if "toolscore_integrations" in str(type(o).__module__))
    found.update(type(o).__qualname__ for o in mine)
    return found


@EACH
async def test_nothing_is_left_of_the_runs_but_the_last_ones(build: Callable[[], Any]):
    """After many runs there are as many objects of ours as after a few: ``max_runs`` results."""
    plain, go = build()
    agent = toolscore.watch(plain, expected=["double", "double"], max_runs=2)
    for number in range(4):
        await go(agent, f"run {number}")
    await settled()
    few = ours_alive()
    for number in range(30):
        await go(agent, f"run {number}")
    await settled()
    assert ours_alive() == few
    assert few["OpenRun"] == 0


@EACH
async def test_the_users_result_is_not_kept(build: Callable[[], Any]):
    """What a run gave back is collected when the user lets go of it."""
    plain, go = build()
    agent = toolscore.watch(plain)
    result = await go(agent, "hi")
    if isinstance(result, dict):
        result = result["messages"][-1]
    gone = weakref.ref(result)
    del result
    await settled()
    gc.collect()
    assert gone() is None


@EACH
def test_the_agent_is_not_kept_after_unwatch(build: Callable[[], Any]):
    """No registry of ours keeps an agent alive."""
    plain, go = build()
    agent = toolscore.watch(plain)
    asyncio.run(go(agent, "hi"))
    agent.unwatch()
    gone = weakref.ref(plain)
    del agent, plain, go
    gc.collect()
    assert gone() is None
