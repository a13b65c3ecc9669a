"""What is known of how a call ended, as far as the score needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolscore._call import ToolCall

FAILURE_FACTOR = 0.5
"""What a call that failed, or was not completed, is worth beside the same call made well."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a call ended: neither ``failed`` nor ``succeeded`` where that is unknown.

    One of the five below and no other, so that they are told apart by identity.
    """

    factor: float = 1.0  # on the similarity of its pair
    failed: bool = False
    succeeded: bool = False
    meets: bool = True  # may stand for an expected call in the verdict
    settled: bool = False  # ended, one way or the other


UNKNOWN = Outcome()
OK = Outcome(succeeded=True, settled=True)
FAILED = Outcome(FAILURE_FACTOR, failed=True, meets=False, settled=True)
STOPPED = Outcome(FAILURE_FACTOR, meets=False, settled=True)
WAITS = Outcome(meets=False)

_OF_STATUS = {
    "ok": OK,
    "error": FAILED,
    "cancelled": STOPPED,
    "not_executed": STOPPED,
    "interrupted": WAITS,
}


def outcome(call: ToolCall) -> Outcome:
    """How ``call`` ended."""
    metadata = call.metadata
    if not metadata:
        return UNKNOWN if call.result is None else OK
    status = metadata.get("status")
    if (
        type(status) is str
        and status in _OF_STATUS
        and metadata.get("is_error") is False
        and "error" not in metadata
    ):  # as capture writes them
        return _OF_STATUS[status]
    if call.is_error:
        return FAILED
    return _OF_STATUS.get(call.status or "", UNKNOWN)


def steps(calls: Sequence[ToolCall]) -> list[int]:
    """For each call, the number of its step: calls that one model turn asked for share one."""
    numbers: list[int] = []
    number, last = -1, None
    for call in calls:
        step = call.metadata.get("step")
        turn = None if step is None else (step, call.metadata.get("parent"))
        if turn is None or turn != last:
            number += 1
        last = turn
        numbers.append(number)
    return numbers
