"""The one pair of handlers on the framework's dispatcher, for all records of the process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.event_handlers import BaseEventHandler
from llama_index_instrumentation.span import BaseSpan
from llama_index_instrumentation.span_handlers import BaseSpanHandler

from toolscore_integrations.llama_index._table import table

# no function of our own in between: these are called at each step of every run
_enter: Any = staticmethod(table.enter)
_exit: Any = staticmethod(table.exit)
_drop: Any = staticmethod(table.drop)
_event: Any = staticmethod(table.event)


class SpanTap(BaseSpanHandler[BaseSpan]):
    """Passes the spans on; keeps none, unlike its base class, which would keep every one."""

    span_enter = _enter
    span_exit = _exit
    span_drop = _drop

    def new_span(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is kept here."""

    def prepare_to_exit_span(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is kept here."""

    def prepare_to_drop_span(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is kept here."""


class EventTap(BaseEventHandler):
    """Passes the models' events on."""

    handle = _event


class Tap:
    """Counts who needs the handlers: they stay while anybody does, or while a run goes on."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._users = 0
        self._spans, self._events = SpanTap(), EventTap()

    def acquire(self) -> Callable[[], None]:
        """Put the handlers on, if they are not; returns what gives them up, once."""
        with self._lock:
            self._users += 1
        self.ensure()
        left = iter([None])

        def release() -> None:
            for _ in left:
                with self._lock:
                    self._users -= 1
                self.settle()

        return release

    def ensure(self) -> None:
        """Put the handlers on, again if another library has taken them off."""
        root = _root()
        with self._lock:
            if not any(h is self._spans for h in root.span_handlers):
                root.add_span_handler(self._spans)
            if not any(h is self._events for h in root.event_handlers):
                root.add_event_handler(self._events)

    def settle(self) -> None:
        """Take the handlers off if nobody needs them any more."""
        if self._users or table.busy:
            return
        root = _root()
        with self._lock:
            if self._users:
                return
            # new lists: the dispatcher may be walking along the old ones
            root.span_handlers = [h for h in root.span_handlers if h is not self._spans]
            root.event_handlers = [h for h in root.event_handlers if h is not self._events]

    def unlock(self) -> None:
        """A thread that held the lock does not exist after a fork."""
        self._lock = threading.RLock()


def _root() -> Any:
    return get_dispatcher()  # its lists are generic in a type that it does not name


tap = Tap()
table.settle = tap.settle
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=tap.unlock)
