"""The handler that users attach by hand."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any

from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from pydantic import PrivateAttr
from typing_extensions import Self, Unpack

from toolscore import CaptureOptions, ExpectedFor, Recorder, Recording
from toolscore_integrations.llama_index._block import Block
from toolscore_integrations.llama_index._scope import Scope
from toolscore_integrations.llama_index._table import table
from toolscore_integrations.llama_index._tap import tap
from toolscore_integrations.llama_index._versions import warn_if_too_old


class ToolscoreEventHandler(Recording, BaseEventHandler):
    """Records and scores the runs of a ``with`` block, or of the whole process.

    ``with ToolscoreEventHandler() as handler:`` records the runs that start in the block, in its
    context, and what code calls by hand there. ``install()``, or
    ``get_dispatcher().add_event_handler(handler)``, records every run of the process, but not what
    code calls by hand.

    Args:
        expected: The calls that should be made, as for ``toolscore.watch``.
        **options: Switches of ``evaluate``, sinks and limits, as for ``toolscore.watch``.

    Raises:
        ValueError: The expectation or an option is not one.

    Example:
        >>> from llama_index.core.tools import FunctionTool
        >>> def double(number: int) -> int:
        ...     \"\"\"Twice the number.\"\"\"
        ...     return 2 * number
        >>> tool = FunctionTool.from_defaults(double)
        >>> with ToolscoreEventHandler([{"tool": "double", "args": {"number": 21}}]) as handler:
        ...     print(tool(21))
        42
        >>> handler.score.passed
        True
    """

    _recorder: Recorder = PrivateAttr()
    _blocks: list[Block] = PrivateAttr(default_factory=list[Block])
    _installed: Any = PrivateAttr(default=None)
    _scope: Scope | None = PrivateAttr(default=None)

    def __init__(
        self, expected: ExpectedFor | None = None, **options: Unpack[CaptureOptions]
    ) -> None:
        super().__init__()
        recorder = self._recorder = Recorder(expected, **options)
        recorder.framework = "llama_index"
        if recorder.disabled:
            return
        warn_if_too_old()
        # runs are seen by their spans; the user puts this object among the handlers of events, and
        # may do so at any time
        self._scope = Scope(recorder)
        table.handlers[id(self)] = weakref.ref(self._scope)
        weakref.finalize(self, table.handlers.pop, id(self), None)
        weakref.finalize(self, tap.acquire())

    @classmethod
    def class_name(cls) -> str:
        """The name that the framework shows."""
        return "ToolscoreEventHandler"

    def __enter__(self) -> Self:
        """Record what starts in this context."""
        if not self._recorder.disabled:
            tap.ensure()
            self._blocks.append(Block(self._recorder, whole=False))
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        """Stop; runs that are still going on are recorded to their end."""
        here = [b for b in self._blocks if b.is_here] or self._blocks
        if here:
            block = here[-1]
            self._blocks.remove(block)
            block.leave(exc_value)

    def install(self) -> Self:
        """Record every run of the process until ``uninstall``. Idempotent."""
        if self._installed is None and not self._recorder.disabled:
            self._installed = (Scope(self._recorder), tap.acquire())
            table.installed = (*table.installed, self._installed[0])
        return self

    def uninstall(self) -> None:
        """Stop recording. Idempotent; runs that are still going on are recorded to their end."""
        installed, self._installed = self._installed, None
        if installed is not None:
            table.installed = tuple(s for s in table.installed if s is not installed[0])
            installed[1]()

    def handle(self, event: BaseEvent, **kwargs: Any) -> Any:
        """Called by LlamaIndex. Nothing is read from events alone: they tell of no tool call."""
