"""One contract, three frameworks: the same scenario gives the same calls in all of them."""

from __future__ import annotations

import pytest
from hooks.contract import SCENARIOS, Mode, Scenario, check, check_calls
from hooks.drivers import CELLS, CONTRACT, DRIVERS, Driver, cell, plays, said

import toolscore

TABLE = [
    pytest.param(driver, scenario, mode, id=f"{driver.name}-{scenario.name}-{mode}")
    for driver in DRIVERS
    for scenario in CONTRACT
    if plays(driver, scenario)
    for mode in cell(driver, scenario)[0].modes
]
EACH = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
TWO_TURNS = next(scenario for scenario in SCENARIOS if scenario.name == "two turns")


@pytest.mark.parametrize("way", ["by_watch", "by_handler"])
@pytest.mark.parametrize(("driver", "scenario", "mode"), TABLE)
def test_a_scenario_is_recorded_as_the_contract_says(
    driver: Driver, scenario: Scenario, mode: Mode, way: str
):
    """Exactly these calls, and the user's program gets what it gets without us."""
    unwatched = driver.run(driver.agent(scenario), mode, how=scenario.how)
    expected, words = cell(driver, scenario)

    if expected.legs:
        recording, outcome = driver.in_session(way, scenario, mode)
    else:
        recording, outcome = getattr(driver, way)(scenario, mode)

    assert outcome == unwatched
    assert (outcome.error is not None) is expected.raises
    assert outcome.answer == expected.answer
    if expected.legs:
        assert [run.status for run in recording.runs] == list(expected.legs)
        check_calls(recording.calls, expected)
    else:
        [run] = recording.runs
        check(run, expected)
    if words is not None:
        assert words in said(recording.runs[-1])


@EACH
def test_a_watched_agent_that_is_watched_and_given_a_handler_has_three_full_records(driver: Driver):
    """Attached twice or thrice: each record is whole, and nothing in it is there twice."""
    first = toolscore.watch(driver.agent(TWO_TURNS))
    second = toolscore.watch(first, expected=["add", "echo"])
    handler = driver.handler()

    driver.run(second, "async", handler)

    assert first.runs == ()
    for recording in (second, handler):
        [run] = recording.runs
        check(run, TWO_TURNS)
    assert second.score


@EACH
@pytest.mark.parametrize("mode", ["sync", "async", "stream"])
def test_an_agent_that_is_watched_no_more_runs_as_before(driver: Driver, mode: Mode):
    """Detached: the same outcome, and no further record."""
    unwatched = driver.run(driver.agent(TWO_TURNS), mode)
    agent = driver.agent(TWO_TURNS)
    watched = toolscore.watch(agent)
    again = watched.unwatch()

    assert driver.run(again, mode) == unwatched
    assert watched.runs == ()


def test_every_differing_cell_is_in_the_table():
    """A cell that no scenario has any more would hold nobody to anything."""
    table = {(driver.name, scenario.name) for driver in DRIVERS for scenario in CONTRACT}
    assert CELLS.keys() <= table
    assert all(differing.reason for differing in CELLS.values())


@EACH
def test_every_scenario_is_played_or_has_a_reason(driver: Driver):
    """What a driver has no way for is in the table, with the reason."""
    played = [scenario.name for scenario in CONTRACT if plays(driver, scenario)]
    silent = {s.name for s in CONTRACT if (driver.name, s.name) not in CELLS} - set(played)
    assert not silent
