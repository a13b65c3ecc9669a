"""Which agents are watched, and by which recorders."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from toolscore import Recorder
from toolscore._watched import watch_of


class Watching:
    """The recorders that are attached, and the bare agent objects among what they watch.

    ``on_add`` is called for each recorder, and ``on_remove`` once for each, when it is gone.
    """

    def __init__(self, on_add: Callable[[], None], on_remove: Callable[[], None]) -> None:
        self._on_add = on_add
        self._on_remove = on_remove
        self._lock = threading.RLock()  # re-entered where garbage collection ends an agent
        self._attached: weakref.WeakSet[Recorder] = weakref.WeakSet()
        self._bare: dict[int, Recorder | None] = {}

    def add(self, agent: Any, recorder: Recorder) -> Callable[[], None]:
        """Watch; returns what undoes it.

        The bare object keeps the recorder of the latest plain ``watch``, and keeps it alive, since
        ``toolscore.watch(agent)`` may stand alone; that of ``expecting`` lives with its proxy.
        """
        self._on_add()
        release = weakref.finalize(recorder, self._on_remove)
        release.atexit = False
        key = id(agent)
        with self._lock:
            self._attached.add(recorder)
            if not recorder.derived:
                if key not in self._bare:
                    weakref.finalize(agent, self._forget, key).atexit = False
                self._bare[key] = recorder

        def detach() -> None:
            with self._lock:
                self._attached.discard(recorder)
                if self._bare.get(key) is recorder:
                    # the place stays, so that another watch of this agent needs no second finalizer
                    self._bare[key] = None
            release()

        return detach

    def unlock(self) -> None:
        """Take a new lock."""
        self._lock = threading.RLock()

    def recorder_of(self, agent: object) -> Recorder | None:
        """The recorder of a watched agent: of the proxy that ``watch`` gave, or of the bare one."""
        controls = watch_of(agent)
        if controls is not None:
            return controls.recorder if controls.recorder in self._attached else None
        return self._bare.get(id(agent))

    def _forget(self, key: int) -> None:
        with self._lock:
            self._bare.pop(key, None)


def unwatched(agent: Any) -> Any:
    """The agent behind a proxy of ``watch``; any other object as it is."""
    controls = watch_of(agent)
    return agent if controls is None else controls.original
