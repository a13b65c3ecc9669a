"""pydantic-ai: results of runs, and their messages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_list, read_text
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore._unpack import unpack
from toolscore.adapters._calls import Calls
from toolscore.adapters._content import shown
from toolscore.adapters._plain import as_dicts
from toolscore.adapters._source import refuse
from toolscore.adapters._times import seconds_of

_FINAL = "Final result processed."
_NOT_RUN = (
    "Tool not executed - a final result was already processed.",
    "Output tool not used - a final result was already processed.",
)
_UNKNOWN = "Unknown tool name"
_FAILED = frozenset({"failed", "denied", "retried"})


def from_pydantic_ai(source: Any) -> list[dict[str, Any]]:
    """The calls in a pydantic-ai run: its result, its messages, or their dumps.

    Args:
        source: An ``AgentRunResult`` (the calls of its own run, not of the history it was given), a
            list of messages, or what ``all_messages_json()`` gave, as text or parsed.

    Returns:
        Dicts as of ``from_openai``, in the order of the requests. The call of an output tool, which
        carries the final answer, has ``metadata["origin"] == "structured_output"``.

    Raises:
        ValueError: this is nothing of pydantic-ai's, or a call in it has no tool's name.

    Source:
        ``toolscore.from_pydantic_ai`` of tool-scorer; the messages are those of pydantic-ai 0.x
        to 2.

    Example:
        >>> messages = [
        ...     {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "search",
        ...         "args": '{"q": "a"}', "tool_call_id": "c1"}]},
        ...     {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "search",
        ...         "content": ["hit"], "tool_call_id": "c1"}]},
        ... ]
        >>> [call] = from_pydantic_ai(messages)
        >>> call["tool"], call["args"], call["result"]
        ('search', {'q': 'a'}, ['hit'])
    """
    return as_dicts(pydantic_ai_calls(source))


def is_pydantic_ai(source: object) -> bool:
    """Whether this is a run's result, a message, or a list that holds one."""
    if is_sequence(source):
        return any(_is_message(item) for item in source)
    return _is_message(source) or _is_result(source)


def pydantic_ai_calls(source: object) -> list[ToolCall]:
    """The calls.

    Raises:
        ValueError: see ``from_pydantic_ai``.
    """
    output_tool = read_text(source, "_output_tool_name")
    reader = _Reader(output_tool)
    for message in _messages(source):
        reader.read(message)
    return reader.calls.finish()


def _messages(source: object) -> Iterable[object]:
    if isinstance(source, (str, bytes)):
        try:
            source = json.loads(source)
        except (ValueError, RecursionError):
            raise ValueError(
                "from_pydantic_ai got text that is no JSON: pass result.all_messages_json()."
            ) from None
    for name in ("new_messages", "all_messages"):
        method = None if is_mapping(source) else read(source, name)
        if callable(method):
            held = method()
            return held if is_sequence(held) else ()
    held = read(source, "messages")
    if is_sequence(held):
        return held
    if is_sequence(source):
        return source
    if _is_message(source):
        return [source]
    raise refuse("from_pydantic_ai", source, "a run's result, its messages, or their dumps")


def _is_message(item: object) -> bool:
    return read(item, "kind") in ("request", "response") and is_sequence(read(item, "parts"))


def _is_result(item: object) -> bool:
    return callable(read(item, "new_messages")) and callable(read(item, "all_messages"))


class _Reader:
    def __init__(self, output_tool: str | None) -> None:
        self.calls = Calls()
        self._output_tool = output_tool

    def read(self, message: object) -> None:
        """One request to the model, or one response of it."""
        if not _is_message(message):
            raise refuse("from_pydantic_ai", message, "messages with a kind and parts")
        first = len(self.calls.made)
        if read(message, "kind") == "response":
            self.calls.step += 1
        for part in read_list(message, "parts"):
            kind = read_text(part, "part_kind") or ""
            if kind.endswith("tool-call"):
                self._ask(part, native=kind != "tool-call")
            elif kind.endswith("tool-return"):
                self._return(part)
            elif kind == "retry-prompt":
                self._retry(part)
        moment = seconds_of(read(message, "timestamp"))
        for call in self.calls.made[first:]:
            call.timestamp = moment

    def _ask(self, part: object, *, native: bool) -> None:
        name = read(part, "tool_name")
        final = name is not None and name == self._output_tool
        self.calls.ask(
            name,
            read(part, "args"),
            read(part, "tool_call_id"),
            origin="server" if native else "structured_output" if final else None,
            kind="hosted" if native else None,
        )

    def _return(self, part: object) -> None:
        outcome = read_text(part, "outcome") or "success"
        content = unpack(read(part, "content"))
        call = self.calls.answer(
            read(part, "tool_call_id"),
            content,
            tool=read(part, "tool_name"),
            failed=outcome in _FAILED,
            error=shown(content) if outcome in _FAILED else None,
        )
        if call is None:
            return
        cause = read_text(read(part, "retry"), "cause")
        if outcome == "denied":
            call.metadata |= {"origin": "rejected", "attempts": 0}
        elif cause in ("unknown_tool", "unavailable_tool"):
            call.metadata |= {"origin": "unknown_tool", "attempts": 0}
        elif outcome == "interrupted":
            call.result, call.metadata["status"] = None, "cancelled"
        elif content == _FINAL:
            call.result, call.metadata["origin"] = None, "structured_output"
        elif content in _NOT_RUN:
            call.result = None
            call.metadata |= {"status": "not_executed", "attempts": 0}

    def _retry(self, part: object) -> None:
        """Before pydantic-ai 2, what is wrong with a call came in a part of its own."""
        tool = read_text(part, "tool_name")
        if tool is None:
            return  # about the answer, not about a call
        content = unpack(read(part, "content"))
        call = self.calls.answer(
            read(part, "tool_call_id"), content, tool=tool, failed=True, error=shown(content)
        )
        if call is not None and isinstance(content, str) and content.startswith(_UNKNOWN):
            call.metadata |= {"origin": "unknown_tool", "attempts": 0}
