"""The shape of a value that may be anything, for readers (and type checkers) that need to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from typing_extensions import TypeIs

T = TypeVar("T")


def is_a(value: object, kind: type[T]) -> TypeIs[T]:
    """``isinstance`` by inheritance alone: pydantic's own takes ten times as long."""
    return kind in type(value).__mro__


def as_mapping(value: object) -> Mapping[str, Any] | None:
    """The value, if it is a mapping."""
    # the exact types first: asking an abstract class takes ten times as long
    known = type(value) is dict or isinstance(value, Mapping)
    return cast("Mapping[str, Any]", value) if known else None


def as_list(value: object) -> Sequence[object] | None:
    """The value, if it is a list or a tuple."""
    return cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else None
