"""What holds other values: checks that tell a type checker what is inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, TypeGuard

kind_of: Callable[[Any], type[Any]] = type
"""``type``, without what type checkers make of a narrowed ``Any``."""


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether names are the keys of this value."""
    return isinstance(value, (dict, Mapping))


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """Whether the value is a plain mapping."""
    return isinstance(value, dict)


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
