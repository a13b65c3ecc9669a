"""What ``toolscore.watch`` and ``toolscore.session`` call."""

from __future__ import annotations

import asyncio
import copy
import sys
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import wrapt
from llama_index.core.agent.workflow import BaseWorkflowAgent
from llama_index.core.workflow import Workflow
from workflows.handler import WorkflowHandler

from toolscore import Attachment, Recorder, Session
from toolscore._guard import log, never_raise
from toolscore_integrations.llama_index._block import Block
from toolscore_integrations.llama_index._scope import Scope, scopes
from toolscore_integrations.llama_index._table import table
from toolscore_integrations.llama_index._tap import tap
from toolscore_integrations.llama_index._versions import too_old, warn_if_too_old

UNSEEN = (
    "no event of this run was seen: it was cancelled before it began, or ran in a process or "
    "runtime that does not keep the context of the call"
)
MEMBER = (
    "the watched agent %s is a member of an AgentWorkflow, which takes the steps of its members "
    "itself, so that nothing is recorded for this one alone; watch the AgentWorkflow instead"
)
TAKEN_OFF = "another library took the recording handlers off the dispatcher while this run went on"


def attach(agent: Any, recorder: Recorder) -> Attachment[Any] | None:
    """Record the runs of a workflow or agent, or what is called by hand in a session.

    Returns:
        None for anything but an object of ``Workflow`` (``FunctionAgent``, ``ReActAgent``,
        ``CodeActAgent``, ``AgentWorkflow`` and workflows of your own) or ``toolscore.Session``.
    """
    if isinstance(agent, Session):
        return Attachment(agent, _record_session(recorder))
    if not isinstance(agent, Workflow):
        return None
    warn_if_too_old()
    recorder.framework = "llama_index"
    record = RecordedAgent if isinstance(agent, BaseWorkflowAgent) else RecordedWorkflow
    recorded = record(agent, recorder)
    release = tap.acquire()
    weakref.finalize(recorded, release)

    def detach() -> None:
        recorded.toolscore_detach()
        release()

    return Attachment(recorded, detach)


def _record_session(recorder: Recorder) -> Callable[[], None]:
    """Record a script until what is returned is called, which is when its block is left."""
    block, handled = Block(recorder, whole=True), sys.exc_info()[1]

    def detach() -> None:
        error = sys.exc_info()[1]
        block.leave(None if error is handled else error)

    return detach


class WatchedRun(Scope):
    """One call of ``run`` on a watched workflow."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self.release = tap.acquire()

    @never_raise
    def follow(self, handler: WorkflowHandler) -> None:
        """See to it that the run ends in the record too, whatever becomes of its events."""
        task: asyncio.Task[Any] | None = getattr(handler, "_result_task", None)
        if task is None:
            self.release()
        else:
            task.add_done_callback(self.done)

    @never_raise
    def done(self, task: asyncio.Task[Any]) -> None:
        """The run is over; the event of it came before this, except where it was cancelled."""
        try:
            self._settle(task)
        finally:
            self.release()

    def _settle(self, task: asyncio.Task[Any]) -> None:
        if self.run is None:
            unseen = self.recorder.start_run()
            unseen.warn(too_old() or UNSEEN)
            unseen.end("cancelled" if task.cancelled() else "unfinished")
        elif not self.run.ended and not task.cancelled():
            self.run.abandon(TAKEN_OFF)
            table.abandon(self.run)


if TYPE_CHECKING:

    def RecordedWorkflow(workflow: Workflow, recorder: Recorder) -> Any: ...  # noqa: N802
    def RecordedAgent(workflow: Workflow, recorder: Recorder) -> Any: ...  # noqa: N802

else:

    class RecordedWorkflow(wrapt.ObjectProxy):
        """A workflow whose runs are recorded: only ``run`` is ours, and it returns the same."""

        def __init__(self, workflow, recorder):
            super().__init__(workflow)
            self._self_recorder = recorder

        def run(self, *args, **kwargs):
            recorder = self._self_recorder
            if recorder is None:
                return self.__wrapped__.run(*args, **kwargs)
            scope = WatchedRun(recorder)
            token = scopes.set((*scopes.get(), scope))
            try:
                handler = self.__wrapped__.run(*args, **kwargs)
            except BaseException:
                scope.release()
                raise
            finally:
                scopes.reset(token)
            scope.follow(handler)
            return handler

        def toolscore_detach(self):
            self._self_recorder = None

        # Copy and pickle behave as those of the workflow: its copies are not watched.
        def __copy__(self):
            return copy.copy(self.__wrapped__)

        def __deepcopy__(self, memo):
            return copy.deepcopy(self.__wrapped__, memo)

        def __reduce_ex__(self, protocol):
            return self.__wrapped__.__reduce_ex__(protocol)

    class RecordedAgent(RecordedWorkflow):
        """An agent: its own run takes its steps past this object, so that others show here."""

        _self_told = False

        def take_step(self, *args, **kwargs):
            if self._self_recorder is not None and not self._self_told:
                self._self_told = True
                log.warning(MEMBER, self.__wrapped__.name)
            return self.__wrapped__.take_step(*args, **kwargs)
