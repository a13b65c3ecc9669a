"""The texts among the arguments of calls, gathered in the pass that sees each value anyway."""

from __future__ import annotations

from collections.abc import Sequence

from toolscore._call import ToolCall
from toolscore._scoring.containers import kind_of


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
    texts: list[str] = []
    for call in calls:
        if call.args:
            for value in call.args.values():
                kind = kind_of(value)
                if kind is str:
                    texts.append(value)
                elif kind is not int and value is not None:
                    return None
    return texts


def are_bare(texts: list[str]) -> bool:
    """Whether these hold nothing that lenient equality ignores, so that ``!=`` is right too."""
    return "".join(texts).isascii() and list(map(str.strip, texts)) == texts
