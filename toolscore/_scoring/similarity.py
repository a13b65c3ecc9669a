"""Argument similarity ``A`` of two calls, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from math import fsum
from typing import Any, Literal

from toolscore._scoring.containers import is_mapping, is_sequence, kind_of
from toolscore._scoring.equality import Comparison, OptionalKey, same, same_scalar
from toolscore._scoring.filled import is_expected, stands, within
from toolscore._scoring.scalars import ATOMS, MAX_DEPTH
from toolscore._shown import text_of


class _Missing(Enum):
    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Literal[_Missing.MISSING] = _Missing.MISSING
"""Stands in an ``ArgumentDifference`` for a value that is not there."""


@dataclass(frozen=True)
class ArgumentDifference:
    """One argument that differs between the two calls of a pair.

    Attributes:
        path: Where, ``filters.city`` or ``days[1]``.
        expected: ``MISSING`` where the call was not expected to have it.
        actual: ``MISSING`` where the call did not have it.
    """

    path: str
    expected: Any
    actual: Any


ALMOST = 1.0 - 2.0**-53
"""The largest number below 1: what differs in a place so deep that a float would not show it."""


class Similarity:
    """Compares arguments one way throughout an evaluation."""

    __slots__ = ("errors", "how", "mode")

    def __init__(self, how: Comparison, mode: str) -> None:
        self.how, self.mode = how, mode
        self.errors: dict[int, tuple[Any, str]] = {}  # matchers that raised, each once

    def of(self, expected: dict[str, Any] | None, actual: dict[str, Any] | None) -> float:
        """``A``: the mean agreement over the union of the argument names, 0 to 1."""
        if expected is None or self.mode == "ignore":
            return 1.0
        return self._mappings(*self._counted(expected, actual or {}), 0)

    def full(self, expected: dict[str, Any] | None, actual: dict[str, Any] | None) -> bool:
        """Whether ``of`` is 1, found out the short way for plain values."""
        if expected is None or self.mode == "ignore":
            return True
        actual = actual or {}
        if len(expected) == len(actual):
            for key, value in expected.items():
                if key not in actual:
                    break
                other = actual[key]
                kind = kind_of(value)
                if kind is not kind_of(other) or kind not in ATOMS or value != other:
                    break
            else:
                return True
        return self.of(expected, actual) == 1.0

    def agreements(
        self, expected: dict[str, Any] | None, actual: dict[str, Any] | None
    ) -> tuple[int, int]:
        """How many arguments agree in full, and how many are compared: the figures of a finding."""
        if expected is None or self.mode == "ignore":
            return 0, 0
        wanted, made = self._counted(expected, actual or {})
        names = [
            key
            for key in chain(wanted, made)
            if key not in wanted or self._counts(wanted, made, key)
        ]
        names = list(dict.fromkeys(names))
        right = sum(1 for k in names if k in wanted and self._named(wanted, made, k, 0) == 1)
        return right, len(names)

    def differences(
        self, expected: dict[str, Any] | None, actual: dict[str, Any] | None
    ) -> tuple[ArgumentDifference, ...]:
        """Each place where the two differ, outermost name first."""
        if expected is None or self.mode == "ignore":
            return ()
        return tuple(self._differences(*self._counted(expected, actual or {}), "", 0))

    def _counted(
        self, expected: dict[str, Any], actual: dict[str, Any]
    ) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Both sides without the argument names that the mode leaves out of the union."""
        if self.mode == "allow_extra":
            actual = {key: value for key, value in actual.items() if is_expected(expected, key)}
        elif self.mode == "allow_missing":
            expected = {key: value for key, value in expected.items() if key in actual}
        return expected, actual

    def _counts(self, expected: Mapping[Any, Any], actual: Mapping[Any, Any], key: Any) -> bool:
        value = expected[key]
        return key in actual or stands(value) or not isinstance(value, OptionalKey)

    def _named(
        self, expected: Mapping[Any, Any], actual: Mapping[Any, Any], key: Any, depth: int
    ) -> float:
        """The agreement in an expected argument; its default stands where it is left out."""
        value = expected[key]
        if key in actual:
            return self._value(within(value), actual[key], depth)
        return self._value(value.value, value.default, depth) if stands(value) else 0.0

    def _mappings(
        self, expected: Mapping[Any, Any], actual: Mapping[Any, Any], depth: int
    ) -> float:
        values: list[float] = []
        union = len(actual)
        for key, value in expected.items():
            if key in actual:
                values.append(self._value(within(value), actual[key], depth))
            elif not isinstance(value, OptionalKey):
                union += 1
            elif stands(value):
                union += 1
                values.append(self._value(value.value, value.default, depth))
        return _mean(values, union)

    def _value(self, expected: Any, actual: Any, depth: int) -> float:
        if type(expected) in ATOMS:
            return 1.0 if same_scalar(expected, actual, self.how) else 0.0
        if depth < MAX_DEPTH:
            if is_mapping(expected) and is_mapping(actual):
                if self.how.strict and type(expected) is not type(actual):
                    return 0.0
                return self._mappings(expected, actual, depth + 1)
            if is_sequence(expected) and is_sequence(actual):
                if self.how.strict and type(expected) is not type(actual):
                    return 0.0
                longest = max(len(expected), len(actual))
                values = [self._value(e, a, depth + 1) for e, a in zip(expected, actual)]  # noqa: B905 - positions beyond the shorter one agree in nothing
                return _mean(values, longest)
        return 1.0 if self.equal(expected, actual) else 0.0

    def equal(self, expected: Any, actual: Any) -> bool:
        """Whether the two agree in full; a matcher that raises is noted, and does not."""
        try:
            return same(expected, actual, self.how)
        except Exception as error:  # noqa: BLE001 - a matcher or a foreign __eq__ may raise anything
            if id(expected) not in self.errors:  # kept with it, so that the number stays its own
                text = f"{type(error).__name__}: {text_of(error)}"[:300]
                self.errors[id(expected)] = expected, text
            return False

    def _differences(
        self, expected: Mapping[Any, Any], actual: Mapping[Any, Any], path: str, depth: int
    ) -> Iterator[ArgumentDifference]:
        for key, value in expected.items():
            where = f"{path}.{text_of(key)}" if path else text_of(key)
            if key in actual:
                yield from self._differing(within(value), actual[key], where, depth)
            elif not isinstance(value, OptionalKey):
                yield ArgumentDifference(where, value, MISSING)
            elif stands(value) and self._named(expected, actual, key, depth) < 1.0:
                yield ArgumentDifference(where, value.value, MISSING)
        for key, value in actual.items():
            if key not in expected:
                where = f"{path}.{text_of(key)}" if path else text_of(key)
                yield ArgumentDifference(where, MISSING, value)

    def _differing(
        self, expected: Any, actual: Any, path: str, depth: int
    ) -> Iterator[ArgumentDifference]:
        alike = not self.how.strict or type(expected) is type(actual)
        if depth < MAX_DEPTH and alike:
            if is_mapping(expected) and is_mapping(actual):
                yield from self._differences(expected, actual, path, depth + 1)
                return
            if is_sequence(expected) and is_sequence(actual):
                for place in range(max(len(expected), len(actual))):
                    where = f"{path}[{place}]"
                    if place >= len(actual):
                        yield ArgumentDifference(where, expected[place], MISSING)
                    elif place >= len(expected):
                        yield ArgumentDifference(where, MISSING, actual[place])
                    else:
                        yield from self._differing(expected[place], actual[place], where, depth + 1)
                return
        if not self.equal(expected, actual):
            yield ArgumentDifference(path, expected, actual)


def _mean(values: Sequence[float], count: int) -> float:
    """The sum of the agreements over ``count``; 1 only where all of them are."""
    mean = fsum(values) / count if count else 1.0
    return ALMOST if mean == 1.0 and min(values, default=1.0) < 1.0 else mean
