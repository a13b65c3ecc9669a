"""OpenAI Agents through the real ``openai`` client, against a provider on 127.0.0.1."""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Runner
from hooks.loopback import Loopback
from hooks.loopback_openai_agents import (
    APIS,
    ATTACH,
    PLAYS,
    Hooks,
    Play,
    agent_of,
    by_watch,
    model_of,
)
from hooks.loopback_scenario import EXPECTED, MADE, TRANSCRIPT, TURNS, USAGE, as_text, made, spoken


@APIS
@ATTACH
@PLAYS
def test_the_calls_are_exactly_what_the_model_asked_for(
    server: Loopback, api: str, attach: Any, play: Play
) -> None:
    """Tools, arguments to the last digit, ids, steps, results and order; and the sum of tokens."""
    server.play(*TURNS)

    recording = attach(agent_of(model_of(server, api)), play, EXPECTED)

    [record] = recording.runs
    assert made(record) == as_text(MADE)
    assert (record.status, record.complete, record.warnings) == ("ok", True, ())
    assert record.usage == USAGE
    assert (record.framework, record.agent) == ("openai_agents", "clerk")
    assert record.output == "déjà vu 😀"
    assert spoken(record) == TRANSCRIPT
    assert set(record.tools) == {"book", "add", "echo"}
    assert recording.score
    assert recording.score.score == 1.0


@APIS
@ATTACH
@PLAYS
def test_the_provider_gets_the_same_requests_as_without_us(
    server: Loopback, api: str, attach: Any, play: Play
) -> None:
    """Bodies and headers, byte for byte."""
    server.play(*TURNS)
    play(agent_of(model_of(server, api)), None)
    alone = server.taken()

    attach(agent_of(model_of(server, api)), play)

    assert len(alone) == 3
    assert server.taken() == alone


@APIS
@ATTACH
@PLAYS
def test_a_handoff_goes_on_in_the_same_run(
    server: Loopback, api: str, attach: Any, play: Play
) -> None:
    """Two agents, each with a model of its own: one run, the calls of both, each with its agent."""
    asked = [("add", {"a": 1, "b": 2}, "call_0"), ("transfer_to_expert", {}, "call_1")]
    server.play(asked, model="front")
    # the expert continues the conversation, in which one turn is over
    server.play("never said", [("echo", {"text": "ü"}, "call_2")], "done", model="back")
    expert = agent_of(model_of(server, api, "back"), name="expert")

    recording = attach(agent_of(model_of(server, api, "front"), handoffs=[expert]), play)

    [record] = recording.runs
    assert [(c.tool, c.args, c.status, c.metadata["agent"]) for c in record.calls] == [
        ("add", {"a": 1, "b": 2}, "ok", "clerk"),
        ("transfer_to_expert", {}, "ok", "clerk"),
        ("echo", {"text": "ü"}, "ok", "expert"),
    ]
    assert [c.metadata["kind"] for c in record.calls] == ["function", "handoff", "function"]
    assert [c.metadata["step"] for c in record.calls] == [0, 0, 1]
    assert record.output == "done"


@APIS
@PLAYS
def test_calls_of_agents_used_as_tools_are_nested(server: Loopback, api: str, play: Play) -> None:
    """Two inner runs at the same time with the same ids: each below its own outer call."""
    asked = [("ask", {"input": "q"}, "call_0"), ("ask", {"input": "r"}, "call_1")]
    server.play(asked, "done", model="front")
    server.play([("echo", {"text": "x"}, "call_0")], "inner", model="back")
    expert = agent_of(model_of(server, api, "back"), name="expert")
    front = agent_of(
        model_of(server, api, "front"), tools=[expert.as_tool("ask", "Ask the expert.")]
    )

    recording = by_watch(front, play, ["ask", "ask"])

    [record] = recording.runs
    outer = [call for call in record.calls if call.metadata["depth"] == 0]
    inner = [call for call in record.calls if call.metadata["depth"] == 1]
    assert [(c.tool, c.args, c.result) for c in outer] == [
        ("ask", {"input": "q"}, "inner"),
        ("ask", {"input": "r"}, "inner"),
    ]
    assert [(c.tool, c.args, c.status) for c in inner] == [("echo", {"text": "x"}, "ok")] * 2
    assert {c.metadata["parent"] for c in inner} == {c.metadata["key"] for c in outer}
    assert recording.score


@APIS
@ATTACH
async def test_runs_at_the_same_time_do_not_mix(server: Loopback, api: str, attach: Any) -> None:
    """Sixteen runs of one agent with the same ids: sixteen runs of three calls."""
    server.play(*TURNS)
    pending: list[Any] = []

    def begin(agent: Any, hooks: Hooks) -> None:
        pending.extend(Runner.run(agent, "hi", hooks=hooks) for _ in range(16))

    recording = attach(agent_of(model_of(server, api)), begin, EXPECTED)
    await asyncio.gather(*pending)

    assert [made(record) for record in recording.runs] == [as_text(MADE)] * 16
    assert [record.usage for record in recording.runs] == [USAGE] * 16
    assert all(recording.scores)
