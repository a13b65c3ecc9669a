"""One contract, three frameworks: the same scenario gives the same calls in all of them."""

from __future__ import annotations

import pytest
from hooks.contract import MODES, SCENARIOS, Mode, Scenario, check
from hooks.drivers import CELLS, DRIVERS, Driver, cell, said

TABLE = [
    pytest.param(driver, scenario, mode, id=f"{driver.name}-{scenario.name}-{mode}")
    for driver in DRIVERS
    for scenario in SCENARIOS
    for mode in MODES
]


@pytest.mark.parametrize("way", ["by_watch", "by_handler"])
@pytest.mark.parametrize(("driver", "scenario", "mode"), TABLE)
def test_a_scenario_is_recorded_as_the_contract_says(
    driver: Driver, scenario: Scenario, mode: Mode, way: str
):
    """Exactly these calls, and the user's program gets what it gets without us."""
    unwatched = driver.run(driver.agent(scenario), mode)
    expected, words = cell(driver, scenario)

    recording, outcome = getattr(driver, way)(scenario, mode)

    assert outcome == unwatched
    assert (outcome.error is not None) is expected.raises
    assert outcome.answer == expected.answer
    [run] = recording.runs
    check(run, expected)
    if words is not None:
        assert words in said(run)


def test_every_differing_cell_is_in_the_table():
    """A cell that no scenario has any more would hold nobody to anything."""
    names = {scenario.name for scenario in SCENARIOS}
    assert {name for _, name in CELLS} <= names
    assert {driver for driver, _ in CELLS} <= {driver.name for driver in DRIVERS}
    assert all(differing.reason for differing in CELLS.values())
