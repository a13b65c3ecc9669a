"""Each convention that instrumentations write tool calls in, with the attributes they write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from adapters.otel_spans import S, sdk

from toolscore import ToolCall
from toolscore.adapters.otel import calls_from_otel

MESSAGE = {"content": "18C", "type": "tool", "name": "weather", "tool_call_id": "c1"}
CONSTRUCTED = {
    "lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"],
    "kwargs": MESSAGE | {"status": "success"},
}  # fmt: skip
OI = {"openinference.span.kind": "TOOL", "tool.name": "weather"}
TOOL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather"}
OSLO = '{"city": "Oslo"}'

TOOL_SPANS: dict[str, S] = {
    "the convention": S("execute_tool weather", TOOL | {
        "gen_ai.tool.call.id": "c1", "gen_ai.tool.call.arguments": OSLO,
        "gen_ai.tool.call.result": "18C"}),
    "the convention, in the span's name": S("execute_tool weather", {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": OSLO, "gen_ai.tool.call.result": "18C"}),
    "pydantic-ai, first formats": S("running tool", {
        "gen_ai.tool.name": "weather", "gen_ai.tool.call.id": "c1", "tool_arguments": OSLO,
        "tool_response": "18C", "logfire.msg": "running tool: weather"}),
    "OpenInference": S("weather", OI | {
        "tool_call.id": "c1", "input.value": OSLO, "output.value": "18C"}),
    "OpenInference of LangChain": S("weather", OI | {
        "input.value": OSLO, "input.mime_type": "application/json",
        "output.value": json.dumps({"type": "tool", "data": MESSAGE | {"status": "success"}})}),
    "OpenInference of LlamaIndex": S("FunctionTool.acall", OI | {
        "tool_call.id": "c1", "input.value": '{"kwargs": {"city": "Oslo"}}',
        "output.value": json.dumps({
            "blocks": [{"text": "18C"}], "tool_name": "weather", "raw_input": {},
            "raw_output": "18C", "is_error": False})}),
    "Traceloop": S("weather.tool", {
        "traceloop.span.kind": "tool", "traceloop.entity.name": "weather", "tool.id": "c1",
        "traceloop.entity.input": OSLO, "traceloop.entity.output": "18C"}),
    "Traceloop's decorator": S("weather.tool", {
        "traceloop.span.kind": "tool", "traceloop.entity.name": "weather", "tool.id": "c1",
        "traceloop.entity.input": '{"args": [], "kwargs": {"city": "Oslo"}}',
        "traceloop.entity.output": '"18C"'}),
    "OpenLLMetry of LangChain": S("execute_tool weather", TOOL | {
        "traceloop.span.kind": "tool",
        "gen_ai.tool.call.arguments": json.dumps({
            "input_str": "{'city': 'Oslo'}", "tags": ["seq:step:1"], "metadata": {},
            "inputs": {"city": "Oslo"}, "kwargs": {"color": "green", "tool_call_id": "c1"}}),
        "gen_ai.tool.call.result": json.dumps({"output": CONSTRUCTED, "kwargs": {"tags": []}})}),
    "Vercel AI SDK": S("ai.toolCall", {
        "operation.name": "ai.toolCall my-function", "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": "weather", "ai.toolCall.id": "c1", "ai.toolCall.args": OSLO,
        "ai.toolCall.result": '"18C"'}),
    "Langfuse": S("weather", {
        "langfuse.observation.type": "tool", "langfuse.observation.input": OSLO, "tool.id": "c1",
        "langfuse.observation.output": "18C"}),
    "Google ADK": S("execute_tool weather", TOOL | {
        "gen_ai.tool.call.id": "c1", "gcp.vertex.agent.tool_call_args": OSLO,
        "gcp.vertex.agent.tool_response": '"18C"'}),
    "Sentry": S("execute_tool weather", TOOL | {
        "gen_ai.tool.call.id": "c1", "gen_ai.tool.input": OSLO, "gen_ai.tool.output": "18C"}),
    "Strands, events": S("execute_tool weather", TOOL | {
        "gen_ai.tool.call.id": "c1", "gen_ai.tool.status": "success"}, events=[
            ("gen_ai.tool.message", {"role": "tool", "content": OSLO, "id": "c1"}),
            ("gen_ai.choice", {"message": '"18C"', "id": "c1"})]),
    "Strands, latest": S("execute_tool weather", TOOL | {"gen_ai.tool.call.id": "c1"}, events=[
        ("gen_ai.client.inference.operation.details", {"gen_ai.input.messages": json.dumps([
            {"role": "tool", "parts": [{"type": "tool_call", "name": "weather", "id": "c1",
                                        "arguments": {"city": "Oslo"}}]}])}),
        ("gen_ai.client.inference.operation.details", {"gen_ai.output.messages": json.dumps([
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1",
                                        "response": "18C"}]}])})]),
    "MCP": S("tools/call weather", {
        "mcp.method.name": "tools/call", "gen_ai.tool.name": "weather", "tool.id": "c1",
        "gen_ai.tool.call.arguments": OSLO,
        "gen_ai.tool.call.result": json.dumps(
            {"content": [{"type": "text", "text": "18C"}], "isError": False})}),
}  # fmt: skip


@pytest.mark.parametrize("span", TOOL_SPANS.values(), ids=TOOL_SPANS)
def test_a_tool_span_is_one_call(span: S):
    """With its name, arguments, result and id."""
    [call] = calls_from_otel(sdk(span))
    assert (call.tool, call.args, call.result) == ("weather", {"city": "Oslo"}, "18C")
    assert (call.metadata["id"], call.status) == ("c1", "ok")


NO_CALLS: dict[str, S] = {
    "a chat": S("chat m", {"gen_ai.operation.name": "chat", "gen_ai.tool.name": "x"}),
    "an agent": S("agent", {"openinference.span.kind": "AGENT", "input.value": "{}"}),
    "a workflow": S("w", {"traceloop.span.kind": "workflow", "traceloop.entity.name": "w"}),
    "a task": S("t", {"traceloop.span.kind": "task", "traceloop.entity.name": "tools"}),
    "a chain": S("tools", {"openinference.span.kind": "CHAIN", "input.value": "[]"}),
    "running two tools": S("running 2 tools", {"tools": ["a", "b"]}),
    "ADK's sum": S("execute_tool (merged tools)", {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "(merged tools)"}),
    "a list of tools": S("tools/list", {"mcp.method.name": "tools/list"}),
    "a request": S("GET", {"http.request.method": "GET"}),
}  # fmt: skip


@pytest.mark.parametrize("span", NO_CALLS.values(), ids=NO_CALLS)
def test_other_spans_are_no_calls(span: S):
    """However near they stand to tools."""
    assert calls_from_otel(sdk(span)) == []


CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": OSLO}}
ASKED: dict[str, dict[str, Any]] = {
    "gen_ai.output.messages": {"gen_ai.output.messages": json.dumps([{
        "role": "assistant", "finish_reason": "tool_call", "parts": [
            {"type": "text", "content": "hm"},
            {"type": "tool_call", "id": "c1", "name": "weather",
             "arguments": {"city": "Oslo"}}]}])},
    "OpenLLMetry, numbered": {
        "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "weather",
        "gen_ai.completion.0.tool_calls.0.arguments": OSLO},
    "OpenInference, numbered": {
        "openinference.span.kind": "LLM", "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "weather",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": OSLO},
    "Vercel AI SDK": {"ai.response.toolCalls": json.dumps(
        [{"toolCallId": "c1", "toolName": "weather", "input": OSLO}])},
    "Vercel AI SDK 4": {"ai.response.toolCalls": json.dumps(
        [{"toolCallType": "function", "toolCallId": "c1", "toolName": "weather", "args": OSLO}])},
    "pydantic-ai, first format": {"events": json.dumps([
        {"event.name": "gen_ai.user.message", "content": "hi", "role": "user"},
        {"event.name": "gen_ai.choice", "index": 0,
         "message": {"role": "assistant", "tool_calls": [CALL]}}])},
    "LlamaIndex, whole": {
        "openinference.span.kind": "LLM", "output.value": json.dumps({"message": {"blocks": [
            {"tool_call_id": "c1", "tool_name": "weather", "tool_kwargs": {"city": "Oslo"}}]}})},
}  # fmt: skip
ASKED_IN_EVENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "gen_ai.choice, message as JSON": ("gen_ai.choice", {
        "index": 0, "message": json.dumps({"role": "assistant", "tool_calls": [CALL]})}),
    "gen_ai.choice, calls as JSON": ("gen_ai.choice", {"tool_calls": json.dumps([CALL])}),
    "gen_ai.event.content": ("gen_ai.choice", {
        "gen_ai.event.content": json.dumps({"message": {"tool_calls": [CALL]}, "index": 0})}),
    "gen_ai.content.completion": ("gen_ai.content.completion", {
        "gen_ai.completion": json.dumps([{"role": "assistant", "tool_calls": [CALL]}])}),
    "operation details": ("gen_ai.client.inference.operation.details", {
        "gen_ai.output.messages": ASKED["gen_ai.output.messages"]["gen_ai.output.messages"]}),
}  # fmt: skip
MODEL_SPANS = {name: S("chat m", given) for name, given in ASKED.items()}
MODEL_SPANS |= {name: S("chat m", {}, events=[given]) for name, given in ASKED_IN_EVENTS.items()}


@pytest.mark.parametrize("span", MODEL_SPANS.values(), ids=MODEL_SPANS)
def test_a_models_span_says_what_was_asked_for(span: S):
    """Attributes and events, old and current."""
    [call] = calls_from_otel(sdk(span))
    assert (call.tool, call.args, call.metadata["id"]) == ("weather", {"city": "Oslo"}, "c1")
    assert (call.status, call.metadata["origin"], call.metadata["step"]) == (None, "requested", 0)


ANSWERED: dict[str, S] = {
    "gen_ai.input.messages": S("chat m", {"gen_ai.input.messages": json.dumps([
        {"role": "tool", "parts": [
            {"type": "tool_call_response", "id": "c1", "response": "18C"}]}])}),
    "gen_ai.input.messages, as drafted": S("chat m", {"gen_ai.input.messages": json.dumps([
        {"role": "tool", "parts": [
            {"type": "tool_call_response", "id": "c1", "result": "18C"}]}])}),
    "OpenLLMetry, numbered": S("chat m", {
        "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "hi",
        "gen_ai.prompt.1.role": "tool", "gen_ai.prompt.1.tool_call_id": "c1",
        "gen_ai.prompt.1.content": "18C"}),
    "OpenInference, numbered": S("chat m", {
        "llm.input_messages.2.message.role": "tool",
        "llm.input_messages.2.message.tool_call_id": "c1",
        "llm.input_messages.2.message.content": "18C"}),
    "gen_ai.tool.message": S("chat m", {}, events=[
        ("gen_ai.tool.message", {"id": "c1", "content": "18C"})]),
    "Vercel AI SDK": S("chat m", {"ai.prompt.messages": json.dumps([
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1",
         "toolName": "weather", "output": {"type": "text", "value": "18C"}}]}])}),
    "Vercel AI SDK 4": S("chat m", {"ai.prompt.messages": json.dumps([
        {"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "c1", "result": "18C"}]}])}),
}  # fmt: skip


@pytest.mark.parametrize("span", ANSWERED.values(), ids=ANSWERED)
def test_the_next_models_span_says_what_it_was_told(span: S):
    """The result of a call that no tool span tells of."""
    asked = S("chat m", ASKED["gen_ai.output.messages"], end=1)
    span.start, span.end = 2, 3
    [call] = calls_from_otel(sdk(S("agent", inside=[asked, span], end=4)))
    assert (call.result, call.status) == ("18C", "ok")


def test_an_answer_that_is_marked_as_an_error_is_one():
    """The Vercel AI SDK says it in the type of the output."""
    output = {"type": "error-text", "value": "no such city"}
    told = [{"role": "tool", "content": [{"toolCallId": "c1", "output": output}]}]
    asked = S("chat m", ASKED["gen_ai.output.messages"], end=1)
    answered = S("chat m", {"ai.prompt.messages": json.dumps(told)}, 2, 3)
    [call] = calls_from_otel(sdk(S("agent", inside=[asked, answered], end=4)))
    assert (call.status, call.error) == ("error", "no such city")


def test_calls_that_the_provider_ran_are_its_own():
    """The convention has parts of their own for them."""
    parts = [
        {"type": "server_tool_call", "name": "web_search", "id": "s1",
         "server_tool_call": {"type": "web_search", "input": {"q": "a"}}},
        {"type": "server_tool_call_response", "id": "s1",
         "server_tool_call_response": {"type": "web_search", "hits": 3}},
    ]  # fmt: skip
    written = json.dumps([{"role": "assistant", "parts": parts}])
    [call] = calls_from_otel(sdk(S("chat m", {"gen_ai.output.messages": written})))
    assert (call.tool, call.args, call.status) == ("web_search", {"q": "a"}, "ok")
    assert (call.metadata["origin"], call.metadata["kind"]) == ("server", "hosted")


def test_a_tool_for_the_final_answer_is_no_call_of_a_tool():
    """pydantic-ai lists its output tools with the request."""
    parameters = {
        "function_tools": [{"name": "search"}],
        "output_tools": [{"name": "final_result"}],
    }
    part = {"type": "tool_call", "id": "c1", "name": "final_result", "arguments": {"x": 1}}
    attributes = {
        "model_request_parameters": json.dumps(parameters),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [part]}]),
    }
    [call] = calls_from_otel(sdk(S("chat m", attributes)))
    assert (call.metadata["origin"], call.status) == ("structured_output", "ok")


@pytest.mark.parametrize(
    ("span", "tool"),
    [
        (S("handoff to The Desk", {"openinference.span.kind": "TOOL", "input.value": "a",
                                       "output.value": "The Desk"}), "transfer_to_the_desk"),
        (S("a → b.handoff", {"traceloop.span.kind": "handoff",
                             "gen_ai.handoff.to_agent": "b"}), "transfer_to_b"),
        (S("a → unknown.handoff", {"traceloop.span.kind": "handoff"}), "handoff"),
    ],
)  # fmt: skip
def test_a_handoff_is_a_call_of_its_kind(span: S, tool: str):
    """Under the name of the SDK's tool, which is what the model called."""
    [call] = calls_from_otel(sdk(span))
    assert (call.tool, call.args, call.metadata["kind"]) == (tool, {}, "handoff")


def test_a_llama_index_step_gives_its_execution_the_id():
    """The workflow's step has the id as text; a call of an unknown tool has no execution."""

    def step(text: str, *inside: S) -> S:
        attributes = {"openinference.span.kind": "CHAIN", "input.value": json.dumps({"ev": text})}
        return S("BaseWorkflowAgent.call_tool", attributes, inside=inside)

    ran = S("FunctionTool.acall", OI | {"input.value": '{"kwargs": {"city": "Oslo"}}',
                                        "output.value": "18C"})  # fmt: skip
    spans = sdk(
        step("ToolCall(tool_name='weather', tool_kwargs={'city': 'Oslo'}, tool_id='c1')", ran),
        step("ToolCall(tool_name='nosuch', tool_kwargs={}, tool_id='c2')"),
    )
    weather, nosuch = calls_from_otel(spans)
    assert (weather.metadata["id"], weather.result, weather.metadata["attempts"]) == (
        "c1",
        "18C",
        1,
    )
    assert (nosuch.metadata["id"], nosuch.status, nosuch.metadata["attempts"]) == ("c2", None, 0)


def test_an_export_of_langfuse_is_read():
    """Rows of observations; the level says what failed."""
    rows = [
        {"id": "1", "traceId": "t", "type": "SPAN", "name": "agent", "input": {}},
        {"id": "2", "traceId": "t", "type": "TOOL", "name": "pay", "parentObservationId": "1",
         "input": {"n": 1}, "output": None, "level": "ERROR", "statusMessage": "declined",
         "startTime": "2026-01-01T00:00:02.000Z", "endTime": "2026-01-01T00:00:02.500Z"},
    ]  # fmt: skip
    for source in (rows, {"observations": rows}, {"data": rows}):
        [call] = calls_from_otel(source)
        assert (call.tool, call.args, call.error, call.duration) == (
            "pay",
            {"n": 1},
            "declined",
            0.5,
        )


def test_the_calls_are_plain():
    """Lists and dicts, whatever the SDK holds them in."""
    [call] = calls_from_otel(sdk(S("t", TOOL | {"gen_ai.tool.call.arguments": ["a", "b"]})))
    assert call == ToolCall(
        "weather", {"value": ["a", "b"]}, timestamp=call.timestamp, duration=1.0,
        metadata=call.metadata,
    )  # fmt: skip
