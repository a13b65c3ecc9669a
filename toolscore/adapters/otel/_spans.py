"""All spans of an export, however it is wrapped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore.adapters.otel._span import Event, Span, event_of, is_span, span_of
from toolscore.adapters.otel._time import nanoseconds
from toolscore.adapters.otel._value import decoded, items_of

_WRAPPERS = (
    ("resourceSpans", "resource_spans", "batches"),
    ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans"),
    ("spans",),
    ("observations",),
    ("resourceLogs", "resource_logs"),
    ("scopeLogs", "scope_logs"),
    ("logRecords", "log_records"),
)
_AROUND = ("trace", "data")
"""What services that store traces put around an export."""
_WRAPPING = frozenset([*_AROUND, *(name for names in _WRAPPERS for name in names)])
_OTHER = ("resourceMetrics", "resource_metrics")
_OBSERVATIONS = frozenset(
    [
        "SPAN",
        "EVENT",
        "GENERATION",
        "AGENT",
        "TOOL",
        "CHAIN",
        "RETRIEVER",
        "EVALUATOR",
        "EMBEDDING",
        "GUARDRAIL",
    ]
)
_WRITE = (
    'an OTLP export ({"resourceSpans": [...]}), a list of spans, or the objects of an SDK would be '
    "right"
)


def holds_spans(data: object) -> bool:
    """Whether this is an export of spans; an empty list is none."""
    try:
        first = next(_leaves(data), None)
    except ValueError:
        return False
    return first is not None


def spans_of(data: object) -> list[Span]:
    """The spans of an OTLP export, a list of spans or exports, or a list of SDK spans.

    A span that was exported twice is there once. Log records are the events of their spans.

    Raises:
        ValueError: something in it is neither a span nor a wrapper of spans.
    """
    spans: dict[object, Span] = {}
    records: list[tuple[str, str, Event]] = []
    for kind, item in _leaves(data):
        if kind == "record":
            records.append(event_of(item))
            continue
        span = _from_observation(item) if kind == "observation" else span_of(item)
        key = (span.trace, span.id) if span.id else (len(spans), None)
        known = spans.get(key)
        if known is None or known.end is None or span.end is not None:
            spans[key] = span
    for trace, span_id, event in records:
        owner = spans.get((trace, span_id))
        if owner is None:  # exported without its span: the messages are evidence all the same
            owner = spans[trace, span_id] = Span("", {}, trace, span_id)
        owner.events.append(event)
    return list(spans.values())


def _leaves(data: object) -> Iterator[tuple[str, Any]]:
    """Spans, observations and log records, in order. Not recursive: wrappers may be nested."""
    pending: list[Any] = [data]
    opened: dict[int, object] = {}  # kept, so that no other gets its id
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            item = decoded(item)
        if is_sequence(item) or is_mapping(item):
            if id(item) in opened:
                continue  # it holds itself
            opened[id(item)] = item
        if is_sequence(item):
            pending.extend(reversed(item))
        elif wrapped := [*_wrapped(item)]:
            for inner in reversed(wrapped):
                pending.extend(reversed([*inner]))
        elif is_span(item):
            yield "span", item
        elif _is_observation(item):
            yield "observation", item
        elif _is_record(item):
            yield "record", item
        elif not _is_empty_wrapper(item):
            raise ValueError(f"{type(item).__name__} is no span: {_WRITE}.")


def _wrapped(item: object) -> Iterator[Any]:
    if is_mapping(item) and not _WRAPPING.intersection(item):
        return
    for names in _WRAPPERS:
        if items := items_of(read_first(item, *names)):
            yield items
    for name in _AROUND:
        inner = read(item, name) if is_mapping(item) and not is_span(item) else None
        if is_mapping(inner) or (is_sequence(inner) and inner):
            yield [inner]


def _is_empty_wrapper(item: object) -> bool:
    names = _WRAPPING.difference(_AROUND).union(_OTHER)
    if is_mapping(item):
        return not names.isdisjoint(item)
    return any(hasattr(item, name) for name in names)


def _is_record(item: object) -> bool:
    return is_mapping(item) and "body" in item and bool(item.keys() & {"attributes", "traceId"})


def _is_observation(item: object) -> bool:
    """A row of a Langfuse export."""
    return (
        is_mapping(item)
        and isinstance(item.get("type"), str)
        and item["type"] in _OBSERVATIONS
        and bool(item.keys() & {"input", "output", "startTime", "traceId"})
    )


def _from_observation(row: object) -> Span:
    attributes = {"langfuse.observation.type": str(read(row, "type")).lower()}
    for name in ("input", "output"):
        if (value := read(row, name)) is not None:
            attributes[f"langfuse.observation.{name}"] = value
    return Span(
        read_text(row, "name") or "",
        attributes,
        read_text(row, "traceId") or "",
        read_text(row, "id") or "",
        read_text(row, "parentObservationId") or "",
        start=nanoseconds(read(row, "startTime")),
        end=nanoseconds(read(row, "endTime")),
        status="ERROR" if read(row, "level") == "ERROR" else "",
        message=read_text(row, "statusMessage") or "",
    )
