"""One joined call as a ``ToolCall``."""

from __future__ import annotations

from typing import Any

from toolscore._call import ToolCall
from toolscore._scoring.canonical import canonical_arguments
from toolscore._unpack import unpack
from toolscore.adapters.otel._attempt import Attempt
from toolscore.adapters.otel._joined import Joined
from toolscore.adapters.otel._model import Turn
from toolscore.adapters.otel._nesting import Nesting
from toolscore.adapters.otel._outcome import Outcome, outcome_of
from toolscore.adapters.otel._payload import Answer

_BILLION = 10**9


def call_of(joined: Joined, nesting: Nesting, *, traced: bool) -> ToolCall:
    """The call; ``traced``: some executions of tools are recorded in its trace."""
    if joined.attempt is not None:
        call = _executed(joined, joined.attempt, nesting)
    else:
        call = _requested(joined, nesting, traced=traced)
    call.metadata = {name: value for name, value in call.metadata.items() if value is not None}
    return call


def _executed(joined: Joined, attempt: Attempt, nesting: Nesting) -> ToolCall:
    outcome, answer = outcome_of(attempt.final), attempt.final.answer
    if outcome.status in (None, "unfinished") and joined.shown.seen:
        outcome = _told(joined.shown)
    if not answer.seen:
        answer = joined.shown
    ran, asked = attempt.arguments, joined.asked
    arguments = ran if ran.known or not asked.known else asked
    edited = ran.known and asked.known and attempt.key != canonical_arguments(asked.args)
    parent = nesting.parent(attempt)
    return _settled(
        attempt.tool,
        arguments.args,
        answer,
        outcome,
        timestamp=_seconds(attempt.span.start),
        duration=_duration(attempt),
        key=attempt.span.id or None,
        parent=parent.span.id or None if parent else None,
        id=joined.id,
        origin="server" if joined.server else "executed",
        kind=_kind(attempt, nesting),
        attempts=0 if attempt.wrapper and attempt.retry is None else attempt.runs,
        step=joined.step,
        depth=nesting.depth(attempt),
        agent=nesting.acting(attempt),
        requested_args=unpack(asked.args) if edited else None,
        **arguments.kept,
    )


def _requested(joined: Joined, nesting: Nesting, *, traced: bool) -> ToolCall:
    """A request without an execution. Where tools are traced, it did not run."""
    turn, answer = joined.turn or Turn(joined.span), joined.shown
    around = nesting.around(turn)
    known: dict[str, Any] = {
        "timestamp": _seconds(turn.span.end or turn.span.start),
        "parent": around.span.id or None if around else None,
        "id": joined.id,
        "step": joined.step,
        "depth": nesting.depth(around) + 1 if around else 0,
        "agent": nesting.acting_in(turn),
        **joined.asked.kept,
    }
    outcome = _told(answer)
    if joined.server:
        known |= {"origin": "server", "kind": "hosted"}
    elif joined.tool in turn.outputs:
        known["origin"], outcome = "structured_output", Outcome("ok")
    elif turn.offered and joined.tool not in turn.offered:
        said = answer.error or (str(answer.value) if answer.seen else "no such tool was offered")
        known |= {"origin": "unknown_tool", "attempts": 0}
        outcome = Outcome("error", said, None, "offered tools")
    elif not answer.seen:
        known["origin"] = "requested"
    elif traced and outcome.status == "ok":
        # answered without running, and not by the tool: an error as a text, or a cache; who knows
        known |= {"attempts": 0, "model_visible_result": unpack(answer.value)}
        answer, outcome = Answer(), Outcome(None)
    elif traced:
        known["attempts"] = 0
    return _settled(joined.tool, joined.asked.args, answer, outcome, **known)


def _told(answer: Answer) -> Outcome:
    """The outcome, as far as the model was told of it."""
    if not answer.seen:
        return Outcome(None)
    if answer.failed:
        return Outcome("error", answer.error or "the tool's answer was marked as an error")
    return Outcome("ok")


def _settled(
    tool: str,
    args: dict[str, Any],
    answer: Answer,
    outcome: Outcome,
    *,
    timestamp: float | None,
    duration: float | None = None,
    **metadata: Any,
) -> ToolCall:
    failed = outcome.status == "error"
    metadata |= {
        "status": outcome.status,
        "is_error": failed,
        "error": outcome.error,
        "error_type": outcome.error_type,
        "error_source": outcome.source,
    }
    if not answer.seen and outcome.status in ("ok", None):
        metadata["result_known"] = False
    return ToolCall(tool, args, unpack(answer.value), timestamp, duration, metadata=metadata)


def _kind(attempt: Attempt, nesting: Nesting) -> str:
    if attempt.handoff:
        return "handoff"
    if attempt.mcp:
        return "mcp"
    return "agent" if nesting.is_agent(attempt) else "function"


def _seconds(moment: int | None) -> float | None:
    return None if moment is None else moment / _BILLION


def _duration(attempt: Attempt) -> float | None:
    """From the first start to the last end."""
    start, end = attempt.span.start, attempt.final.span.end
    return None if start is None or end is None or end < start else (end - start) / _BILLION
