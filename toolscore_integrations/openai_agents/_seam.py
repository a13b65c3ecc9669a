"""The places of the SDK that are wrapped while something is recorded, and put back after."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, cast

import wrapt

Wrapper = Callable[[Any, Any, tuple[Any, ...], dict[str, Any]], Any]
"""``(wrapped, instance, args, kwargs)``, as wrapt calls it."""


class Seam:
    """One attribute of a class or module, wrapped once whoever and how many need it."""

    def __init__(self, owner: Any, name: str, wrapper: Wrapper) -> None:
        self._owner = owner
        self._name = name
        self._wrapper = wrapper
        self._original: Any = None
        self._installed: Any = None

    @property
    def open(self) -> bool:
        """Whether our wrapper is in place."""
        return self._installed is not None

    def install(self) -> None:
        """Wrap what is there; a name that this version of the SDK does not have is left out.

        Where someone else has wrapped ours since, ours is put around theirs: the wrappers know what
        they have seen already.
        """
        current = self._current()
        if current is None or current is self._installed:
            return
        self._original = current
        self._installed = wrapt.FunctionWrapper(current, self._wrapper)
        setattr(self._owner, self._name, self._installed)

    def restore(self) -> None:
        """Put the original back, unless someone else has wrapped ours: then ours does nothing."""
        if self._installed is None:
            return
        if self._current() is self._installed:
            setattr(self._owner, self._name, self._original)
            self._installed = self._original = None

    def _current(self) -> Any:
        names = {} if self._owner is None else cast("dict[str, Any]", vars(self._owner))
        return names.get(self._name)


class Seams:
    """All of them, held open by everyone who records."""

    def __init__(self, *seams: Seam) -> None:
        self._seams = seams
        self._lock = threading.RLock()  # re-entered where garbage collection releases a holder
        self._holders = 0

    def unlock(self) -> None:
        """Take a new lock."""
        self._lock = threading.RLock()

    def acquire(self) -> None:
        """One more records."""
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                for seam in self._seams:
                    seam.install()

    def release(self) -> None:
        """One less records; the last one restores the SDK."""
        with self._lock:
            self._holders -= 1
            if self._holders == 0:
                for seam in self._seams:
                    seam.restore()
