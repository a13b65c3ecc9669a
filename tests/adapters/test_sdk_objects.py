"""Objects of the providers' own clients, their dumps, what they parse: all give the same calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from adapters import traces
from anthropic.types import Message
from anthropic.types.beta import BetaMessage
from google.genai import types as genai
from mcp import types as mcp
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response

from toolscore import ToolCall
from toolscore.adapters import MCPAdapter
from toolscore.adapters._formats import calls_of

USAGE = {"input_tokens": 1, "output_tokens": 1}

RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1767225600.0,
    "model": "gpt-5",
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": "weather",
            "arguments": '{"city": "Oslo"}',
            "status": "completed",
        },
        {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "python"},
        },
        {
            "type": "mcp_call",
            "id": "mcp_1",
            "server_label": "tickets",
            "name": "create",
            "arguments": "{}",
            "output": "made",
        },
        {
            "type": "file_search_call",
            "id": "fs_1",
            "status": "completed",
            "queries": ["q"],
            "results": [{"file_id": "f", "filename": "a.md", "score": 0.5, "text": "t"}],
        },
    ],
}

MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude",
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": USAGE,
    "content": [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}},
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srv_1",
            "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"},
        },
        {
            "type": "server_tool_use",
            "id": "srv_2",
            "name": "bash_code_execution",
            "input": {"command": "ls"},
        },
        {
            "type": "bash_code_execution_tool_result",
            "tool_use_id": "srv_2",
            "content": {
                "type": "bash_code_execution_result",
                "stdout": "a",
                "stderr": "",
                "return_code": 2,
                "content": [],
            },
        },
    ],
}

BETA_MESSAGE: dict[str, Any] = {
    **MESSAGE,
    "content": [
        {"type": "mcp_tool_use", "id": "m1", "name": "get", "server_name": "s", "input": {"n": 1}},
        {
            "type": "mcp_tool_result",
            "tool_use_id": "m1",
            "is_error": True,
            "content": [{"type": "text", "text": "gone"}],
        },
    ],
}

GENERATED: dict[str, Any] = {
    "candidates": [
        {
            "index": 0,
            "finishReason": "STOP",
            "content": {
                "role": "model",
                "parts": [
                    {"text": "I look."},
                    {"functionCall": {"id": "g1", "name": "weather", "args": {"city": "Oslo"}}},
                    {"executableCode": {"language": "PYTHON", "code": "1/0"}},
                    {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no"}},
                ],
            },
        }
    ],
    "automaticFunctionCallingHistory": [
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [{"functionCall": {"id": "g0", "name": "time", "args": {}}}]},
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "g0", "name": "time", "response": {"result": "9"}}}
            ],
        },
    ],
}

CASES: dict[str, tuple[type[Any], Any, list[tuple[Any, ...]]]] = {
    "ChatCompletion": (
        ChatCompletion,
        traces.CHAT_RESPONSE
        | {"choices": [traces.CHAT_RESPONSE["choices"][0] | {"logprobs": None}]},
        [("find_trains", {}, None, None)],
    ),
    "Response": (
        Response,
        RESPONSE,
        [
            ("weather", {"city": "Oslo"}, None, None),
            ("web_search", {"type": "search", "query": "python"}, "ok", None),
            ("create", {}, "ok", "made"),
            ("file_search", {"queries": ["q"]}, "ok", RESPONSE["output"][4]["results"]),
        ],
    ),
    "Message": (
        Message,
        MESSAGE,
        [
            ("weather", {"city": "Oslo"}, None, None),
            ("web_search", {"query": "x"}, "error", "unavailable"),
            ("bash_code_execution", {"command": "ls"}, "ok", MESSAGE["content"][5]["content"]),
        ],
    ),
    "BetaMessage": (BetaMessage, BETA_MESSAGE, [("get", {"n": 1}, "error", "gone")]),
    "GenerateContentResponse": (
        genai.GenerateContentResponse,
        GENERATED,
        [
            ("time", {}, "ok", {"result": "9"}),
            ("weather", {"city": "Oslo"}, None, None),
            ("code_interpreter", {"code": "1/0", "language": "PYTHON"}, "error", "no"),
        ],
    ),
}

WAYS: dict[str, Callable[[type[Any], Any], Any]] = {
    "the object": lambda kind, data: kind.model_validate(data),
    "model_dump": lambda kind, data: kind.model_validate(data).model_dump(),
    "model_dump for JSON": lambda kind, data: kind.model_validate(data).model_dump(mode="json"),
    "model_dump by alias": lambda kind, data: kind.model_validate(data).model_dump(by_alias=True),
    "model_dump_json": lambda kind, data: json.loads(kind.model_validate(data).model_dump_json()),
    "without defaults": lambda kind, data: kind.model_validate(data).model_dump(exclude_none=True),
    "the JSON of the API": lambda _, data: data,
    "in a list": lambda kind, data: [kind.model_validate(data)],
}


def line(call: ToolCall) -> tuple[Any, ...]:
    """(tool, args, status, result or error); what a dump adds to a result is its own null."""
    said = call.error if call.is_error else call.result
    return call.tool, call.args, call.status, _without_none(said)


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_a_response_gives_the_same_calls_in_each_form(name: str, way: str):
    """As the client gave it, as it dumps itself, and as the API wrote it."""
    kind, data, expected = CASES[name]
    assert [line(call) for call in calls_of(WAYS[way](kind, data))] == expected


def test_the_chunks_of_a_stream_as_objects():
    """Of Chat Completions."""
    data = [{**chunk, "created": 1, "model": "m"} for chunk in traces.CHAT_STREAM]
    data[-1]["usage"] = None
    calls = calls_of([ChatCompletionChunk.model_validate(chunk) for chunk in data])
    assert [(call.tool, call.args) for call in calls] == [("find", {"q": "a"}), ("pay", {})]


def test_contents_as_objects_without_ids():
    """A history of Vertex AI, in the classes of google-genai."""
    contents = [genai.Content.model_validate(content) for content in traces.GEMINI]
    assert [(call.tool, call.args, call.status) for call in calls_of(contents)] == [
        ("weather", {"city": "Oslo"}, "ok"),
        ("weather", {"city": "Rome"}, "error"),
        ("code_interpreter", {"code": "print(1)", "language": "PYTHON"}, "ok"),
    ]


def test_the_requests_and_results_of_a_server_as_objects():
    """Of the mcp package: envelopes, and the bare requests and results of code that calls it."""
    request = mcp.CallToolRequest(
        method="tools/call",
        params=mcp.CallToolRequestParams(name="weather", arguments={"city": "Oslo"}),
    )
    good = mcp.CallToolResult(content=[mcp.TextContent(type="text", text="4C")])
    bad = mcp.CallToolResult.model_validate(
        {"content": [{"type": "text", "text": "gone"}], "isError": True}
    )
    envelope = mcp.JSONRPCRequest(
        jsonrpc="2.0", id=7, method="tools/call", params={"name": "time", "arguments": {}}
    )
    answer = mcp.JSONRPCResponse(
        jsonrpc="2.0", id=7, result=good.model_dump(by_alias=True, mode="json")
    )
    calls = MCPAdapter().parse([request, good, request, bad, envelope, answer])
    assert [line(call) for call in calls] == [
        ("weather", {"city": "Oslo"}, "ok", "4C"),
        ("weather", {"city": "Oslo"}, "error", "gone"),
        ("time", {}, "ok", "4C"),
    ]
    assert calls == calls_of([request, good, request, bad, envelope, answer])
