"""Spans of models and of tools that tell of one call: it counts once, with all that they say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from adapters.otel_spans import S, chat, otlp, sdk, tool
from opentelemetry.trace import SpanKind

from toolscore.adapters.otel import calls_from_otel


def agent(*inside: S, name: str = "helper") -> S:
    """An agent's span around these."""
    attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
    return S(f"invoke_agent {name}", attributes, 0, 100, inside)


def mcp(method: str, kind: SpanKind, *inside: S, **more: Any) -> S:
    """An MCP span that follows the convention."""
    attributes = {"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool"}
    attributes |= {"gen_ai.tool.name": method, "jsonrpc.request.id": "3"}
    attributes |= more.pop("attributes", {})
    return S(f"tools/call {method}", attributes, inside=inside, kind=kind, **more)


def test_calls_of_one_model_turn_share_its_step():
    """They have no order among themselves; the next turn is another step."""
    spans = sdk(
        agent(
            chat(("c1", "a", {"x": 1}), ("c2", "b", {}), start=1, end=2),
            tool("b", start=2.1, end=3),
            tool("a", '{"x": 1}', start=2.2, end=3),
            chat(("c3", "a", {"x": 2}), start=4, end=5),
            tool("a", '{"x": 2}', start=5, end=6),
        )
    )
    calls = calls_from_otel(spans)
    assert [(c.tool, c.metadata["step"], c.metadata["id"]) for c in calls] == [
        ("b", 0, "c2"), ("a", 0, "c1"), ("a", 1, "c3"),
    ]  # fmt: skip
    assert {c.metadata["agent"] for c in calls} == {"helper"}


def test_a_request_without_an_execution_is_a_call_that_nobody_answered():
    """Asked for, and the run ended."""
    [call] = calls_from_otel(sdk(agent(chat(("c1", "pay", {"n": 1})))))
    assert (call.tool, call.args, call.status) == ("pay", {"n": 1}, None)
    assert (call.metadata["origin"], call.metadata["result_known"]) == ("requested", False)


def test_where_no_tool_is_traced_the_messages_tell_the_results():
    """Instrumented clients see the model's side alone."""
    spans = sdk(
        chat(("c1", "search", '{"q": "a"}'), start=0, end=1),
        chat(answers=[("c1", "3 hits")], start=2, end=3),
    )
    spans_of_one_trace = [json.loads(s.to_json()) for s in spans]
    for span in spans_of_one_trace:
        span["context"]["trace_id"] = "0x1"

    [call] = calls_from_otel(spans_of_one_trace)
    assert (call.args, call.result, call.status) == ({"q": "a"}, "3 hits", "ok")


def test_an_answer_beside_traced_tools_that_did_not_run_is_no_success():
    """A refusal, a cache: the text alone does not say which."""
    spans = sdk(
        agent(
            chat(("c1", "a", {}), ("c2", "nosuch", {}), start=0, end=1),
            tool("a", start=2, end=3),
            chat(answers=[("c1", "ok"), ("c2", "There is no such tool")], start=4, end=5),
        )
    )
    unrun, ran = calls_from_otel(spans)
    assert (ran.tool, ran.status) == ("a", "ok")
    assert (unrun.tool, unrun.status, unrun.metadata["attempts"]) == ("nosuch", None, 0)
    assert unrun.metadata["model_visible_result"] == "There is no such tool"


def test_a_tool_that_was_not_on_offer_is_unknown():
    """The span of the model lists what it could call."""
    offer = {"gen_ai.tool.definitions": json.dumps([{"type": "function", "name": "search"}])}
    [call] = calls_from_otel(sdk(chat(("c1", "nosuch", {}), attributes=offer)))
    assert (call.status, call.metadata["origin"], call.metadata["attempts"]) == (
        "error",
        "unknown_tool",
        0,
    )


def test_two_calls_alike_stay_two():
    """Same tool, same arguments, other ids or none."""
    with_ids = sdk(
        agent(
            chat(("c1", "a", {}), ("c2", "a", {}), start=0, end=1),
            tool("a", id="c2", start=1, end=2),
            tool("a", id="c1", start=2, end=3),
        )
    )
    without = sdk(agent(chat((None, "a", {}), (None, "a", {})), tool("a"), tool("a")))
    assert [c.metadata["id"] for c in calls_from_otel(with_ids)] == ["c2", "c1"]
    assert len(calls_from_otel(without)) == 2


def test_different_ids_are_different_calls_however_alike():
    """The execution of one, and the request for another."""
    spans = sdk(agent(chat(("c1", "a", {}), end=1), tool("a", id="c9", start=2, end=3)))
    assert sorted(c.metadata["id"] for c in calls_from_otel(spans)) == ["c1", "c9"]


def test_a_lone_argument_gets_its_name_back_from_the_request():
    """OpenInference writes it bare."""
    bare = {"openinference.span.kind": "TOOL", "tool.name": "weather", "input.value": "Oslo"}
    spans = sdk(agent(chat((None, "weather", {"city": "Oslo"}), end=1), S("weather", bare, 2, 3)))
    [call] = calls_from_otel(spans)
    assert (call.args, call.metadata.get("raw_arguments")) == ({"city": "Oslo"}, None)


def test_without_the_request_the_tools_other_calls_name_a_lone_text():
    """Where they have one text argument; the text is kept, since this is an inference."""

    def bare(written: str, **more: Any) -> S:
        attributes = {"openinference.span.kind": "TOOL", "tool.name": "weather"}
        return S("weather", attributes | {"input.value": written}, **more)

    oslo = bare('{"city": "Oslo", "days": 2}')
    rome = bare("Rome", start=2, end=3)
    _, inferred = calls_from_otel(sdk(oslo, rome))
    _, two = calls_from_otel(sdk(bare('{"city": "Oslo", "unit": "C"}'), rome))
    [alone] = calls_from_otel(sdk(rome))

    assert (inferred.args, inferred.metadata["raw_arguments"]) == ({"city": "Rome"}, "Rome")
    assert two.args == alone.args == {"value": "Rome"}


def test_arguments_that_were_edited_keep_the_request_beside_them():
    """A person approved other arguments than the model sent."""
    spans = sdk(
        agent(chat(("c1", "pay", {"n": 9}), end=1), tool("pay", '{"n": 1}', id="c1", start=2))
    )
    [call] = calls_from_otel(spans)
    assert (call.args, call.metadata["requested_args"]) == ({"n": 1}, {"n": 9})


def test_a_span_around_the_models_own_repeats_no_request():
    """An agent's span, or a second instrumentation's, holds the same messages."""
    inner = chat((None, "a", {}))
    outer = chat((None, "a", {}), inside=[inner])
    assert len(calls_from_otel(sdk(outer))) == 1


def test_a_turn_that_two_instrumentations_wrote_side_by_side_is_one():
    """The same ids at the same time; at another time they were used again."""
    beside = sdk(
        agent(chat(("c1", "a", {}), start=0, end=2), chat(("c1", "a", {}), start=1, end=3))
    )
    later = sdk(agent(chat(("c1", "a", {}), start=0, end=1), chat(("c1", "a", {}), start=2, end=3)))
    assert (len(calls_from_otel(beside)), len(calls_from_otel(later))) == (1, 2)


def test_a_tool_span_and_its_mcp_twins_are_one_call():
    """The framework, the client and the server each wrote a span; the server's says it failed."""
    server = mcp("search", SpanKind.SERVER, attributes={"error.type": "tool_error"}, status="ERROR")
    client = mcp("search", SpanKind.CLIENT, server)
    outer = tool("search", '{"q": "a"}', "Error: no", id="c1", status="OK", inside=[client])

    [call] = calls_from_otel(sdk(outer))

    assert (call.args, call.result, call.metadata["id"]) == ({"q": "a"}, "Error: no", "c1")
    assert (call.metadata["kind"], call.status, call.error) == ("mcp", "error", "tool_error")
    assert (call.metadata["attempts"], call.metadata["depth"]) == (1, 0)


@pytest.mark.parametrize("outer", ["mcp__web__search", "web.search", "web_search", "search"])
def test_a_twin_may_bear_the_name_of_its_server_too(outer: str):
    """Frameworks prefix the tools of servers."""
    inner = mcp("search", SpanKind.CLIENT)
    assert [c.tool for c in calls_from_otel(sdk(tool(outer, inside=[inner])))] == [outer]


def test_an_mcp_call_that_was_made_twice_for_one_request_counts_its_attempts():
    """The framework retried; the last decides."""
    first = mcp("t", SpanKind.CLIENT, attributes={"error.type": "tool_error"}, start=0, end=1)
    second = mcp("t", SpanKind.CLIENT, start=1, end=2)
    [call] = calls_from_otel(sdk(tool("t", inside=[first, second], end=2)))
    assert (call.metadata["attempts"], call.status) == (2, "ok")


def test_a_servers_span_in_a_trace_of_its_own_is_its_clients():
    """Context was not handed on; the ids of session and request are the same."""
    session = {"mcp.session.id": "s1"}
    client = mcp("t", SpanKind.CLIENT, attributes=session)
    server = mcp("t", SpanKind.SERVER, attributes=session | {"error.type": "tool_error"})
    other = mcp("t", SpanKind.SERVER, attributes={"mcp.session.id": "s2"})

    assert [c.status for c in calls_from_otel(sdk(client, server))] == ["error"]
    assert len(calls_from_otel(sdk(client, other))) == 2
    assert len(calls_from_otel(sdk(server))) == 1


def test_other_mcp_requests_are_no_calls():
    """Lists of tools, prompts, the handshake."""
    names = ("initialize", "tools/list", "prompts/get", "resources/read")
    spans = [
        S(n, {"mcp.method.name": n, "gen_ai.tool.name": "x"}, kind=SpanKind.CLIENT) for n in names
    ]
    assert calls_from_otel(sdk(*spans)) == []


def test_calls_of_an_agent_inside_a_tool_are_nested():
    """They know the call that they were made in."""
    inner = agent(
        chat(("c2", "look", {}), end=1), tool("look", id="c2", start=2, end=3), name="sub"
    )
    spans = sdk(
        agent(chat(("c1", "ask", {}), end=1), tool("ask", id="c1", start=2, inside=[inner]))
    )

    ask, look = calls_from_otel(spans)

    assert (ask.metadata["kind"], ask.metadata["depth"], ask.metadata["agent"]) == (
        "agent",
        0,
        "helper",
    )
    assert (look.metadata["depth"], look.metadata["agent"]) == (1, "sub")
    assert look.metadata["parent"] == ask.metadata["key"]


def test_a_nested_agent_may_call_a_tool_of_the_same_name():
    """A model stands between: no twin."""
    inner = agent(chat(("c2", "ask", {})), tool("ask", id="c2"), name="sub")
    assert len(calls_from_otel(sdk(tool("ask", id="c1", inside=[inner])))) == 2


@pytest.mark.parametrize(("end", "attempts"), [(1, 2), (5, 1)], ids=["retried", "seen twice"])
def test_spans_with_one_call_id_are_one_call(end: float, attempts: int):
    """A middleware retried it, or two instrumentations wrote it down side by side."""
    first = tool("t", result=None, id="c1", start=0, end=end, status="ERROR", message="boom")
    second = tool("t", id="c1", start=2, end=5)
    [call] = calls_from_otel(sdk(agent(first, second)))
    assert (call.metadata["attempts"], call.metadata["id"]) == (attempts, "c1")
    if attempts == 2:
        assert (call.status, call.result, call.duration) == ("ok", "ok", 5.0)


def test_an_id_that_is_used_again_does_not_hide_a_call():
    """A repeated success is no retry, and two requests are two calls."""
    done = sdk(agent(tool("t", id="c", start=0, end=1), tool("t", id="c", start=2, end=3)))
    asked = sdk(
        agent(
            chat(("c", "t", {}), start=0, end=1),
            tool("t", id="c", result=None, start=1, end=2, status="ERROR"),
            chat(("c", "t", {}), start=3, end=4),
            tool("t", id="c", start=4, end=5),
        )
    )
    assert len(calls_from_otel(done)) == 2
    assert [c.status for c in calls_from_otel(asked)] == ["error", "ok"]


def test_log_records_are_events_of_their_spans():
    """Contents are exported as logs where the instrumentation writes events."""
    export = otlp(S("chat m", {"gen_ai.operation.name": "chat"}))
    [resource] = export["resourceSpans"]
    [span] = resource["scopeSpans"][0]["spans"]
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    record = {
        "traceId": span["traceId"], "spanId": span["spanId"], "eventName": "gen_ai.choice",
        "body": {"kvlistValue": {"values": [
            {"key": "message", "value": {"stringValue": json.dumps({"tool_calls": [call]})}}]}},
    }  # fmt: skip
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}

    for source in ([export, logs], [logs, export], logs):
        [made] = calls_from_otel(source)
        assert (made.tool, made.args, made.metadata["id"]) == ("f", {"a": 1}, "c1")
