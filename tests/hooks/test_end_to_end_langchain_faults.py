"""LangChain through the real ``ChatOpenAI`` when the model, the network or the user stops."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from hooks import loopback_langchain
from hooks.loopback import Cut, Fails, Hangs, Loopback, serving
from hooks.loopback_langchain import (
    INPUT,
    Agent,
    Play,
    agent_of,
    by_handler,
    by_watch,
    chat,
)
from hooks.loopback_scenario import EXPECTED, MADE, ONE_CALL, ONE_MADE, TURNS, USAGE, as_text, made

import toolscore


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as running:
        yield running


BROKEN = (openai.APIConnectionError, httpx.HTTPError)
APIS = pytest.mark.parametrize("api", ["chat", "responses"])
ATTACH = pytest.mark.parametrize("attach", [by_watch, by_handler])
PLAYS = pytest.mark.parametrize("play", loopback_langchain.PLAYS)


@APIS
@PLAYS
def test_arguments_that_are_no_json_are_kept_as_text(
    server: Loopback, api: str, play: Play
) -> None:
    """The call failed without running; the good one beside it ran."""
    text = '{"a": one, "b": 2}'
    server.play([("add", text, "call_0"), ("echo", {"text": "a"}, "call_1")], "done")

    recording = by_watch(agent_of(chat(server, api)), play)

    [run] = recording.runs
    # LangChain keeps valid and invalid calls in two lists: their mutual order is lost
    good, bad = run.calls
    assert (good.tool, good.args, good.status) == ("echo", {"text": "a"}, "ok")
    assert (bad.tool, bad.args, bad.status) == ("add", {}, "error")
    assert bad.metadata["raw_arguments"] == text
    assert (bad.metadata["origin"], bad.metadata["attempts"]) == ("invalid_json", 0)
    assert (bad.metadata["id"], bad.metadata["step"]) == ("call_0", 0)
    assert run.status == "ok"


@APIS
@ATTACH
@PLAYS
@pytest.mark.parametrize(
    ("turn", "error"),
    [
        (Fails(500), openai.InternalServerError),
        (Fails(429), openai.RateLimitError),
        (Cut([("add", {"a": 5, "b": 6}, "call_9")], events=4), BROKEN),
    ],
    ids=["500", "429", "cut"],
)
def test_an_error_of_the_model_keeps_the_calls_before_it(
    server: Loopback, api: str, attach: Any, play: Play, turn: Any, error: Any
) -> None:
    """The run ended by the exception that the user's program got."""
    server.play(ONE_CALL, turn)
    agent = agent_of(chat(server, api))
    raised: list[str] = []

    def failing(watched: Agent, config: dict[str, Any]) -> None:
        with pytest.raises(error) as caught:
            play(watched, config)
        raised.append(caught.type.__name__)

    [run] = attach(agent, failing).runs

    assert made(run) == as_text(ONE_MADE)
    assert (run.status, [run.error_type]) == ("error", raised)
    assert run.usage == toolscore.Usage(1, 100, 10, 110)


@APIS
@PLAYS
def test_a_retry_inside_the_client_is_not_a_second_turn(
    server: Loopback, api: str, play: Play
) -> None:
    """The provider saw four requests, the framework three answers."""
    first, second, last = TURNS
    server.play(first, Fails(429, then=second), last)

    recording = by_watch(agent_of(chat(server, api, max_retries=2)), play, EXPECTED)

    [run] = recording.runs
    assert len(server.taken()) == 4
    assert made(run) == as_text(MADE)
    assert run.usage == USAGE
    assert recording.score


@APIS
@ATTACH
def test_a_stream_left_before_the_tools_ran_leaves_calls_not_executed(
    server: Loopback, api: str, attach: Any
) -> None:
    """Asked for and never run: neither a success nor an error."""
    server.play(*TURNS)

    def leave(agent: Agent, config: dict[str, Any]) -> None:
        updates = agent.stream(INPUT, config, stream_mode="updates")
        next(updates)
        updates.close()

    [run] = attach(agent_of(chat(server, api, streaming=True)), leave).runs

    assert run.status == "cancelled"
    assert [(call.tool, call.status) for call in run.calls] == [
        ("book", "not_executed"),
        ("add", "not_executed"),
    ]


@APIS
@ATTACH
async def test_a_run_cancelled_while_the_model_thinks_keeps_its_calls(
    server: Loopback, api: str, attach: Any
) -> None:
    """Cancelled from outside, after one good call."""
    server.play(ONE_CALL, Hangs())
    tasks: list[asyncio.Task[Any]] = []

    def begin(agent: Agent, config: dict[str, Any]) -> None:
        tasks.append(asyncio.ensure_future(agent.ainvoke(INPUT, config)))

    recording = attach(agent_of(chat(server, api)), begin)
    await asyncio.to_thread(server.hanging.wait)
    [task] = tasks
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    [run] = recording.runs
    assert made(run) == as_text(ONE_MADE)
    assert run.status == "cancelled"
