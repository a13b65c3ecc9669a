"""OpenAI Agents: runs that end badly."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    ModelBehaviorError,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    UserError,
    input_guardrail,
    output_guardrail,
)
from hooks.scripted_openai_agents import WAYS, build, needs, outline, play

ways = pytest.mark.parametrize("way", WAYS)


modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


class KaboomError(Exception):
    """What these tools raise."""


def echo(text: str) -> str:
    """Say it back."""
    return text


@ways
@modes
def test_the_siblings_of_a_tool_that_the_run_dies_of(way: Any, mode: str) -> None:
    """What had returned is ok; what was running is cancelled, not failed."""
    ready: dict[str, asyncio.Event] = {}

    async def quick() -> str:
        """Return at once."""
        return "quick"

    async def slow() -> str:
        """Wait for what never comes."""
        ready.setdefault("slow", asyncio.Event()).set()
        await asyncio.Event().wait()
        return "never"

    async def bad() -> str:
        """Fail when the others run."""
        await ready.setdefault("slow", asyncio.Event()).wait()
        raise KaboomError("bad")

    turn = [("quick", {}, "c1"), ("bad", {}, "c2"), ("slow", {}, "c3")]
    recorded = way(build([turn], [quick, bad, slow], survives=False))

    with pytest.raises(UserError):
        recorded.play(mode)

    assert [made.status for made in recorded.run.calls] == ["ok", "error", "cancelled"]
    assert recorded.run.calls[1].error == "bad"


@ways
@modes
def test_an_unknown_tool_ends_the_run(way: Any, mode: str) -> None:
    """Nothing of that turn was executed, the valid call neither."""
    turn = [("echo", {"text": "a"}, "c1"), ("nope", {"q": 1}, "c2")]
    recorded = way(build([turn], [echo]))

    with pytest.raises(ModelBehaviorError, match="nope"):
        recorded.play(mode)

    run = recorded.run
    assert [(c.tool, c.status, c.metadata["origin"]) for c in run.calls] == [
        ("echo", "not_executed", "requested"),
        ("nope", "not_executed", "unknown_tool"),
    ]
    assert run.status == "error"


@needs("tool_not_found_behavior")
@ways
@modes
def test_an_unknown_tool_that_the_model_is_told_of(way: Any, mode: str) -> None:
    """It was answered with an error, without running."""
    turns = [[("echo", {"text": "a"}, "c1"), ("nope", {"q": 1}, "c2")], "done"]
    recorded = way(build(turns, [echo]))

    recorded.play(mode, run_config=RunConfig(tool_not_found_behavior="return_error_to_model"))

    run = recorded.run
    assert outline(run) == [
        ("echo", {"text": "a"}, "ok", "a"),
        ("nope", {"q": 1}, "error", "Tool 'nope' not found."),
    ]
    assert run.calls[1].metadata["origin"] == "unknown_tool"
    assert run.calls[1].metadata["attempts"] == 0
    assert run.status == "ok"


@ways
@modes
def test_too_many_turns(way: Any, mode: str) -> None:
    """The calls are what they are; the run failed."""
    turns = [[("echo", {"text": str(n)}, f"c{n}")] for n in range(3)]
    recorded = way(build(turns, [echo]))

    with pytest.raises(MaxTurnsExceeded):
        recorded.play(mode, max_turns=2)

    run = recorded.run
    assert [made.status for made in run.calls] == ["ok", "ok"]
    assert (run.status, run.error_type) == ("error", "MaxTurnsExceeded")


@ways
@modes
def test_a_model_that_fails(way: Any, mode: str) -> None:
    """What went before is kept."""
    recorded = way(build([[("echo", {"text": "a"}, "c1")], KaboomError("model down")], [echo]))

    with pytest.raises(KaboomError):
        recorded.play(mode)

    run = recorded.run
    assert outline(run) == [("echo", {"text": "a"}, "ok", "a")]
    assert (run.status, run.error, run.error_type) == ("error", "model down", "KaboomError")


@ways
@modes
def test_an_input_guardrail_that_trips_late(way: Any, mode: str) -> None:
    """A tool that ran beside it did run."""
    gate: dict[str, asyncio.Event] = {}

    async def mark() -> str:
        """Let the guardrail go on."""
        gate.setdefault("ran", asyncio.Event()).set()
        return "marked"

    @input_guardrail
    async def late(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        await gate.setdefault("ran", asyncio.Event()).wait()
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=True)

    recorded = way(build([[("mark", {}, "c1")], "done"], [mark], input_guardrails=[late]))

    with pytest.raises(InputGuardrailTripwireTriggered):
        recorded.play(mode)

    run = recorded.run
    assert outline(run) == [("mark", {}, "ok", "marked")]
    assert (run.status, run.error_type) == ("error", "InputGuardrailTripwireTriggered")


@ways
@modes
def test_an_output_guardrail_that_trips(way: Any, mode: str) -> None:
    """The calls stay; the run failed."""

    @output_guardrail
    async def no(context: Any, agent: Any, output: Any) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=True)

    turns = [[("echo", {"text": "a"}, "c1")], "done"]
    recorded = way(build(turns, [echo], output_guardrails=[no]))

    with pytest.raises(OutputGuardrailTripwireTriggered):
        recorded.play(mode)

    assert outline(recorded.run) == [("echo", {"text": "a"}, "ok", "a")]
    assert recorded.run.status == "error"


@ways
def test_a_run_that_is_stopped_from_outside(way: Any) -> None:
    """``wait_for`` around the run: cancelled, and so is the call that was running."""

    async def hang() -> str:
        """Wait for what never comes."""
        await asyncio.Event().wait()
        return "never"

    async def main(agent: Agent[Any], hooks: Any) -> None:
        await asyncio.wait_for(Runner.run(agent, "hi", hooks=hooks), 0.1)

    recorded = way(build([[("hang", {}, "c1"), ("nope", {}, "c2")][:1]], [hang]))

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(main(recorded.agent, recorded.hooks))

    run = recorded.run
    assert [made.status for made in run.calls] == ["cancelled"]
    assert run.status == "cancelled"


def test_the_same_exception_reaches_the_user() -> None:
    """What a watched run raises is what it raises without us."""
    from hooks.scripted_openai_agents import by_watch

    error = KaboomError("model down")
    alone, watched = build([error]), by_watch(build([error]))

    with pytest.raises(KaboomError) as first:
        play(alone)
    with pytest.raises(KaboomError) as second:
        watched.play()

    assert first.value is second.value is error
