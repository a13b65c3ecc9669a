"""Spans as tests write them, and every way in which an SDK or a collector hands them over."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

SECOND = 10**9
NOON = 1_700_000_000 * SECOND


@dataclass
class S:
    """A span: times in seconds after NOON; ``inside`` are its children."""

    name: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    start: float = 0.0
    end: float = 1.0
    inside: Sequence[S] = ()
    status: str = ""
    message: str | None = None
    events: Sequence[tuple[str, Mapping[str, Any]]] = ()
    kind: SpanKind = SpanKind.INTERNAL


def recorder() -> tuple[TracerProvider, InMemorySpanExporter]:
    """A provider whose finished spans can be read."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider, exporter


def sdk(*spans: S) -> list[ReadableSpan]:
    """The spans as OpenTelemetry's SDK hands them to an exporter: children first."""
    provider, exporter = recorder()
    tracer = provider.get_tracer("tests")

    def write(span: S, parent: Any) -> None:
        made = tracer.start_span(
            span.name,
            context=None if parent is None else set_span_in_context(parent),
            kind=span.kind,
            attributes=dict(span.attributes),
            start_time=NOON + round(span.start * SECOND),
        )
        for child in span.inside:
            write(child, made)
        for name, attributes in span.events:
            made.add_event(name, dict(attributes))
        if span.status:
            made.set_status(Status(StatusCode[span.status], span.message))
        made.end(NOON + round(span.end * SECOND))

    for span in spans:
        write(span, None)
    return list(exporter.get_finished_spans())


def dumps(*spans: S) -> list[dict[str, Any]]:
    """``ReadableSpan.to_json`` of each: what ConsoleSpanExporter prints."""
    return [json.loads(span.to_json()) for span in sdk(*spans)]


def texts(*spans: S) -> list[str]:
    """The same, as text."""
    return [span.to_json() for span in sdk(*spans)]


def protobuf(*spans: S) -> ExportTraceServiceRequest:
    """The message that an OTLP exporter sends."""
    request = ExportTraceServiceRequest()
    scope = request.resource_spans.add().scope_spans.add()
    scope.scope.name = "tests"
    for span in sdk(*spans):
        made = scope.spans.add(
            name=span.name,
            trace_id=span.context.trace_id.to_bytes(16, "big"),
            span_id=span.context.span_id.to_bytes(8, "big"),
            kind=span.kind.value + 1,
            start_time_unix_nano=span.start_time,
            end_time_unix_nano=span.end_time,
            attributes=[_pair(k, v) for k, v in (span.attributes or {}).items()],
        )
        if span.parent is not None:
            made.parent_span_id = span.parent.span_id.to_bytes(8, "big")
        made.status.code = span.status.status_code.value
        made.status.message = span.status.description or ""
        for event in span.events:
            made.events.add(
                name=event.name,
                attributes=[_pair(k, v) for k, v in (event.attributes or {}).items()],
            )
    return request


def _pair(key: str, value: Any) -> KeyValue:
    return KeyValue(key=key, value=_value(value))


def _value(value: Any) -> AnyValue:
    if isinstance(value, bool):
        return AnyValue(bool_value=value)
    if isinstance(value, int):
        return AnyValue(int_value=value)
    if isinstance(value, float):
        return AnyValue(double_value=value)
    if isinstance(value, str):
        return AnyValue(string_value=value)
    made = AnyValue()
    made.array_value.values.extend(_value(item) for item in value)
    return made


def otlp(*spans: S) -> dict[str, Any]:
    """An OTLP JSON export."""
    return MessageToDict(protobuf(*spans))


def otlp_snake(*spans: S) -> dict[str, Any]:
    """The same under the field names of the ``.proto`` file."""
    return MessageToDict(protobuf(*spans), preserving_proto_field_name=True)


def lines(*spans: S) -> list[dict[str, Any]]:
    """JSON lines, read: an export for each span."""
    [resource] = otlp(*spans)["resourceSpans"]
    [scope] = resource["scopeSpans"]
    return [{"resourceSpans": [{"scopeSpans": [{"spans": [s]}]}]} for s in scope["spans"]]


WAYS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (sdk, dumps, texts, protobuf, otlp, otlp_snake, lines)
}


def tool(name: str, arguments: str | None = "{}", result: str | None = "ok", **more: Any) -> S:
    """A tool span of the current convention."""
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    if arguments is not None:
        attributes["gen_ai.tool.call.arguments"] = arguments
    if result is not None:
        attributes["gen_ai.tool.call.result"] = result
    call_id = more.pop("id", None)
    if call_id is not None:
        attributes["gen_ai.tool.call.id"] = call_id
    attributes |= more.pop("attributes", {})
    return S(f"execute_tool {name}", attributes, **more)


def chat(*calls: tuple[str | None, str, Any], answers: Any = (), **more: Any) -> S:
    """A model span of the current convention: calls are (id, name, arguments)."""
    parts = [{"type": "tool_call", "id": i, "name": n, "arguments": a} for i, n, a in calls]
    seen = [{"type": "tool_call_response", "id": i, "response": r} for i, r in answers]
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": parts}]),
        "gen_ai.input.messages": json.dumps(
            [{"role": "user", "parts": []}, {"role": "tool", "parts": seen}]
        ),
    }
    return S("chat m", attributes | more.pop("attributes", {}), **more)


def mcp_twins() -> list[S]:
    """A tool's span, and inside it those of an MCP client and of its server."""
    attributes = {"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool"}
    attributes |= {"gen_ai.tool.name": "search", "jsonrpc.request.id": "3"}
    server = S("tools/call search", attributes, kind=SpanKind.SERVER)
    client = S("tools/call search", attributes, kind=SpanKind.CLIENT, inside=[server])
    return [tool("search", '{"q": "a"}', inside=[client])]
