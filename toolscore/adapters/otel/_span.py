"""One span, whichever way it was written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_mapping
from toolscore.adapters.otel._time import nanoseconds
from toolscore.adapters.otel._value import attributes_of, items_of, plain_value

_MICROSECOND = 1000


@dataclass
class Event:
    """Something that happened in a span: an exception, a message."""

    name: str
    attributes: dict[str, Any]


@dataclass
class Span:
    """What the readers of conventions need; times in ns since 1970, ids as texts."""

    name: str
    attributes: dict[str, Any]
    trace: str = ""
    id: str = ""
    parent: str = ""
    kind: str = ""
    start: int | None = None
    end: int | None = None
    status: str = ""  # "OK" and "ERROR" were set by somebody; "" is the default
    message: str = ""
    events: list[Event] = field(default_factory=list[Event])

    def text(self, *names: str) -> str | None:
        """The first of these attributes that is a non-empty text."""
        for name in names:
            value = self.attributes.get(name)
            if isinstance(value, str) and value:
                return value
        return None


def is_span(item: object) -> bool:
    """Whether this is a span: an OTLP one, a dump's, or an SDK's object."""
    if is_mapping(item):
        known = ("context", "spanId", "span_id", "startTimeUnixNano", "start_time_unix_nano")
        return ("attributes" in item and not {"role", "content"} & item.keys()) or (
            "name" in item and any(key in item for key in known)
        )
    return read(item, "attributes") is not None and isinstance(read(item, "name"), str)


def span_of(item: object) -> Span:
    """The span, read."""
    context = read_first(item, "context", "spanContext", "_spanContext")
    parent = read_first(item, "parent", "parentSpanContext", "parent_span_context")
    status, message = _status(item)
    start = nanoseconds(read_first(item, "startTimeUnixNano", "start_time_unix_nano"))
    start = start or nanoseconds(read_first(item, "start_time", "startTime"))
    end = nanoseconds(read_first(item, "endTimeUnixNano", "end_time_unix_nano"))
    end = end or nanoseconds(read_first(item, "end_time", "endTime"))
    if start is None and is_mapping(item) and "timestamp" in item:  # the console of the JS SDK
        start = nanoseconds(item["timestamp"], _MICROSECOND)
        length = nanoseconds(item.get("duration"), _MICROSECOND)
        end = None if start is None or length is None else start + length
    found = Span(
        read_text(item, "name") or "",
        attributes_of(item),
        _id(read_first(item, "traceId", "trace_id"), context, "trace_id", "traceId"),
        _id(read_first(item, "spanId", "span_id", "id"), context, "span_id", "spanId"),
        _id(
            read_first(item, "parentSpanId", "parent_span_id", "parent_id", "parentId"),
            parent,
            "span_id",
            "spanId",
        ),
        _word(read(item, "kind"), _KINDS),
        start,
        end,
        status,
        message,
        [_event(event) for event in items_of(read(item, "events"))],
    )
    return _of_pending(found)


_KINDS = {"1": "INTERNAL", "2": "SERVER", "3": "CLIENT", "4": "PRODUCER", "5": "CONSUMER"}
_CODES = {"1": "OK", "2": "ERROR"}


def _event(event: object) -> Event:
    attributes = attributes_of(event)
    body = plain_value(read(event, "body"))  # of a log record
    if is_mapping(body):
        attributes = {**{str(key): value for key, value in body.items()}, **attributes}
    name = read_text(event, "name", "eventName", "event_name")
    return Event(name or read_text(attributes, "event.name") or "", attributes)


def event_of(record: object) -> tuple[str, str, Event]:
    """The trace and the span that a log record belongs to, and the event that it is."""
    trace = _id(read_first(record, "traceId", "trace_id"), None)
    return trace, _id(read_first(record, "spanId", "span_id"), None), _event(record)


def _id(given: object, context: object, *names: str) -> str:
    if given is None and context is not None:
        given = read_first(context, *names)
    if isinstance(given, bytes):
        return given.hex().lstrip("0")
    if isinstance(given, int) and not isinstance(given, bool):
        return f"{given:x}".lstrip("0") if given.bit_length() <= 128 else ""
    if not isinstance(given, str):
        return ""
    text = given.removeprefix("0x")
    # the same id is written with and without leading zeros; other texts (base64) stay as they are
    return text.lower().lstrip("0") if _HEX.issuperset(text) else text


_HEX = frozenset("0123456789abcdefABCDEF")


def _status(item: object) -> tuple[str, str]:
    status = read(item, "status")
    code = read_first(status, "code", "status_code", "statusCode") if status is not None else None
    if code is None:
        code = status if isinstance(status, str) else read(item, "status_code")
    message = read_text(status, "message", "description") or read_text(item, "status_message")
    return _word(code, _CODES), message or ""


def _word(value: object, numbers: dict[str, str]) -> str:
    """``ERROR`` of ``StatusCode.ERROR``, ``STATUS_CODE_ERROR``, ``Error`` or 2."""
    name = read(value, "name")
    text = name if isinstance(name, str) else str(value)[:40] if value is not None else ""
    if text in numbers:
        return numbers[text]
    last = text.upper().replace(".", "_").rpartition("_")[2]
    return last if last in numbers.values() else ""


def _of_pending(span: Span) -> Span:
    """Logfire writes a span when it begins too, as a child of the span that it stands for."""
    if span.attributes.get("logfire.span_type") != "pending_span":
        return span
    real = span.parent
    span.parent = _id(span.attributes.get("logfire.pending_parent_id"), None)
    span.id, span.end = real, None
    return span
