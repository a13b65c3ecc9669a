"""``Regex``: a text by its pattern."""

from __future__ import annotations

import re
from typing import Any

from toolscore._scoring.containers import is_sequence
from toolscore._scoring.equality import Comparison, Matcher
from toolscore._shown import in_short, text_of


class Regex(Matcher):
    """Text that the pattern matches in full.

    In a ``forbidden`` rule the pattern is searched instead, in a list's items joined by spaces
    too, so that a prefix does not hide a call.

    Raises:
        ValueError: the pattern is not a regular expression.

    Example:
        >>> Regex("NYC|JFK").matches("JFK"), Regex("NYC").matches("NYC airport")
        (True, False)
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        try:
            self.compiled = re.compile(pattern, flags)
        except Exception as error:
            raise ValueError(
                f"Regex needs a regular expression, not {in_short(pattern)} ({text_of(error)}): "
                "write Regex(r'\\d+'), or OneOf('a+b') for a text as it is."
            ) from error
        self.pattern, self.flags = pattern, flags

    def matches(self, value: Any, /) -> bool:
        """Whether ``value`` is a text that the pattern matches in full."""
        return isinstance(value, str) and self.compiled.fullmatch(value) is not None

    def accepts(self, value: Any, how: Comparison) -> bool:
        """The same; in a forbidden rule, whether the pattern is found anywhere."""
        if not how.search:
            return self.matches(value)
        if is_sequence(value):
            value = " ".join(map(text_of, value))
        return value is not None and self.compiled.search(text_of(value)) is not None

    def __repr__(self) -> str:
        flags = f", flags={int(self.flags)}" if self.flags else ""
        return f"Regex({self.pattern!r}{flags})"
