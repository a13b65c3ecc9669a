"""OpenTelemetry spans: one call each, in order, with its time and its end, whatever wraps them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from adapters.otel_spans import NOON, SECOND, WAYS, S, otlp, sdk, tool

from toolscore.adapters import OTelAdapter
from toolscore.adapters.otel import calls_from_otel, tool_calls_from_otel

RAISED = ("exception", {"exception.type": "app.errors.NoSuchCity", "exception.message": "Atlantis"})


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_in_gives_the_same_calls(way: Callable[..., Any]):
    """SDK objects, their dumps, protobuf messages, OTLP JSON of both spellings, JSON lines."""
    spans = [
        tool("late", '{"k": 1}', '["a"]', id="c2", start=2, end=2.5),
        tool("early", result=None, start=1, end=1.25, status="ERROR", message="boom"),
        S("chat m", {"gen_ai.operation.name": "chat"}, start=0, end=0.5),
    ]

    early, late = calls_from_otel(way(*spans))

    assert (early.tool, early.args, early.result, early.status) == ("early", {}, None, "error")
    assert (early.error, early.duration, early.timestamp) == ("boom", 0.25, NOON / SECOND + 1)
    assert (late.tool, late.args, late.result, late.status) == ("late", {"k": 1}, ["a"], "ok")
    assert (late.metadata["id"], late.duration) == ("c2", 0.5)


def test_the_function_gives_dicts_and_the_adapter_calls():
    """The same calls, in the forms that the seed promises."""
    export = otlp(tool("search", '{"q": "a"}', "[1]", id="c1"))

    [as_dict] = tool_calls_from_otel(export)
    [call] = OTelAdapter().parse(export)

    promised = ("tool", "args", "result", "is_error", "error", "duration", "id")
    assert [as_dict[key] for key in promised] == ["search", {"q": "a"}, [1], False, None, 1.0, "c1"]
    assert (call.tool, call.args, call.result) == ("search", {"q": "a"}, [1])


MCP_ERROR = '{"content": [{"type": "text", "text": "no"}], "isError": true}'
UNSAID = "the span says no more than that it failed"
TIMEOUT = {"error.type": "a.TimeoutError"}


@pytest.mark.parametrize(
    ("span", "message", "kind", "source"),
    [
        (S("", status="ERROR", message="boom"), "boom", None, "status"),
        (S("", status="ERROR", message="1", events=[RAISED]), "Atlantis", "NoSuchCity", "status"),
        (S("", events=[RAISED]), "Atlantis", "NoSuchCity", "exception"),
        (S("", TIMEOUT), "TimeoutError", "TimeoutError", "error.type"),
        (S("", {"gen_ai.tool.call.result": MCP_ERROR}), "no", None, "result"),
        (S("", {"gen_ai.tool.status": "error"}), UNSAID, None, "result"),
    ],
    ids=["status", "event", "event-alone", "error.type", "mcp-result", "tool-status"],
)
def test_a_failure_is_found_whoever_says_so(span: S, message: str, kind: str | None, source: str):
    """The span's status, an exception event, ``error.type``, the result itself."""
    span.attributes = {"gen_ai.tool.name": "t", **span.attributes}
    [call] = calls_from_otel(sdk(span))
    assert (call.status, call.is_error, call.error) == ("error", True, message)
    assert call.metadata.get("error_type") == kind
    assert call.metadata["error_source"] == source


def test_an_exception_that_the_tool_dealt_with_is_no_failure():
    """The span was marked as OK after it."""
    [call] = calls_from_otel(sdk(tool("t", status="OK", events=[RAISED])))
    assert (call.status, call.is_error) == ("ok", False)


@pytest.mark.parametrize(
    ("raised", "status"),
    [
        ("asyncio.exceptions.CancelledError", "cancelled"),
        ("langgraph.errors.GraphInterrupt", "interrupted"),
        ("workflows.errors.WaitingForEvent", "interrupted"),
    ],
)
def test_stopped_and_waiting_calls_did_not_fail(raised: str, status: str):
    """Cancelled from outside, or waiting for a person."""
    event = ("exception", {"exception.type": raised, "exception.message": ""})
    [call] = calls_from_otel(sdk(tool("t", result=None, status="ERROR", events=[event])))
    assert (call.status, call.is_error) == (status, False)


def test_a_span_that_recorded_no_result_claims_no_success():
    """Most instrumentations leave contents out by default."""
    silent, marked = calls_from_otel(
        sdk(tool("a", result=None), tool("b", result=None, status="OK"))
    )
    assert (silent.status, silent.metadata["result_known"]) == (None, False)
    assert (marked.status, marked.metadata["result_known"]) == ("ok", False)


def test_a_span_that_never_ended_is_unfinished():
    """Its process died, or the export came first."""
    span = {"name": "execute_tool t", "spanId": "1", "startTimeUnixNano": str(NOON), "attributes": {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "t"}}  # fmt: skip
    [call] = calls_from_otel([span])
    assert (call.status, call.duration, call.timestamp) == ("unfinished", None, NOON / SECOND)


def test_an_exported_twice_span_is_one_call():
    """A collector that retries sends a batch again."""
    export = otlp(tool("t"))
    assert len(calls_from_otel([export, copy.deepcopy(export)])) == 1


def test_a_span_that_was_written_when_it_began_is_not_counted_beside_itself():
    """Logfire's pending spans: as long as the real one is missing, the call is unfinished."""
    common = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "t"}
    pending = {
        "name": "t", "traceId": "1", "spanId": "b", "parentSpanId": "a",
        "startTimeUnixNano": str(NOON), "endTimeUnixNano": str(NOON),
        "attributes": common | PENDING,
    }  # fmt: skip
    real = {"name": "t", "traceId": "1", "spanId": "a", "startTimeUnixNano": str(NOON),
            "endTimeUnixNano": str(NOON + SECOND), "attributes": common}  # fmt: skip

    assert [call.status for call in calls_from_otel([pending])] == ["unfinished"]
    assert [call.duration for call in calls_from_otel([pending, real])] == [1.0]
    assert [call.duration for call in calls_from_otel([real, pending])] == [1.0]


PENDING = {"logfire.span_type": "pending_span", "logfire.pending_parent_id": "0"}


@pytest.mark.parametrize(
    ("written", "args", "raw"),
    [
        ('{"a": 1}', {"a": 1}, None),
        ("Rome", {"value": "Rome"}, "Rome"),
        ("[1, 2]", {"value": [1, 2]}, "[1, 2]"),
        ('{"a": ', {"value": '{"a": '}, '{"a": '),
        ("", {}, None),
        (None, {}, None),
    ],
)
def test_arguments_are_a_mapping_and_their_text_is_kept(
    written: str | None, args: dict[str, Any], raw: str | None
):
    """What is no JSON object stands under ``value``."""
    [call] = calls_from_otel(sdk(tool("t", written)))
    assert (call.args, call.metadata.get("raw_arguments")) == (args, raw)


@pytest.mark.parametrize(
    "moment",
    ["2023-11-14T22:13:20.250Z", "2023-11-14T23:13:20.250000000+01:00", "2023-11-14 22:13:20.25",
     "1700000000250000000", 1700000000250000000, [1700000000, 250000000]],
    ids=repr,
)  # fmt: skip
def test_points_in_time_are_read_as_they_are_written(moment: Any):
    """Nanoseconds as number and text, ISO text with and without a zone, seconds with the rest."""
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "t"}
    [call] = calls_from_otel([{"name": "t", "start_time": moment, "attributes": attributes}])
    assert call.timestamp == 1_700_000_000.25


@pytest.mark.parametrize(
    "moment", ["soon", True, float("nan"), 10**400, -1, {}, "9" * 5000, [1, "x"]]
)
def test_what_is_no_point_in_time_costs_the_time_alone(moment: Any):
    """The call stays."""
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "t"}
    [call] = calls_from_otel([{"name": "t", "start_time": moment, "attributes": attributes}])
    assert (call.tool, call.timestamp) == ("t", None)


def test_the_spans_of_the_javascript_console_exporter_are_read():
    """``id``, ``parentId``, microseconds, a numeric status."""
    attributes = {"ai.operationId": "ai.toolCall", "ai.toolCall.name": "weather"}
    span = {
        "traceId": "1", "id": "2", "name": "ai.toolCall", "kind": 0,
        "timestamp": 1700000000250000, "duration": 1500000, "attributes": attributes,
        "status": {"code": 2, "message": "no such city"}, "events": [],
    }  # fmt: skip
    [call] = calls_from_otel([span])
    assert (call.timestamp, call.duration, call.error) == (1_700_000_000.25, 1.5, "no such city")


@pytest.mark.parametrize(
    "source",
    [None, 3, "text", {}, {"a": 1}, [1], [{"role": "user", "content": "hi"}], SimpleNamespace(a=1)],
    ids=repr,
)
def test_what_holds_no_spans_is_refused(source: Any):
    """With what would be right."""
    with pytest.raises(ValueError, match=r"span|trace"):
        calls_from_otel(source)


@pytest.mark.parametrize("source", [[], {"resourceSpans": []}, {"resource_spans": None}], ids=repr)
def test_an_export_without_spans_is_a_run_without_calls(source: Any):
    """No tool was called."""
    assert calls_from_otel(source) == []


def test_spans_without_tools_are_a_run_without_calls():
    """A chat."""
    assert calls_from_otel(sdk(S("chat m", {"gen_ai.operation.name": "chat"}))) == []


def test_a_structure_that_holds_itself_is_read_once():
    """And one without end is refused, not an exception of Python's."""
    circle: list[Any] = [otlp(tool("t"))]
    circle.append(circle)
    deep: Any = {}
    for _ in range(100_000):
        deep = {"kvlistValue": {"values": [{"key": "a", "value": deep}]}}
    span = {"name": "s", "attributes": [{"key": "gen_ai.tool.name", "value": deep}]}

    assert [call.tool for call in calls_from_otel(circle)] == ["t"]
    with pytest.raises(ValueError, match="without end"):
        calls_from_otel([span])


def test_calls_share_nothing_with_the_spans():
    """What the caller changes later changes no call."""
    span = {"name": "t", "attributes": {"gen_ai.tool.name": "t", "tool_arguments": {"a": [1]},
                                        "tool_response": {"b": [2]}}}  # fmt: skip
    before = copy.deepcopy(span)

    [call] = calls_from_otel([span])
    assert span == before
    call.args["a"].append(3)  # type: ignore[index]
    call.result["b"].append(3)
    assert span == before


@pytest.mark.parametrize("size", [2000])
def test_a_chain_of_nested_spans_is_walked_once(size: int):
    """Deep nesting costs no recursion; the innermost call knows how deep it is."""
    spans = [
        {"name": "t", "traceId": "1", "spanId": f"{n + 1:x}", "parentSpanId": f"{n:x}",
         "attributes": {"gen_ai.tool.name": f"t{n}", "tool_arguments": "{}"}}
        for n in range(size)
    ]  # fmt: skip
    calls = calls_from_otel(spans)
    assert [call.metadata["depth"] for call in calls] == list(range(size))


def test_spans_that_are_each_others_parents_are_calls_all_the_same():
    """A damaged export."""
    spans = [
        {"name": "t", "traceId": "1", "spanId": one, "parentSpanId": other,
         "attributes": {"gen_ai.tool.name": "t", "tool_arguments": {"n": one}}}
        for one, other in (("a", "b"), ("b", "a"), ("c", "c"))
    ]  # fmt: skip
    assert sorted(call.args["n"] for call in calls_from_otel(spans) if call.args) == ["a", "b", "c"]
