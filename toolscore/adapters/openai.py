"""Traces of OpenAI's APIs, and of all that speak them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_sequence
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters._calls import Calls
from toolscore.adapters._chat import Chat
from toolscore.adapters._responses import Items
from toolscore.adapters._source import items_of, refuse

__all__ = ["OpenAIAdapter"]

_HISTORIES = ("messages", "input", "input_items")
_ANSWERS = ("choices", "output", "new_items")
_AROUND = ("request", "body", "response", "data")
_MAX_WRAPPERS = 8


class OpenAIAdapter(BaseAdapter):
    """Chat Completions and Responses: requests, responses, histories, saved streams, Azure's too.

    An answer with several choices counts by its first. The formats have no mark for a tool that
    failed: a call that was answered is ``ok``, except where the answer is a sentence that the
    OpenAI Agents SDK writes for failures, or where the writer added ``is_error`` or ``status``.

    Source:
        ``toolscore.adapters.OpenAIAdapter`` of tool-scorer; the formats are those of the ``openai``
        package.

    Example:
        >>> history = [
        ...     {"role": "user", "content": "weather?"},
        ...     {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function",
        ...         "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}]},
        ...     {"role": "tool", "tool_call_id": "c1", "content": "4C"},
        ... ]
        >>> [call] = OpenAIAdapter().parse(history)
        >>> call.tool, call.args, call.result
        ('weather', {'city': 'Oslo'}, '4C')
    """

    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls of a history, a response, a stream's chunks, or a list of those.

        Raises:
            ValueError: this is no such trace, or a call in it has no tool's name.
        """
        return self.read_items(items_of(trace_data, type(self).__name__))

    def read_items(self, items: Iterable[object]) -> list[ToolCall]:
        """The same from the items one by one."""
        reader = _Reader()
        for item in items:
            reader.read(item, 0)
        reader.chat.end_stream()
        return reader.calls.finish()


class _Reader:
    def __init__(self) -> None:
        self.calls = Calls()
        self.chat = Chat(self.calls)
        self._items = Items(self.calls)

    def read(self, item: object, depth: int) -> None:
        """One item of any of the formats; a list is a trace in the trace."""
        if is_sequence(item):
            self._all(item, depth)
            return
        kind, role = read(item, "type"), read(item, "role")
        if isinstance(kind, str) and kind.startswith("response."):
            self._items.event(item, kind)
        elif isinstance(role, str) and kind is None:
            self._items.turn_ends()
            self.chat.message(item)
        elif _is_tool_call(item):
            self.chat.tool_call(item)
        elif isinstance(kind, str) and read(item, "choices") is None:
            self._items.item(item)
        elif not self._container(item, depth):
            raise refuse("OpenAIAdapter", item, "messages, choices, output or input")

    def _container(self, item: object, depth: int) -> bool:
        """A request, a response or a result, or something around those."""
        before = len(self.calls.made)
        known = False
        # the result of a run holds what the run was given, too: calls of earlier ones
        for name in _HISTORIES if read(item, "new_items") is None else ():
            history = read(item, name)
            if is_sequence(history):
                self._items.turn_ends()
                self._all(history, depth)
            known = known or is_sequence(history) or isinstance(history, str)
        for name in _ANSWERS:
            answer = read(item, name)
            if answer is None:
                continue
            known = True
            if name == "choices":
                self.chat.choices(answer)
            elif is_sequence(answer):
                self._items.turn_ends()
                self._all(answer, depth)
                self._items.turn_ends()
        self._date(item, before)
        for name in _AROUND:
            inner = read(item, name)
            if inner is not None and not isinstance(inner, (str, bytes, int, float)):
                known = True
                self._all([inner], depth)
        return known or read_text(item, "object") is not None or read(item, "error") is not None

    def _all(self, items: Iterable[object], depth: int) -> None:
        if depth >= _MAX_WRAPPERS:
            raise ValueError(
                f"OpenAIAdapter found more than {_MAX_WRAPPERS} lists and objects around the "
                "messages: pass the messages alone."
            )
        for item in items:
            self.read(item, depth + 1)

    def _date(self, item: object, before: int) -> None:
        """The calls of a response are as old as it is."""
        created = read(item, "created_at" if read(item, "created") is None else "created")
        if read(item, "object") in ("chat.completion", "response") and _is_time(created):
            for call in self.calls.made[before:]:
                call.timestamp = created


def _is_tool_call(item: object) -> bool:
    """Whether this is an entry of ``tool_calls`` without its message; schemas look alike."""
    function = read(item, "custom" if read(item, "type") == "custom" else "function")
    return read_first(function, "arguments", "input") is not None


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
