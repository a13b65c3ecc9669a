"""What recording LlamaIndex never does: break, change, mix, leak or pretend."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from hooks.scripted_llama_index import build, run
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.span_handlers import SimpleSpanHandler
from pydantic import PrivateAttr

import toolscore
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
def nothing_is_left_behind(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """After each test the dispatcher is as before, and no span is kept."""
    gc.collect()
    before = handlers()
    yield
    if request.node.get_closest_marker("guarding"):
        caplog.get_records(
            "call"
        ).clear()  # a logged traceback holds the frames of the test, and so the agent
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
