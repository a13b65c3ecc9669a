"""Runs of which only the hooks are seen: ``Runner`` was called through a reference from before."""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

from agents import Agent

from toolscore import Recorder
from toolscore._guard import never_raise
from toolscore_integrations.openai_agents._ending import Ending
from toolscore_integrations.openai_agents._leg import Leg
from toolscore_integrations.openai_agents._opening import infer_leg

MAX_OPEN = 1024


class _Output:
    """What is known of such a run's result."""

    def __init__(self, final_output: Any) -> None:
        self.final_output = final_output


class Inferred:
    """Runs told apart by the ``Usage`` object that all contexts of a run share.

    It is held while the run is open, so that its address names no other run.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._open: dict[int, tuple[object, Leg]] = {}
        self._tasks: dict[int, weakref.ref[asyncio.Task[Any]]] = {}

    @never_raise
    def leg(self, context: Any, agent: Agent[Any]) -> Leg:
        """The leg of the run that an event belongs to."""
        usage = context.usage
        key = id(usage)
        known = self._open.get(key)
        if known is None or known[1].ended:
            known = self._open[key] = (usage, infer_leg(self._recorder, agent))
            if len(self._open) > MAX_OPEN:
                self._drop(next(iter(self._open)))
        task = asyncio.current_task()
        if task is not None:
            self._tasks[key] = weakref.ref(task)
        return known[1]

    @never_raise
    def agent_ended(self, leg: Leg, output: Any) -> None:
        """An agent has its output: of the run, unless it is one that a call of the run asked."""
        if leg.running():
            return
        Ending(leg, _Output(output), None).close()
        for key in [key for key, (_, known) in self._open.items() if known is leg]:
            self._forget(key)

    @never_raise
    def close_finished(self) -> None:
        """End the runs that are over, though no hook said so: they raised, or wait for a person.

        A run is over when the task of its last event is done, or is the one that asks now.
        """
        for key in list(self._open):
            reference = self._tasks.get(key)
            task = None if reference is None else reference()
            if task is None or task.done() or task is _current_task():
                self._drop(key)

    def _drop(self, key: int) -> None:
        leg = self._open[key][1]
        leg.run.warn("the run's end was not seen: it may have failed, or wait for an approval")
        leg.close("unfinished")
        self._forget(key)

    def _forget(self, key: int) -> None:
        self._open.pop(key, None)
        self._tasks.pop(key, None)

    def _trouble(self, where: str, error: Exception) -> None:
        self._recorder.trouble(where, error)


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None
