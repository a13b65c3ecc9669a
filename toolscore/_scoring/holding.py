"""Matchers that hold other values: ``Contains``, ``OneOf``, ``Unordered``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from toolscore._scoring.containers import MANY, is_collection, is_mapping
from toolscore._scoring.equality import LENIENT, Comparison, Matcher, same
from toolscore._scoring.own_places import each_has_its_own
from toolscore._shown import in_short


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
