"""The texts among the arguments of calls, gathered in the pass that sees each value anyway."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

from toolscore._call import ToolCall
from toolscore._scoring.containers import kind_of

PLAIN = frozenset({str, int, type(None)})
"""Kinds of values that ``==`` compares right, spaces and spellings of texts aside."""
_TEXT = frozenset({str})


class ReadCalls(list[ToolCall]):
    """Calls as they were read, with their ``exact_texts``."""

    __slots__ = ("texts",)

    texts: list[str] | None


def exact_texts(calls: Sequence[ToolCall]) -> list[str] | None:
    """The texts among the arguments; None where one is no text, whole number or None.

    Where all are, values that ``==`` calls equal are equal, however they are compared.
    """
    if isinstance(calls, ReadCalls):
        return calls.texts
    values: list[Any] = []
    for call in calls:
        if call.args:
            values += call.args.values()
    return texts_among(values) if PLAIN.issuperset(map(kind_of, values)) else None


def texts_among(values: list[Any]) -> list[str]:
    """Those of the values that are texts."""
    return list(compress(values, map(_TEXT.__contains__, map(kind_of, values))))


def are_bare(texts: list[str]) -> bool:
    """Whether these hold nothing that lenient equality ignores, so that ``!=`` is right too."""
    return "".join(texts).isascii() and list(map(str.strip, texts)) == texts
