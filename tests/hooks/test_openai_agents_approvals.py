"""OpenAI Agents: calls that wait for a person."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agents import (
    Agent,
    RunConfig,
    RunState,
    ToolGuardrailFunctionOutput,
    function_tool,
    tool_input_guardrail,
)
from hooks.scripted_openai_agents import WAYS, build, by_watch, needs, outline

ways = pytest.mark.parametrize("way", WAYS)


modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


def echo(text: str) -> str:
    """Say it back."""
    return text


@tool_input_guardrail
def no_b(data: Any) -> ToolGuardrailFunctionOutput:
    """Refuse one of the texts."""
    if json.loads(data.context.tool_arguments)["text"] == "b":
        return ToolGuardrailFunctionOutput.reject_content("not that")
    return ToolGuardrailFunctionOutput.allow()


def payer() -> Agent[Any]:
    """An agent that pays, which needs approval, after an echo."""

    @function_tool(needs_approval=True)
    def pay(cents: int) -> str:
        """Pay."""
        return f"paid {cents}"

    turn = [("echo", {"text": "a"}, "c1"), ("pay", {"cents": 3}, "c2")]
    return build([turn, "paid"], [echo, pay])


def decide(result: Any, agent: Any, *, approve: bool, through_json: bool = False) -> Any:
    """The state to go on with."""
    state = result.to_state()
    if through_json:
        state = asyncio.run(RunState.from_json(agent, state.to_json()))
    for item in state.get_interruptions():
        (state.approve if approve else state.reject)(item)
    return state


@ways
@modes
@pytest.mark.parametrize("through_json", [False, True])
def test_a_call_that_waits_for_approval(way: Any, mode: str, through_json: bool) -> None:
    """Two runs; in the session, the call counts once."""
    recorded = way(payer(), ["echo", "pay"])

    with recorded.recording.session() as session:
        first = recorded.play(mode)
        [paused] = recorded.recording.runs
        state = decide(first, recorded.agent, approve=True, through_json=through_json)
        recorded.play(mode, state)

    assert paused.status == "interrupted"
    assert outline(paused) == [
        ("echo", {"text": "a"}, "ok", "a"),
        ("pay", {"cents": 3}, "interrupted", None),
    ]
    _, resumed = recorded.recording.runs
    assert outline(resumed) == [("pay", {"cents": 3}, "ok", "paid 3")]
    assert (resumed.status, resumed.output, resumed.input) == ("ok", "paid", "hi")
    assert [c.status for c in session.calls] == ["ok", "ok"]
    assert session.result.score == 1.0


@ways
@modes
def test_a_call_that_a_person_rejects(way: Any, mode: str) -> None:
    """It was answered without running."""
    recorded = way(payer())

    with recorded.recording.session() as session:
        first = recorded.play(mode)
        recorded.play(mode, decide(first, recorded.agent, approve=False))

    _, resumed = recorded.recording.runs
    [made] = resumed.calls
    assert (made.status, made.metadata["origin"], made.metadata["attempts"]) == (
        "error",
        "rejected",
        0,
    )
    assert made.error == "Tool execution was not approved."
    assert [c.status for c in session.calls] == ["ok", "error"]


def test_a_state_that_is_resumed_twice() -> None:
    """Two runs that each executed the call."""
    recorded = by_watch(payer())
    text = decide(recorded.play(), recorded.agent, approve=True).to_json()

    for _ in range(2):
        recorded.recording.__wrapped__.model.turns = ["paid"] * 4
        state = asyncio.run(RunState.from_json(recorded.agent, text))
        recorded.play("async", state)

    assert [[c.status for c in run.calls] for run in recorded.recording.runs] == [
        ["ok", "interrupted"],
        ["ok"],
        ["ok"],
    ]


@ways
def test_an_approval_inside_an_agent_that_is_a_tool(way: Any) -> None:
    """Outer and inner call wait, and are finished in the second run."""

    @function_tool(needs_approval=True)
    def pay(cents: int) -> str:
        """Pay."""
        return f"paid {cents}"

    inner = build([[("pay", {"cents": 3}, "p1")], "paid it"], [pay], name="payer")
    outer = build([[("ask", {"input": "pay"}, "a1")], "done"], [inner.as_tool("ask", "Ask.")])
    recorded = way(outer)

    with recorded.recording.session() as session:
        first = recorded.play()
        recorded.play(text=decide(first, recorded.agent, approve=True))

    paused, resumed = recorded.recording.runs
    assert [(c.tool, c.status, c.metadata["depth"]) for c in paused.calls] == [
        ("ask", "interrupted", 0),
        ("pay", "interrupted", 1),
    ]
    assert [(c.tool, c.status, c.metadata["depth"], c.result) for c in resumed.calls] == [
        ("ask", "ok", 0, "paid it"),
        ("pay", "ok", 1, "paid 3"),
    ]
    ask, pay_once = session.calls
    assert (ask.status, pay_once.status) == ("ok", "ok")
    assert ask.metadata["attempts"] in (1, 2)  # some versions begin the outer tool again
    assert pay_once.metadata["attempts"] == 1


@needs("ToolExecutionConfig")
@ways
def test_a_guardrail_before_the_approval(way: Any) -> None:
    """A rejected call does not wait for a person."""
    from agents import ToolExecutionConfig

    tool = function_tool(echo, tool_input_guardrails=[no_b], needs_approval=True)
    recorded = way(build([[("echo", {"text": "b"}, "c1")], "done"], [tool]))

    recorded.play(
        run_config=RunConfig(
            tool_execution=ToolExecutionConfig(pre_approval_tool_input_guardrails=True)
        )
    )

    [made] = recorded.run.calls
    assert (made.status, made.metadata["origin"]) == ("error", "rejected")
