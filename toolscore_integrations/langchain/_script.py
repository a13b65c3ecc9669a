"""A script that calls model and tools by hand: one run, from the session's start to its end."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from langchain_core.tracers.context import register_configure_hook

from toolscore import Attachment, Recorder, Session
from toolscore_integrations.langchain._captured_run import CapturedRun
from toolscore_integrations.langchain._handler import ToolscoreCallbackHandler
from toolscore_integrations.langchain._runs import OpenRuns

Slot = ContextVar["ToolscoreCallbackHandler | None"]
_slots: list[Slot] = []
"""What LangChain asks for a handler in each context. There is no way to unregister one, so they are
made as needed, one for each level of sessions inside sessions, and used again."""


def attach_script(session: Session, recorder: Recorder) -> Attachment[Any]:
    """Record what this context calls until detached; nothing is recorded if it calls nothing."""
    runs = ScriptRuns(recorder)
    slot = next((slot for slot in _slots if slot.get() is None), None) or _new_slot()
    token = slot.set(ToolscoreCallbackHandler.of(recorder, runs))

    def detach() -> None:
        try:
            slot.reset(token)
        except ValueError:  # left in another context than it was entered in
            slot.set(None)
        runs.stopped = True
        runs.finish()

    return Attachment(session, detach)


def _new_slot() -> Slot:
    slot: Slot = ContextVar("toolscore_script", default=None)
    register_configure_hook(slot, inheritable=True)
    _slots.append(slot)
    return slot


class ScriptRuns(OpenRuns):
    """All that happens in a session is one run, since nothing encloses the script's calls."""

    _script: CapturedRun | None = None

    def _open(
        self, run_id: UUID, metadata: Mapping[str, Any], inputs: object, name: str | None
    ) -> CapturedRun:
        with self.recorder.lock:
            if self._script is None:
                self._script = self.start(None, metadata, inputs, None)
            return self._script

    def finish(self) -> None:
        """The session is over."""
        if self._script is not None:
            self.end(self._script, "interrupted" if self._script.interrupted else "ok")
