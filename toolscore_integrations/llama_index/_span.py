"""A span of the framework that means something to one recorder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import BoundArguments
from typing import Any

from toolscore import OpenCall
from toolscore_integrations.llama_index._part import Part
from toolscore_integrations.llama_index._scope import Scope


@dataclass(slots=True)
class Entry:
    """A span that begins, as one recorder sees it.

    Attributes:
        id: The framework's id of the span.
        scope: Who listens.
        parent: The nearest span around it that means something to them, if any.
        instance: Whose method it is; None for steps.
        bound: The method's arguments; not to be kept longer than the span.
    """

    id: str
    scope: Scope
    parent: Span | None
    instance: Any
    bound: BoundArguments


class Span:
    """One span, seen by one recorder, while it is open; its children find it as ``parent``.

    ``enter``, ``exit`` and ``drop`` are guarded by the table that calls them.

    Attributes:
        id: The framework's id of the span.
        scope: Who listens.
        parent: The nearest span around it that means something, if any.
        root: The outermost span around it; its ``inner`` holds the ids of all that are open in it.
    """

    own_call: OpenCall | None = None
    """The tool call that this span is, or is a half of."""

    own_part: Part | None = None

    streams: bool = False
    """Whether what it says comes after its end."""

    def __init__(self, at: Entry) -> None:
        self.id = at.id
        self.scope = at.scope
        self.parent = at.parent
        self.root: Span = self if at.parent is None else at.parent.root
        if at.parent is None:
            self.inner: set[str] = set()

    @property
    def part(self) -> Part | None:
        """The agent, workflow or script that this span belongs to, once that has begun."""
        return part_around(self)

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """The span that begins; None if it says nothing, and its children belong to its parent."""
        raise NotImplementedError

    def begun(self) -> Part | None:
        """The same; a script begins here if it has not yet."""
        return self.part

    def exit(self, result: Any) -> None:
        """It ended well."""

    def drop(self, error: BaseException | None) -> None:
        """It ended by an exception."""

    def _trouble(self, where: str, error: Exception) -> None:
        part = self.part
        self.scope.recorder.trouble(where, error, None if part is None else part.run.root)


def spans_from(span: Span | None) -> Iterator[Span]:
    """This span and those around it, innermost first."""
    while span is not None:
        yield span
        span = span.parent


def call_around(span: Span | None) -> OpenCall | None:
    """The tool call in which ``span`` happens, or which it is."""
    while span is not None:  # a plain loop: this runs for every span
        if span.own_call is not None:
            return span.own_call
        span = span.parent
    return None


def part_around(span: Span | None) -> Part | None:
    """The innermost agent, workflow or script that ``span`` is in."""
    while span is not None:
        if span.own_part is not None:
            return span.own_part
        span = span.parent
    return None


def stopped_from_outside(error: BaseException | None) -> bool:
    """Whether the program was stopped, rather than that it failed."""
    return isinstance(error, (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit))
