"""OpenAI Agents: tools that fail, and runs that end badly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
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
    function_tool,
    input_guardrail,
    output_guardrail,
    set_trace_processors,
    set_tracing_disabled,
)
from agents.tool import FunctionTool
from hooks.scripted_openai_agents import WAYS, build, outline, play

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])
tracing = pytest.mark.parametrize("off", [True, False], ids=["tracing off", "tracing on"])

POLITE = "An error occurred while running the tool. Please try again."


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    """Tracing is on, as it is by default, but nothing is exported."""
    set_trace_processors([])
    set_tracing_disabled(False)
    yield
    set_tracing_disabled(True)


class Kaboom(Exception):
    """What these tools raise."""


def echo(text: str) -> str:
    """Say it back."""
    return text


def fail(text: str) -> str:
    """Fail."""
    raise Kaboom(text)


@ways
@modes
@tracing
def test_a_tool_that_raises(way: Any, mode: str, off: bool) -> None:
    """The model is shown a polite sentence; the record has the exception, tracing on or off."""
    recorded = way(build([[("fail", {"text": "bad x"}, "c1")], "done"], [fail]))

    recorded.play(mode, run_config=RunConfig(tracing_disabled=off))

    [made] = recorded.run.calls
    assert (made.status, made.error, made.metadata["error_type"]) == ("error", "bad x", "Kaboom")
    assert (made.metadata["is_error"], made.metadata["error_source"]) == (True, "exception")
    assert made.metadata["attempts"] == 1
    assert "error" in made.result
    assert recorded.run.status == "ok"


@ways
@tracing
def test_an_error_function_of_the_users(way: Any, off: bool) -> None:
    """The call failed, whatever the model is told instead; that text is the result."""
    tool = function_tool(fail, failure_error_function=lambda context, error: "sorry")
    recorded = way(build([[("fail", {"text": "bad x"}, "c1")], "done"], [tool]))

    recorded.play(run_config=RunConfig(tracing_disabled=off))

    [made] = recorded.run.calls
    assert (made.status, made.error, made.result) == ("error", "bad x", "sorry")


@ways
@tracing
@pytest.mark.parametrize("text", [POLITE, "Error: disk full"])
def test_a_result_that_reads_like_an_error_is_a_result(way: Any, off: bool, text: str) -> None:
    """Nothing is guessed from words."""
    recorded = way(build([[("echo", {"text": text}, "c1")], "done"], [echo]))

    recorded.play(run_config=RunConfig(tracing_disabled=off))

    assert outline(recorded.run) == [("echo", {"text": text}, "ok", text)]


@ways
@modes
def test_a_tool_that_the_run_dies_of(way: Any, mode: str) -> None:
    """The call has the tool's error, the run the SDK's; what went before is kept."""
    turns = [[("echo", {"text": "a"}, "c1")], [("fail", {"text": "bad x"}, "c2")]]
    recorded = way(build(turns, [echo, fail], survives=False))

    with pytest.raises(UserError) as raised:
        recorded.play(mode)

    assert isinstance(raised.value.__cause__, Kaboom)
    run = recorded.run
    assert outline(run) == [
        ("echo", {"text": "a"}, "ok", "a"),
        ("fail", {"text": "bad x"}, "error", "bad x"),
    ]
    assert (run.status, run.error_type, run.error) == ("error", "UserError", str(raised.value))


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
        raise Kaboom("bad")

    turn = [("quick", {}, "c1"), ("bad", {}, "c2"), ("slow", {}, "c3")]
    recorded = way(build([turn], [quick, bad, slow], survives=False))

    with pytest.raises(UserError):
        recorded.play(mode)

    assert [made.status for made in recorded.run.calls] == ["ok", "error", "cancelled"]
    assert recorded.run.calls[1].error == "bad"


@ways
@modes
@pytest.mark.parametrize("text", ['{"text": "a', "[1, 2]", "nonsense"])
def test_arguments_that_are_no_json_object(way: Any, mode: str, text: str) -> None:
    """The tool did not run; the text is kept."""
    recorded = way(build([[("echo", text, "c1")], "done"], [echo]))

    recorded.play(mode)

    [made] = recorded.run.calls
    assert (made.status, made.metadata["origin"], made.metadata["attempts"]) == (
        "error",
        "invalid_json",
        0,
    )
    assert made.metadata["raw_arguments"] == text
    assert made.duration is None
    assert made.error


@ways
@pytest.mark.parametrize("args", [{"text": 1}, {}, {"txt": "a"}])
def test_arguments_that_do_not_fit(way: Any, args: dict[str, Any]) -> None:
    """Validation is a part of the tool: the call failed, its arguments are what the model sent."""
    recorded = way(build([[("echo", args, "c1")], "done"], [echo]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.args, made.status, made.metadata["origin"]) == (args, "error", "executed")


@ways
def test_a_tool_of_the_users_that_takes_any_text(way: Any) -> None:
    """Text that is no JSON is no error where the tool accepts it."""

    async def shout(context: Any, text: str) -> str:
        return text.upper()

    tool = FunctionTool("shout", "Shout.", {"type": "object", "properties": {}}, shout)
    recorded = way(build([[("shout", "hey", "c1")], "done"], [tool]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.result, made.metadata["attempts"]) == ("ok", "HEY", 1)
    assert made.metadata["raw_arguments"] == "hey"


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
def test_a_retry_by_the_model(way: Any) -> None:
    """Two requests are two calls: one failed, one did not."""
    left = [1]

    def unsteady(text: str) -> str:
        """Work the second time."""
        if left[0]:
            left[0] -= 1
            raise Kaboom("not yet")
        return text

    turns = [[("unsteady", {"text": "a"}, "c1")], [("unsteady", {"text": "a"}, "c2")], "done"]
    recorded = way(build(turns, [unsteady]))

    recorded.play()

    assert [(c.status, c.metadata["attempts"]) for c in recorded.run.calls] == [
        ("error", 1),
        ("ok", 1),
    ]


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
    recorded = way(build([[("echo", {"text": "a"}, "c1")], Kaboom("model down")], [echo]))

    with pytest.raises(Kaboom):
        recorded.play(mode)

    run = recorded.run
    assert outline(run) == [("echo", {"text": "a"}, "ok", "a")]
    assert (run.status, run.error, run.error_type) == ("error", "model down", "Kaboom")


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

    error = Kaboom("model down")
    alone, watched = build([error]), by_watch(build([error]))

    with pytest.raises(Kaboom) as first:
        play(alone)
    with pytest.raises(Kaboom) as second:
        watched.play()

    assert first.value is second.value is error


@ways
def test_a_tool_that_cancels_itself(way: Any) -> None:
    """The run goes on, so it was no cancellation from outside: the call failed."""

    async def give_up() -> str:
        """Raise what cancellation raises."""
        raise asyncio.CancelledError("given up")

    recorded = way(build([[("give_up", {}, "c1")], "done"], [give_up]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.metadata["error_type"]) == ("error", "CancelledError")
    assert recorded.run.status == "ok"
