"""The hooks object that users pass to ``Runner`` themselves."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, cast

from agents import Agent
from agents.lifecycle import RunHooksBase
from typing_extensions import Unpack

from toolscore import CaptureOptions, EvaluationResult, ExpectedFor, Recorder, Run
from toolscore._scores import Recording
from toolscore_integrations.openai_agents._composed import ComposedHooks
from toolscore_integrations.openai_agents._inferred import Inferred
from toolscore_integrations.openai_agents._leg import FRAMEWORK, Leg
from toolscore_integrations.openai_agents._place import place_of
from toolscore_integrations.openai_agents._runner import seams


class ToolscoreRunHooks(Recording, ComposedHooks):
    """``Runner.run(..., hooks=hooks)``: records and scores every run that it is given to.

    ``inner`` takes your own RunHooks, since the SDK accepts one object: they are called as before.
    Several runs at once may share one object. While it lives, ``Runner.run``, ``run_sync`` and
    ``run_streamed`` are wrapped, so that the end of a run and the runs inside of it are seen.

    Args:
        expected: The calls that should be made, as for ``toolscore.watch``.
        inner: Your own hooks.
        **options: Switches of ``evaluate``, sinks and limits, as for ``toolscore.watch``.

    Raises:
        ValueError: ``inner`` is no RunHooks, or the expectation or an option is not one.

    Example:
        >>> hooks = ToolscoreRunHooks(expected=["search"])
        >>> hooks.score.basis
        'not_scored'
    """

    def __init__(
        self,
        expected: ExpectedFor | None = None,
        *,
        inner: RunHooksBase[Any, Agent[Any]] | None = None,
        **options: Unpack[CaptureOptions],
    ) -> None:
        if inner is not None and not isinstance(cast("object", inner), RunHooksBase):
            raise ValueError(
                f"inner= takes your own agents.RunHooks, not {inner!r}: write "
                "ToolscoreRunHooks(inner=MyHooks()), and leave AgentHooks on their agent."
            )
        self._recorder = Recorder(expected, **options)
        self._recorder.framework = FRAMEWORK
        self._inferred = Inferred(self._recorder)
        self.inner = inner
        if not self._recorder.disabled:
            self.recorder = self._recorder
            seams.acquire()
            weakref.finalize(self, seams.release).atexit = False

    def on_agent_end(self, context: Any, agent: Any, output: Any) -> Any:
        """The run has its final output."""
        for leg in self._legs(context, agent):
            self._inferred.agent_ended(leg, output)
        return super().on_agent_end(context, agent, output)

    def _legs(self, context: Any, agent: Agent[Any]) -> Sequence[Leg]:
        """None where ``Runner`` itself tells; one if it was called through an old reference."""
        if self.recorder is None:
            return ()
        place = place_of(self.recorder)
        if place is not None and place.leg.driven:
            return ()
        leg = self._inferred.leg(context, agent)
        return () if leg is None else (leg,)

    def _latest(self) -> EvaluationResult:
        self._inferred.close_finished()
        return super()._latest()

    def _ended(self) -> tuple[tuple[Run, EvaluationResult], ...]:
        self._inferred.close_finished()
        return super()._ended()
