"""Promises 2, 5 and 6: nothing is changed, nothing unseen is claimed, nothing leaves."""

from __future__ import annotations

import copy
import json
import socket
from typing import Any

import pytest
from hooks.contract import SCENARIOS
from hooks.drivers import DRIVERS, Driver

import toolscore

PLAYED = {scenario.name: scenario for scenario in SCENARIOS}
EACH = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
EACH_WAY = pytest.mark.parametrize("way", ["by_watch", "by_handler"])


@EACH
@pytest.mark.parametrize("mode", ["sync", "async", "stream"])
def test_a_run_gives_back_what_the_framework_gives(driver: Driver, mode: Any):
    """The class of the result is the framework's own."""
    scenario = PLAYED["two turns"]
    without = driver.play(driver.agent(scenario), mode)
    watched = driver.play(toolscore.watch(driver.agent(scenario)), mode)
    assert type(watched) is type(without)


@EACH
@EACH_WAY
def test_a_tool_gets_what_the_model_sent(driver: Driver, way: str):
    """The very same values, and what it does to them is not undone or recorded."""
    got: list[Any] = []

    def take(items: list[str]) -> str:
        """Take items."""
        got.append(copy.deepcopy(items))
        items.append("changed by the tool")
        return "taken"

    scenario = toolscore_scenario(take)
    recording, outcome = getattr(driver, way)(scenario, "async")
    assert outcome.answer == "done"
    assert got == [["a"]]
    [run] = recording.runs
    assert [call.args for call in run.calls] == [{"items": ["a"]}]


def toolscore_scenario(tool: Any) -> Any:
    """One call of this tool."""
    from hooks.contract import Scenario

    return Scenario("one", [[("take", {"items": ["a"]}, "c1")], "done"], [], tools=lambda: [tool])


@EACH
def test_an_incomplete_run_never_passes(driver: Driver):
    """A call that was cut may have been the wrong one: the score stands, the verdict does not."""
    recording, _ = driver.by_watch(
        PLAYED["two turns"], "async", expected=["add"], max_calls=1, extra_calls="allow"
    )
    [run] = recording.runs
    assert (run.complete, run.dropped) == (False, 1)
    assert recording.score.score == 1.0
    assert not recording.score.passed
    assert any(f.kind == "incomplete_capture" for f in recording.score.findings)


@EACH
def test_a_failed_call_is_never_a_success(driver: Driver):
    """Also where the framework shows the error as an answer."""
    recording, outcome = driver.by_watch(
        PLAYED["a tool raises and the run goes on"], "async", expected=["fail"]
    )
    assert outcome.answer == "done"
    assert recording.score.score == 0.5
    assert not recording.score.passed


@EACH
def test_before_any_run_nothing_is_scored(driver: Driver):
    """Not 0, and not None."""
    watched = toolscore.watch(driver.agent(PLAYED["one call"]), expected=["add"])
    assert watched.score.basis == "not_scored"
    assert driver.handler(expected=["add"]).score.basis == "not_scored"


@EACH
@EACH_WAY
def test_nothing_leaves_the_process(driver: Driver, way: str, monkeypatch: pytest.MonkeyPatch):
    """No connection is opened by a run, its score, its text or its record."""
    tried: list[Any] = []
    monkeypatch.setattr(socket.socket, "connect", lambda *address: tried.append(address))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *address, **_: tried.append(address))
    recording, _ = getattr(driver, way)(PLAYED["two turns"], "async", expected=["add"])
    str(recording.score), recording.score.diff(), recording.score.to_dict()
    assert tried == []


SECRET = "sk-proj-" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7f"


@EACH
def test_secrets_and_named_arguments_are_redacted_in_every_text(driver: Driver):
    """In what is printed and exported; the objects in memory stay as recorded."""

    def login(key: str, pin: str) -> str:
        """Log in."""
        return "in"

    from hooks.contract import Scenario

    scenario = Scenario(
        "login",
        [[("login", {"key": SECRET, "pin": "0417"}, "c1")], "done"],
        [],
        tools=lambda: [login],
    )
    recording, _ = driver.by_watch(
        scenario,
        "async",
        expected=[{"tool": "login", "args": {"key": "none", "pin": "none"}}],
        redact=["pin"],
    )
    result = recording.score
    texts = [str(result), result.diff(), json.dumps(result.to_dict()), result._repr_html_()]
    texts += [finding.message for finding in result.findings]
    for text in texts:
        assert SECRET not in text
        assert "0417" not in text
    assert result.trace_calls[0].args == {"key": SECRET, "pin": "0417"}
