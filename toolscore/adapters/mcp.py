"""Traces of the Model Context Protocol: JSON-RPC 2.0 messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_first
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters._calls import number_of
from toolscore.adapters._session import Session, Stamp
from toolscore.adapters._source import items_of, refuse
from toolscore.adapters._times import seconds_of

__all__ = ["MCPAdapter"]

_HELD = ("messages", "calls", "requests", "history")
_MAX_WRAPPERS = 8


class MCPAdapter(BaseAdapter):
    """Requests, responses, batches, session logs and exports of the MCP Inspector.

    Only ``tools/call`` is a call; the rest of the protocol's traffic is not. A response goes to
    the oldest open request of its id. A tool's result without its request is a call of its own,
    named ``unknown`` where the log does not name the tool (``_tool_name``). Members of one batch
    have one ``step``: they have no order among themselves.

    Source:
        ``toolscore.adapters.MCPAdapter`` of tool-scorer; the Model Context Protocol.

    Example:
        >>> log = [
        ...     {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        ...      "params": {"name": "get_weather", "arguments": {"location": "San Francisco"}}},
        ...     {"jsonrpc": "2.0", "id": 1,
        ...      "result": {"content": [{"type": "text", "text": "Temperature: 72 F"}]}},
        ... ]
        >>> [call] = MCPAdapter().parse(log)
        >>> call.tool, call.args, call.result
        ('get_weather', {'location': 'San Francisco'}, 'Temperature: 72 F')
    """

    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls of one message, a batch, a list of both, or a recorded session.

        Raises:
            ValueError: this is no such trace, or a call in it has no tool's name.
        """
        return self.read_items(items_of(trace_data, type(self).__name__))

    def read_items(self, items: Iterable[object]) -> list[ToolCall]:
        """The same from the items one by one."""
        reader = _Reader()
        for item in items:
            reader.read(item, 0)
        return reader.session.calls.finish()


class _Reader:
    def __init__(self) -> None:
        self.session = Session()
        self._batches = 0

    def read(self, item: object, depth: int) -> None:
        """A message, a batch, an entry of a log, or a session."""
        if depth >= _MAX_WRAPPERS:
            raise ValueError(
                f"MCPAdapter found more than {_MAX_WRAPPERS} lists and objects around the "
                "messages: pass the messages alone."
            )
        if is_sequence(item):
            self._batch(item, depth)
        elif _is_message(item):
            time = seconds_of(read(item, "timestamp"))
            self.session.message(item, Stamp(time, number_of(read(item, "duration"))))
        elif not self._held(item, depth) and not self._entry(item):
            raise refuse("MCPAdapter", item, "JSON-RPC messages")

    def _batch(self, items: list[Any] | tuple[Any, ...], depth: int) -> None:
        before = len(self.session.calls.made)
        for item in items:
            self.read(item, depth + 1)
        asked = self.session.calls.made[before:]
        if len(asked) > 1 and all(_is_message(item) for item in items):
            for call in asked:
                call.metadata.setdefault("step", self._batches)
            self._batches += 1

    def _held(self, item: object, depth: int) -> bool:
        for name in _HELD:
            held = read(item, name)
            if is_sequence(held):
                for inner in held:
                    self.read(inner, depth + 1)
                return True
        return False

    def _entry(self, item: object) -> bool:
        """A message with the log's remarks; the MCP Inspector puts the response beside it."""
        message, response = read(item, "message"), read(item, "response")
        root = read(message, "root")
        message = message if root is None else root
        if not _is_message(message):
            return False
        milliseconds = number_of(read(item, "duration"))
        time = seconds_of(read(item, "timestamp"))
        duration = None if milliseconds is None else milliseconds / 1000
        self.session.message(message, Stamp(time, duration))
        if _is_message(response):
            self.session.message(response, Stamp(None, duration))
        return True


def _is_message(item: object) -> bool:
    if read(item, "jsonrpc") is not None or isinstance(read(item, "method"), str):
        return True
    if is_mapping(item) and "id" in item:
        return read_first(item, "result", "error") is not None
    # a result of the SDK's own, which stands alone where code calls a server
    return is_sequence(read(item, "content")) and read(item, "role") is None
