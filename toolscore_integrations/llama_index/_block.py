"""A ``with`` block whose runs are recorded."""

from __future__ import annotations

from contextvars import Token

from toolscore import Recorder
from toolscore._context import enter
from toolscore_integrations.llama_index._scope import Scope, scopes
from toolscore_integrations.llama_index._script_span import ScriptSpan
from toolscore_integrations.llama_index._table import table
from toolscore_integrations.llama_index._tap import tap


class Block:
    """Records what happens in this context from now on, until ``leave``.

    Args:
        recorder: Where it is recorded.
        whole: Whether all of it is one run; else agents are runs of their own, and only what code
            calls by hand becomes one.
    """

    def __init__(self, recorder: Recorder, *, whole: bool) -> None:
        enter()
        self._script = ScriptSpan(recorder, whole=whole)
        self._release = tap.acquire()
        self._token: Token[tuple[Scope, ...]] = scopes.set((*scopes.get(), self._script.scope))

    @property
    def is_here(self) -> bool:
        """Whether this block is open in the running context."""
        return self._script.scope in scopes.get()

    def leave(self, error: BaseException | None = None) -> None:
        """Stop recording; runs that are still going on are recorded to their end."""
        try:
            scopes.reset(self._token)
        except ValueError:  # left in another context than it was entered in, as fixtures are
            scopes.set(tuple(s for s in scopes.get() if s is not self._script.scope))
            self._script.scope.left_elsewhere = True
        self._script.end(error)
        table.abandon(self._script)
        self._release()
