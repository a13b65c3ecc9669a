"""LangChain through the real ``ChatOpenAI``: less usual answers of models, and conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hooks import loopback_langchain
from hooks.loopback import Loopback, serving
from hooks.loopback_langchain import (
    INPUT,
    Play,
    agent_of,
    astream,
    by_watch,
    chat,
    stream,
    tools,
)
from hooks.loopback_scenario import (
    MADE,
    ONE_CALL,
    ONE_MADE,
    REASONING,
    SEARCH,
    TURNS,
    USAGE,
    as_text,
    made,
    ping,
    spoken,
)
from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

import toolscore


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as running:
        yield running


APIS = pytest.mark.parametrize("api", ["chat", "responses"])
PLAYS = pytest.mark.parametrize("play", loopback_langchain.PLAYS)
STREAMS = pytest.mark.parametrize(
    "play", [play for play in loopback_langchain.HEARD if play in (stream, astream)]
)


@APIS
@PLAYS
def test_text_beside_a_call_is_in_the_transcript(server: Loopback, api: str, play: Play) -> None:
    """One turn of the model says something and asks for a call."""
    server.play(["Let me add. ", *ONE_CALL], "done")

    [run] = by_watch(agent_of(chat(server, api)), play).runs

    assert made(run) == as_text(ONE_MADE)
    assert spoken(run) == [
        ("user", "hi"),
        ("assistant", "Let me add. "),
        ("tool", "3"),
        ("assistant", "done"),
    ]


@PLAYS
def test_reasoning_beside_a_call_is_no_call(server: Loopback, play: Play) -> None:
    """Nor is it something that the model said."""
    server.play([REASONING, *ONE_CALL], "done")

    [run] = by_watch(agent_of(chat(server, "responses")), play).runs

    assert made(run) == as_text(ONE_MADE)
    assert spoken(run)[1] == ("assistant", "")


@PLAYS
def test_a_search_of_the_provider_is_recorded_and_not_scored(server: Loopback, play: Play) -> None:
    """It ran on the provider's side: it took no time of ours, and is none of the agent's calls."""
    server.play([SEARCH, *ONE_CALL], "done")

    recording = by_watch(agent_of(chat(server, "responses")), play, ["add"])

    [run] = recording.runs
    [search] = [call for call in run.calls if call.metadata["origin"] == "server"]
    assert (search.tool, search.status, search.duration) == ("web_search", "ok", None)
    assert search.args == SEARCH["action"]
    assert (search.metadata["kind"], search.metadata["id"]) == ("hosted", "ws_1")
    assert recording.score.score == 1.0


@PLAYS
def test_no_text_at_all_means_no_arguments(server: Loopback, play: Play) -> None:
    """Some models write nothing where others write ``{}``."""
    server.play([("ping", "", "call_0")], "done")

    [run] = by_watch(create_agent(chat(server, "chat"), [tool(ping)]), play).runs

    [call] = run.calls
    assert (call.args, call.result, call.status) == ({}, "pong", "ok")


@APIS
@STREAMS
def test_a_truncated_text_that_langchain_completes_is_recorded_as_it_ran(
    server: Loopback, api: str, play: Play
) -> None:
    """When it streams, LangChain closes what the model left open, and runs the tool."""
    server.play([("add", '{"a": 1, "b": 2', "call_0")], "done")

    [run] = by_watch(agent_of(chat(server, api)), play).runs

    assert made(run) == as_text(ONE_MADE)


@STREAMS
def test_tokens_that_nobody_counted_are_unknown(server: Loopback, play: Play) -> None:
    """Without ``stream_usage`` a stream carries no numbers: None, not 0."""
    server.play(ONE_CALL, "done")

    [run] = by_watch(agent_of(chat(server, "chat", stream_usage=False)), play).runs

    assert run.usage is None


@APIS
def test_a_conversation_that_goes_on_has_only_its_new_calls(server: Loopback, api: str) -> None:
    """The second message of the user on one thread; the model uses the same id again."""
    server.play(ONE_CALL, "done")
    agent = toolscore.watch(create_agent(chat(server, api), tools(), checkpointer=InMemorySaver()))

    for _ in range(2):
        agent.invoke(INPUT, {"configurable": {"thread_id": "t"}})

    assert [made(run) for run in agent.runs] == [as_text(ONE_MADE)] * 2
    assert [run.usage for run in agent.runs] == [toolscore.Usage(2, 201, 21, 222)] * 2
    assert [run.thread_id for run in agent.runs] == ["t", "t"]


@APIS
def test_each_input_of_a_batch_is_a_run(server: Loopback, api: str) -> None:
    """Four inputs, four threads, four runs."""
    server.play(*TURNS)
    agent = toolscore.watch(agent_of(chat(server, api)))

    agent.batch([INPUT] * 4)

    assert [made(run) for run in agent.runs] == [as_text(MADE)] * 4


@APIS
def test_reading_the_events_of_a_run_changes_nothing(server: Loopback, api: str) -> None:
    """``astream_events`` has a handler of its own beside ours."""
    server.play(*TURNS)
    agent = toolscore.watch(agent_of(chat(server, api)))

    async def read() -> set[str]:
        return {event["event"] async for event in agent.astream_events(INPUT, version="v2")}

    events = asyncio.run(read())

    assert {"on_tool_start", "on_tool_end"} <= events
    [run] = agent.runs
    assert made(run) == as_text(MADE)
    assert run.usage == USAGE
