"""Claude Agent SDK: the messages of a query."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_first, read_list, read_text
from toolscore._scoring.containers import is_dict, is_mapping, is_sequence
from toolscore._unpack import unpack
from toolscore.adapters._formats import calls_of
from toolscore.adapters._plain import as_dicts
from toolscore.adapters._source import refuse

_HOSTED = ("ServerToolUseBlock", "ServerToolResultBlock")


def from_claude_agent_sdk(source: Any) -> list[dict[str, Any]]:
    """The calls in the messages of a Claude Agent SDK query, or of Claude Code's JSON output.

    Args:
        source: The messages that ``query()`` or ``receive_response()`` gave, one of them, or their
            dumps (``dataclasses.asdict``, the lines of ``--output-format stream-json``).

    Returns:
        Dicts as of ``from_anthropic``. Calls of subagents have ``metadata["depth"]`` and
        ``metadata["parent"]``; denied ones have ``metadata["origin"] == "rejected"``.

    Raises:
        ValueError: this is nothing of the SDK's, or a call in it has no tool's name.

    Source:
        ``toolscore.from_claude_agent_sdk`` of tool-scorer.

    Example:
        >>> from types import SimpleNamespace as Block
        >>> asked = Block(content=[Block(id="t1", name="Read", input={"file_path": "a.py"})],
        ...     model="claude", parent_tool_use_id=None)
        >>> [call] = from_claude_agent_sdk([asked])
        >>> call["tool"], call["args"]
        ('Read', {'file_path': 'a.py'})
    """
    return as_dicts(claude_agent_sdk_calls(source))


def is_claude_agent_sdk(source: object) -> bool:
    """Whether this is a message of the SDK, or a list that holds one."""
    items = source if is_sequence(source) else [source]
    return any(_speaker(item) is not None and _is_ours(item) for item in items)


def claude_agent_sdk_calls(source: object) -> list[ToolCall]:
    """The calls.

    Raises:
        ValueError: see ``from_claude_agent_sdk``.
    """
    held = read(source, "messages")
    messages = held if is_sequence(held) else source if is_sequence(source) else [source]
    spoken: list[dict[str, Any]] = []
    parents: dict[str, str] = {}
    denied: set[str | None] = set()
    for message in messages:
        role = _speaker(message)
        if role is not None:
            blocks = [_block(block) for block in _content(message)]
            spoken.append({"role": role, "content": blocks, "id": _message_id(message)})
            parent = read_text(message, "parent_tool_use_id")
            if parent is not None:
                parents |= {i: parent for block in blocks if (i := read_text(block, "id"))}
        elif not _is_silent(message):
            raise refuse("from_claude_agent_sdk", message, "the messages of a query")
        for denial in read_list(message, "permission_denials"):
            denied.add(read_text(denial, "tool_use_id") or "")
    calls = calls_of(spoken, "anthropic")
    _nest(calls, parents)
    for call in calls:
        if call.tool.startswith("mcp__"):
            call.metadata["kind"] = "mcp"
        if read_text(call.metadata, "id") in denied:
            said = call.error or "permission to use the tool was denied"
            call.metadata |= {"status": "error", "is_error": True, "error": said}
            call.metadata |= {"origin": "rejected", "attempts": 0}
    return calls


def _nest(calls: list[ToolCall], parents: dict[str, str]) -> None:
    """Calls that a subagent made are inside the call that started it."""
    depths: dict[str | None, int] = {}
    agents = set(parents.values())
    for call in calls:  # a subagent's calls come after the call that started it
        call_id = read_text(call.metadata, "id")
        parent = None
        if call_id is not None:
            call.metadata["key"] = call_id
            parent = parents.get(call_id)
        depths[call_id] = 0 if parent is None else depths.get(parent, 0) + 1
        call.metadata["depth"] = depths[call_id]
        if parent is not None:
            call.metadata["parent"] = parent
        if call_id in agents:
            call.metadata["kind"] = "agent"


def _is_ours(message: object) -> bool:
    """What no other format has."""
    if is_mapping(message):
        return "parent_tool_use_id" in message
    return read(message, "role") is None and hasattr(message, "parent_tool_use_id")


def _speaker(message: object) -> str | None:
    inner = read(message, "message")
    role = read(message if inner is None else inner, "role")
    kind = read(message, "type")
    for said in (role, kind):
        if said in ("assistant", "user"):
            return str(said)
    if isinstance(kind, str) or read(message, "subtype") is not None:
        return None
    content = read(message, "content")
    if content is None:
        return None
    return "assistant" if read(message, "model") is not None else "user"


def _is_silent(message: object) -> bool:
    """The beginning, the end, and what is between messages."""
    return read_first(message, "subtype", "event", "type", "rate_limit_info") is not None


def _content(message: object) -> Iterable[object]:
    inner = read(message, "message")
    content = read(message if inner is None else inner, "content")
    return content if is_sequence(content) else ()


def _message_id(message: object) -> str | None:
    inner = read(message, "message")
    return read_text(message, "message_id") or read_text(inner, "id")


def _block(block: object) -> dict[str, Any]:
    """A block in the form of Anthropic's API; the SDK's own blocks have no ``type``."""
    kind = read_text(block, "type")
    if kind is not None:
        plain = unpack(block)
        return plain if is_dict(plain) else {"type": kind}
    hosted = type(block).__name__ in _HOSTED
    if read_text(block, "name") is not None and read(block, "id") is not None:
        return {
            "type": "server_tool_use" if hosted else "tool_use",
            "id": read(block, "id"),
            "name": read(block, "name"),
            "input": unpack(read(block, "input")),
        }
    if read(block, "tool_use_id") is not None:
        return {
            "type": "web_search_tool_result" if hosted else "tool_result",
            "tool_use_id": read(block, "tool_use_id"),
            "content": unpack(read(block, "content")),
            "is_error": read(block, "is_error") is True,
        }
    return {"type": "text", "text": read(block, "text")}
