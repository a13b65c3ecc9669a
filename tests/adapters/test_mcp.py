"""MCP: which response answers which request, and what is no tool call at all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolscore import ToolCall
from toolscore.adapters import MCPAdapter
from toolscore.adapters._formats import calls_of


def parse(*messages: Any) -> list[ToolCall]:
    """The calls."""
    return MCPAdapter().parse(list(messages))


def request(name: str = "f", number: Any = 1, method: str = "tools/call", **params: Any) -> Any:
    """A request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {"name": name, **params}}


def response(text: str = "x", number: Any = 1, **beside: Any) -> Any:
    """A tool's result."""
    result = {"content": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": number, "result": result, **beside}


def other(result: Any, number: Any = 1) -> Any:
    """The answer to something else."""
    return {"jsonrpc": "2.0", "id": number, "result": result}


def test_one_message_alone():
    """A request that was saved."""
    [call] = MCPAdapter().parse(request(arguments={"x": 1}))
    assert (call.tool, call.args, call.status, call.metadata["kind"]) == (
        "f",
        {"x": 1},
        None,
        "mcp",
    )


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ({"x": 1}, {"x": 1}),
        (None, {}),
        ('{"x": 1}', {"x": 1}),
        ("[1]", {"value": [1]}),
        ([1], {"value": [1]}),
    ],
)
def test_arguments_are_a_mapping(arguments: Any, args: dict[str, Any]):
    """Whatever a client sent."""
    assert parse(request(arguments=arguments))[0].args == args


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"content": [{"type": "text", "text": "a"}], "structuredContent": {"n": 0}}, {"n": 0}),
        ({"content": [{"type": "text", "text": "[]"}], "structuredContent": {}}, {}),
        ({"content": [{"type": "image", "data": "x"}]}, [{"type": "image", "data": "x"}]),
        ({"content": []}, {"content": []}),
        ({"toolResult": 5}, 5),
    ],
)
def test_what_a_tool_gave(result: Any, expected: Any):
    """Structured where it is, else its text, else what it is."""
    [call] = parse(request(), other(result))
    assert (call.status, call.result) == ("ok", expected)


def test_ids_of_both_kinds_and_none():
    """1 and "1" are two ids."""
    calls = parse(request("a", 1), request("b", "1"), response("B", "1"), response("A", 1))
    assert [(c.tool, c.result) for c in calls] == [("a", "A"), ("b", "B")]


def test_an_id_may_be_used_again():
    """Answers go to the oldest open request."""
    calls = parse(
        request("a"), response("1"), request("b"), request("c"), response("2"), response("3")
    )
    assert [(c.tool, c.result) for c in calls] == [("a", "1"), ("b", "2"), ("c", "3")]


def test_both_sides_ask_under_the_same_id():
    """What the server asks while the tool runs is answered by the client, and is no result."""
    sampled = other({"role": "assistant", "content": {"type": "text", "text": "s"}, "model": "m"})
    asked = request("", method="sampling/createMessage")
    for messages in (
        [request(), asked, sampled, response("x")],
        [asked, request(), response("x"), sampled],
    ):
        [call] = parse(*messages)
        assert (call.tool, call.result) == ("f", "x")


def test_answers_to_the_rest_of_the_protocol_are_no_calls():
    """Also where their requests are missing."""
    rest = [{"tools": []}, {}, {"resources": []}, {"protocolVersion": "1", "capabilities": {}}]
    assert parse(*[other(result, number) for number, result in enumerate(rest)]) == []
    failed = {"jsonrpc": "2.0", "id": 9, "error": {"code": -1, "message": "no"}}
    assert parse(request("", 9, "resources/read"), failed) == []


def test_a_result_without_its_request_is_a_call():
    """As the seed system has it; some logs name the tool."""
    named = other({"_tool_name": "g", "content": []}, 2)
    failed = {"jsonrpc": "2.0", "id": 3, "error": {"code": -1, "message": "no"}}
    calls = parse(response("x"), named, failed)
    assert [(c.tool, c.args, c.status) for c in calls] == [
        ("unknown", {}, "ok"),
        ("g", {}, "ok"),
        ("unknown", {}, "error"),
    ]


@pytest.mark.parametrize(
    ("error", "message", "code"),
    [
        ({"code": -32601, "message": "no such tool"}, "no such tool", -32601),
        ("just a text", "just a text", None),
        ({"code": 1}, "{'code': 1}", 1),
    ],
)
def test_an_error_of_the_protocol(error: Any, message: str, code: int | None):
    """Its message and its code."""
    [call] = parse(request(), {"jsonrpc": "2.0", "id": 1, "error": error})
    assert (call.status, call.error, call.result) == ("error", message, None)
    assert call.metadata.get("error_code") == code


def test_a_request_that_was_cancelled():
    """Unless the answer comes all the same."""
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert parse(request(), cancel)[0].status == "cancelled"
    assert parse(request(), cancel, response())[0].status == "ok"


def test_a_task_that_goes_on_after_the_first_answer():
    """Its result comes under a request of its own."""
    started = other({"task": {"taskId": "t", "status": "working"}})
    fetch = {"jsonrpc": "2.0", "id": 2, "method": "tasks/result", "params": {"taskId": "t"}}
    assert parse(request(), started)[0].status is None
    [call] = parse(request(), started, fetch, response("x", 2))
    assert (call.status, call.result) == ("ok", "x")


def test_a_tool_that_asks_for_something_first():
    """The second request goes on with the call."""
    asks = other({"resultType": "input_required", "inputRequests": {}, "requestState": "s"})
    again = request("f", 2, inputResponses={"a": {}}, requestState="s")
    assert parse(request(), asks)[0].status == "interrupted"
    [call] = parse(request(), asks, again, response("x", 2))
    assert (call.status, call.result) == ("ok", "x")


def test_the_members_of_a_batch_are_one_step():
    """They have no order among themselves; others are a step each."""
    batch = [request("a", 1), request("b", 2)]
    calls = parse(batch, request("c", 3), [request("d", 4), request("e", 5)])
    assert [c.metadata.get("step") for c in calls] == [0, 0, None, 1, 1]


def test_how_long_it_took():
    """As a recorder wrote it, in seconds; by the times of both; the Inspector in milliseconds."""
    assert parse(request(), response(duration=0.25))[0].duration == 0.25
    [call] = parse(
        request() | {"timestamp": "2026-01-01T00:00:00Z"},
        response() | {"timestamp": "2026-01-01T00:00:01.500Z"},
    )
    assert (call.timestamp, call.duration) == (1767225600.0, 1.5)
    entry = {
        "timestamp": "2026-01-01T00:00:00.250Z",
        "duration": 60,
        "message": request(),
        "response": response(),
    }
    [call] = calls_of([entry])
    assert (call.timestamp, call.duration, call.result) == (1767225600.25, 0.06, "x")


@pytest.mark.parametrize("key", ["messages", "calls", "requests", "history"])
def test_sessions(key: str):
    """Messages with something around them."""
    assert [c.result for c in MCPAdapter().parse({key: [request(), response()]})] == ["x"]


def test_a_call_in_a_log_line_as_text_is_refused():
    """The text is to be parsed first."""
    with pytest.raises(ValueError, match="MCPAdapter"):
        parse(json.dumps(request()))


@pytest.mark.parametrize("params", [["x"], "x", 5, None, {}, {"name": None}, {"name": 5}])
def test_a_call_without_a_name_is_refused(params: Any):
    """It cannot be scored, and is not passed over."""
    with pytest.raises(ValueError, match=r"tools/call|tool call"):
        parse({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


@pytest.mark.parametrize("trace", [None, 5, {}, [5], [{}], [{"x": 1}]])
def test_what_is_no_trace_of_mcp(trace: Any):
    """A sentence says what was found."""
    with pytest.raises(ValueError, match="MCPAdapter"):
        MCPAdapter().parse(trace)
