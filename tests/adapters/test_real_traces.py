"""What stands in a trace is what the adapters give: names, arguments, results, ends, ids, steps."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace
from typing import Any

import pytest
from adapters import traces

from toolscore import ToolCall
from toolscore.adapters._formats import calls_of

Line = tuple[Any, ...]


def line(call: ToolCall) -> Line:
    """(tool, args, status, result or error, id, step, origin)."""
    said = call.error if call.is_error else call.result
    known = call.metadata
    return (
        *(call.tool, call.args, call.status, said),
        *(known.get("id"), known.get("step"), known.get("origin")),
    )


EXPECTED: dict[str, list[Line]] = {
    "chat": [
        (
            *("find_trains", {"from": "Oslo", "to": "Bergen"}, "ok", '["08:25", "12:03"]'),
            *("call_1", 0, None),
        ),
        ("query", {"input": "select 1"}, "ok", "1 row", "call_2", 0, None),
        ("book", {"time": "08:25"}, "ok", "booked", None, 1, None),
    ],
    "chat response": [("find_trains", {}, None, None, "call_1", 0, None)],
    "chat stream": [
        ("find", {"q": "a"}, None, None, "s1", 0, None),
        ("pay", {}, None, None, "s2", 0, None),
    ],
    "items": [
        ("weather", {"city": "Oslo"}, "ok", "4C", "call_1", 0, None),
        ("sql", {"input": "select 1"}, "ok", "1", "call_2", 0, None),
        ("web_search", {"type": "search", "query": "python"}, "ok", None, "ws_1", 1, "server"),
        ("create", {}, "error", "full", "mcp_1", 1, "server"),
        (
            *("shell", {"commands": ["ls"]}, "ok"),
            [{"stdout": "", "stderr": "no", "outcome": {"type": "exit", "exit_code": 2}}],
            *("call_3", 1, None),
        ),
    ],
    "anthropic": [
        ("weather", {"city": "Oslo"}, "ok", "4C\nrain", "toolu_1", 0, None),
        ("time", {}, "error", "no clock", "toolu_2", 0, None),
        ("web_search", {"query": "x"}, "error", "unavailable", "srv_1", 1, "server"),
        ("get", {"n": 1}, "ok", "one", "m_1", 1, "server"),
    ],
    "gemini": [
        ("weather", {"city": "Oslo"}, "ok", "4C", None, 0, None),
        ("weather", {"city": "Rome"}, "error", "no such city", None, 0, None),
        (
            *("code_interpreter", {"code": "print(1)", "language": "PYTHON"}, "ok", "1"),
            *(None, 1, "server"),
        ),
    ],
    "gemini response": [("weather", {}, None, None, "g1", 0, None)],
    "langchain": [
        ("weather", {"city": "Oslo"}, "ok", "4C", "c1", 0, None),
        (
            *("nope", {}, "error", "Error: nope is not a valid tool, try one of [weather]."),
            *("c2", 0, "unknown_tool"),
        ),
        ("web_search", {"query": "x"}, "ok", None, "srv_1", 0, "server"),
    ],
    "steps": [
        ("search", {"query": "a"}, "ok", "3 hits", None, 0, None),
        ("square", {"input": "42"}, "ok", "1764", None, 1, None),
    ],
    "mcp": [
        ("weather", {"city": "Oslo"}, "ok", {"celsius": 4}, 1, None, None),
        ("one", {}, "error", "broken", "a", 0, None),
        ("two", {}, "error", "unknown tool", "b", 0, None),
    ],
    "custom": [
        ("search", {"query": "a"}, "ok", [1, 2], "c1", None, None),
        ("pay", {"amount": 3}, "error", "declined", None, None, None),
        ("ping", {}, "ok", False, None, None, None),
    ],
}


def spaced(value: Any) -> Any:
    """The same trace as objects with attributes."""
    if isinstance(value, dict):
        return SimpleNamespace(**{key: spaced(item) for key, item in value.items()})
    return [spaced(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", traces.ALL)
def test_the_calls_of_a_real_trace(name: str):
    """Every field, by the adapter of the format."""
    format_name, trace = traces.ALL[name]
    assert [line(call) for call in calls_of(trace, format_name)] == EXPECTED[name]


@pytest.mark.parametrize("name", traces.ALL)
def test_the_format_is_recognised(name: str):
    """From the whole trace, which begins with what all formats have."""
    _, trace = traces.ALL[name]
    assert [line(call) for call in calls_of(trace)] == EXPECTED[name]


@pytest.mark.parametrize("name", [n for n in traces.ALL if n not in ("mcp", "steps")])
def test_objects_are_read_as_dictionaries_are(name: str):
    """SDKs give objects, whose optional fields are None or absent."""
    format_name, trace = traces.ALL[name]
    assert [line(call) for call in calls_of(spaced(trace), format_name)] == EXPECTED[name]


@pytest.mark.parametrize("name", traces.ALL)
def test_a_trace_is_not_changed_and_shares_nothing_with_its_calls(name: str):
    """What is done to a call later does not reach the trace."""
    format_name, trace = traces.ALL[name]
    before = copy.deepcopy(trace)
    calls = calls_of(trace, format_name)
    for call in calls:
        _spoil(call.args)
        _spoil(call.result)
        _spoil(call.metadata)
    assert trace == before


def _spoil(value: Any) -> None:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in list(items):
        _spoil(item)
    if isinstance(value, dict):
        value["spoilt"] = True
    elif isinstance(value, list):
        value.append("spoilt")


@pytest.mark.parametrize("name", traces.ALL)
def test_a_trace_survives_being_saved(name: str):
    """JSON and back gives the same calls."""
    format_name, trace = traces.ALL[name]
    again = json.loads(json.dumps(trace))
    assert calls_of(again, format_name) == calls_of(trace, format_name)


@pytest.mark.parametrize("name", traces.ALL)
def test_wrapped_in_requests_and_logs_the_calls_are_the_same(name: str):
    """Programs log what they sent and what they got in objects of their own."""
    format_name, trace = traces.ALL[name]
    if format_name in ("openai", "anthropic", "gemini"):
        assert [line(call) for call in calls_of({"response": trace}, format_name)] == EXPECTED[name]
    else:
        assert [line(call) for call in calls_of([trace], format_name)] == EXPECTED[name]
