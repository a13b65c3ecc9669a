"""OpenAI Agents through the real client when the model, the network or the user stops."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import openai
import pytest
from agents import Runner
from hooks.loopback import Cut, Fails, Hangs, Loopback
from hooks.loopback_openai_agents import (
    APIS,
    ATTACH,
    PLAYS,
    Hooks,
    Play,
    agent_of,
    model_of,
)
from hooks.loopback_scenario import EXPECTED, MADE, ONE_CALL, ONE_MADE, TURNS, USAGE, as_text, made

import toolscore

BROKEN = (openai.APIConnectionError, httpx.HTTPError)


@APIS
@ATTACH
@PLAYS
def test_arguments_that_are_no_json_are_kept_as_text(
    server: Loopback, api: str, attach: Any, play: Play
) -> None:
    """The call failed without running; the good one beside it ran."""
    text = '{"a": one, "b": "\\u00e9'
    server.play([("add", text, "call_0"), ("echo", {"text": "a"}, "call_1")], "done")

    [record] = attach(agent_of(model_of(server, api)), play).runs

    bad, good = record.calls
    assert (good.tool, good.args, good.status) == ("echo", {"text": "a"}, "ok")
    assert (bad.tool, bad.args, bad.status) == ("add", {}, "error")
    assert bad.metadata["raw_arguments"] == text
    assert (bad.metadata["origin"], bad.metadata["attempts"]) == ("invalid_json", 0)
    assert (bad.metadata["id"], bad.metadata["step"]) == ("call_0", 0)
    assert record.status == "ok"


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

    raised: list[str] = []

    def failing(agent: Any, hooks: Hooks) -> None:
        with pytest.raises(error) as caught:
            play(agent, hooks)
        raised.append(caught.type.__name__)

    [record] = attach(agent_of(model_of(server, api)), failing).runs

    assert made(record) == as_text(ONE_MADE)
    assert (record.status, [record.error_type]) == ("error", raised)
    assert record.usage == toolscore.Usage(1, 100, 10, 110)


@APIS
@ATTACH
@PLAYS
def test_a_retry_inside_the_client_is_not_a_second_turn(
    server: Loopback, api: str, attach: Any, play: Play
) -> None:
    """The provider saw four requests, the framework three answers."""
    first, second, last = TURNS
    server.play(first, Fails(429, then=second), last)

    recording = attach(agent_of(model_of(server, api, max_retries=2)), play, EXPECTED)

    [record] = recording.runs
    assert len(server.taken()) == 4
    assert made(record) == as_text(MADE)
    assert record.usage == USAGE
    assert recording.score


@APIS
@ATTACH
async def test_a_stream_left_early_is_recorded_to_its_end(
    server: Loopback, api: str, attach: Any
) -> None:
    """The SDK's run goes on when nobody reads: what it then does was really done."""
    server.play(*TURNS)
    started: list[Any] = []

    def begin(agent: Any, hooks: Hooks) -> None:
        started.append(Runner.run_streamed(agent, "hi", hooks=hooks))

    recording = attach(agent_of(model_of(server, api)), begin, EXPECTED)
    [result] = started
    async for event in result.stream_events():
        if event.type == "run_item_stream_event":
            break
    await result.run_loop_task

    [record] = recording.runs
    assert made(record) == as_text(MADE)
    assert record.status == "ok"
    assert recording.score


@APIS
@ATTACH
async def test_a_stream_cancelled_while_the_model_thinks_keeps_its_calls(
    server: Loopback, api: str, attach: Any
) -> None:
    """Cancelled by the user, after one good call."""
    server.play(ONE_CALL, Hangs())
    started: list[Any] = []

    def begin(agent: Any, hooks: Hooks) -> None:
        started.append(Runner.run_streamed(agent, "hi", hooks=hooks))

    recording = attach(agent_of(model_of(server, api)), begin)
    [result] = started
    reading = asyncio.ensure_future(_read(result))
    await asyncio.to_thread(server.hanging.wait)
    result.cancel()
    await reading

    [record] = recording.runs
    assert made(record) == as_text(ONE_MADE)
    assert record.status == "cancelled"


@APIS
@ATTACH
async def test_a_run_cancelled_while_the_model_thinks_keeps_its_calls(
    server: Loopback, api: str, attach: Any
) -> None:
    """Cancelled from outside, after one good call."""
    server.play(ONE_CALL, Hangs())
    tasks: list[asyncio.Task[Any]] = []

    def begin(agent: Any, hooks: Hooks) -> None:
        tasks.append(asyncio.ensure_future(Runner.run(agent, "hi", hooks=hooks)))

    recording = attach(agent_of(model_of(server, api)), begin)
    await asyncio.to_thread(server.hanging.wait)
    [task] = tasks
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    [record] = recording.runs
    assert made(record) == as_text(ONE_MADE)
    assert record.status == "cancelled"


async def _read(result: Any) -> None:
    async for _ in result.stream_events():
        pass
