"""What the user gave as expected or made calls, as ``ToolCall``s of our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, cast

from toolscore._call import ToolCall
from toolscore._run import Expected, Run
from toolscore._scoring.containers import is_dict, is_mapping, is_sequence, kind_of
from toolscore._scoring.scalars import ATOMS, MAX_DEPTH
from toolscore.agent_trace import AgentTrace

_NAMES = ("tool", "name", "function")
_ARGS = ("args", "arguments", "input")
_FIELDS = ("result", "timestamp", "duration", "cost")
_KNOWN = frozenset({*_NAMES, *_ARGS, *_FIELDS, "metadata", "id", "status", "error", "is_error"})
_REMARKS = frozenset({"description", "comment", "note", "reason", "type", "side_effects", "step"})
"""What gold files say beside the call; not read."""
_WRITE = 'write {"tool": "search", "args": {"query": "python"}}'


def gold_calls(expected: Expected | None) -> list[ToolCall] | None:
    """The expectation as calls of our own; None stays None (there is no expectation).

    A name is a call whose arguments are not checked. What the user changes later changes nothing.

    Raises:
        ValueError: what is not a list of names, mappings or ``ToolCall``s; says which item it is
            and what to type.
    """
    if expected is None:
        return None
    given = cast("object", expected)
    if kind_of(given) is list:
        return _read(expected, _expected_call)
    if isinstance(given, (str, Mapping, ToolCall)):
        raise ValueError(
            f"expected= takes a list of calls, not one {kind_of(given).__name__}: "
            f"write expected=[{given!r}]."
        )
    if not isinstance(given, Sequence):
        raise ValueError(
            f"expected= takes a list of calls, not {type(given).__name__}: "
            f'write expected=["search"], or {_WRITE} in the list, or expected=None for none.'
        )
    return _read(expected, _expected_call)


def made_calls(actual: Any) -> list[ToolCall]:
    """The calls of a list, a ``Run`` or an ``AgentTrace``, as calls of our own.

    Raises:
        ValueError: None, or what holds no calls that can be read; says which item it is.
    """
    if isinstance(actual, Run):
        return list(actual.scored_calls())
    if isinstance(actual, AgentTrace):
        return [call for turn in actual.turns for call in turn.tool_calls]
    if actual is None:
        raise ValueError(
            "actual= is None. Pass [] if the agent made no call; if there should be calls, the "
            "function that returned None has lost them."
        )
    if not is_sequence(actual):
        raise ValueError(
            f"actual= takes a list of calls, a Run or an AgentTrace, not {type(actual).__name__}."
        )
    return _read(actual, _made_call)


def _read(items: Sequence[Any], otherwise: Callable[[int, Any], ToolCall]) -> list[ToolCall]:
    """Each item as a call; ``{"tool": ..., "args": {...}}``, what nearly all are, is read fast.

    Without the constructor it costs a fifth, and what that checks is checked here.
    """
    calls: list[ToolCall] = []
    new = ToolCall.__new__
    for number, item in enumerate(items):
        if kind_of(item) is dict and len(item) == 2 and "tool" in item and "args" in item:
            tool, args = item["tool"], item["args"]
            if kind_of(tool) is str and tool and kind_of(args) is dict:
                call = new(ToolCall)
                call.tool = tool
                call.args = kept = args.copy()
                for name, value in args.items():
                    if type(value) not in ATOMS:
                        kept[name] = copied(value, 1)
                call.result = call.timestamp = call.duration = call.cost = None
                call.metadata = {}
                calls.append(call)
                continue
        calls.append(otherwise(number, item))
    return calls


def _expected_call(number: int, item: Any) -> ToolCall:
    if isinstance(item, str):
        return _plain_call(number, "expected", item, None)
    if isinstance(item, ToolCall):
        return _copy_call(f"expected[{number}]", item)
    if is_mapping(item):
        return _call_from(number, "expected", cast("Mapping[str, Any]", item))
    raise ValueError(
        f"expected[{number}] is {type(item).__name__}: a tool's name, a mapping or a ToolCall "
        f"would be right; {_WRITE}."
    )


def _made_call(number: int, item: Any) -> ToolCall:
    if isinstance(item, ToolCall):
        return _copy_call(f"actual[{number}]", item)
    if is_mapping(item):
        return _call_from(number, "actual", cast("Mapping[str, Any]", item))
    raise ValueError(
        f"actual[{number}] is {type(item).__name__}: a mapping or a ToolCall would be right; "
        f"{_WRITE}."
    )


def _plain_call(number: int, where: str, tool: Any, args: dict[str, Any] | None) -> ToolCall:
    try:
        return ToolCall(tool, args if args is None else copied(args))
    except ValueError as error:
        raise ValueError(f"{where}[{number}]: {error}") from None


def _call_from(number: int, where: str, item: Mapping[str, Any]) -> ToolCall:
    tool = next((item[key] for key in _NAMES if key in item), None)
    if not isinstance(tool, str) or not tool:
        raise ValueError(
            f"{where}[{number}] has no tool's name under 'tool', 'name' or 'function' "
            f"(its keys: {', '.join(map(str, item)) or 'none'}): {_WRITE}."
        )
    given = [key for key in _ARGS if key in item]
    args = item[given[0]] if given else None
    if args is not None and not is_mapping(args):
        raise ValueError(
            f"The arguments of {where}[{number}] ({tool!r}) are {type(args).__name__}, "
            f"not a mapping by name: {_WRITE}."
        )
    if not given and where == "expected":
        _refuse_unread_arguments(number, item)
    call = _plain_call(
        number, where, tool, None if args is None else dict(cast("Mapping[str, Any]", args))
    )
    for name in _FIELDS:
        if item.get(name) is not None:
            setattr(call, name, copied(item[name]))
    call.metadata = _metadata(item)
    _check(f"{where}[{number}]", call)
    return call


def _refuse_unread_arguments(number: int, item: Mapping[str, Any]) -> None:
    """Arguments under a misspelt key, or without one, would silently not be checked."""
    for key, value in item.items():
        if key not in _KNOWN and key not in _REMARKS:
            args = value if is_mapping(value) else {key: value}
            raise ValueError(
                f"expected[{number}] has the key {key!r}, which is not read, and no arguments: "
                f'write "args": {args!r}, or leave {key!r} out to check no arguments.'
            )


def _metadata(item: Mapping[str, Any]) -> dict[str, Any]:
    given = item.get("metadata")
    metadata: dict[str, Any] = dict(cast("Mapping[str, Any]", given)) if is_mapping(given) else {}
    for key in ("id", "status"):
        if item.get(key) is not None:
            metadata[key] = item[key]
    error = item.get("error")
    if isinstance(error, bool):
        metadata["is_error"] = error
    elif error:  # "", {} and [] mean "no error" in many records
        metadata["error"] = str(error)
        metadata["is_error"] = True
    if isinstance(item.get("is_error"), bool):
        metadata["is_error"] = item["is_error"]
    return metadata


def _check(where: str, call: ToolCall) -> None:
    """What the metrics add up must be numbers, and metadata a mapping."""
    for name in ("timestamp", "duration", "cost"):
        value: object = getattr(call, name)
        if value is None:
            continue
        try:
            right = not isinstance(value, bool) and isfinite(cast("float", value))
        except (TypeError, OverflowError):
            right = False
        if not right:
            raise ValueError(f"{where} has {name}={str(value)[:80]!r}: a number would be right.")
    if not is_mapping(call.metadata):
        raise ValueError(f"{where} has metadata={call.metadata!r}: a mapping would be right.")


def _copy_call(where: str, call: ToolCall) -> ToolCall:
    _check(where, call)
    return ToolCall(
        call.tool,
        call.args if call.args is None else copied(call.args),
        call.result,
        call.timestamp,
        call.duration,
        call.cost,
        dict(call.metadata),
    )


def copied(value: Any, depth: int = 0) -> Any:
    """A copy of the containers in ``value``; everything else (matchers too) is shared."""
    kind = kind_of(value)
    if kind is dict:
        if depth > MAX_DEPTH:
            return _copied_deep(value)
        result = value.copy()
        for key, item in value.items():
            if type(item) not in ATOMS:
                result[key] = copied(item, depth + 1)
        return result
    if kind is list or kind is tuple:
        if depth > MAX_DEPTH:
            return _copied_deep(value)
        items = [item if type(item) in ATOMS else copied(item, depth + 1) for item in value]
        return items if kind is list else tuple(items)
    if kind is set:
        return set(value)
    return value


def _copied_deep(value: Any) -> Any:
    """``copied`` without recursion; cycles stay cycles; a tuple this deep is shared."""
    copies: dict[int, Any] = {}
    pending: list[Any] = []

    def copy_of(item: Any) -> Any:
        if type(item) not in (dict, list):
            return item
        if id(item) not in copies:
            copies[id(item)] = item.copy()
            pending.append(copies[id(item)])
        return copies[id(item)]

    root = copy_of(value)
    while pending:
        container = pending.pop()
        places: Any = container if is_dict(container) else range(len(container))
        for place in places:
            container[place] = copy_of(container[place])
    return root
