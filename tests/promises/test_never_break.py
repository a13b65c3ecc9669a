"""Promise 1: no exception of ours reaches the run, none of the user's is masked, no lock held."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hooks.contract import SCENARIOS, Scenario
from hooks.drivers import DRIVERS, Driver, cell

from toolscore import EvaluationResult, OpenCall, OpenRun, Recorder, Run

PLAYED = {scenario.name: scenario for scenario in SCENARIOS}
EACH = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
EACH_WAY = pytest.mark.parametrize("way", ["by_watch", "by_handler"])

OURS: list[tuple[type, str]] = [
    (Recorder, "start_run"),
    (Recorder, "run"),
    (OpenRun, "request"),
    (OpenRun, "message"),
    (OpenRun, "offer"),
    (OpenRun, "add_usage"),
    (OpenRun, "seen"),
    (OpenRun, "set_calls"),
    (OpenRun, "end"),
    (OpenCall, "start"),
    (OpenCall, "finish"),
    (OpenCall, "fail"),
    (OpenCall, "close"),
    (OpenCall, "note"),
]


def outcome_of(driver: Driver, scenario: Scenario) -> Any:
    """What the user's program gets without us."""
    return driver.run(driver.agent(scenario), "async")


@EACH
@EACH_WAY
@pytest.mark.parametrize(("kind", "method"), OURS, ids=[f"{k.__name__}.{m}" for k, m in OURS])
@pytest.mark.parametrize("name", ["two turns", "a tool raises and the run goes on"])
@pytest.mark.guarding
def test_a_fault_of_ours_stays_with_us(
    driver: Driver,
    way: str,
    kind: type,
    method: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """Whatever part of the recorder fails: the run's outcome stays, and nothing is claimed."""
    called = False

    def fault(*args: Any, **kwargs: Any) -> Any:
        nonlocal called
        called = True
        raise RuntimeError("a fault of ours")

    scenario = PLAYED[name]
    unwatched = outcome_of(driver, scenario)
    monkeypatch.setattr(kind, method, fault)

    with caplog.at_level(logging.ERROR, logger="toolscore"):
        recording, outcome = getattr(driver, way)(scenario, "async", expected=["add", "echo"])

    assert outcome == unwatched
    if not called:
        return  # this framework's hook does not use that method
    lines = [record for record in caplog.records if record.name == "toolscore"]
    assert lines, "a fault was swallowed without a word"
    assert any(line.exc_info for line in lines)
    assert not recording.score.passed
    assert all(not run.complete for run in recording.runs)


@EACH
@EACH_WAY
@pytest.mark.guarding
def test_a_sink_that_raises_changes_nothing(driver: Driver, way: str):
    """Neither ``on_score`` nor ``on_run`` can break a run, and the score is there."""

    def sink(value: object) -> None:
        raise RuntimeError("the sink")

    scenario = PLAYED["two turns"]
    unwatched = outcome_of(driver, scenario)
    recording, outcome = getattr(driver, way)(
        scenario, "async", expected=["add", "echo"], on_score=sink, on_run=sink
    )
    assert outcome == unwatched
    assert recording.score.passed


@EACH
@pytest.mark.parametrize("name", ["a tool raises and the run dies", "unknown tool"])
def test_the_users_exception_is_the_users(driver: Driver, name: str):
    """Its class and its words are those of an unwatched run."""
    scenario = PLAYED[name]
    expected, _ = cell(driver, scenario)
    _, outcome = driver.by_watch(scenario, "sync")
    assert outcome == driver.run(driver.agent(scenario), "sync")
    assert (outcome.error is not None) is expected.raises


@EACH
@EACH_WAY
def test_no_lock_is_held_while_a_sink_runs(driver: Driver, way: str):
    """A sink may wait for a thread that reads the score."""
    recordings: list[Any] = []
    freed: list[bool] = []

    def sink(result: EvaluationResult) -> None:
        reader = threading.Thread(target=lambda: recordings[0].score)
        reader.start()
        reader.join(10)
        freed.append(not reader.is_alive())

    scenario = PLAYED["one call"]
    if way == "by_watch":
        import toolscore

        recordings.append(toolscore.watch(driver.agent(scenario), on_score=sink))
        driver.run(recordings[0], "async")
    else:
        recordings.append(driver.handler(on_score=sink))
        driver.run(driver.agent(scenario), "async", recordings[0])
    assert freed == [True]
    if way == "by_watch":
        recordings[0].unwatch()


class Stop(BaseException):
    """Not an ``Exception``: such as a test runner or a shell raises."""


@EACH
@pytest.mark.parametrize("signal", [KeyboardInterrupt, SystemExit])
def test_what_is_not_an_exception_passes_through_a_sink(
    driver: Driver, signal: type[BaseException]
):
    """Ctrl-C while a sink runs is the user's: it is not swallowed by our guard."""
    recorder = Recorder([], on_run=_raising(signal))
    run = recorder.start_run()
    with pytest.raises(signal):
        run.end()


def _raising(signal: type[BaseException]) -> Callable[[Run], None]:
    def sink(run: Run) -> None:
        raise signal

    return sink
