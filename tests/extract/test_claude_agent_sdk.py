"""Claude Agent SDK: messages of its own classes, their dumps, and the lines of Claude Code.

Where it is installed: it brings a program of hundreds of MB (``nox -s claude``).
"""

from __future__ import annotations

import dataclasses
import importlib.util
from typing import Any

import pytest

import toolscore
from toolscore import evaluate, from_claude_agent_sdk

if importlib.util.find_spec("claude_agent_sdk") is None:
    pytest.skip("claude-agent-sdk is not installed: nox -s claude", allow_module_level=True)

from claude_agent_sdk import (
    AssistantMessage,
    ResultMessage,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)


def asks(*blocks: Any, parent: str | None = None) -> AssistantMessage:
    return AssistantMessage(content=list(blocks), model="claude", parent_tool_use_id=parent)


def answers(*blocks: Any, parent: str | None = None) -> UserMessage:
    return UserMessage(content=list(blocks), parent_tool_use_id=parent)


def ends(**more: Any) -> ResultMessage:
    return ResultMessage(
        subtype="success", duration_ms=1, duration_api_ms=1, is_error=False, num_turns=1,
        session_id="s", **more,
    )  # fmt: skip


QUERY = [
    SystemMessage(subtype="init", data={"tools": ["Read"]}),
    asks(TextBlock(text="hm"), ToolUseBlock(id="t1", name="Read", input={"file_path": "a.py"}),
         ToolUseBlock(id="t2", name="mcp__docs__find", input={"q": "b"})),
    answers(ToolResultBlock(tool_use_id="t1", content="x = 1"),
            ToolResultBlock(tool_use_id="t2", content=[{"type": "text", "text": "no index"}],
                            is_error=True)),
    asks(TextBlock(text="done")),
    ends(result="done"),
]  # fmt: skip
LINES = [
    {"type": "system", "subtype": "init", "session_id": "s"},
    {"type": "assistant", "parent_tool_use_id": None, "message": {
        "role": "assistant", "id": "m1", "content": [
            {"type": "text", "text": "hm"},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a.py"}},
            {"type": "tool_use", "id": "t2", "name": "mcp__docs__find", "input": {"q": "b"}}]}},
    {"type": "user", "parent_tool_use_id": None, "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": "x = 1"},
        {"type": "tool_result", "tool_use_id": "t2", "is_error": True,
         "content": [{"type": "text", "text": "no index"}]}]}},
    {"type": "result", "subtype": "success", "is_error": False, "result": "done"},
]  # fmt: skip
DUMPS = [dataclasses.asdict(message) for message in QUERY]


@pytest.mark.parametrize("source", [QUERY, LINES, DUMPS], ids=["objects", "lines", "asdict"])
def test_a_query_gives_its_calls_with_results_and_failures(source: Any):
    """The SDK's messages, Claude Code's output, and dumps that have lost the names of blocks."""
    read, find = from_claude_agent_sdk(source)

    assert (read["tool"], read["args"], read["result"]) == ("Read", {"file_path": "a.py"}, "x = 1")
    assert (find["tool"], find["is_error"], find["error"]) == ("mcp__docs__find", True, "no index")
    assert (find["metadata"]["kind"], find["metadata"]["step"]) == ("mcp", 0)
    assert toolscore.auto_extract(source) == [read, find]
    assert evaluate(["Read"], source, extra_calls="allow").score > 0.9


def test_calls_of_a_subagent_are_nested_in_the_call_that_started_it():
    """Of any depth; they are not the agent's own."""
    messages = [
        asks(ToolUseBlock(id="t1", name="Task", input={"prompt": "look"})),
        asks(ToolUseBlock(id="t2", name="Task", input={"prompt": "deeper"}), parent="t1"),
        asks(ToolUseBlock(id="t3", name="Read", input={}), parent="t2"),
        answers(ToolResultBlock(tool_use_id="t3", content="x"), parent="t2"),
        answers(ToolResultBlock(tool_use_id="t1", content="found")),
    ]
    calls = from_claude_agent_sdk(messages)
    assert [(c["metadata"]["depth"], c["metadata"].get("parent")) for c in calls] == [
        (0, None), (1, "t1"), (2, "t2"),
    ]  # fmt: skip
    assert calls[0]["metadata"]["kind"] == "agent"
    assert evaluate(["Task"], messages).passed


def test_a_denied_call_was_refused():
    """The result of the query lists it."""
    denial = {"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "rm"}}
    messages = [
        asks(ToolUseBlock(id="t1", name="Bash", input={"command": "rm"})),
        answers(ToolResultBlock(tool_use_id="t1", content="Not allowed", is_error=True)),
        ends(permission_denials=[denial]),
    ]
    [call] = from_claude_agent_sdk(messages)
    assert (call["metadata"]["origin"], call["metadata"]["attempts"]) == ("rejected", 0)
    assert (call["metadata"]["status"], call["error"]) == ("error", "Not allowed")


def test_a_query_without_calls_is_a_run_without_calls():
    """Only texts."""
    assert from_claude_agent_sdk([asks(TextBlock(text="hi")), ends()]) == []
    assert from_claude_agent_sdk([UserMessage(content="hi")]) == []


@pytest.mark.parametrize("source", [None, 3, "text", {}, [{"a": 1}], object()], ids=repr)
def test_what_is_not_of_the_sdk_is_refused(source: Any):
    """Not read as a run without calls."""
    with pytest.raises(ValueError, match=r"from_claude_agent_sdk"):
        from_claude_agent_sdk(source)
