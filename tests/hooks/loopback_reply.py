"""What the loopback provider answers, before it is put into a dialect."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeAlias

from hooks.contract import Requested

CREATED = 1_700_000_000
Answer: TypeAlias = "str | Sequence[str | Requested | dict[str, Any]]"
"""Text, or texts, calls and (in Responses) output items of other kinds, as the API writes them."""


@dataclass(frozen=True)
class Asked:
    """One call, with its arguments as the text that the model wrote."""

    tool: str
    arguments: str
    id: str


@dataclass(frozen=True)
class Reply:
    """One answer: its texts, calls and items of other kinds, in order.

    ``name`` tells it from every other answer.
    """

    name: str
    request: Mapping[str, Any]
    parts: tuple[str | Asked | dict[str, Any], ...]
    step: int = 0

    @property
    def model(self) -> str:
        """The model that was asked."""
        model: str = self.request["model"]
        return model

    @property
    def calls(self) -> list[Asked]:
        """The calls that it asks for."""
        return [part for part in self.parts if isinstance(part, Asked)]

    @property
    def text(self) -> str | None:
        """What it says, if it says anything."""
        return "".join(part for part in self.parts if isinstance(part, str)) or None

    @property
    def tokens(self) -> tuple[int, int]:
        """Input and output tokens: 100 and 10 in the first turn, one more in each that follows."""
        return 100 + self.step, 10 + self.step


def written(answer: Answer) -> tuple[str | Asked | dict[str, Any], ...]:
    """The parts of an answer, the arguments of its calls as text (in ASCII, escapes and all)."""
    if isinstance(answer, str):
        return (answer,)
    return tuple(_asked(*part) if isinstance(part, tuple) else part for part in answer)


def _asked(tool: str, args: dict[str, Any] | str, name: str) -> Asked:
    return Asked(tool, args if isinstance(args, str) else json.dumps(args), name)


def pieces(text: str) -> list[str]:
    r"""Small pieces, cut where it hurts: after a backslash, inside ``\uXXXX``, inside a number."""
    return re.findall(r"\\(?:u[0-9a-fA-F]{2})?|[^\\]{1,3}", text)


def interleaved(calls: Sequence[Asked]) -> Iterator[tuple[int, str]]:
    """The pieces of all arguments, in turns, each with the index of its call."""
    for row in zip_longest(*(pieces(call.arguments) for call in calls)):
        yield from ((index, piece) for index, piece in enumerate(row) if piece is not None)


def event(data: Any, name: str | None = None) -> bytes:
    """A server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    head = "" if name is None else f"event: {name}\n"
    return f"{head}data: {text}\n\n".encode()
