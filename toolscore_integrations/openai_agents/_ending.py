"""How a run ended, and what that means for the calls that it left open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from agents.exceptions import (
    InputGuardrailTripwireTriggered,
    ModelBehaviorError,
    OutputGuardrailTripwireTriggered,
    UserError,
)

from toolscore import RunStatus
from toolscore._guard import never_raise
from toolscore_integrations.openai_agents._answers import answer, outputs_of
from toolscore_integrations.openai_agents._call import Asked
from toolscore_integrations.openai_agents._items import id_of, read
from toolscore_integrations.openai_agents._leg import Leg

STOPPED = (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit)
BESIDE_THE_TOOLS = (InputGuardrailTripwireTriggered, OutputGuardrailTripwireTriggered)
REFUSED = (
    "the SDK refused the model's last answer before any hook saw it, so the calls in it are not "
    "recorded: {}"
)
NOT_HEARD = "the SDK ended the run before any hook was called: {}"
REPLACED = "an output guardrail replaced what {} of the tools returned: that was not seen"


def was_stopped(error: BaseException | None) -> bool:
    """Whether a run was stopped from outside.

    The coroutine of a run whose loop is gone is closed by the garbage collection; what the SDK does
    then to clean up may raise, for want of a loop.
    """
    if isinstance(error, STOPPED):
        return True
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, GeneratorExit):
            return True
        seen.add(id(error))
        error = error.__context__
    return False


class Ending:
    """The end of a leg: ``result`` is what ``Runner`` gives back, ``error`` what it raises."""

    def __init__(self, leg: Leg, result: Any, error: BaseException | None) -> None:
        self.leg = leg
        self.result = result
        self.error = error
        data = result if result is not None else getattr(error, "run_data", None)
        self.items: list[Any] = list(getattr(data, "new_items", None) or ())
        self.pending = {id_of(item.raw_item): item for item in getattr(result, "interruptions", ())}
        self.stopped = was_stopped(error) or (
            error is None and getattr(result, "_cancel_mode", "none") != "none"
        )

    def close(self) -> None:
        """Settle every call, and end the run."""
        if self.leg.ended:
            return
        if self.pending and self.leg.within is not None:
            self.leg.within.paused = True
        self._fill()
        self._close_calls()
        self.leg.close(self._status(), output=self._output(), error=self._cause())

    def _status(self) -> RunStatus:
        if self.stopped:
            return "cancelled"
        if self.error is not None:
            return "error"
        return "interrupted" if self.pending else "ok"

    def _cause(self) -> BaseException | None:
        return None if self.stopped and not str(self.error or "") else self.error

    @never_raise
    def _output(self) -> str | None:
        final = getattr(self.result, "final_output", None)
        return final if final is None or isinstance(final, str) else str(final)

    # -- what the items of the run say; they fill, and never add or take away a call

    @never_raise
    def _fill(self) -> None:
        for asked in self.leg.asked:
            if asked.open and asked.request.id in self.pending:
                asked.close("interrupted")
        raw = [item.raw_item for item in self.items]
        outputs = outputs_of(raw, {asked.request.id for asked in self.leg.asked})
        for asked in self.leg.asked:
            if asked.request.id in outputs:
                answer(asked, outputs[asked.request.id])
        self.leg.settle(raw)
        replaced = [r for r in self._output_guardrails() if read(r.output.behavior, "message")]
        if replaced:
            self.leg.run.warn(REPLACED.format(len(replaced)), incomplete=False)

    def _output_guardrails(self) -> list[Any]:
        return list(getattr(self.result, "tool_output_guardrail_results", None) or ())

    # -- what is open at the end

    @never_raise
    def _close_calls(self) -> None:
        self._say_what_was_not_heard()
        for asked in self.leg.asked:
            if asked.running:
                self._close_running(asked)
        for asked in self._unmet():
            asked.close("not_executed", origin="unknown_tool")
        broken = self._broken_handoff()
        if broken is not None:
            broken.fail(self._tool_error(), "run")

    def _say_what_was_not_heard(self) -> None:
        leg, error = self.leg, self.error
        if leg.unheard or (leg.waiting and isinstance(error, ModelBehaviorError)):
            leg.run.warn(REFUSED.format(error))
        elif not (
            leg.heard or error is None or self.stopped or isinstance(error, BESIDE_THE_TOOLS)
        ):
            leg.run.warn(NOT_HEARD.format(error))

    def _close_running(self, asked: Asked) -> None:
        failure = asked.failure
        if failure is not None and not (self.stopped and isinstance(failure[0], STOPPED)):
            asked.fail(*failure, result=asked.held)
        elif self.pending:
            asked.close("interrupted")
        elif self.error is not None and not self.stopped and self._blamed(asked):
            asked.fail(self._tool_error(), "run")
        elif self.error is not None or self.stopped:
            asked.close("cancelled")

    def _blamed(self, asked: Asked) -> bool:
        """Whether the run died of this call, where no signal said that it failed."""
        if isinstance(self.error, BESIDE_THE_TOOLS):
            return False
        if asked.request.family != "function_call":  # they run one after the other
            return True
        return isinstance(self.error, UserError) and str(self.error).startswith(
            f"Error running tool {asked.request.tool}:"
        )

    def _tool_error(self) -> BaseException | str:
        """What the tool raised, behind what the SDK made of it."""
        cause = self.error.__cause__ if isinstance(self.error, UserError) else None
        return cause or self.error or "the run ended"

    def _unmet(self) -> Iterator[Asked]:
        """Requests for tools that the agent does not have, of which the run died."""
        if isinstance(self.error, ModelBehaviorError):
            for asked in self.leg.asked:
                if (
                    asked.open
                    and not asked.known
                    and f"Tool {asked.request.tool} not" in str(self.error)
                ):
                    yield asked

    def _broken_handoff(self) -> Asked | None:
        """The handoff of which the run died: the SDK comes to it when the turn's tools are done."""
        if self.error is None or self.stopped or isinstance(self.error, BESIDE_THE_TOOLS):
            return None
        waiting = [asked for asked in self.leg.asked if asked.open]
        if not waiting or any(asked.kind != "handoff" for asked in waiting):
            return None
        return waiting[0]

    def _trouble(self, where: str, error: Exception) -> None:
        self.leg.recorder.trouble(where, error, self.leg.run.root)
