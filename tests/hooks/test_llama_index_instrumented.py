"""LlamaIndex while OpenInference records its spans too: before us, after us, and for a while."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hooks.contract import SCENARIOS, add, check_calls
from hooks.scripted_llama_index import build, run
from llama_index.core.instrumentation import get_dispatcher

import toolscore
from toolscore_integrations.llama_index import ToolscoreEventHandler

openinference = pytest.importorskip(
    "openinference.instrumentation.llama_index", reason="tested beside it by nox -s companions"
)
from opentelemetry.sdk.trace import TracerProvider  # noqa: E402 - comes with it
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.export.in_memory_span_exporter import (  # noqa: E402
    InMemorySpanExporter,
)

SCENARIO = next(s for s in SCENARIOS if s.name == "two turns")
UNHURT = next(s for s in SCENARIOS if s.name == "a tool raises and the run goes on")
UNKNOWN = next(s for s in SCENARIOS if s.name == "unknown tool")


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def instrument(spans: InMemorySpanExporter) -> Iterator[Callable[[], Callable[[], None]]]:
    """Put the instrumentor on; what is returned takes it off. The dispatcher is left as it was."""
    instrumentor = openinference.LlamaIndexInstrumentor()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    root = get_dispatcher()
    gc.collect()  # agents of other tests may still have our handlers on
    before = list(root.span_handlers), list(root.event_handlers)

    def put_on() -> Callable[[], None]:
        instrumentor.instrument(tracer_provider=provider, skip_dep_check=True)
        return instrumentor.uninstrument

    yield put_on
    if instrumentor.is_instrumented_by_opentelemetry:
        instrumentor.uninstrument()
    gc.collect()
    assert (list(root.span_handlers), list(root.event_handlers)) == before


def agent_of(scenario: Any) -> Any:
    return build(scenario.turns, scenario.tools())


def names(spans: InMemorySpanExporter) -> list[str]:
    return sorted(span.name for span in spans.get_finished_spans())


@pytest.mark.parametrize("scenario", [SCENARIO, UNHURT, UNKNOWN], ids=lambda s: s.name)
@pytest.mark.parametrize("first", ["theirs", "ours"])
@pytest.mark.parametrize("way", ["watch", "handler"])
def test_both_record_whichever_came_first(
    instrument: Any, spans: InMemorySpanExporter, scenario: Any, first: str, way: str
):
    """Our record is as without it, and its spans are as without us."""
    uninstrument = instrument()
    run(agent_of(scenario))
    alone = names(spans)
    spans.clear()
    if first == "ours":
        uninstrument()

    agent = agent_of(scenario)
    recording = toolscore.watch(agent) if way == "watch" else ToolscoreEventHandler()
    if first == "ours":
        instrument()
    if way == "watch":
        run(recording)
    else:
        with recording:
            run(agent)

    [recorded] = recording.runs
    check_calls(recorded.calls, scenario)
    assert (recorded.status, recorded.complete) == ("ok", True)
    assert names(spans) == alone


@pytest.mark.parametrize("first", ["theirs", "ours"])
async def test_it_may_be_taken_off_in_the_middle_of_a_run(instrument: Any, first: str):
    """Its handlers go, ours stay: the call that runs and those that follow are recorded."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def pause() -> str:
        """Wait."""
        begun.set()
        await go_on.wait()
        return "ok"

    turns = [[("pause", {}, "c1")], [("add", {"a": 1, "b": 2}, "c2")], "done"]
    uninstrument = instrument() if first == "theirs" else None
    agent = toolscore.watch(build(turns, [pause, add]), expected=["pause", "add"])
    uninstrument = uninstrument or instrument()

    handler = agent.run("hi")
    await begun.wait()
    uninstrument()
    go_on.set()
    await handler

    [recorded] = agent.runs
    assert [(c.tool, c.status, c.result) for c in recorded.calls] == [
        ("pause", "ok", "ok"),
        ("add", "ok", "3"),
    ]
    assert (recorded.status, recorded.complete) == ("ok", True)
    assert agent.score


async def test_it_may_be_put_on_in_the_middle_of_a_run(instrument: Any):
    """What we record does not change when it begins to listen."""

    async def begin() -> str:
        """Instrument."""
        instrument()
        return "ok"

    turns = [[("begin", {}, "c1")], [("add", {"a": 1, "b": 2}, "c2")], "done"]
    agent = toolscore.watch(build(turns, [begin, add]))

    await agent.run("hi")

    [recorded] = agent.runs
    assert [(c.tool, c.status) for c in recorded.calls] == [("begin", "ok"), ("add", "ok")]
    assert (recorded.status, recorded.complete) == ("ok", True)
