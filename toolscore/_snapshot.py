"""Bounded, plain copies of values that belong to the user's program."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Set
from enum import Enum
from itertools import islice
from numbers import Integral, Real
from typing import Any, cast

MAX_DEPTH = 60
UNIT = 8
"""What any value costs at least, so that no number of empty ones comes for free."""
MAX_FLAT_INT = 1 << 64


def snapshot(value: object, limit: int) -> tuple[Any, bool]:
    """A copy that nothing in the user's program can change later, and whether it was cut.

    Plain data is kept as it is (tuples and sets become lists, so that a saved copy equals the live
    one); models, dataclasses and enums become the plain data in them; anything else becomes its
    ``repr``. At most about ``limit`` bytes of text are kept. Never raises, calls no
    ``__deepcopy__``, and keeps no reference to ``value``.

    Example:
        >>> snapshot({"city": "Oslo", "days": (1, 2)}, 100)
        ({'city': 'Oslo', 'days': [1, 2]}, False)
        >>> snapshot("abcdef", 3)
        ('abc', True)
    """
    if value is None or value is True or value is False:
        return value, False
    kind = type(value)
    if kind is float or (kind is str and len(cast("str", value)) * 4 <= limit):
        return value, False
    if kind is dict and _is_small_and_flat(cast("dict[Any, Any]", value), limit):
        return cast("dict[Any, Any]", value).copy(), False
    copier = _Copier(limit)
    try:
        return copier.copy(value, 0), copier.cut
    except Exception as error:  # noqa: BLE001 - a key may raise, the stack may be nearly full
        return f"<{kind.__qualname__} that could not be copied: {type(error).__name__}>", True


def fits(text: str, limit: int) -> bool:
    """Whether nothing of the value in this JSON text would be cut: it is small and flat enough.

    A value counts at least eight bytes, and takes two characters at least.
    """
    return len(text) * 5 <= limit and text.count("[") + text.count("{") < MAX_DEPTH


def _is_small_and_flat(value: dict[Any, Any], limit: int) -> bool:
    """Whether a plain ``copy`` does: what nearly all arguments are, and each call has some."""
    room = limit
    for name, item in tuple(value.items()):  # a tuple first: another thread may change the dict
        kind = type(item)  # pyright: ignore[reportUnknownVariableType]
        if type(name) is not str:
            return False
        if kind is str:
            room -= 4 * len(item)
        elif kind is int:
            if not -MAX_FLAT_INT < item < MAX_FLAT_INT:
                return False
        elif kind is not bool and kind is not float and item is not None:
            return False
        room -= 4 * len(name) + 16
    return room >= 0


class _Copier:
    """One copy in progress: what may still be kept, and which containers are being copied."""

    __slots__ = ("above", "cut", "left")

    def __init__(self, limit: int) -> None:
        self.left = limit
        self.cut = False
        self.above: set[int] = set()

    def copy(self, value: object, depth: int) -> Any:
        """Copy one value."""
        kind = type(value)
        if kind is str:
            return self._text(cast("str", value))
        if value is None or kind is bool or kind is float:
            self.left -= UNIT
            return value
        if kind is int:
            return self._int(cast("int", value))
        if kind is dict or kind is list or kind is tuple:
            return self._container(value, depth)
        try:
            return self._foreign(value, depth)
        except Exception as error:  # noqa: BLE001 - values of the user's may raise on any touch
            self.cut = True
            return self._text(
                f"<{kind.__qualname__} that could not be read: {type(error).__name__}>"
            )

    def _text(self, value: str) -> str:
        size = len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
        if size <= self.left:
            self.left -= size + UNIT
            return value
        self.cut = True
        kept = value.encode("utf-8", "surrogatepass")[: max(self.left, 0)]
        self.left = 0
        while kept and kept[-1] & 0xC0 == 0x80:  # back to the start of the last character,
            kept = kept[:-1]
        # which goes if it is not whole
        return (kept[:-1] if kept and kept[-1] >= 0x80 else kept).decode("utf-8", "surrogatepass")

    def _int(self, value: int) -> Any:
        size = value.bit_length() // 8
        if size <= UNIT or size <= self.left:
            self.left -= max(size, UNIT)
            return value
        self.cut = True
        self.left -= 4 * UNIT
        return f"<integer of {value.bit_length()} bits>"

    def _container(self, value: object, depth: int) -> Any:
        """A dict, or anything that is copied as a list; what does not fit is left out."""
        self.left -= UNIT
        identity = id(value)
        if depth >= MAX_DEPTH or identity in self.above:
            self.cut = True
            return "<cycle>" if identity in self.above else "<nested too deep>"
        self.above.add(identity)
        # no more than that fits, however many there are, or say that there are
        room = max(self.left, 0) // UNIT + 2
        try:
            if isinstance(value, Mapping):
                entries: dict[Any, Any] = {}
                # a copy first: another thread may change the user's dict meanwhile
                for key, item in list(islice(cast("Mapping[object, object]", value).items(), room)):
                    if self.left <= 0:
                        self.cut = True
                        break
                    plain = self.copy(key if type(key) in _PLAIN_KEYS else str(key), depth)
                    entries[plain] = self.copy(item, depth + 1)
                return entries
            items: list[Any] = []
            for item in list(islice(cast("list[object]", value), room)):
                if self.left <= 0:
                    self.cut = True
                    break
                items.append(self.copy(item, depth + 1))
            return items
        finally:
            self.above.discard(identity)

    def _foreign(self, value: object, depth: int) -> Any:
        if isinstance(value, Enum):
            return self.copy(value.value, depth)
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if isinstance(value, Integral):
            return self._int(int(value))
        if isinstance(value, Real):
            return self.copy(float(value), depth)
        if isinstance(value, (bytes, bytearray)):
            kept = bytes(value[: max(self.left, 0)])
            self.cut = self.cut or len(kept) < len(value)
            self.left -= len(kept) + UNIT
            return kept
        if isinstance(value, (Mapping, list, tuple)):
            return self._container(cast("object", value), depth)
        if isinstance(value, Set):
            # sets have no order: sorted, so that two equal results are equal copies
            return self._container(sorted(cast("Set[object]", value), key=repr), depth)
        fields = _fields(value)
        return self._text(repr(value)) if fields is None else self._container(fields, depth)


_PLAIN_KEYS: frozenset[type] = frozenset({str, int, float, bool, type(None)})


def _fields(value: object) -> dict[str, Any] | None:
    """The fields of a model or dataclass, read from the instance and not through its serialiser.

    A serialiser is the user's code: it may warn, raise or write.
    """
    if hasattr(type(value), "model_fields") and not isinstance(value, type):
        extra = cast("dict[str, Any] | None", getattr(value, "__pydantic_extra__", None))
        return {**vars(value), **(extra or {})}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
    return None
