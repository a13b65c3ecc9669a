"""Formats that look alike are told apart, by whatever item tells."""

from __future__ import annotations

from typing import Any

import pytest
from adapters import traces

from toolscore.adapters._detect import Votes
from toolscore.adapters._formats import calls_of

TALK = [{"role": "system", "content": "x"}, {"role": "user", "content": "y"}]
FUNCTION = {"name": "f", "arguments": "{}"}

LOOK_ALIKES: dict[str, tuple[Any, str | None]] = {
    "talk alone": (TALK, "openai"),
    "no messages": ({"messages": []}, "openai"),
    "a message of Responses": (
        [{"type": "message", "role": "assistant", "content": [{"type": "output_text"}]}],
        "openai",
    ),
    "a message of Anthropic": (
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "x"}]},
        "anthropic",
    ),
    "a legacy call of OpenAI": ([{"role": "assistant", "function_call": FUNCTION}], "openai"),
    "a part of Gemini": ([{"function_call": {"name": "f", "args": {}}}], "gemini"),
    "a text of Gemini": ([{"role": "model", "parts": [{"text": "x"}]}], "gemini"),
    "a tool's message of OpenAI": ([{"role": "tool", "content": "x", "name": "f"}], "openai"),
    "a tool's message of LangChain": ([{"type": "tool", "content": "x", "name": "f"}], "langchain"),
    "OpenAI's messages in a state of LangChain": (
        {"messages": [{"type": "ai", "content": ""}, {"role": "assistant", "tool_calls": [{}]}]},
        "langchain",
    ),
    "Anthropic's blocks in LangChain's messages": (
        [{"type": "ai", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]}],
        "langchain",
    ),
    "a call of LangChain": ([{"name": "f", "args": {}, "type": "tool_call"}], "langchain"),
    "a call of nobody": ([{"name": "f", "args": {}, "id": "1"}], "custom"),
    "a call with an output that is a list": ([{"tool": "f", "output": TALK}], "custom"),
    "a call of an odd type": ([{"type": "api_call", "tool": "f", "args": {}}], "custom"),
    "a call that names a role": ([{"role": "assistant", "tool": "f", "args": {}}], "custom"),
    "a user with a name": ([{"role": "user", "name": "bob", "content": "x"}], "openai"),
    "an update of a graph": ([{"agent": {"messages": []}}, {"tools": None}], "langchain"),
    "a log entry": ({"request": {"messages": TALK}, "response": {"choices": []}}, "openai"),
    "a batch entry of Anthropic": (
        [{"custom_id": "1", "params": {"messages": [{"role": "user", "content": []}]}}],
        "anthropic",
    ),
    "a message of MCP with messages in it": (
        [{"jsonrpc": "2.0", "method": "sampling/createMessage", "params": {"messages": TALK}}],
        "mcp",
    ),
    "a session of MCP without traffic": ({"format": "mcp", "messages": []}, "mcp"),
    "a span": ({"resourceSpans": []}, "otel"),
    "nothing known": ({"unknown": 1}, None),
    "nothing at all": ({}, None),
    "texts": (["a", "b"], None),
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_the_format(name: str):
    """Of one trace, given as a list of items."""
    trace, expected = LOOK_ALIKES[name]
    votes = Votes()
    votes.see(trace if isinstance(trace, list) else [trace])
    assert votes.format == expected


CONVERSATIONS = [
    name
    for name, (format_name, trace) in traces.ALL.items()
    if format_name in ("openai", "anthropic", "langchain") and isinstance(trace, list)
]


@pytest.mark.parametrize("name", CONVERSATIONS)
@pytest.mark.parametrize("before", [1, 100])
def test_talk_before_the_first_call_does_not_hide_the_format(name: str, before: int):
    """However long it is."""
    format_name, trace = traces.ALL[name]
    talk = [{"type": "human", "content": "x"}] if format_name == "langchain" else TALK[:1]
    calls = calls_of(talk * before + trace)
    assert [call.tool for call in calls] == [call.tool for call in calls_of(trace)]
