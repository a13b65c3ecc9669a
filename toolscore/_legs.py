"""Several runs as one: a run that waited for a person, and the run that resumed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolscore._call import ToolCall
from toolscore._run import Run, RunStatus, Usage
from toolscore._turns import AgentTrace


@dataclass
class _Leg:
    run: Run
    calls: list[ToolCall]
    waiting: list[int]  # indices of calls that a later leg may finish
    taken: set[int] = field(default_factory=set[int])  # indices of calls that finished earlier ones


def join_legs(runs: Sequence[Run], *, warnings: Sequence[str] = ()) -> Run:
    """One run that holds the calls of all, in order.

    A call that waited for a person in one run and was finished in a later one counts once, where it
    was first asked for, with the outcome of the later one.
    """
    if len(runs) == 1 and not warnings:
        return runs[0]
    legs = _legs(runs)
    for number, leg in enumerate(legs):
        for later in legs[number + 1 :]:
            _finish(leg, later)
    calls = tuple(c for leg in legs for i, c in enumerate(leg.calls) if i not in leg.taken)
    status, cause = _status(legs)
    durations = [run.duration for run in runs if run.duration is not None]
    return Run(
        calls=calls,
        status=status,
        error=cause.error if cause else None,
        error_type=cause.error_type if cause else None,
        input=runs[0].input if runs else None,
        output=runs[-1].output if runs else None,
        agent=runs[0].agent if runs else None,
        framework=runs[0].framework if runs else None,
        thread_id=runs[-1].thread_id if runs else None,
        transcript=AgentTrace(tuple(turn for run in runs for turn in run.transcript.turns)),
        usage=_usage(runs),
        started=runs[0].started if runs else None,
        duration=sum(durations) if durations else None,
        complete=all(run.complete for run in runs) and not warnings,
        warnings=tuple(dict.fromkeys([*(w for run in runs for w in run.warnings), *warnings])),
        tools={name: schema for run in runs for name, schema in run.tools.items()},
        signals={"events": any(run.signals.get("events", True) for run in runs)},
        dropped=sum(run.dropped for run in runs),
    )


def _legs(runs: Sequence[Run]) -> list[_Leg]:
    """Copies of the calls whose keys and steps are distinct over all runs."""
    legs: list[_Leg] = []
    first_step = 0
    for number, run in enumerate(runs):
        calls = [_renamed(call, number, first_step) for call in run.calls]
        waiting = [i for i, call in enumerate(calls) if _waits(call, run)]
        steps = [call.metadata.get("step") for call in run.calls]
        first_step += 1 + max((s for s in steps if isinstance(s, int)), default=-1)
        legs.append(_Leg(run, calls, waiting))
    return legs


def _renamed(call: ToolCall, number: int, first_step: int) -> ToolCall:
    metadata = dict(call.metadata)
    for name in ("key", "parent"):
        if metadata.get(name) is not None:
            metadata[name] = f"{number}.{metadata[name]}"
    if isinstance(metadata.get("step"), int):
        metadata["step"] += first_step
    return replace(call, metadata=metadata)


def _waits(call: ToolCall, run: Run) -> bool:
    status = call.status
    return status == "interrupted" or (run.status == "interrupted" and status == "not_executed")


def _finish(leg: _Leg, later: _Leg) -> None:
    """Put what ``later`` says of the calls that wait in ``leg`` in their place."""
    if (
        None not in (leg.run.thread_id, later.run.thread_id)
        and leg.run.thread_id != later.run.thread_id
    ):
        return
    for index in list(leg.waiting):
        call = leg.calls[index]
        for position, other in enumerate(later.calls):
            if position in later.taken or not _same_request(call, other):
                continue
            attempts = call.metadata.get("attempts", 0) + other.metadata.get("attempts", 0)
            metadata = {**other.metadata, "attempts": attempts, "step": call.metadata.get("step")}
            leg.calls[index] = replace(other, metadata=metadata)
            later.taken.add(position)
            leg.waiting.remove(index)
            if position in later.waiting:  # it waits again: a leg after that one may finish it
                later.waiting.remove(position)
                leg.waiting.append(index)
            break


def _same_request(call: ToolCall, other: ToolCall) -> bool:
    if call.metadata.get("depth", 0) != other.metadata.get("depth", 0):
        return False
    if _asked(call)[0] != _asked(other)[0]:
        return False
    if call.metadata.get("id") is not None or other.metadata.get("id") is not None:
        return bool(call.metadata.get("id") == other.metadata.get("id"))
    return bool(_asked(call)[1] == _asked(other)[1])


def _asked(call: ToolCall) -> tuple[Any, Any]:
    """What the model asked for, whatever a person or a middleware made of it."""
    metadata = call.metadata
    return metadata.get("requested_tool", call.tool), metadata.get("requested_args", call.args)


def _status(legs: Sequence[_Leg]) -> tuple[RunStatus, Run | None]:
    """The first end that was not good; a leg that a later one resumed ended well."""
    for number, leg in enumerate(legs):
        status = leg.run.status
        if status == "interrupted":
            thread = leg.run.thread_id
            later = legs[number + 1 :]
            if later and (not leg.waiting or thread in {x.run.thread_id for x in later} - {None}):
                continue
        if status != "ok":
            return status, leg.run
    return "ok", None


def _usage(runs: Sequence[Run]) -> Usage | None:
    known = [run.usage for run in runs if run.usage is not None]
    return sum(known, Usage()) if known else None
