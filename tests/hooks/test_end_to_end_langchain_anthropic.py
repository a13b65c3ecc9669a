"""LangChain and LangGraph through the real ``ChatAnthropic``, against a provider on 127.0.0.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hooks import loopback_langchain
from hooks.loopback import Fails, Loopback, serving
from hooks.loopback_langchain import Play, agent_of, by_handler, by_watch, claude, graph_of
from hooks.loopback_scenario import (
    EXPECTED,
    MADE,
    ONE_CALL,
    ONE_MADE,
    TRANSCRIPT,
    TURNS,
    USAGE,
    as_text,
    made,
    spoken,
)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as running:
        yield running


ATTACH = pytest.mark.parametrize("attach", [by_watch, by_handler])
PLAYS = pytest.mark.parametrize("play", loopback_langchain.PLAYS)
STREAMS = pytest.mark.parametrize("play", [loopback_langchain.stream])


@ATTACH
@PLAYS
@pytest.mark.parametrize("build", [agent_of, graph_of])
def test_the_calls_are_exactly_what_the_model_asked_for(
    server: Loopback, attach: Any, play: Play, build: Any
) -> None:
    """Tools, arguments to the last digit, ids, steps, results and order; and the sum of tokens."""
    server.play(*TURNS)

    recording = attach(build(claude(server)), play, EXPECTED)

    [run] = recording.runs
    assert made(run) == as_text(MADE)
    assert (run.status, run.complete, run.warnings) == ("ok", True, ())
    assert run.usage == USAGE
    assert spoken(run) == TRANSCRIPT
    assert recording.score.score == 1.0


@PLAYS
def test_the_provider_gets_the_same_requests_as_without_us(server: Loopback, play: Play) -> None:
    """Bodies and headers, byte for byte."""
    server.play(*TURNS)
    play(agent_of(claude(server)), {})
    without = server.taken()

    by_watch(agent_of(claude(server)), play)

    assert server.taken() == without


SEARCH: dict[str, Any] = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "web_search",
    "input": {"query": "python"},
}
FOUND: dict[str, Any] = {
    "type": "web_search_result",
    "url": "https://example.org",
    "title": "Python",
    "encrypted_content": "x",
    "page_age": None,
}
ANSWERED: dict[str, Any] = {
    "type": "web_search_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": [FOUND],
}
REFUSED: dict[str, Any] = {
    **ANSWERED,
    "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"},
}


@PLAYS
@pytest.mark.parametrize(
    ("outcome", "status"), [(ANSWERED, "ok"), (REFUSED, "error")], ids=["found", "refused"]
)
def test_a_search_of_the_provider_is_recorded_and_not_scored(
    server: Loopback, play: Play, outcome: dict[str, Any], status: str
) -> None:
    """It ran on the provider's side: it took no time of ours, and is none of the agent's calls."""
    server.play(["Let me look.", SEARCH, outcome, *ONE_CALL], "done")

    recording = by_watch(agent_of(claude(server)), play, ["add"])

    [run] = recording.runs
    [search] = [call for call in run.calls if call.metadata["origin"] == "server"]
    assert (search.tool, search.args, search.status) == ("web_search", {"query": "python"}, status)
    assert (search.duration, search.metadata["id"]) == (None, "srvtoolu_1")
    assert made_without(run, search) == as_text(ONE_MADE)
    assert recording.score.score == 1.0


def made_without(run: Any, search: Any) -> list[str]:
    """The calls beside the search."""
    return [text for text, call in zip(made(run), run.calls, strict=True) if call is not search]


@STREAMS
def test_arguments_that_break_off_are_kept_as_they_ran(server: Loopback, play: Play) -> None:
    """When it streams, LangChain closes what the model left open, and runs the tool."""
    server.play([("add", '{"a": 1, "b": 2', "call_0")], "done")

    [run] = by_watch(agent_of(claude(server)), play).runs

    assert made(run) == as_text(ONE_MADE)


@PLAYS
def test_an_error_of_the_provider_keeps_the_calls_before_it(server: Loopback, play: Play) -> None:
    """The run ended by the exception that the user's program got."""
    server.play(ONE_CALL, Fails(500))
    errors: list[str] = []

    def surviving(agent: Any, config: Any) -> None:
        try:
            play(agent, config)
        except Exception as error:
            errors.append(type(error).__name__)

    [run] = by_watch(agent_of(claude(server)), surviving).runs

    assert made(run) == as_text(ONE_MADE)
    assert (run.status, [run.error_type]) == ("error", errors)
