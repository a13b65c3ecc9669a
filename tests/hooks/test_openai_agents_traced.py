"""OpenAI Agents: the same record whatever tracing is set to, and whoever else listens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import pytest
from agents import RunConfig, TracingProcessor, add_trace_processor, set_trace_processors
from agents.tracing import set_tracing_disabled
from hooks.scripted_openai_agents import WAYS, build, outline, play

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


class KaboomError(Exception):
    """What this tool raises."""


def fail(text: str) -> str:
    """Fail."""
    raise KaboomError(f"kaput {text}")


def echo(text: str) -> str:
    """Say it back."""
    return text


TURNS: list[Any] = [[("echo", {"text": "a"}, "c1"), ("fail", {"text": "b"}, "c2")], "done"]
MADE = [("echo", {"text": "a"}, "ok", "a"), ("fail", {"text": "b"}, "error", "kaput b")]


class Listening(TracingProcessor):
    """Another library's processor: counts the spans that end."""

    def __init__(self) -> None:
        self.spans: list[Any] = []

    def on_trace_start(self, trace: Any) -> None: ...
    def on_trace_end(self, trace: Any) -> None: ...
    def on_span_start(self, span: Any) -> None: ...
    def on_span_end(self, span: Any) -> None:
        self.spans.append(span.span_data.export())

    def shutdown(self) -> None: ...
    def force_flush(self) -> None: ...


@pytest.fixture(autouse=True)
def _tracing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tracing is on, as it is by default, but nothing is exported."""
    monkeypatch.delenv("OPENAI_AGENTS_DISABLE_TRACING", raising=False)
    set_tracing_disabled(False)
    set_trace_processors([])
    yield
    set_trace_processors([])
    set_tracing_disabled(True)


SETTINGS = {
    "on": {},
    "off for the run": {"tracing_disabled": True},
    "without sensitive data": {"trace_include_sensitive_data": False},
}


@ways
@modes
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_record_does_not_depend_on_tracing(way: Any, mode: str, setting: str) -> None:
    """The true error of a tool is there, whatever the trace holds; the trace is as without us."""
    listening = Listening()
    add_trace_processor(listening)
    alone = build(TURNS, [echo, fail])
    recorded = way(build(TURNS, [echo, fail]))
    config = RunConfig(**SETTINGS[setting])

    play(alone, mode, run_config=config)
    without, listening.spans = listening.spans, []
    recorded.play(mode, run_config=config)

    assert outline(recorded.run) == MADE
    assert recorded.run.complete
    assert [span["type"] for span in listening.spans] == [span["type"] for span in without]
    assert bool(without) is (setting != "off for the run")


@ways
def test_tracing_that_is_off_for_the_whole_process(way: Any) -> None:
    """``set_tracing_disabled``: the same record."""
    set_tracing_disabled(True)
    recorded = way(build(TURNS, [echo, fail]))

    recorded.play()

    assert outline(recorded.run) == MADE


@ways
@modes
def test_processors_that_are_replaced_while_we_watch(way: Any, mode: str) -> None:
    """Another library takes all processors for itself: ours is none of them."""
    recorded = way(build(TURNS, [echo, fail]))
    listening = Listening()

    set_trace_processors([listening])
    recorded.play(mode)

    assert outline(recorded.run) == MADE
    assert listening.spans


@contextmanager
def openinference() -> Iterator[Any]:
    """OpenInference's instrumentor records; what it gives are its spans."""
    module = pytest.importorskip(
        "openinference.instrumentation.openai_agents", reason="tested beside it where installed"
    )
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    instrumentor = module.OpenAIAgentsInstrumentor()
    instrumentor.instrument(tracer_provider=provider, skip_dep_check=True)
    try:
        yield spans
    finally:
        instrumentor.uninstrument()


@ways
@modes
@pytest.mark.parametrize("first", ["they", "we"])
def test_openinference_at_the_same_time(way: Any, mode: str, first: str) -> None:
    """Whoever is there first: the record is whole, and so are their spans."""
    early: AbstractContextManager[Any] = openinference() if first == "they" else nullcontext()
    with early as spans:
        recorded = way(build(TURNS, [echo, fail]))
        late: AbstractContextManager[Any] = openinference() if first == "we" else nullcontext(spans)
        with late as spans:
            recorded.play(mode)
            names = [span.name for span in spans.get_finished_spans()]

    assert outline(recorded.run) == MADE
    assert {"echo", "fail"} <= set(names)
