"""Single values: what lenient equality ignores in a text, and which types decide for themselves."""

from __future__ import annotations

import unicodedata
from enum import Enum
from typing import Any
from weakref import WeakKeyDictionary

ATOMS = frozenset({str, int, float, bool, type(None)})
"""Types that hold nothing else and cannot change."""

MAX_DEPTH = 60
"""Levels of nesting that are compared level by level; what lies deeper is equal or it is not."""

LARGEST = 1e300
"""Numbers beyond would not fit a float once they are added up."""

_SCALAR_MODULES = frozenset({"datetime", "decimal", "fractions", "uuid", "pathlib", "ipaddress"})


def fold(text: str) -> str:
    """The text without what lenient equality ignores: outer space, and how accents are coded."""
    text = text.strip()
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_foreign(kind: type) -> bool:
    """Whether values of this type decide equality by their own ``__eq__``."""
    if kind in ATOMS:
        return False
    known = _foreign.get(kind)
    if known is None:
        known = _foreign[kind] = not (
            issubclass(kind, (str, int, float, complex, bytes, list, tuple, dict, set, frozenset))
            or issubclass(kind, Enum)
            or (kind.__module__.partition(".")[0] in _SCALAR_MODULES)
        )
    return known


def is_nan(value: Any) -> bool:
    """Whether this is no number: a float or ``Decimal`` that does not equal itself."""
    try:
        return bool(value != value)
    except Exception:  # noqa: BLE001 - a signalling NaN refuses to be compared; so do others
        return type(value).__module__ == "decimal"


_foreign: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
