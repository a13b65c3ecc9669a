"""Who listens where: a watched run, a ``with`` block, a session, or the whole process."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from toolscore import Recorder

if TYPE_CHECKING:
    from toolscore_integrations.llama_index._run_span import RunSpan
    from toolscore_integrations.llama_index._script_span import ScriptSpan


class Scope:
    """A part of the program whose runs one recorder wants.

    Attributes:
        recorder: Where they are recorded.
        script: Takes what code does by hand, outside of any run; None where that is not recorded.
        run: The last run that started directly in this scope.
        left_elsewhere: Whether its block was left in another context than it was entered in, where
            it still stands; nothing begins in it any more.
    """

    def __init__(self, recorder: Recorder, script: ScriptSpan | None = None) -> None:
        self.recorder = recorder
        self.script = script
        self.run: RunSpan | None = None
        self.left_elsewhere = False

    def _trouble(self, where: str, error: Exception) -> None:
        self.recorder.trouble(where, error)


scopes: ContextVar[tuple[Scope, ...]] = ContextVar("toolscore_llama_index", default=())
"""The scopes of this context: a run keeps those it was started in, in its tasks and threads."""
