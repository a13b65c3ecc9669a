"""What the user gave as expected or made calls, as ``ToolCall``s of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from toolscore._call import ToolCall, is_there
from toolscore._run import Expected, Run
from toolscore._scoring.containers import MANY, is_mapping, kind_of, own_items
from toolscore._scoring.copied import base_of, copied, plain_key
from toolscore._scoring.scalars import ATOMS, LARGEST
from toolscore._scoring.texts import ReadCalls, exact_texts
from toolscore._shown import in_short, text_of
from toolscore._turns import AgentTrace

_NAMES = ("tool", "name", "function")
_ARGS = ("args", "arguments", "input")
_FIELDS = ("result", "timestamp", "duration", "cost")
_KNOWN = frozenset({*_NAMES, *_ARGS, *_FIELDS, "metadata", "id", "status", "error", "is_error"})
_REMARKS = frozenset({"description", "comment", "note", "reason", "type", "side_effects", "step"})
"""What gold files say beside the call; not read."""
_READ = frozenset({"status", "step", "parent", "depth", "kind", "origin"})
"""What the evaluation reads from metadata besides ``error`` and ``is_error``."""
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
        return _read(expected, "expected", _expected_call)
    if issubclass(kind_of(given), (str, Mapping, ToolCall)):
        raise ValueError(
            f"expected= takes a list of calls, not one {kind_of(given).__name__}: "
            f"write expected=[{in_short(given)}]."
        )
    if not _is_list_of_something(given):
        raise ValueError(
            f"expected= takes a list of calls, not {kind_of(given).__name__}: "
            f'write expected=["search"], or {_WRITE} in the list, or expected=None for none.'
        )
    return _read(expected, "expected", _expected_call)


def made_calls(actual: Any) -> list[ToolCall]:
    """The calls of a list, a ``Run`` (all of them) or an ``AgentTrace``, as calls of our own.

    Raises:
        ValueError: None, or what holds no calls that can be read; says which item it is.
    """
    kind = kind_of(actual)
    if kind is list:
        return _read(actual, "actual", _made_call)
    if issubclass(kind, Run):
        return _read(actual.calls, "run.calls", _made_call)
    if issubclass(kind, AgentTrace):
        return _read(_calls_of(actual), "actual", _made_call)
    if actual is None:
        raise ValueError(
            "actual= is None. Pass [] if the agent made no call; if there should be calls, the "
            "function that returned None has lost them."
        )
    if not _is_list_of_something(actual):
        raise ValueError(
            f"actual= takes a list of calls, a Run or an AgentTrace, not {kind.__name__}."
        )
    return _read(actual, "actual", _made_call)


def _calls_of(trace: AgentTrace) -> list[ToolCall]:
    try:
        return [
            call for turn in islice(trace.turns, MANY) for call in islice(turn.tool_calls, MANY)
        ]
    except Exception as error:
        raise ValueError(
            f"actual= is an AgentTrace whose turns cannot be read ({type(error).__name__}): write "
            "AgentTrace((AgentTurn(TurnRole.ASSISTANT, '', (ToolCall('search'),)),))."
        ) from error


def _is_list_of_something(value: object) -> bool:
    kind = kind_of(value)
    return issubclass(kind, Sequence) and not issubclass(kind, (str, bytes, bytearray))


def _read(
    items: Sequence[Any], where: str, otherwise: Callable[[str, Any], ToolCall]
) -> list[ToolCall]:
    """Each item as a call; ``{"tool": ..., "args": {...}}``, what nearly all are, is read fast.

    Without the constructor it costs a fifth, and what that checks is checked here.
    """
    calls = ReadCalls()
    calls.texts = texts = list[str]()
    new = ToolCall.__new__
    number = 0
    try:
        for number, item in enumerate(_items(items)):
            if kind_of(item) is dict and len(item) == 2 and "tool" in item and "args" in item:
                tool, args = item["tool"], item["args"]
                if kind_of(tool) is str and tool and kind_of(args) is dict:
                    call = new(ToolCall)
                    call.tool = tool
                    call.args = kept = args.copy()
                    for name, value in args.items():
                        kind = kind_of(value)
                        if kind_of(name) is not str:
                            call.args, calls.texts = copied(args), None
                            break
                        if kind is str:
                            texts.append(value)
                        elif kind is not int and value is not None:
                            calls.texts = None
                            if kind not in ATOMS:
                                kept[name] = copied(value, 1)
                    call.result = call.timestamp = call.duration = call.cost = None
                    call.metadata = {}
                    calls.append(call)
                    continue
            call = otherwise(f"{where}[{number}]", item)
            found = exact_texts([call])
            if found is None:
                calls.texts = None
            else:
                texts += found
            calls.append(call)
    except ValueError as error:
        text = text_of(error)
        raise ValueError(text if where in text else f"{where}[{number}]: {text}") from None
    except Exception as error:
        raise ValueError(
            f"{where}[{number}] cannot be read ({type(error).__name__}: {text_of(error)}): "
            f"{_WRITE}."
        ) from error
    return calls


def _items(given: Sequence[Any]) -> Iterable[Any]:
    """The items of a list, without code of the user's where it can be done, and never endless."""
    kind = kind_of(given)
    if kind is list or kind is tuple:
        return given
    if issubclass(kind, (list, tuple)):
        return own_items(given)
    items = list(islice(given, MANY + 1))
    if len(items) > MANY:
        raise ValueError(f"more than {MANY:,} calls in a {kind.__name__}: give them as a list.")
    return items


def _expected_call(where: str, item: Any) -> ToolCall:
    kind = kind_of(item)
    if issubclass(kind, str):
        return ToolCall(str.__str__(item))
    if issubclass(kind, ToolCall):
        return _copy_call(where, item)
    if is_mapping(item):
        return _call_from(where, cast("Mapping[str, Any]", copied(item)))
    raise ValueError(
        f"{where} is {kind.__name__}: a tool's name, a mapping or a ToolCall would be right; "
        f"{_WRITE}."
    )


def _made_call(where: str, item: Any) -> ToolCall:
    if issubclass(kind_of(item), ToolCall):
        return _copy_call(where, item)
    if is_mapping(item):
        return _call_from(where, cast("Mapping[str, Any]", copied(item)))
    raise ValueError(
        f"{where} is {kind_of(item).__name__}: a mapping or a ToolCall would be right; {_WRITE}."
    )


def _call_from(where: str, item: Mapping[str, Any]) -> ToolCall:
    tool = next((item[key] for key in _NAMES if key in item), None)
    if type(tool) is not str or not tool:
        raise ValueError(
            f"{where} has no tool's name under 'tool', 'name' or 'function' "
            f"(its keys: {', '.join(map(text_of, item)) or 'none'}): {_WRITE}."
        )
    given = [key for key in _ARGS if key in item]
    args = item[given[0]] if given else None
    if args is not None and not is_mapping(args):
        raise ValueError(
            f"The arguments of {where} ({tool!r}) are {kind_of(args).__name__}, "
            f"not a mapping by name: {_WRITE}."
        )
    if not given and where.startswith("expected"):
        _refuse_unread_arguments(where, item)
    return _call(
        where,
        tool,
        cast("dict[str, Any] | None", args),
        *(item.get(name) for name in _FIELDS),
        _metadata(item),
    )


def _refuse_unread_arguments(where: str, item: Mapping[str, Any]) -> None:
    """Arguments under a misspelt key, or without one, would silently not be checked."""
    for key, value in item.items():
        if key not in _KNOWN and key not in _REMARKS:
            args = value if is_mapping(value) else {key: value}
            raise ValueError(
                f"{where} has the key {key!r}, which is not read, and no arguments: "
                f'write "args": {in_short(args)}, or leave {key!r} out to check no arguments.'
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
    elif is_there(error):  # "", {} and [] mean "no error" in many records
        metadata["error"] = text_of(error)
        metadata["is_error"] = True
    if isinstance(item.get("is_error"), bool):
        metadata["is_error"] = item["is_error"]
    return metadata


def _copy_call(where: str, call: ToolCall) -> ToolCall:
    if not is_mapping(cast("object", call.metadata)):
        raise ValueError(
            f"{where} has metadata={in_short(call.metadata)}: a mapping would be right."
        )
    tool = cast("object", call.tool)
    return _call(
        where,
        str.__str__(tool) if isinstance(tool, str) else cast("str", tool),
        copied(call.args),
        copied(call.result),
        call.timestamp,
        call.duration,
        call.cost,
        {plain_key(key): value for key, value in call.metadata.items()},
    )


def _call(where: str, tool: str, args: dict[str, Any] | None, *rest: Any) -> ToolCall:
    """A call of values that are copies already; what is added up or compared must be plain."""
    call = ToolCall(tool, args, *rest)
    for name in ("timestamp", "duration", "cost"):
        value: object = getattr(call, name)
        if value is not None:
            setattr(call, name, _number(where, name, value))
    for key, value in call.metadata.items():
        if type(value) not in ATOMS:
            call.metadata[key] = _remark(where, key, value)
    return call


def _number(where: str, name: str, value: object) -> float:
    number = 0.0
    try:
        number = float(cast("float", value))
        right = not isinstance(value, (bool, str)) and abs(number) <= LARGEST
    except Exception:  # noqa: BLE001 - whatever it is, it cannot be added up
        right = False
    if not right:
        raise ValueError(f"{where} has {name}={in_short(value)[:80]}: a number would be right.")
    return value if type(value) is int else number


def _remark(where: str, key: object, value: object) -> object:
    """What stands in metadata, plain where the evaluation reads it."""
    if key == "error":
        return text_of(value) if is_there(value) else None
    if key == "is_error":
        return is_there(value)
    if key in _READ:
        value = base_of(value)
        if type(value) not in ATOMS:
            raise ValueError(
                f"{where} has metadata[{key!r}] = {in_short(value)[:80]}: a text or a number would "
                "be right."
            )
    return value
