"""OpenAI Agents: calls that hit a timeout, are refused by a guardrail, or wait for a person."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import agents
import pytest
from agents import (
    ToolGuardrailFunctionOutput,
    ToolInputGuardrailTripwireTriggered,
    ToolOutputGuardrailTripwireTriggered,
    function_tool,
    tool_input_guardrail,
    tool_output_guardrail,
)
from hooks.scripted_openai_agents import WAYS, build, needs, outline

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


def echo(text: str) -> str:
    """Say it back."""
    return text


async def hang() -> str:
    """Wait for what never comes."""
    await asyncio.Event().wait()
    return "never"


@needs("ToolTimeoutError")
@ways
@modes
def test_a_timeout(way: Any, mode: str) -> None:
    """The SDK answers with a text; the call failed."""
    tool = function_tool(hang, timeout=0.02)
    recorded = way(build([[("hang", {}, "c1")], "done"], [tool]))

    recorded.play(mode)

    [made] = recorded.run.calls
    assert (made.status, made.metadata["error_type"]) == ("error", "ToolTimeoutError")
    assert made.metadata["error_source"] == "timeout(message)"
    assert made.result == made.error == "Tool 'hang' timed out after 0.02 seconds."


@needs("ToolTimeoutError")
@ways
def test_a_timeout_with_a_text_of_the_users(way: Any) -> None:
    """Known by the time that passed."""
    tool = function_tool(hang, timeout=0.02, timeout_error_function=lambda *_: "later")
    recorded = way(build([[("hang", {}, "c1")], "done"], [tool]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.result) == ("error", "later")
    assert made.metadata["error_source"] == "timeout(inferred)"


@needs("ToolTimeoutError")
@ways
def test_a_timeout_that_ends_the_run(way: Any) -> None:
    """The call and the run failed."""
    tool = function_tool(hang, timeout=0.02, timeout_behavior="raise_exception")
    recorded = way(build([[("hang", {}, "c1")]], [tool]))

    with pytest.raises(agents.exceptions.ToolTimeoutError):
        recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.metadata["error_type"]) == ("error", "ToolTimeoutError")
    assert recorded.run.status == "error"


@needs("ToolTimeoutError")
@ways
def test_a_tool_within_its_time(way: Any) -> None:
    """A timeout that was not reached is no error."""

    async def echo(text: str) -> str:
        """Say it back."""
        return text

    recorded = way(
        build([[("echo", {"text": "a"}, "c1")], "done"], [function_tool(echo, timeout=60)])
    )

    recorded.play()

    assert outline(recorded.run) == [("echo", {"text": "a"}, "ok", "a")]


@tool_input_guardrail
def no_b(data: Any) -> ToolGuardrailFunctionOutput:
    """Refuse one of the texts."""
    if json.loads(data.context.tool_arguments)["text"] == "b":
        return ToolGuardrailFunctionOutput.reject_content("not that")
    return ToolGuardrailFunctionOutput.allow()


@ways
@modes
@pytest.mark.parametrize("after", ["done", None])
def test_a_call_that_an_input_guardrail_rejects(way: Any, mode: str, after: str | None) -> None:
    """It was answered without running, whether or not the model is asked again."""
    tool = function_tool(echo, tool_input_guardrails=[no_b])
    turn = [("echo", {"text": "a"}, "c1"), ("echo", {"text": "b"}, "c2")]
    options = {} if after else {"tool_use_behavior": "stop_on_first_tool"}
    recorded = way(build([turn, after or "never"], [tool], **options))

    recorded.play(mode)

    run = recorded.run
    assert outline(run) == [
        ("echo", {"text": "a"}, "ok", "a"),
        ("echo", {"text": "b"}, "error", "not that"),
    ]
    assert (run.calls[1].metadata["origin"], run.calls[1].metadata["attempts"]) == ("rejected", 0)
    assert (run.status, run.complete) == ("ok", True)


@ways
def test_an_input_guardrail_that_ends_the_run(way: Any) -> None:
    """The call never started."""

    @tool_input_guardrail
    def never(data: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.raise_exception()

    tool = function_tool(echo, tool_input_guardrails=[never])
    recorded = way(build([[("echo", {"text": "a"}, "c1")]], [tool]))

    with pytest.raises(ToolInputGuardrailTripwireTriggered):
        recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.metadata["attempts"]) == ("not_executed", 0)
    assert recorded.run.status == "error"


@ways
def test_a_result_that_an_output_guardrail_replaces(way: Any) -> None:
    """The tool ran; what it returned cannot be seen, and the run says so."""

    @tool_output_guardrail
    def hide(data: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.reject_content("hidden")

    tool = function_tool(echo, tool_output_guardrails=[hide])
    recorded = way(build([[("echo", {"text": "secret"}, "c1")], "done"], [tool]))

    recorded.play()

    run = recorded.run
    assert outline(run) == [("echo", {"text": "secret"}, "ok", "hidden")]
    assert run.complete
    assert run.warnings == (
        "an output guardrail replaced what 1 of the tools returned: that was not seen",
    )


@ways
def test_an_output_guardrail_that_ends_the_run(way: Any) -> None:
    """The tool ran, and its output ended the run."""

    @tool_output_guardrail
    def never(data: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.raise_exception()

    tool = function_tool(echo, tool_output_guardrails=[never])
    recorded = way(build([[("echo", {"text": "a"}, "c1")]], [tool]))

    with pytest.raises(ToolOutputGuardrailTripwireTriggered):
        recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.metadata["attempts"]) == ("error", 1)
    assert recorded.run.status == "error"
