"""OpenAI Agents through the real client: the less usual answers of models, and conversations."""

from __future__ import annotations

import asyncio
from typing import Any

from agents import ModelSettings, Runner, function_tool
from hooks.contract import Made
from hooks.loopback import Loopback
from hooks.loopback_openai_agents import (
    APIS,
    ATTACH,
    PLAYS,
    Play,
    agent_of,
    by_watch,
    model_of,
    run_streamed,
)
from hooks.loopback_scenario import (
    MADE,
    ONE_CALL,
    ONE_MADE,
    REASONING,
    SEARCH,
    TURNS,
    as_text,
    made,
    ping,
    spoken,
)

import toolscore


@APIS
@ATTACH
@PLAYS
def test_text_beside_a_call_is_in_the_transcript(
    server: Loopback, api: str, attach: Any, play: Play
) -> None:
    """One turn of the model says something and asks for a call."""
    server.play(["Let me add. ", *ONE_CALL], "done")

    [record] = attach(agent_of(model_of(server, api)), play).runs

    assert made(record) == as_text(ONE_MADE)
    assert spoken(record) == [
        ("user", "hi"),
        ("assistant", "Let me add. "),
        ("tool", "3"),
        ("assistant", "done"),
    ]


@ATTACH
@PLAYS
def test_reasoning_beside_a_call_is_no_call(server: Loopback, attach: Any, play: Play) -> None:
    """Nor is it something that the model said."""
    server.play([REASONING, *ONE_CALL], "done")

    [record] = attach(agent_of(model_of(server, "responses")), play).runs

    assert made(record) == as_text(ONE_MADE)
    assert spoken(record)[1] == ("assistant", "")


@ATTACH
@PLAYS
def test_a_search_of_the_provider_is_recorded_and_not_scored(
    server: Loopback, attach: Any, play: Play
) -> None:
    """It ran on the provider's side: it took no time of ours, and is none of the agent's calls."""
    server.play([SEARCH, *ONE_CALL], "done")

    recording = attach(agent_of(model_of(server, "responses")), play, ["add"])

    [record] = recording.runs
    [search] = [call for call in record.calls if call.metadata["origin"] == "server"]
    assert (search.tool, search.status, search.duration) == ("web_search", "ok", None)
    assert search.args == SEARCH["action"]
    assert (search.metadata["kind"], search.metadata["id"]) == ("hosted", "ws_1")
    assert recording.score.score == 1.0


@APIS
@PLAYS
def test_no_text_at_all_means_no_arguments(server: Loopback, api: str, play: Play) -> None:
    """Some models write nothing where others write ``{}``."""
    server.play([("ping", "", "call_0")], "done")

    [record] = by_watch(agent_of(model_of(server, api), tools=[function_tool(ping)]), play).runs

    [call] = record.calls
    assert (call.args, call.result, call.status) == ({}, "pong", "ok")
    assert "raw_arguments" not in call.metadata


@APIS
@PLAYS
def test_a_repeated_key_keeps_the_text(server: Loopback, api: str, play: Play) -> None:
    """The last one counts for the SDK as for us; the text shows what was written."""
    text = '{"a": 7, "b": 2, "a": 1}'
    server.play([("add", text, "call_0")], "done")

    [record] = by_watch(agent_of(model_of(server, api)), play).runs

    [call] = record.calls
    assert made(record) == as_text(ONE_MADE)
    assert call.metadata["raw_arguments"] == text


def test_tokens_that_nobody_counted_are_unknown(server: Loopback) -> None:
    """Without ``include_usage`` a stream carries no numbers: None, not 0."""
    server.play(ONE_CALL, "done")
    agent = agent_of(model_of(server, "chat"), model_settings=ModelSettings())

    [record] = by_watch(agent, run_streamed).runs

    assert record.usage is None


@APIS
def test_a_conversation_that_goes_on_has_only_its_new_calls(server: Loopback, api: str) -> None:
    """The second message of the user, after the history of the first run."""
    server.play(*TURNS)
    server.play([("echo", {"text": "b"}, "call_9")], "done", model="later")
    first = toolscore.watch(agent_of(model_of(server, api)))
    then = toolscore.watch(agent_of(model_of(server, api, "later")))

    async def talk() -> None:
        result = await Runner.run(first, "hi")
        await Runner.run(then, [*result.to_input_list(), {"role": "user", "content": "more"}])

    asyncio.run(talk())

    assert [made(record) for record in first.runs] == [as_text(MADE)]
    [record] = then.runs
    assert made(record) == as_text([Made("echo", {"text": "b"}, result="b", id="call_9")])
