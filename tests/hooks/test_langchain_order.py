"""Which attempt belongs to which request, and in which order they stand."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from hooks.contract import MODES, Mode, add, echo
from hooks.scripted_langchain import INPUT, brief, build, graph, model, play, record, say
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

import toolscore


def three_slow() -> Any:
    @tool
    def wait(ms: int) -> str:
        """Wait."""
        time.sleep(ms / 1000)
        return str(ms)

    calls = [("wait", {"ms": ms}, f"c{ms}") for ms in (40, 10, 0)]
    return build([calls, "done"], [wait])


IN_ORDER = [("wait", {"ms": ms}, "ok", "executed", 1) for ms in (40, 10, 0)]


@pytest.mark.parametrize("mode", MODES)
def test_calls_stand_in_request_order_whichever_ends_first(mode: Mode):
    """Parallel calls start and end in any order; the model's order is the one that counts."""
    assert brief(record(three_slow(), mode)) == IN_ORDER


async def _events(agent: Any) -> None:
    async for _ in agent.astream_events(INPUT, version="v2"):
        pass


@pytest.mark.parametrize(
    ("play_all", "runs"),
    [
        (lambda agent: agent.batch([INPUT] * 3), 3),
        (lambda agent: asyncio.run(agent.abatch([INPUT] * 3)), 3),
        (lambda agent: asyncio.run(_events(agent)), 1),
    ],
    ids=["batch", "abatch", "astream_events"],
)
def test_every_way_to_run_an_agent_is_recorded(play_all: Any, runs: int):
    """One run for each input."""
    agent = toolscore.watch(three_slow())
    play_all(agent)
    assert [brief(run) for run in agent.runs] == [IN_ORDER] * runs


def test_calls_without_latency_stand_in_request_order():
    """LangGraph starts them in a random order when it runs in threads."""
    calls = [("echo", {"text": str(i)}, f"c{i}") for i in range(8)]
    agent = toolscore.watch(build([calls, "done"], [echo]))
    for _ in range(10):
        play(agent)
    texts = [[call.args for call in run.calls] for run in agent.runs]
    assert texts == [[{"text": str(i)} for i in range(8)]] * 10


@pytest.mark.parametrize("builder", [build, graph], ids=["sent", "one ToolNode"])
@pytest.mark.parametrize("call_id", ["x", ""], ids=["equal", "empty"])
def test_calls_that_share_an_id_are_separate(builder: Any, call_id: str):
    """Each keeps its own arguments and result."""
    calls = [("echo", {"text": text}, call_id) for text in "abc"]
    run = record(builder([calls, "done"], [echo]))
    assert [(c.args, c.result, c.metadata["attempts"]) for c in run.calls] == [
        ({"text": text}, text, 1) for text in "abc"
    ]


@pytest.mark.parametrize("builder", [build, graph], ids=["sent", "one ToolNode"])
def test_equal_calls_that_share_an_id_are_separate(builder: Any):
    """Even where nothing tells them apart, two requests are two calls."""
    run = record(builder([[("echo", {"text": "a"}, "x")] * 2, "done"], [echo]))
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)] * 2


def test_calls_without_an_id_are_executed_though_the_run_dies():
    """LangGraph runs both tools, and then cannot tell whose results they are."""
    calls = [("echo", {"text": "a"}, None), ("echo", {"text": "b"}, None)]
    run = record(build([calls, "done"], [echo], survives=False))
    assert brief(run) == [
        ("echo", {"text": "a"}, "ok", "executed", 1),
        ("echo", {"text": "b"}, "ok", "executed", 1),
    ]
    assert (run.status, run.error_type) == ("error", "TypeError")


def test_an_id_that_the_history_has_too_is_a_new_call():
    """Models that number their calls from 0 in each turn use the same ids again."""
    old = say([("add", {"a": 1, "b": 1}, "call_0")])
    history = [HumanMessage("before"), old, ToolMessage("2", tool_call_id="call_0"), "and now?"]
    agent = build([[("echo", {"text": "a"}, "call_0")], "done"], [add, echo])
    run = record(agent, given={"messages": history})
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]


@pytest.mark.parametrize("form", ["messages", "dicts"])
def test_calls_in_the_history_do_not_count(form: str):
    """A conversation that is handed in was not made by this run."""
    messages: list[Any] = [
        HumanMessage("add"),
        say([("add", {"a": 1, "b": 1}, "old")]),
        ToolMessage("2", tool_call_id="old"),
        AIMessage("2"),
        HumanMessage("echo"),
    ]
    function = {"name": "add", "arguments": '{"a": 1, "b": 1}'}
    dicts: list[Any] = [
        {"role": "user", "content": "add"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "old", "type": "function", "function": function}],
        },
        {"role": "tool", "content": "2", "tool_call_id": "old"},
        {"role": "assistant", "content": "2"},
        {"role": "user", "content": "echo"},
    ]
    agent = build([[("echo", {"text": "a"}, "c1")], "done"], [add, echo])
    run = record(agent, given={"messages": messages if form == "messages" else dicts})
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]
    assert [turn.content for turn in run.transcript.turns] == ["echo", "", "a", "done"]


def test_steps_number_the_turns_of_the_model():
    """Calls of one turn share a step; a turn without calls has a number too."""
    first = [("echo", {"text": "a"}, "c1"), ("echo", {"text": "b"}, "c2")]
    agent = create_agent(model(first, [("echo", {"text": "c"}, "c3")], "done"), [tool(echo)])
    run = record(agent)
    assert [call.metadata["step"] for call in run.calls] == [0, 0, 1]
    assert [[c.metadata["id"] for c in turn.tool_calls] for turn in run.transcript.turns] == [
        [],
        ["c1", "c2"],
        [],
        [],
        ["c3"],
        [],
        [],
    ]
