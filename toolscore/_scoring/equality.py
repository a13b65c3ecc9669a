"""When two argument values are equal: type-honest, exact, and safe from depth and cycles.

The table stands in ``docs/scoring.md``. ``Matcher`` stands here because equality has to know it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from toolscore._scoring.canonical import canonical
from toolscore._scoring.containers import is_dict, is_mapping, is_sequence, is_set, kind_of
from toolscore._scoring.scalars import ATOMS, fold, is_foreign, is_nan


class Comparison(NamedTuple):
    """How values are compared.

    ``strict`` switches every leniency off. ``search`` is for forbidden rules: there a ``Regex``
    looks anywhere in the text, so that a prefix does not hide a call.
    """

    strict: bool = False
    search: bool = False


LENIENT = Comparison()
STRICT = Comparison(strict=True)


class Matcher(ABC):
    """A value inside expected args that several actual values equal.

    Subclass it and write ``matches``; a matcher that raises is a finding, never an exception out
    of ``evaluate``. Matchers combine: ``a | b``, ``a & b``, ``~a``; the other side of ``|`` and
    ``&`` may be a plain value.

    Example:
        >>> class Even(Matcher):
        ...     def matches(self, value):
        ...         return isinstance(value, int) and value % 2 == 0
        >>> (Even() | "none").matches("none"), (~Even()).matches(4)
        (True, False)
    """

    @abstractmethod
    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` is accepted."""

    def accepts(self, value: Any, how: Comparison) -> bool:
        """``matches``, for the matchers that hold values and compare them ``how`` they are told."""
        return self.matches(value)

    def __or__(self, other: Any) -> Matcher:
        return Either(self, other)

    def __ror__(self, other: Any) -> Matcher:
        return Either(other, self)

    def __and__(self, other: Any) -> Matcher:
        return Both(self, other)

    def __rand__(self, other: Any) -> Matcher:
        return Both(other, self)

    def __invert__(self) -> Matcher:
        return Not(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Matcher):
            return type(self) is type(other) and repr(self) == repr(other)
        return self.matches(other)

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))


class Either(Matcher):
    """``a | b``."""

    def __init__(self, left: Any, right: Any) -> None:
        self.left, self.right = left, right

    def matches(self, value: Any, /) -> bool:
        return self.accepts(value, LENIENT)

    def accepts(self, value: Any, how: Comparison) -> bool:
        return same(self.left, value, how) or same(self.right, value, how)

    def __repr__(self) -> str:
        return f"{self.left!r} | {self.right!r}"


class Both(Matcher):
    """``a & b``."""

    def __init__(self, left: Any, right: Any) -> None:
        self.left, self.right = left, right

    def matches(self, value: Any, /) -> bool:
        return self.accepts(value, LENIENT)

    def accepts(self, value: Any, how: Comparison) -> bool:
        return same(self.left, value, how) and same(self.right, value, how)

    def __repr__(self) -> str:
        return f"({self.left!r}) & ({self.right!r})"


class Not(Matcher):
    """``~a``."""

    def __init__(self, inner: Matcher) -> None:
        self.inner = inner

    def matches(self, value: Any, /) -> bool:
        return self.accepts(value, LENIENT)

    def accepts(self, value: Any, how: Comparison) -> bool:
        return not self.inner.accepts(value, how)

    def __repr__(self) -> str:
        return f"~({self.inner!r})"


class OptionalKey(Matcher):
    """The key may be absent; if it is there, ``value`` decides.

    An absent one leaves the union of argument names, so that it costs nothing.

    Example:
        >>> from toolscore import evaluate
        >>> expected = [{"tool": "search", "args": {"q": "a", "limit": OptionalKey(10)}}]
        >>> evaluate(expected, [{"tool": "search", "args": {"q": "a"}}]).score
        1.0
        >>> evaluate(expected, [{"tool": "search", "args": {"q": "a", "limit": 99}}]).score
        0.75
    """

    _anything: Any = object()

    def __init__(self, value: Any = _anything) -> None:
        self.value = value if value is not OptionalKey._anything else Anything()

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` is accepted where the key is there."""
        return self.accepts(value, LENIENT)

    def accepts(self, value: Any, how: Comparison) -> bool:
        """The same, compared ``how`` it is told."""
        return same(self.value, value, how)

    def __repr__(self) -> str:
        return "OptionalKey()" if type(self.value) is Anything else f"OptionalKey({self.value!r})"


class Anything(Matcher):
    """``ANY``."""

    def matches(self, value: Any, /) -> bool:
        return True

    def __repr__(self) -> str:
        return "ANY"


def same_scalar(expected: Any, actual: Any, how: Comparison) -> bool:
    """``same`` for two values of which at least one holds no others."""
    kind, other = kind_of(expected), kind_of(actual)
    if kind is other and kind is str:
        return expected == actual or (not how.strict and fold(expected) == fold(actual))
    if is_foreign(kind):
        if isinstance(expected, Matcher):
            return expected.accepts(actual, how)
        return _decides(expected, actual)
    if how.strict and kind is not other:
        return False
    if isinstance(expected, bool) or isinstance(actual, bool):
        return kind is other and expected is actual
    if isinstance(expected, str):
        return isinstance(actual, str) and (expected == actual or fold(expected) == fold(actual))
    try:
        # bool(...): the actual value may be foreign, an array for instance, with its own __eq__
        alike = bool(expected == actual)
    except Exception:  # noqa: BLE001 - what was made cannot be compared, so it is not what was asked
        alike = False
    return alike or (is_nan(expected) and is_nan(actual))


def _decides(expected: Any, actual: Any) -> bool:
    """What the ``==`` of a foreign object says; of two arrays, whether it holds everywhere."""
    verdict = expected == actual
    if type(verdict) is bool or not getattr(verdict, "shape", ()):
        return bool(verdict)
    if getattr(expected, "shape", ()) != getattr(actual, "shape", ()):
        return False  # numbers were compared with each item, say
    verdict = verdict | ((expected != expected) & (actual != actual))
    while getattr(verdict, "shape", ()):  # a table's columns first
        verdict = verdict.all()
    return bool(verdict)


def same(expected: Any, actual: Any, how: Comparison = LENIENT) -> bool:
    """Whether ``actual`` is what ``expected`` says, in full.

    1 equals 1.0 (exactly, without a cast), True does not equal 1, NaN equals NaN, a list equals a
    tuple, outer white space and the coding of accents are ignored; with ``how.strict`` none of
    these leniencies. Raises whatever a matcher or a foreign ``__eq__`` raises.
    """
    if type(expected) in ATOMS:
        return same_scalar(expected, actual, how)
    pending: list[tuple[Any, Any]] = [(expected, actual)]
    seen: set[tuple[int, int]] = set()
    while pending:
        expected, actual = pending.pop()
        if is_mapping(expected) and is_mapping(actual):
            below: list[tuple[Any, Any]] | None = _below_mappings(expected, actual)
        elif is_sequence(expected) and is_sequence(actual):
            below = list(zip(expected, actual)) if len(expected) == len(actual) else None  # noqa: B905 - equal by then
        elif is_set(expected) and is_set(actual):
            alike = canonical(expected, how.strict) == canonical(actual, how.strict)
            below = [] if alike else None
        elif same_scalar(expected, actual, how):
            continue
        else:
            return False
        if below is None or (how.strict and type(expected) is not type(actual)):
            return False
        key = (id(expected), id(actual))
        if key not in seen:  # a cycle on both sides: equal so far is equal
            seen.add(key)
            pending += below
    return True


def _below_mappings(
    expected: Mapping[Any, Any], actual: Mapping[Any, Any]
) -> list[tuple[Any, Any]] | None:
    if any(key not in expected for key in actual):
        return None
    pairs: list[tuple[Any, Any]] = []
    for key, value in expected.items():
        if key in actual:
            pairs.append((value, actual[key]))
        elif not isinstance(value, OptionalKey):
            return None
    return pairs


def holds_matcher(value: Any) -> bool:
    """Whether a matcher or a foreign object stands in ``value``, at any depth."""
    if type(value) in ATOMS:
        return False
    pending: list[Any] = [value]
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if is_foreign(kind_of(value)):
            return True
        if is_dict(value):
            below: Any = value.values()
        elif is_sequence(value):
            below = value
        else:
            continue
        if id(cast("object", value)) not in seen:
            seen.add(id(cast("object", value)))
            pending += [item for item in below if type(item) not in ATOMS]
    return False
