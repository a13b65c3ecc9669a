"""Where a run was started from, so that its score is found from there again.

A *place* is one task, or one thread outside any task. ``score`` read in a place answers with the
last run that was started there, or in a task or thread that was started from there; request A must
never read the score of request B.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any


class Place:
    """One task or thread; compared by identity, held weakly by the records."""

    __slots__ = ("__weakref__", "_owner", "_parent")

    def __init__(self, owner: object, parent: Place | None = None) -> None:
        self._owner = weakref.ref(owner)
        # weak: a task that starts the next one, forever, must not keep all of them
        self._parent = None if parent is None else weakref.ref(parent)

    def line(self) -> Iterator[Place]:
        """This place, and those that it was started from."""
        place: Place | None = self
        while place is not None:
            yield place
            place = None if place._parent is None else place._parent()

    def belongs_to(self, owner: object) -> bool:
        """Whether ``owner`` is the task or thread of this place."""
        return self._owner() is owner


_place: ContextVar[Place | None] = ContextVar("toolscore_place", default=None)
_threads = threading.local()


def here() -> Place:
    """The place of the running code; made at its first use."""
    task = _current_task()
    if task is None:
        return _thread_place()
    place = _place.get()
    if place is None or not place.belongs_to(task):
        place = Place(task, parent=place)
        _place.set(place)
    return place


def enter() -> None:
    """Mark the running code's place, so that a task or thread that it starts leads back to it."""
    place = here()
    if _place.get() is not place:
        _place.set(place)


def starting_places() -> tuple[Place, ...]:
    """The places that a run which starts now belongs to.

    Its own; those that it was started from (a run in ``wait_for`` or ``to_thread``); and its
    thread, for code that called ``asyncio.run`` and reads the score after it.
    """
    places = {_thread_place(), *here().line()}
    inherited = _place.get()
    if inherited is not None:
        places.update(inherited.line())
    return tuple(places)


def _thread_place() -> Place:
    place: Place | None = getattr(_threads, "place", None)
    if place is None:
        place = _threads.place = Place(threading.current_thread())
    return place


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None
