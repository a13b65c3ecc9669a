"""Values inside expected args that several actual values equal.

They stand at any depth and combine with ``|``, ``&`` and ``~``. A foreign object with its own
``__eq__`` (dirty-equals, ``pytest.approx``, ``unittest.mock.ANY``) works as it is.

Source:
    ``toolscore.matchers`` of tool-scorer; ``OptionalKey``, ``Unordered`` and ``LooseText`` are new.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from toolscore._call import ToolCall
from toolscore._scoring.containers import (
    MANY,
    is_collection,
    is_dict,
    is_mapping,
    is_sequence,
    kind_of,
)
from toolscore._scoring.copied import copied
from toolscore._scoring.equality import LENIENT, Anything, Comparison, Matcher, OptionalKey, same
from toolscore._scoring.own_places import each_has_its_own
from toolscore._scoring.regex import Regex
from toolscore._scoring.scalars import MAX_DEPTH
from toolscore._shown import in_short

__all__ = [
    "ANY",
    "Approx",
    "Contains",
    "IsType",
    "LooseText",
    "Matcher",
    "OneOf",
    "OptionalKey",
    "Regex",
    "Unordered",
    "from_possible_answers",
]

ANY: Matcher = Anything()
"""Matches every value, ``None`` too; the key must be there."""


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


class Contains(Matcher):
    """A text that holds ``item``, a list or set with an item equal to it, a mapping with that key.

    ``item`` may be a matcher.

    Example:
        >>> Contains("rm").matches("rm -rf"), Contains(1).matches([True, 2.0])
        (True, False)
    """

    def __init__(self, item: Any) -> None:
        self.item = item

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` holds the item."""
        return self.accepts(value, LENIENT)

    def accepts(self, value: Any, how: Comparison) -> bool:
        """The same, items compared ``how`` they are told."""
        if isinstance(value, str):
            return isinstance(self.item, str) and self.item in value
        if not is_collection(value) and not is_mapping(value):
            return False
        return any(same(self.item, item, how) for item in value)

    def __repr__(self) -> str:
        return f"Contains({self.item!r})"


class OneOf(Matcher):
    """One of the given values, which may be matchers.

    Example:
        >>> OneOf("c", "celsius").matches("celsius"), OneOf(1, None).matches(True)
        (True, False)
    """

    def __init__(self, *values: Any) -> None:
        self.values = values

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` equals one of them."""
        return self.accepts(value, LENIENT)

    def accepts(self, value: Any, how: Comparison) -> bool:
        """The same, compared ``how`` it is told."""
        return any(same(one, value, how) for one in self.values)

    def __repr__(self) -> str:
        return f"OneOf({', '.join(map(repr, self.values))})"


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


class Unordered(Matcher):
    """A list with these items in any order, each as often as here; items may be matchers.

    Example:
        >>> Unordered(["a", "b"]).matches(["b", "a"]), Unordered(["a", "b"]).matches(["a", "a"])
        (True, False)
    """

    def __init__(self, items: Iterable[Any]) -> None:
        if issubclass(type(items), str):
            raise ValueError(
                f"Unordered needs a list, not a text: write Unordered([{in_short(items)}])."
            )
        try:
            self.items = list(islice(items, MANY))
        except Exception as error:
            raise ValueError(
                f"Unordered needs a list, not {in_short(items)}: write Unordered([1, 2])."
            ) from error

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` is a list of these items in some order."""
        return self.accepts(value, LENIENT)

    def accepts(self, value: Any, how: Comparison) -> bool:
        """The same, items compared ``how`` they are told."""
        if not is_collection(value):
            return False
        found = list(value)
        if len(found) != len(self.items):
            return False
        fits = [
            [place for place, item in enumerate(found) if same(wanted, item, how)]
            for wanted in self.items
        ]
        return each_has_its_own(fits)

    def __repr__(self) -> str:
        return f"Unordered({self.items!r})"


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


def from_possible_answers(
    ground_truth: Sequence[Mapping[str, Mapping[str, Sequence[Any]]]],
) -> list[ToolCall]:
    """``possible_answer`` entries of the Berkeley Function-Calling Leaderboard, as an expectation.

    Each argument lists the answers that are right; ``""`` among them means that it may be left
    out. Use it with ``order="any"``, as the benchmark does.

    Raises:
        ValueError: an entry is not ``{tool: {argument: [answers]}}``.

    Example:
        >>> right = {"weather": {"city": ["NYC", "New York"], "unit": ["c", ""]}}
        >>> [call] = from_possible_answers([right])
        >>> call.tool, call.args["unit"].matches("C")
        ('weather', True)
    """
    calls: list[ToolCall] = []
    entries = copied(ground_truth)
    for number, entry in enumerate(entries if is_sequence(entries) else [entries]):
        if not is_dict(entry) or not all(map(is_dict, entry.values())):
            raise ValueError(
                f"Entry {number} is {in_short(entry)}: each entry must be "
                '{"tool": {"argument": [right answers]}}.'
            )
        for tool, arguments in entry.items():
            args = {name: _possible(answers) for name, answers in arguments.items()}
            calls.append(ToolCall(tool, args))
    return calls


def _possible(answers: Any, depth: int = 0) -> Any:
    if not is_sequence(answers):
        return answers
    given = answers
    choice = OneOf(*[_loosely(answer, depth) for answer in given if not _is_empty(answer)])
    return OptionalKey(choice) if any(map(_is_empty, given)) else choice


def _is_empty(answer: Any) -> bool:
    return type(answer) is str and not answer


def _loosely(answer: Any, depth: int) -> Any:
    if isinstance(answer, str):
        return LooseText(answer)
    if depth > MAX_DEPTH:
        return answer
    if is_sequence(answer):
        return [_loosely(item, depth + 1) for item in answer]
    if is_dict(answer):  # inside an answer, each value is again a list of answers
        return {key: _possible(value, depth + 1) for key, value in answer.items()}
    return answer
