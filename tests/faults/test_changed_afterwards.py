"""What a user's program does with a result changes no other result."""

from __future__ import annotations

import pytest
from hooks.contract import SCENARIOS
from hooks.drivers import DRIVERS, Driver

from toolscore import EvaluationResult

ONE_CALL = next(scenario for scenario in SCENARIOS if scenario.name == "one call")


def tidy(result: EvaluationResult) -> None:
    """What a sink may do before it sends a result on: take out what is nobody's business."""
    for call in [*result.gold_calls, *result.trace_calls]:
        (call.args or {}).clear()
        call.metadata.clear()


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
def test_a_sink_that_changes_its_result_does_not_change_the_expectation(driver: Driver):
    """Two runs that are alike have scores that are alike."""
    [made] = ONE_CALL.made
    expected = [{"tool": made.tool, "args": made.args}]
    handler = driver.handler(expected, on_score=tidy)

    for _ in range(2):
        driver.run(driver.agent(ONE_CALL), "async", handler)

    assert [score.passed for score in handler.scores] == [True, True]
