"""Traces of Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_text
from toolscore._scoring.containers import is_sequence
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters._blocks import Blocks
from toolscore.adapters._calls import Calls
from toolscore.adapters._content import blocks_of, texts_of
from toolscore.adapters._source import items_of, refuse
from toolscore.adapters._times import seconds_of

__all__ = ["AnthropicAdapter"]

_AROUND = ("messages", "request", "response", "body", "params", "result", "message", "data")
_MAX_WRAPPERS = 8


class AnthropicAdapter(BaseAdapter):
    """Messages: requests, responses, histories, batches, and the session files of Claude Code.

    Calls that Anthropic runs itself (searches, code, MCP servers) have the origin ``server``.

    Source:
        ``toolscore.adapters.AnthropicAdapter`` of tool-scorer; the formats are those of the
        ``anthropic`` package.

    Example:
        >>> history = [
        ...     {"role": "assistant", "content": [
        ...         {"type": "tool_use", "id": "t1", "name": "weather",
        ...          "input": {"city": "Oslo"}}]},
        ...     {"role": "user", "content": [
        ...         {"type": "tool_result", "tool_use_id": "t1", "content": "no such city",
        ...          "is_error": True}]},
        ... ]
        >>> [call] = AnthropicAdapter().parse(history)
        >>> call.tool, call.args, call.error
        ('weather', {'city': 'Oslo'}, 'no such city')
    """

    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls of a history, a request, a response, or a list of those.

        Raises:
            ValueError: this is no such trace, or a call in it has no tool's name.
        """
        return self.read_items(items_of(trace_data, type(self).__name__))

    def read_items(self, items: Iterable[object]) -> list[ToolCall]:
        """The same from the items one by one."""
        reader = _Reader()
        for item in items:
            reader.read(item, 0)
        return reader.calls.finish()


class _Reader:
    def __init__(self) -> None:
        self.calls = Calls()
        self._blocks = Blocks(self.calls)
        self._message_id: str | None = None
        self._alone = False
        """Whether the last item was a block without a message around it."""

    def read(self, item: object, depth: int) -> None:
        """A message, a block, or something around those."""
        if is_sequence(item):
            self._all(item, depth)
        elif isinstance(read(item, "role"), str):
            self._message(item)
        elif not self._around(item, depth) and not self._block(item):
            raise refuse("AnthropicAdapter", item, "messages with a role and content")

    def _message(self, message: object) -> None:
        self._alone = False
        if read(message, "role") == "assistant":
            message_id = read_text(message, "id")
            if message_id is None or message_id != self._message_id:
                self.calls.step += 1  # session files write a line for each block of a message
            self._message_id = message_id
        role = read(message, "role")
        said = texts_of(read(message, "content")) if self.calls.heard else None
        if role == "assistant":
            self.calls.say(role, said)
        for block in blocks_of(message):
            self._blocks.block(block)
        if role != "assistant" and said:  # what tools answered comes before what the user adds
            self.calls.say(role, said)

    def _around(self, item: object, depth: int) -> bool:
        found = False
        before = len(self.calls.made)
        for name in _AROUND:
            inner = read(item, name)
            if inner is not None and not isinstance(inner, (str, bytes, int, float)):
                found = True
                self._all([inner], depth)
        if found:
            time = seconds_of(read(item, "timestamp"))
            nested = read(item, "isSidechain") is True or read_text(item, "parent_tool_use_id")
            for call in self.calls.made[before:]:
                if time is not None:
                    call.timestamp = time
                if nested:  # an agent that a tool of this agent asked
                    call.metadata["depth"] = 1
        return found

    def _block(self, item: object) -> bool:
        kind = read(item, "type")
        if not isinstance(kind, str):
            return read(item, "error") is not None
        if kind.endswith(("_use", "_result")):  # else it is an entry of a log, about the session
            if not self._alone:
                self.calls.step += 1
            self._alone = True
            self._blocks.block(item)
        return True

    def _all(self, items: Iterable[object], depth: int) -> None:
        if depth >= _MAX_WRAPPERS:
            raise ValueError(
                f"AnthropicAdapter found more than {_MAX_WRAPPERS} lists and objects around the "
                "messages: pass the messages alone."
            )
        for item in items:
            self.read(item, depth + 1)
