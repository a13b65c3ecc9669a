"""How a tool span ended."""

from __future__ import annotations

from dataclasses import dataclass

from toolscore._call import Status
from toolscore._read import read_text
from toolscore.adapters.otel._attempt import Attempt

INTERRUPTS = frozenset(
    [
        "GraphInterrupt",
        "NodeInterrupt",
        "GraphBubbleUp",
        "WaitingForEvent",
        "CallDeferred",
        "ApprovalRequired",
    ]
)
"""What frameworks raise when a call waits for a person: no failure."""
_CANCELLED = frozenset({"CancelledError", "KeyboardInterrupt", "GeneratorExit", "cancelled"})


@dataclass
class Outcome:
    """The status of a call and what went wrong; ``source`` is the signal that said so."""

    status: Status | None
    error: str | None = None
    error_type: str | None = None
    source: str | None = None


def outcome_of(attempt: Attempt) -> Outcome:
    """Read the outcome from the status, the exception events, ``error.type`` and the result.

    An exception in a span that was marked as OK was dealt with inside the tool. Without a sign of
    failure, a call is ``ok`` when its result was recorded or somebody marked the span as OK; a
    span that merely ended says nothing: None.
    """
    span, answer = attempt.span, attempt.answer
    if attempt.wrapper:
        return Outcome(None)
    raised = [event.attributes for event in span.events if event.name == "exception"]
    said = read_text(raised[-1], "exception.message", "exception.type") if raised else None
    kind = read_text(raised[-1], "exception.type") if raised else None
    told = span.text("error.type")
    kind = kind or told
    kind = kind.rpartition(".")[2] if kind else None
    source = _source(attempt, raised=bool(raised), told=told is not None)
    if source is not None and kind in INTERRUPTS:
        return Outcome("interrupted", None, kind, source)
    if source is not None and kind in _CANCELLED:
        return Outcome("cancelled", None, kind, source)
    if source is not None:
        error = said or span.message or answer.error or kind
        return Outcome("error", error or "the span says no more than that it failed", kind, source)
    if answer.seen or span.status == "OK":
        return Outcome("ok")
    return Outcome("unfinished" if span.start is not None and span.end is None else None)


def _source(attempt: Attempt, *, raised: bool, told: bool) -> str | None:
    if attempt.span.status == "ERROR":
        return "status"
    if told:
        return "error.type"
    if attempt.answer.failed:
        return "result"
    return "exception" if raised and attempt.span.status != "OK" else None
