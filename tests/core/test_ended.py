"""When a run is scored: when somebody reads it, or at its end if somebody waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from toolscore import Recorder
from toolscore.matchers import Matcher


class Counting(Matcher):
    """Accepts everything, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def matches(self, value: Any, /) -> bool:
        self.asked += 1
        return True


def run_once(recorder: Recorder) -> None:
    run = recorder.start_run(input="hi")
    call = run.request("search", {"query": "python"})
    call.start()
    call.finish("3 pages")
    run.end()


def test_a_run_is_scored_when_it_is_read():
    """A program that never reads a score does not pay for one."""
    counting = Counting()
    recorder = Recorder([{"tool": "search", "args": {"query": counting}}])

    run_once(recorder)
    assert counting.asked == 0

    assert recorder.latest().passed
    assert counting.asked > 0


@pytest.mark.parametrize("sink", ["on_score", "on_run"])
def test_a_sink_is_told_when_the_run_ends(sink: str):
    """Nobody has to read anything for it."""
    told: list[Any] = []
    recorder = Recorder(["search"], **{sink: told.append})  # type: ignore[arg-type]

    run_once(recorder)

    assert len(told) == 1


def test_a_function_as_expectation_is_called_once_when_the_run_ends():
    """It is the user's code, and may look at the world as it is then."""
    asked: list[Any] = []

    def expected(given: Any) -> list[str]:
        asked.append(given)
        return ["search"]

    recorder = Recorder(expected)

    run_once(recorder)
    assert asked == ["hi"]

    assert recorder.latest().passed
    assert recorder.ended()[0][1].passed
    assert asked == ["hi"]


def test_whoever_reads_gets_the_same_result():
    """The last score is the last of all scores."""
    recorder = Recorder(["search"])
    run_once(recorder)

    [(record, result)] = recorder.ended()

    assert recorder.latest() is result
    assert recorder.ended()[0][0] is record
