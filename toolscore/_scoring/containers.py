"""What holds other values: checks that tell a type checker what is inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any, TypeGuard, cast

_DICT: Any = dict
_LIST: Any = list
_TUPLE: Any = tuple
MANY = 100_000
"""Values after which it is looked into whether there will ever be an end to them."""

kind_of: Callable[[Any], type[Any]] = type
"""``type``, without what type checkers make of a narrowed ``Any``."""


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether names are the keys of this value."""
    return isinstance(value, (dict, Mapping))


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """Whether the value is a plain mapping."""
    return isinstance(value, dict)


def own_dict(value: object) -> dict[Any, Any] | None:
    """The entries of a mapping; None for what is none, cannot be read or does not end."""
    kind = kind_of(value)
    if kind is dict:
        return cast("dict[Any, Any]", value)
    try:
        if issubclass(kind, dict):
            return dict(_DICT.items(value))
        if not is_mapping(value):
            return None
        items = list(islice(value.items(), MANY + 1))
    except Exception:  # noqa: BLE001 - a mapping of the user's may raise anything
        return None
    return dict(items) if len(items) <= MANY else None


def own_items(value: object) -> Iterable[Any]:
    """What a list, a tuple or a dict (its values) holds, whatever a subclass makes of it."""
    kind = kind_of(value)
    base = _DICT if issubclass(kind, dict) else _LIST if issubclass(kind, list) else _TUPLE
    walk: Callable[[object], Iterable[Any]] = base.values if base is _DICT else base.__iter__
    return walk(value)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether the value is a list."""
    return isinstance(value, list)


def is_sequence(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether positions are the keys of this value."""
    return isinstance(value, (list, tuple))


def is_set(value: object) -> TypeGuard[AbstractSet[Any]]:
    """Whether the value is a set."""
    return isinstance(value, (set, frozenset))


def is_collection(value: object) -> TypeGuard[list[Any] | tuple[Any, ...] | AbstractSet[Any]]:
    """Whether the value is a list, a tuple or a set."""
    return isinstance(value, (list, tuple, set, frozenset))
