"""One call as users write it: a mapping, or a ``ToolCall``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from toolscore._call import ToolCall, is_there
from toolscore._scoring.containers import is_mapping, kind_of
from toolscore._scoring.copied import base_of, copied, plain_key
from toolscore._scoring.scalars import ATOMS, LARGEST
from toolscore._shown import in_short, text_of

NAMES = ("tool", "name", "function")
_ARGS = ("args", "arguments", "input")
_FIELDS = ("result", "timestamp", "duration", "cost")
KNOWN = frozenset({*NAMES, *_ARGS, *_FIELDS, "metadata", "id", "status", "error", "is_error"})
_REMARKS = frozenset({"description", "comment", "note", "reason", "type", "side_effects", "step"})
"""What gold files say beside the call; not read."""
_READ = frozenset({"status", "step", "parent", "depth", "kind", "origin"})
"""What the evaluation reads from metadata besides ``error`` and ``is_error``."""
WRITE = 'write {"tool": "search", "args": {"query": "python"}}'


def call_from(where: str, item: Mapping[str, Any]) -> ToolCall:
    """The call of a mapping that is a copy already; ``where`` names it in errors.

    Raises:
        ValueError: it has no tool's name, or its arguments or figures are none.
    """
    tool = next((item[key] for key in NAMES if key in item), None)
    if type(tool) is not str or not tool:
        raise ValueError(
            f"{where} has no tool's name under 'tool', 'name' or 'function' "
            f"(its keys: {', '.join(map(text_of, item)) or 'none'}): {WRITE}."
        )
    given = [key for key in _ARGS if key in item]
    args = item[given[0]] if given else None
    if args is not None and not is_mapping(args):
        raise ValueError(
            f"The arguments of {where} ({tool!r}) are {kind_of(args).__name__}, "
            f"not a mapping by name: {WRITE}."
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
        if key not in KNOWN and key not in _REMARKS:
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


def copy_call(where: str, call: ToolCall) -> ToolCall:
    """A copy of a call that the user made.

    Raises:
        ValueError: a field of it holds what cannot be compared or added up.
    """
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
