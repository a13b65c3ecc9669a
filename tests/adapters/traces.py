"""Traces as real programs write them, a rich one for each format; mutations start from them.

Written by hand after the documented shapes; every name and text in them is ours.
"""

from __future__ import annotations

from typing import Any

CHAT: list[Any] = [
    {"role": "system", "content": "You book trains."},
    {"role": "user", "content": [{"type": "text", "text": "Oslo to Bergen, please"}]},
    {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "function_call": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {
                    "name": "find_trains",
                    "arguments": '{"from": "Oslo", "to": "Bergen"}',
                },
            },
            {"id": "call_2", "type": "custom", "custom": {"name": "query", "input": "select 1"}},
        ],
    },
    {"role": "tool", "tool_call_id": "call_2", "content": [{"type": "text", "text": "1 row"}]},
    {"role": "tool", "tool_call_id": "call_1", "content": '["08:25", "12:03"]'},
    {
        "role": "assistant",
        "content": None,
        "function_call": {"name": "book", "arguments": '{"time": "08:25"}'},
    },
    {"role": "function", "name": "book", "content": "booked"},
    {"role": "assistant", "content": "Booked for 08:25."},
]

CHAT_RESPONSE: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1767225600,
    "model": "gpt-5",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "find_trains", "arguments": "{}"},
                    }
                ],
            },
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
}


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """One chunk of a stream of Chat Completions."""
    return {
        "id": "chatcmpl-2",
        "object": "chat.completion.chunk",
        "created": 1767225600,
        "model": "gpt-5",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


CHAT_STREAM: list[Any] = [
    chunk(
        role="assistant",
        tool_calls=[
            {
                "index": 0,
                "id": "s1",
                "type": "function",
                "function": {"name": "find", "arguments": ""},
            }
        ],
    ),
    chunk(tool_calls=[{"index": 0, "function": {"arguments": '{"q": '}}]),
    chunk(
        tool_calls=[
            {
                "index": 1,
                "id": "s2",
                "type": "function",
                "function": {"name": "pay", "arguments": "{"},
            }
        ]
    ),
    chunk(tool_calls=[{"index": 0, "function": {"arguments": '"a"}'}}]),
    chunk(tool_calls=[{"index": 1, "function": {"arguments": "}"}}]),
    chunk("tool_calls"),
    {"id": "chatcmpl-2", "object": "chat.completion.chunk", "choices": [], "usage": {}},
]

ITEMS: list[Any] = [
    {"role": "user", "content": "weather in Oslo?"},
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
        "type": "custom_tool_call",
        "id": "ct_1",
        "call_id": "call_2",
        "name": "sql",
        "input": "select 1",
    },
    {"type": "function_call_output", "call_id": "call_1", "output": "4C"},
    {
        "type": "custom_tool_call_output",
        "call_id": "call_2",
        "output": [{"type": "input_text", "text": "1"}],
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
        "output": None,
        "error": {
            "type": "mcp_tool_execution_error",
            "content": [{"type": "text", "text": "full"}],
        },
        "status": "failed",
    },
    {"type": "shell_call", "id": "sh_1", "call_id": "call_3", "action": {"commands": ["ls"]}},
    {
        "type": "shell_call_output",
        "call_id": "call_3",
        "output": [{"stdout": "", "stderr": "no", "outcome": {"type": "exit", "exit_code": 2}}],
    },
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "4C", "annotations": []}],
    },
]

ANTHROPIC: list[Any] = [
    {"role": "user", "content": "weather in Oslo?"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "x"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}},
            {"type": "tool_use", "id": "toolu_2", "name": "time", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "toolu_2",
                "content": "no clock",
                "is_error": True,
            },
            {
                "type": "tool_result",
                "tool_use_id": "toolu_1",
                "content": [{"type": "text", "text": "4C"}, {"type": "text", "text": "rain"}],
            },
        ],
    },
    {
        "role": "assistant",
        "content": [
            {
                "type": "server_tool_use",
                "id": "srv_1",
                "name": "web_search",
                "input": {"query": "x"},
            },
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srv_1",
                "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"},
            },
            {
                "type": "mcp_tool_use",
                "id": "m_1",
                "name": "get",
                "server_name": "s",
                "input": {"n": 1},
            },
            {
                "type": "mcp_tool_result",
                "tool_use_id": "m_1",
                "is_error": False,
                "content": [{"type": "text", "text": "one"}],
            },
            {"type": "text", "text": "It rains."},
        ],
    },
]

GEMINI: list[Any] = [
    {"role": "user", "parts": [{"text": "weather in Oslo?"}]},
    {
        "role": "model",
        "parts": [
            {"thought": True, "text": "hm"},
            {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}},
            {"functionCall": {"name": "weather", "args": {"city": "Rome"}}},
        ],
    },
    {
        "role": "user",
        "parts": [
            {"functionResponse": {"name": "weather", "response": {"output": "4C"}}},
            {"functionResponse": {"name": "weather", "response": {"error": "no such city"}}},
        ],
    },
    {
        "role": "model",
        "parts": [
            {"executable_code": {"language": "PYTHON", "code": "print(1)"}},
            {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}},
            {"text": "Cold."},
        ],
    },
]

GEMINI_RESPONSE: dict[str, Any] = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [{"function_call": {"id": "g1", "name": "weather", "args": None}}],
            },
            "finish_reason": "STOP",
            "index": 0,
        }
    ],
    "usage_metadata": {"total_token_count": 9},
    "automatic_function_calling_history": None,
}

LANGCHAIN: list[Any] = [
    {"type": "human", "content": "hi", "name": None, "id": "h1"},
    {
        "type": "ai",
        "content": [
            {"type": "text", "text": "I look."},
            {
                "type": "server_tool_use",
                "id": "srv_1",
                "name": "web_search",
                "input": {"query": "x"},
            },
            {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
        ],
        "name": None,
        "id": "a1",
        "tool_calls": [
            {"name": "weather", "args": {"city": "Oslo"}, "id": "c1", "type": "tool_call"},
            {"name": "nope", "args": {}, "id": "c2", "type": "tool_call"},
        ],
        "invalid_tool_calls": [
            {
                "name": "book",
                "args": '{"seat": 1',
                "id": "c3",
                "error": None,
                "type": "invalid_tool_call",
            }
        ],
        "usage_metadata": None,
    },
    {
        "type": "tool",
        "content": "4C",
        "name": "weather",
        "id": "t1",
        "tool_call_id": "c1",
        "artifact": {"kelvin": 277},
        "status": "success",
    },
    {
        "type": "tool",
        "content": "Error: nope is not a valid tool, try one of [weather].",
        "name": "nope",
        "id": "t2",
        "tool_call_id": "c2",
        "artifact": None,
        "status": "error",
    },
    {"type": "ai", "content": "Cold.", "id": "a2", "tool_calls": [], "invalid_tool_calls": []},
]

STEPS: dict[str, Any] = {
    "input": "hi",
    "output": "done",
    "intermediate_steps": [
        [
            {"tool": "search", "tool_input": {"query": "a"}, "log": "x", "type": "AgentAction"},
            "3 hits",
        ],
        [{"tool": "square", "tool_input": "42", "log": "y", "type": "AgentAction"}, "1764"],
    ],
}

MCP: list[Any] = [
    {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18"},
    },
    {"jsonrpc": "2.0", "id": 0, "result": {"capabilities": {}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "weather", "arguments": {"city": "Oslo"}},
    },
    {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {"messages": []}},
    {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"role": "assistant", "content": {"type": "text"}, "model": "m"},
    },
    {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "content": [{"type": "text", "text": "4C"}],
            "structuredContent": {"celsius": 4},
        },
    },
    [
        {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "one"}},
        {"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": {"name": "two"}},
    ],
    {"jsonrpc": "2.0", "id": "b", "error": {"code": -32602, "message": "unknown tool"}},
    {
        "jsonrpc": "2.0",
        "id": "a",
        "result": {"content": [{"type": "text", "text": "broken"}], "isError": True},
        "duration": 0.5,
    },
]

CUSTOM: dict[str, Any] = {
    "calls": [
        {
            "tool": "search",
            "args": {"query": "a"},
            "result": [1, 2],
            "timestamp": 1767225600.5,
            "duration": 0.25,
            "cost": 0.001,
            "id": "c1",
            "agent": "clerk",
        },
        {
            "name": "pay",
            "arguments": '{"amount": 3}',
            "error": "declined",
            "time": "2026-01-01T00:00:01Z",
        },
        {"function": {"name": "ping", "arguments": "{}"}, "output": False, "status": "success"},
    ]
}

ALL: dict[str, tuple[str, Any]] = {
    "chat": ("openai", CHAT),
    "chat response": ("openai", CHAT_RESPONSE),
    "chat stream": ("openai", CHAT_STREAM),
    "items": ("openai", ITEMS),
    "anthropic": ("anthropic", ANTHROPIC),
    "gemini": ("gemini", GEMINI),
    "gemini response": ("gemini", GEMINI_RESPONSE),
    "langchain": ("langchain", LANGCHAIN),
    "steps": ("langchain", STEPS),
    "mcp": ("mcp", MCP),
    "custom": ("custom", CUSTOM),
}
"""By name: the format, and the trace."""
