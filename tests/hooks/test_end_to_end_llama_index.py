"""LlamaIndex through its real OpenAI-compatible model class, against a provider on 127.0.0.1."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hooks.contract import add, echo
from hooks.loopback import Cut, Fails, Hangs, Loopback, serving
from hooks.loopback_llama_index import agent_of, by_handler, by_watch, model, plain, streamed
from hooks.loopback_scenario import (
    EXPECTED,
    MADE,
    ONE_CALL,
    ONE_MADE,
    TRANSCRIPT,
    TURNS,
    USAGE,
    as_text,
    book,
    made,
    ping,
    spoken,
)
from hooks.scripted_llama_index import run, stream
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.tools import FunctionTool

import toolscore
from toolscore import Usage
from toolscore_integrations.llama_index import ToolscoreEventHandler


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as running:
        yield running


BUILDS = pytest.mark.parametrize("build", [plain, streamed])
ONE_BY_ONE: list[Any] = [[call] for turn in TURNS[:-1] for call in turn] + TURNS[-1:]
"""The same calls, one in each turn: the model class cannot put the pieces of parallel calls
together where a provider sends them in turns, and then nobody knows what the model asked for."""
SCRIPTS = pytest.mark.parametrize(
    ("build", "turns"), [(plain, TURNS), (plain, ONE_BY_ONE), (streamed, ONE_BY_ONE)]
)


def wanted(turns: Any) -> list[str]:
    """What must be recorded of one of the scripts."""
    steps = [0, 0, 1] if turns is TURNS else [0, 1, 2]
    return as_text([replace(call, step=step) for call, step in zip(MADE, steps, strict=True)])


def usage(turns: Any) -> Usage:
    """The provider counts 100 and 10, then one more of each in each turn that follows."""
    return USAGE if turns is TURNS else Usage(4, 406, 46, 452)


ATTACH = pytest.mark.parametrize("attach", [by_watch, by_handler])
PLAYS = pytest.mark.parametrize("play", [run, stream])


@SCRIPTS
@ATTACH
@PLAYS
def test_the_calls_are_exactly_what_the_model_asked_for(
    server: Loopback, build: Any, turns: Any, attach: Any, play: Any
) -> None:
    """Tools, arguments to the last digit, ids, steps, results and order; and the sum of tokens."""
    server.play(*turns)

    recording = attach(build(server), play, EXPECTED)

    [recorded] = recording.runs
    assert made(recorded) == wanted(turns)
    assert (recorded.status, recorded.complete, recorded.warnings) == ("ok", True, ())
    assert recorded.usage == usage(turns)
    assert recorded.output == "déjà vu 😀"
    assert [t for t in spoken(recorded) if t[1]] == [t for t in TRANSCRIPT if t[1]]
    assert set(recorded.tools) == {"book", "add", "echo"}
    assert recording.score.score == 1.0


@SCRIPTS
@ATTACH
def test_the_provider_gets_the_same_requests_as_without_us(
    server: Loopback, build: Any, turns: Any, attach: Any
) -> None:
    """Bodies and headers, byte for byte."""
    server.play(*turns)
    run(build(server))
    alone = server.taken()

    attach(build(server), run)

    assert len(alone) == len(turns)
    assert server.taken() == alone


@SCRIPTS
async def test_runs_at_the_same_time_do_not_mix(server: Loopback, build: Any, turns: Any) -> None:
    """Sixteen runs of one agent with the same ids: sixteen runs of three calls."""
    server.play(*turns)
    agent = toolscore.watch(build(server), EXPECTED)

    await asyncio.gather(*(agent.run(user_msg="hi") for _ in range(16)))

    assert [made(recorded) for recorded in agent.runs] == [wanted(turns)] * 16
    assert [recorded.usage for recorded in agent.runs] == [usage(turns)] * 16
    assert all(agent.scores)


@BUILDS
def test_a_retry_of_the_client_is_not_seen(server: Loopback, build: Any) -> None:
    """The client asks again by itself; the model answered once."""
    server.play(Fails(429, then=ONE_CALL), "done")
    agent = build(server)
    agent.llm.max_retries = 2

    recording = by_watch(agent, run)

    assert made(recording.runs[0]) == as_text(ONE_MADE)


@BUILDS
@pytest.mark.parametrize("fault", [Fails(500), Cut(ONE_CALL, events=2)])
def test_a_provider_that_fails_ends_the_run_and_keeps_its_calls(
    server: Loopback, build: Any, fault: Any
) -> None:
    """An error, and a connection that breaks: the user's exception, and the calls so far."""
    server.play(ONE_CALL, fault)
    agent = toolscore.watch(build(server))

    with pytest.raises(Exception) as alone:  # noqa: PT011 - the client's own error, whichever
        run(build(server))
    with pytest.raises(Exception) as watched:  # noqa: PT011
        run(agent)

    assert type(watched.value) is type(alone.value)
    [recorded] = agent.runs
    assert made(recorded) == as_text(ONE_MADE)
    assert (recorded.status, recorded.error_type) == ("error", type(alone.value).__name__)


@BUILDS
async def test_a_run_that_is_cancelled_while_the_model_thinks(server: Loopback, build: Any) -> None:
    """No answer comes: the run is cancelled, the calls so far stay."""
    server.play(ONE_CALL, Hangs())
    agent = toolscore.watch(build(server))

    handler = agent.run(user_msg="hi")
    await asyncio.to_thread(server.hanging.wait, 30)
    await handler.cancel_run()
    server.over.set()

    [recorded] = agent.runs
    assert (recorded.status, made(recorded)) == ("cancelled", as_text(ONE_MADE))


@BUILDS
def test_malformed_arguments_keep_the_models_text(server: Loopback, build: Any) -> None:
    """The model class repairs them; what was written stays beside what ran."""
    server.play([("add", '{"a": 1, "b": 2', "call_0")], "done")

    [recorded] = by_watch(build(server), run).runs

    [call] = recorded.calls
    assert (call.args, call.result) == ({"a": 1, "b": 2}, "3")
    assert call.metadata["raw_arguments"] == '{"a": 1, "b": 2'


@BUILDS
def test_no_text_at_all_means_no_arguments(server: Loopback, build: Any) -> None:
    """Some models write nothing where others write ``{}``."""
    server.play([("ping", "", "call_0")], "done")

    [recorded] = by_watch(build(server, tools=[ping]), run).runs

    [call] = recorded.calls
    assert (call.args, call.result, call.status) == ({}, "pong", "ok")


@BUILDS
def test_text_beside_a_call_is_in_the_transcript(server: Loopback, build: Any) -> None:
    """One turn of the model says something and asks for a call."""
    server.play(["Let me add. ", *ONE_CALL], "done")

    [recorded] = by_watch(build(server), run).runs

    assert made(recorded) == as_text(ONE_MADE)
    assert [text for _, text in spoken(recorded)] == ["hi", "Let me add. ", "3", "done"]


def test_tokens_that_nobody_counted_are_unknown(server: Loopback) -> None:
    """Without ``stream_options`` a stream carries no numbers: None, not 0."""
    server.play(ONE_CALL, "done")

    agent = agent_of(model(server, asks={}), streaming=True)

    assert by_watch(agent, run).runs[0].usage is None


def test_predict_and_call_is_a_run_with_the_ids_of_the_model(server: Loopback) -> None:
    """The framework drops the ids; the model's message still has them."""
    server.play(ONE_CALL)

    with ToolscoreEventHandler(["add"]) as handler:
        tool = FunctionTool.from_defaults(add)
        model(server, asks={}).predict_and_call([tool], user_msg="1 + 2?")

    [recorded] = handler.runs
    assert made(recorded) == as_text(ONE_MADE)
    assert handler.score


@pytest.mark.parametrize(("streaming", "turns"), [(False, TURNS), (True, ONE_BY_ONE)])
def test_a_script_that_calls_model_and_tools_by_hand_is_one_run(
    server: Loopback, streaming: bool, turns: Any
) -> None:
    """No agent: a loop, inside a session."""
    server.play(*turns)
    known = {t.metadata.name: t for t in map(FunctionTool.from_defaults, (book, add, echo))}
    llm = model(server) if streaming else model(server, asks={})
    history: list[Any] = [ChatMessage(role="user", content="hi")]

    def ask() -> Any:
        options = {"chat_history": history, "allow_parallel_tool_calls": True}
        if not streaming:
            return llm.chat_with_tools(list(known.values()), **options)
        return list(llm.stream_chat_with_tools(list(known.values()), **options))[-1]

    with toolscore.session(EXPECTED) as script:
        answer = ask()
        while selections := llm.get_tool_calls_from_response(answer, error_on_no_tool_call=False):
            history.append(answer.message)
            for selection in selections:
                output = known[selection.tool_name](**selection.tool_kwargs)
                told = {"tool_call_id": selection.tool_id}
                history.append(
                    ChatMessage(role="tool", content=output.content, additional_kwargs=told)
                )
            answer = ask()

    [recorded] = script.runs
    assert made(recorded) == wanted(turns)
    assert recorded.usage == usage(turns)
    assert script.result


def test_a_call_that_the_framework_cuts_off_was_not_executed(server: Loopback) -> None:
    """Unless parallel calls are allowed, it drops all but the first that the model asks for."""
    server.play(TURNS[0])
    llm = model(server, asks={})

    with toolscore.session() as script:
        answer = llm.chat_with_tools([FunctionTool.from_defaults(add)], user_msg="hi")

    assert len(llm.get_tool_calls_from_response(answer)) == 1
    assert [(c.tool, c.status) for c in script.runs[0].calls] == [
        ("book", "not_executed"),
        ("add", "not_executed"),
    ]
