"""OpenAI Agents: streams that are left, cancelled or never read."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from agents import Runner
from hooks.scripted_openai_agents import WAYS, build, by_watch, outline

ways = pytest.mark.parametrize("way", WAYS)


def echo(text: str) -> str:
    """Say it back."""
    return text


TURNS: list[Any] = [
    [("echo", {"text": "a"}, "c1"), ("echo", {"text": "b"}, "c2")],
    [("echo", {"text": "c"}, "c3")],
    "done",
]


@ways
async def test_a_consumer_that_leaves(way: Any) -> None:
    """The run goes on in the background, and so does the record."""
    recorded = way(build(TURNS, [echo]))

    result = Runner.run_streamed(recorded.agent, "hi", hooks=recorded.hooks)
    async for event in result.stream_events():
        if event.type == "run_item_stream_event":
            break
    await result.run_loop_task

    assert [made.status for made in recorded.run.calls] == ["ok", "ok", "ok"]
    assert (recorded.run.status, recorded.run.output) == ("ok", "done")


@ways
async def test_a_stream_that_nobody_reads(way: Any) -> None:
    """The same."""
    recorded = way(build(TURNS, [echo]))

    await Runner.run_streamed(recorded.agent, "hi", hooks=recorded.hooks).run_loop_task

    assert [made.result for made in recorded.run.calls] == ["a", "b", "c"]


@ways
async def test_a_stream_that_is_cancelled(way: Any) -> None:
    """The call that was running is cancelled, and the run."""
    started = asyncio.Event()

    async def hang() -> str:
        """Wait for what never comes."""
        started.set()
        await asyncio.Event().wait()
        return "never"

    recorded = way(build([[("hang", {}, "c1")]], [hang]))

    result = Runner.run_streamed(recorded.agent, "hi", hooks=recorded.hooks)
    await started.wait()
    result.cancel()
    async for _ in result.stream_events():
        pass
    await asyncio.gather(result.run_loop_task, return_exceptions=True)

    assert [made.status for made in recorded.run.calls] == ["cancelled"]
    assert recorded.run.status == "cancelled"


@ways
async def test_a_stream_that_stops_after_the_turn(way: Any) -> None:
    """The turn's calls are ok; the run was stopped."""
    running: list[Any] = []

    async def stop() -> str:
        """Ask the run to stop when this turn is done."""
        running[0].cancel(mode="after_turn")
        return "stopped"

    recorded = way(
        build([[("stop", {}, "c1"), ("echo", {"text": "a"}, "c2")], "never"], [stop, echo])
    )

    result = Runner.run_streamed(recorded.agent, "hi", hooks=recorded.hooks)
    running.append(result)
    async for _ in result.stream_events():
        pass
    await result.run_loop_task

    assert [made.status for made in recorded.run.calls] == ["ok", "ok"]
    assert recorded.run.status == "cancelled"


@ways
def test_a_program_that_ends_before_the_stream(way: Any) -> None:
    """``asyncio.run`` cancels what is left."""
    started: dict[str, asyncio.Event] = {}

    async def hang() -> str:
        """Wait for what never comes."""
        started["event"].set()
        await asyncio.Event().wait()
        return "never"

    recorded = way(build([[("hang", {}, "c1")]], [hang]))

    async def main() -> None:
        started["event"] = asyncio.Event()
        result = Runner.run_streamed(recorded.agent, "hi", hooks=recorded.hooks)
        async for event in result.stream_events():
            if event.type == "raw_response_event":
                break
        await started["event"].wait()

    asyncio.run(main())

    assert [made.status for made in recorded.run.calls] == ["cancelled"]
    assert recorded.run.status == "cancelled"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_loop_that_is_closed_under_the_run() -> None:
    """Nothing ever tells its end: when the result is gone the run is closed, as unfinished."""
    recorded = by_watch(build(TURNS, [echo]))
    loop = asyncio.new_event_loop()

    async def begin() -> None:
        Runner.run_streamed(recorded.agent, "hi")
        await asyncio.sleep(0)

    loop.run_until_complete(begin())
    loop.close()
    gc.collect()

    assert recorded.run.status == "unfinished"
    assert not recorded.run.complete


@ways
async def test_every_argument_by_position(way: Any) -> None:
    """``run_streamed`` takes its hooks by position too."""
    recorded = way(build(TURNS, [echo]))

    result = Runner.run_streamed(recorded.agent, "hi", None, 10, recorded.hooks)
    async for _ in result.stream_events():
        pass

    assert outline(recorded.run)[0] == ("echo", {"text": "a"}, "ok", "a")
    assert len(recorded.run.calls) == 3


@ways
async def test_the_result_and_its_events_are_those_of_the_sdk(way: Any) -> None:
    """The same type, the same events in the same order."""

    async def events(agent: Any, hooks: Any) -> tuple[type, list[str]]:
        result = Runner.run_streamed(agent, "hi", hooks=hooks)
        seen = [getattr(event, "name", event.type) async for event in result.stream_events()]
        return type(result), seen

    recorded = way(build(TURNS, [echo]))

    alone = await events(build(TURNS, [echo]), None)
    assert await events(recorded.agent, recorded.hooks) == alone
