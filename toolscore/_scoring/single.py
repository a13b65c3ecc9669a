"""Matchers of a single value: ``Approx``, ``IsType``, ``LooseText``."""

from __future__ import annotations

import math
from typing import Any

from toolscore._scoring.containers import kind_of
from toolscore._scoring.equality import Matcher
from toolscore._shown import in_short


class Approx(Matcher):
    """A number near ``value``: within ``rel`` times its size, or within ``abs``.

    A bool is not a number here.

    Example:
        >>> Approx(3.14, rel=0.01).matches(3.15), Approx(0, abs=0.5).matches(True)
        (True, False)
    """

    def __init__(self, value: float, rel: float = 1e-6, abs: float = 0.0) -> None:  # noqa: A002 - the seed's name
        self.value, self.rel, self.abs = value, rel, abs

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` is a number within the tolerance."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        try:
            return value == self.value or math.fabs(value - self.value) <= max(
                self.rel * math.fabs(self.value), self.abs
            )
        except OverflowError:  # an integer beyond every float is near nothing but itself
            return False

    def __repr__(self) -> str:
        rel = "" if self.rel == 1e-6 else f", rel={self.rel!r}"
        return f"Approx({self.value!r}{rel}{f', abs={self.abs!r}' if self.abs else ''})"


class IsType(Matcher):
    """An instance of one of the types; a bool is not an int here.

    Raises:
        ValueError: no type, or something that is not a type.

    Example:
        >>> IsType(int).matches(3), IsType(int).matches(True), IsType(str, bool).matches(True)
        (True, False, True)
    """

    def __init__(self, *types: type) -> None:
        if not types or not all(issubclass(kind_of(kind), type) for kind in types):
            raise ValueError(
                f"IsType needs types, not {in_short(types)}: write IsType(int) or IsType(int, str)."
            )
        self.types = types

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` is of one of the types."""
        if isinstance(value, bool) and bool not in self.types and object not in self.types:
            return False
        return isinstance(value, self.types)

    def __repr__(self) -> str:
        return f"IsType({', '.join(kind.__name__ for kind in self.types)})"


class LooseText(Matcher):
    """Text compared without case, spaces and the marks ``,./-_*^``; quotes are unified.

    What function-calling benchmarks compare.

    Source:
        ``standardize_string`` of the Berkeley Function-Calling Leaderboard's checker.

    Example:
        >>> LooseText("New York, NY").matches("new-york ny"), LooseText("a").matches("b")
        (True, False)
    """

    _ignored = str.maketrans({**dict.fromkeys(" \t\n\r,./-_*^"), "'": '"'})

    def __init__(self, text: str) -> None:
        if not issubclass(kind_of(text), str):
            raise ValueError(
                f"LooseText needs a text, not {in_short(text)}: write LooseText('New York')."
            )
        self.text = str.__str__(text)

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` is this text, loosely."""
        return isinstance(value, str) and self._loose(value) == self._loose(self.text)

    def _loose(self, text: str) -> str:
        return text.translate(self._ignored).lower()

    def __repr__(self) -> str:
        return f"LooseText({self.text!r})"
