"""``functools.cached_property`` without its lock, which costs more than what it guards here.

Python 3.12 dropped that lock; what is worked out twice by two threads comes out the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from typing_extensions import Self

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - used like ``property``
    """A value that is worked out when it is first read, and kept in the instance."""

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self.work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        value = self.work_out(instance)
        setattr(instance, self.name, value)  # not through ``__dict__``, which would be made for it
        return value
