"""Values of the user's as text, whatever they are: for messages, sentences and paths."""

from __future__ import annotations

import reprlib
from typing import Any

LONGEST_INT = 12_000
"""Bits: the interpreter refuses to print integers of more than 4,300 digits."""


def shown(value: Any) -> str:
    """``repr`` of a live object, or what its ``repr`` raised."""
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001 - a foreign __repr__ may raise anything
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"


def in_short(value: Any) -> str:
    """The value for the message of an error: bounded however large, deep or inside itself it is.

    Example:
        >>> in_short({"days": [1, 2]}), in_short(10**5000)
        ("{'days': [1, 2]}", '<whole number of 16610 bits>')
    """
    try:
        return _SHORT.repr(value)
    except Exception as error:  # noqa: BLE001 - values of the user's may raise on any touch
        return f"<{type(value).__name__} that could not be read: {type(error).__name__}>"


def text_of(value: Any) -> str:
    """``str`` of a value: a text as it is, what cannot be said in short form.

    Example:
        >>> text_of("city"), text_of(3), text_of(10**5000)
        ('city', '3', '<whole number of 16610 bits>')
    """
    if type(value) is str:
        return value
    try:
        if issubclass(type(value), (dict, list, tuple, set, frozenset)):
            return _LONG.repr(value)
        return str.__str__(value) if issubclass(type(value), str) else str(value)
    except Exception:  # noqa: BLE001 - as above
        return in_short(value)


class _Bounded(reprlib.Repr):
    def __init__(self, items: int, characters: int) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxdict = self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = items
        self.maxstring = self.maxother = self.maxlong = characters

    def repr_int(self, x: int, level: int) -> str:
        """A long one by its length, which is read faster than its digits."""
        bits = x.bit_length()
        if bits > LONGEST_INT:
            return f"<whole number of {bits} bits>"
        return super().repr_int(x, level)


_SHORT, _LONG = _Bounded(6, 120), _Bounded(20, 1000)
