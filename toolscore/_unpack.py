"""Plain copies of recorded values: models and namespaces become dicts, nothing is cut."""

from __future__ import annotations

import dataclasses
from collections.abc import Set as AbstractSet
from enum import Enum
from types import SimpleNamespace
from typing import Any, cast

from toolscore._scoring.containers import is_dict, is_list, is_mapping, is_sequence, is_set
from toolscore._scoring.scalars import ATOMS, is_foreign

_BASES: tuple[tuple[type, Any], ...] = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (bytes, bytes),
)
"""What texts and numbers of a class of the user's are made of, read by no method of theirs."""


def unpack(value: object) -> Any:
    """A copy that shares no container with ``value``: what SDK objects hold becomes plain data.

    Tuples and sets become lists; objects that are no data become their ``repr``. However deep the
    value is, and whether it holds itself, the copy is as deep and holds itself.

    Example:
        >>> from types import SimpleNamespace
        >>> unpack(SimpleNamespace(city="Oslo", days=(1, 2)))
        {'city': 'Oslo', 'days': [1, 2]}
    """
    return value if type(value) in ATOMS else _Unpacker().unpack(value)


class _Unpacker:
    """One copy in progress. Without recursion: a parsed file may be as deep as its writer liked."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[object, Any]] = {}  # the original too: it keeps its id taken
        self._pending: list[Any] = []

    def unpack(self, value: object) -> Any:
        root = self._shell(value)
        while self._pending:
            container = self._pending.pop()
            places: Any = list(container) if is_dict(container) else range(len(container))
            for place in places:
                item = container[place]
                if type(item) not in ATOMS:
                    container[place] = self._shell(item)
        return root

    def _shell(self, value: object) -> Any:
        """The value, or a copy of the container that it is, whose items are still to be copied."""
        if type(value) in ATOMS:
            return value
        if id(value) in self._made:
            return self._made[id(value)][1]
        try:
            made = _opened(value)
        except Exception as error:  # noqa: BLE001 - values of the user's may raise on any touch
            return f"<{type(value).__qualname__} that could not be read: {type(error).__name__}>"
        if is_dict(made) or is_list(made):
            self._made[id(value)] = value, made
            self._pending.append(made)
        return made


def _opened(value: object) -> Any:
    """A new dict or list with the value's items as they are, or the plain value that it is."""
    if isinstance(value, Enum):
        return _opened(value.value)
    for kind, base_of in _BASES:
        if isinstance(value, kind):
            return base_of(value)
    if is_mapping(value):
        return {key if type(key) in ATOMS else str(key): item for key, item in value.items()}
    if is_sequence(value):
        return list(value)
    if is_set(value):
        return sorted(cast("AbstractSet[object]", value), key=repr)  # sets have no order
    fields = fields_of(value)
    if fields is not None:
        return fields
    return repr(value) if is_foreign(type(value)) else value


def fields_of(value: object) -> dict[str, Any] | None:
    """The fields of a model, dataclass or namespace, as they are; None for any other object.

    Read from the instance: a model's own serialiser is code of the user's, and warns of fields
    that are newer than the installed client.
    """
    if isinstance(value, type):
        return None
    if hasattr(type(value), "model_fields"):
        extra = cast("dict[str, Any] | None", getattr(value, "__pydantic_extra__", None))
        return {**vars(value), **(extra or {})}
    if isinstance(value, SimpleNamespace):
        return dict(vars(value))
    if dataclasses.is_dataclass(value):
        return {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
    return None
