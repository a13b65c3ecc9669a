"""OpenAI Agents SDK: results of runs."""

from __future__ import annotations

from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_list, read_text
from toolscore._scoring.containers import is_sequence
from toolscore.adapters._formats import calls_of
from toolscore.adapters._plain import as_dicts
from toolscore.adapters._source import refuse

_PENDING = "tool_approval_item"


def from_openai_agents(source: Any) -> list[dict[str, Any]]:
    """The calls in the result of an OpenAI Agents SDK run, or in its items.

    A result tells less than a watched run: failures that became a sentence for the model look like
    results, calls of agents inside tools are missing, and nothing has a time. Use
    ``toolscore.watch(agent)`` where you can.

    Args:
        source: A ``RunResult`` (the calls of its own run), its ``new_items``, what
            ``to_input_list()`` gives, or their dumps.

    Returns:
        Dicts as of ``from_openai``; a call that waits for approval has ``metadata["status"] ==
        "interrupted"``.

    Raises:
        ValueError: this is nothing of the SDK's, or a call in it has no tool's name.

    Source:
        ``toolscore.from_openai_agents`` of tool-scorer.

    Example:
        >>> item = {"type": "tool_call_item", "raw_item": {"type": "function_call",
        ...     "call_id": "c1", "name": "search", "arguments": '{"q": "a"}'}}
        >>> [call] = from_openai_agents({"new_items": [item]})
        >>> call["tool"], call["args"]
        ('search', {'q': 'a'})
    """
    return as_dicts(openai_agents_calls(source))


def is_openai_agents(source: object) -> bool:
    """Whether this is a run's result, or a list of its items."""
    if is_sequence(source):
        return any(_is_item(item) for item in source)
    return is_sequence(read(source, "new_items"))


def openai_agents_calls(source: object) -> list[ToolCall]:
    """The calls.

    Raises:
        ValueError: see ``from_openai_agents``.
    """
    items = source if is_sequence(source) else read_list(source, "new_items")
    if not is_sequence(source) and not is_sequence(read(source, "new_items")):
        raise refuse("from_openai_agents", source, "a run's result, its items or its input list")
    waiting = [*filter(_waits, items), *read_list(source, "interruptions")]
    calls = calls_of([item for item in items if not _waits(item)], "openai")
    agents = {_call_id(item): name for item in items if (name := _agent(item)) is not None}
    for call in calls:
        agent = agents.get(read_text(call.metadata, "id"))
        if agent is not None:
            call.metadata["agent"] = agent
    return _with_waiting(calls, waiting)


def _with_waiting(calls: list[ToolCall], waiting: list[object]) -> list[ToolCall]:
    known = {i: call for call in calls if (i := read_text(call.metadata, "id")) is not None}
    for item in waiting:
        call = known.get(_call_id(item) or "")
        asked = [call] if call is not None else calls_of([item], "openai")
        for found in asked:
            if call is None:
                calls.append(found)
                known[read_text(found.metadata, "id") or ""] = found
            if found.status is None:
                found.metadata["status"] = "interrupted"
    return calls


def _is_item(item: object) -> bool:
    kind = read(item, "type")
    return isinstance(kind, str) and kind.endswith("_item") and read(item, "raw_item") is not None


def _waits(item: object) -> bool:
    return bool(read(item, "type") == _PENDING)


def _call_id(item: object) -> str | None:
    raw = read(item, "raw_item")
    return read_text(item if raw is None else raw, "call_id", "id")


def _agent(item: object) -> str | None:
    return read_text(read(item, "agent"), "name")
