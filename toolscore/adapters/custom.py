"""The plain format: a list of calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import STATUSES, ToolCall
from toolscore._read import read, read_first
from toolscore._scoring.containers import is_dict, is_mapping, is_sequence, kind_of
from toolscore._unpack import fields_of, unpack
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters._calls import arguments_of, name_of, number_of
from toolscore.adapters._content import text_of
from toolscore.adapters._source import items_of, refuse
from toolscore.adapters._times import seconds_of

__all__ = ["CustomAdapter"]

_NAMES = ("tool", "name", "function", "tool_name")
_ARGS = ("args", "arguments", "input", "tool_kwargs")
_RESULTS = ("result", "output", "tool_output")
_TIMES = ("timestamp", "time")
_DURATIONS = ("duration", "elapsed")
_READ = frozenset({*_NAMES, *_ARGS, *_RESULTS, "cost", "metadata", "error", "status"})
_STATUSES = {
    "success": "ok",
    "completed": "ok",
    "succeeded": "ok",
    "failed": "error",
    "failure": "error",
}


class CustomAdapter(BaseAdapter):
    """``{"calls": [...]}``, a bare list of calls, or one call.

    A call is an object with ``tool``, ``name`` or ``function``, and with ``args``, ``arguments`` or
    ``input``; of several, the first that is there counts. Besides: ``result`` or ``output``;
    ``timestamp`` or ``time`` (Unix time or ISO 8601); ``duration`` or ``elapsed`` (seconds);
    ``cost`` (USD); ``error`` (a message, or true), ``is_error``, ``status``. Everything else goes
    into ``metadata``, as do times and costs that are no numbers.

    Source:
        ``toolscore.adapters.CustomAdapter`` of tool-scorer.

    Example:
        >>> [call] = CustomAdapter().parse({"calls": [{"tool": "search", "args": {"q": "a"},
        ...                                            "output": 0, "agent": "bob"}]})
        >>> call.args, call.result, call.metadata
        ({'q': 'a'}, 0, {'agent': 'bob'})
    """

    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls, in the order in which they stand.

        Raises:
            ValueError: there is no list of calls, or an item of it is none.
        """
        return self.read_items(items_of(trace_data, type(self).__name__))

    def read_items(self, items: Iterable[object]) -> list[ToolCall]:
        """The same from the items one by one."""
        calls: list[ToolCall] = []
        for number, item in enumerate(items):
            held = read_first(item, "calls", "tool_calls")
            if held is None:
                calls.append(_call(number, item))
            elif is_sequence(held):
                calls += [_call(place, inner) for place, inner in enumerate(held)]
            else:
                raise ValueError(
                    f"CustomAdapter found calls of {kind_of(held).__name__}: a list would be "
                    'right, such as {"calls": [{"tool": "search", "args": {"query": "python"}}]}.'
                )
        return calls


def _call(number: int, item: object) -> ToolCall:
    named = read_first(item, *_NAMES)
    if named is None:
        error = refuse("CustomAdapter", item, "objects with tool, name or function")
        raise ValueError(f"Item {number}: {error}")
    inner = None if isinstance(named, str) else named
    if inner is not None:  # {"function": {"name": ..., "arguments": ...}}
        named = read(inner, "name")
    written = read_first(item, *_ARGS)
    args, kept = arguments_of(read_first(inner, *_ARGS) if written is None else written)
    call = ToolCall(name_of(named), args, _result(item))
    call.metadata = _rest(item) | kept
    _measure(call, item)
    _end(call, item)
    return call


def _result(item: object) -> Any:
    output = read(item, "tool_output")
    content = read(output, "content")
    if content is not None and read_first(item, "result", "output") is None:
        return unpack(content)  # LlamaIndex's ToolOutput
    return unpack(read_first(item, *_RESULTS))


def _rest(item: object) -> dict[str, Any]:
    """What has no field of its own."""
    fields = dict(item) if is_mapping(item) else fields_of(item) or {}
    rest = unpack({key: value for key, value in fields.items() if key not in _READ})
    given = unpack(read(item, "metadata"))
    metadata: dict[str, Any] = {**rest, **(given if is_dict(given) else {})}
    if "tool_kwargs" in fields:  # LlamaIndex: its dumps of an agent's output lose all results
        metadata["id"] = metadata.pop("tool_id", None)
        if read(item, "tool_output") is None:
            metadata["result_known"] = False
    return {key: value for key, value in metadata.items() if value is not None}


def _measure(call: ToolCall, item: object) -> None:
    for field, names in (("timestamp", _TIMES), ("duration", _DURATIONS), ("cost", ("cost",))):
        name = next((name for name in names if read(item, name) is not None), None)
        if name is None:
            continue
        value = read(item, name)
        number = seconds_of(value) if field == "timestamp" else number_of(value)
        if number is None:
            call.metadata[name] = unpack(value)
        else:
            setattr(call, field, number)
            call.metadata.pop(name, None)


def _end(call: ToolCall, item: object) -> None:
    status, error = read(item, "status"), read(item, "error")
    known = _STATUSES.get(status, status) if isinstance(status, str) else None
    if known in STATUSES:
        call.metadata["status"] = known
    elif status is not None:
        call.metadata["status"] = unpack(status)
    failed = read(item, "is_error")
    if failed is None:
        failed = read(read(item, "tool_output"), "is_error")
    if isinstance(error, bool):
        failed = error if failed is None else failed
    elif error not in (None, "", [], {}):  # which mean "no error" in many records
        call.metadata["error"] = text_of(error) or str(type(error).__name__)
        failed = True if failed is None else failed
    if isinstance(failed, bool):
        call.metadata["is_error"] = failed
        if failed and call.result is not None and "error" not in call.metadata:
            text = text_of(call.result)
            if text is not None and read(item, "tool_output") is not None:
                call.metadata["error"] = text
