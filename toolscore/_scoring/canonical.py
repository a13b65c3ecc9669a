"""A hashable form of values: equal for values that are equal, made once instead of pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, cast

from toolscore._call import ToolCall
from toolscore._scoring.containers import is_dict, is_sequence, is_set, kind_of
from toolscore._scoring.scalars import MAX_DEPTH, fold, is_foreign, is_nan
from toolscore._shown import shown

Key: TypeAlias = "frozenset[tuple[Hashable, Hashable]]"
"""The arguments of a call, name and value, in a form that is equal for equal arguments."""


class _Itself(NamedTuple):
    """A foreign object, which equals nothing but itself once it is a key."""

    identity: int


FEW = 8
"""Calls up to which comparing each with each costs less than a key for each."""
_TRUE, _FALSE, _NAN = ("bool", True), ("bool", False), ("nan",)


def canonical(value: Any, strict: bool = False, depth: int = 0) -> Hashable:
    """A hashable form, equal for equal values (a matcher or foreign object equals only itself)."""
    kind = kind_of(value)
    if kind is str:
        return value if strict else fold(value)
    if kind is int or value is None:
        return value  # type: ignore[no-any-return]
    if kind is bool:
        return _TRUE if value else _FALSE
    if kind is float:
        plain: Hashable = _NAN if value != value else value
        return (float, plain) if strict else plain
    if depth > MAX_DEPTH:
        return _flat(value, strict)
    if is_dict(value):
        items = value.items()
        content = frozenset(
            (
                key if type(key) is str else canonical(key, strict, depth + 1),
                canonical(item, strict, depth + 1),
            )
            for key, item in items
        )
        return (dict, content)
    if is_sequence(value):
        marker = tuple if strict and isinstance(value, tuple) else list
        values = value
        return (marker, *[canonical(item, strict, depth + 1) for item in values])
    if is_set(value):
        members = value
        inside = frozenset([canonical(item, strict, depth + 1) for item in members])
        return (kind if strict else set, inside)
    if is_foreign(kind):
        return _Itself(id(value))
    if not strict and isinstance(value, str):
        return fold(value)
    plain = _NAN if is_nan(value) else value if _has_hash(value) else _Itself(id(value))
    return (kind, plain) if strict else cast("Hashable", plain)


def _has_hash(value: object) -> bool:
    try:
        hash(value)
    except Exception:  # noqa: BLE001 - a time with a zone of the user's, say, may raise anything
        return False
    return True


def canonical_arguments(args: dict[str, Any], strict: bool = False) -> Key:
    """``canonical`` of the arguments of a call: name and value of each."""
    items: list[tuple[Hashable, Hashable]] = []
    for name, value in args.items():
        kind = kind_of(value)
        if kind is str:
            if not strict:
                value = value.strip()
                if not value.isascii():
                    value = fold(value)
        elif kind is not int and value is not None:
            value = canonical(value, strict)
        items.append((name, value))
    return frozenset(items)


def distinct(calls: Sequence[ToolCall]) -> int:
    """How many different calls are among a few, all of whose arguments are plain."""
    few: list[tuple[str, dict[str, Any]]] = []
    for call in calls:
        kind = call.tool, call.args or {}
        if kind not in few:
            few.append(kind)
    return len(few)


class PlainKeys:
    """Keys for the plain arguments of many calls, quicker to make than a ``Key``."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[str, ...], int] = {}
        self._read: dict[tuple[str, ...], tuple[int, Callable[[dict[str, Any]], Any]]] = {}

    def __call__(self, args: dict[str, Any] | None) -> Hashable:
        """Equal for equal arguments."""
        if not args:
            return None
        names = tuple(args)
        known = self._read.get(names)
        if known is None:
            shape = tuple(sorted(names, key=repr))
            values = cast("Callable[[dict[str, Any]], Any]", itemgetter(*shape))
            known = self._read[names] = self._shapes.setdefault(shape, len(self._shapes)), values
        return known[0], known[1](args)


def _flat(value: Any, strict: bool) -> Hashable:
    """``canonical`` without recursion: the tokens of a walk, a way back up for a cycle."""
    tokens: list[Hashable] = []
    level: dict[int, int] = {}  # of the containers that are open
    pending: list[tuple[Any, bool]] = [(value, False)]
    while pending:
        value, leaves = pending.pop()
        if leaves:
            del level[id(value)]
            tokens.append(")")
        elif not (is_dict(value) or is_sequence(value)):
            tokens.append(canonical(value, strict))
        elif id(cast("object", value)) in level:
            tokens.append(("cycle", len(level) - level[id(cast("object", value))]))
        else:
            level[id(cast("object", value))] = len(level)
            pending.append((value, True))
            if is_dict(value):
                items = value
                keys = sorted(items, key=lambda key: (type(key).__name__, shown(key)))
                tokens.append((dict, *[canonical(key, strict) for key in keys]))
                pending += [(items[key], False) for key in reversed(keys)]
            else:
                values = value
                tokens.append((tuple if strict and isinstance(value, tuple) else list, len(values)))
                pending += [(item, False) for item in reversed(values)]
    return tuple(tokens)
