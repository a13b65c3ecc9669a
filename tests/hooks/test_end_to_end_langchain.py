"""LangChain and LangGraph through the real ``ChatOpenAI``, against a provider on 127.0.0.1."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hooks import loopback_langchain
from hooks.loopback import Loopback, serving
from hooks.loopback_langchain import (
    INPUT,
    Agent,
    Play,
    agent_of,
    by_handler,
    by_watch,
    chat,
    graph_of,
    tools,
)
from hooks.loopback_scenario import EXPECTED, MADE, TRANSCRIPT, TURNS, USAGE, as_text, made, spoken
from langchain_core.messages import HumanMessage

import toolscore


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as running:
        yield running


APIS = pytest.mark.parametrize("api", ["chat", "responses"])
ATTACH = pytest.mark.parametrize("attach", [by_watch, by_handler])
PLAYS = pytest.mark.parametrize("play", loopback_langchain.PLAYS)


@APIS
@ATTACH
@PLAYS
@pytest.mark.parametrize("build", [agent_of, graph_of])
def test_the_calls_are_exactly_what_the_model_asked_for(
    server: Loopback, api: str, attach: Any, play: Play, build: Any
) -> None:
    """Tools, arguments to the last digit, ids, steps, results and order; and the sum of tokens."""
    server.play(*TURNS)

    recording = attach(build(chat(server, api)), play, EXPECTED)

    [run] = recording.runs
    assert made(run) == as_text(MADE)
    assert (run.status, run.complete, run.warnings) == ("ok", True, ())
    assert run.usage == USAGE
    assert (run.framework, run.output) == ("langchain", "déjà vu 😀")
    assert spoken(run) == TRANSCRIPT
    assert recording.score
    assert recording.score.score == 1.0


@APIS
@pytest.mark.parametrize("play", loopback_langchain.HEARD)
def test_the_tools_that_the_model_was_offered_are_known(
    server: Loopback, api: str, play: Play
) -> None:
    """With the schemas of their arguments, as the provider got them."""
    server.play("done")

    [run] = by_watch(agent_of(chat(server, api)), play).runs

    assert set(run.tools) == {"book", "add", "echo"}
    assert set(run.tools["add"]["properties"]) == {"a", "b"}


@APIS
@ATTACH
@PLAYS
def test_the_provider_gets_the_same_requests_as_without_us(
    server: Loopback, api: str, attach: Any, play: Play
) -> None:
    """Bodies and headers, byte for byte."""
    server.play(*TURNS)
    play(agent_of(chat(server, api)), {})
    alone = server.taken()

    attach(agent_of(chat(server, api)), play)

    assert len(alone) == 3
    assert server.taken() == alone


@APIS
@ATTACH
async def test_runs_at_the_same_time_do_not_mix(server: Loopback, api: str, attach: Any) -> None:
    """Sixteen runs of one agent with the same ids: sixteen runs of three calls."""
    server.play(*TURNS)
    pending: list[Any] = []

    def begin(agent: Agent, config: dict[str, Any]) -> None:
        pending.extend(agent.ainvoke(INPUT, config) for _ in range(16))

    recording = attach(agent_of(chat(server, api)), begin, EXPECTED)
    await asyncio.gather(*pending)

    assert [made(run) for run in recording.runs] == [as_text(MADE)] * 16
    assert [run.usage for run in recording.runs] == [USAGE] * 16
    assert all(recording.scores)


@APIS
@pytest.mark.parametrize("streaming", [False, True])
def test_a_script_that_calls_model_and_tools_by_hand_is_one_run(
    server: Loopback, api: str, streaming: bool
) -> None:
    """No agent and no graph: a loop, inside a session."""
    server.play(*TURNS)
    known = {each.name: each for each in tools()}
    model = chat(server, api, streaming=streaming).bind_tools(list(known.values()))
    messages: list[Any] = [HumanMessage("hi")]

    with toolscore.session(EXPECTED) as script:
        answer = model.invoke(messages)
        while answer.tool_calls:
            messages.append(answer)
            messages += [known[call["name"]].invoke(call) for call in answer.tool_calls]
            answer = model.invoke(messages)

    [run] = script.runs
    assert made(run) == as_text(MADE)
    assert run.usage == USAGE
    assert script.result
