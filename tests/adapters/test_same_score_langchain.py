"""A LangChain run scores the same live and from its own history, however that was dumped."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hooks.contract import add, echo, fail
from hooks.scripted_langchain import INPUT, build, graph
from langchain.agents.structured_output import ToolStrategy
from langchain_core.load import dumpd, dumps
from langchain_core.messages import messages_to_dict
from pydantic import BaseModel

import toolscore
from toolscore import Run, ToolCall, evaluate
from toolscore.adapters import LangChainAdapter
from toolscore.adapters._formats import calls_of


class Answer(BaseModel):
    """The answer."""

    text: str


DUMPS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "objects": lambda state: state["messages"],
    "state": lambda state: state,
    "messages_to_dict": lambda state: messages_to_dict(state["messages"]),
    "dumps": lambda state: json.loads(dumps(state["messages"])),
    "dumpd of the state": lambda state: dumpd({"messages": state["messages"]}),
    "model_dump": lambda state: [message.model_dump() for message in state["messages"]],
    "model_dump, json": lambda state: [
        json.loads(message.model_dump_json()) for message in state["messages"]
    ],
}

ECHO, ADD = ("echo", {"text": "a"}, "c1"), ("add", {"a": 1, "b": 2}, "c2")
SITUATIONS: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "one call": (lambda: build([[ECHO], "done"], [echo]), ["echo"]),
    "two in one turn, expected in the other order": (
        lambda: build([[ECHO, ADD], "done"], [echo, add]),
        ["add", "echo"],
    ),
    "two turns, expected in the other order": (
        lambda: build([[ECHO], [ADD], "done"], [echo, add]),
        ["add", "echo"],
    ),
    "wrong arguments": (
        lambda: build([[ECHO], "done"], [echo]),
        [{"tool": "echo", "args": {"text": "b"}}],
    ),
    "a failure, then a success": (
        lambda: build([[("fail", {"text": "a"}, "c1")], [ECHO], "done"], [fail, echo]),
        ["fail", "echo"],
    ),
    "an unknown tool": (
        lambda: build([[("nope", {"x": 1}, "c1")], "done"], [echo]),
        ["nope"],
    ),
    "arguments that are no JSON": (
        lambda: build([[("echo", '{"text": ', "c1")], "done"], [echo]),
        ["echo"],
    ),
    "arguments that are no JSON, beside others": (
        lambda: build([[ECHO, ("add", '{"a": ', "c2")], "done"], [echo, add]),
        ["echo", "add"],
    ),
    "an id that comes again in each turn": (
        lambda: build([[ECHO], [("echo", {"text": "b"}, "c1")], "done"], [echo]),
        ["echo", "echo"],
    ),
    "one id for two calls": (
        lambda: graph([[ECHO, ("echo", {"text": "b"}, "c1")], "done"], [echo]),
        ["echo", "echo"],
    ),
    "a form for the answer": (
        lambda: build(
            [[ECHO], [("Answer", {"wrong": 1}, "c2")], [("Answer", {"text": "done"}, "c3")]],
            [echo],
            response_format=ToolStrategy(Answer),
        ),
        ["echo"],
    ),
    "no call": (lambda: build(["done"], [echo]), []),
}


def outline(calls: tuple[ToolCall, ...]) -> list[tuple[Any, ...]]:
    """What a score is made of. The history of a failure holds what the model was told of it."""
    return [
        (c.tool, c.args, c.status, c.result if c.status == "ok" else None, c.metadata["step"])
        for c in calls
    ]


UNANSWERED = {"arguments that are no JSON, beside others"}
"""Only an agent that answers such a call says in its history that it counts."""


def answers(message: Any, call_id: str) -> bool:
    return getattr(message, "tool_call_id", None) == call_id


@pytest.mark.parametrize("dump", DUMPS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_history_scores_as_the_run_did(situation: str, dump: str):
    """Calls, ends, steps, score and verdict are those of the live run."""
    made, expected = SITUATIONS[situation]
    agent = toolscore.watch(made(), expected=expected)
    state = agent.invoke(INPUT)
    [run] = agent.runs
    if situation in UNANSWERED and not any(answers(m, "c2") for m in state["messages"]):
        pytest.skip("this version of create_agent leaves such a call unanswered")

    recorded = Run(tuple(LangChainAdapter().parse(DUMPS[dump](state))))

    assert outline(recorded.scored_calls()) == outline(run.scored_calls())
    result = evaluate(expected, recorded)
    assert (result.score, result.passed) == (agent.score.score, agent.score.passed)


@pytest.mark.parametrize("dump", DUMPS)
def test_the_format_of_each_dump_is_recognised(dump: str):
    """So ``load_trace`` needs no name for it."""
    agent = build([[ECHO], "done"], [echo])
    [call] = calls_of(DUMPS[dump](agent.invoke(INPUT)))
    assert (call.tool, call.args, call.result) == ("echo", {"text": "a"}, "a")


@pytest.mark.parametrize("mode", ["values", "updates", "messages"])
def test_the_stream_of_a_run_has_each_of_its_calls_once(mode: Any):
    """States repeat the messages of those before them, and messages come in pieces."""
    agent = build([[ECHO, ADD], [("echo", {"text": "b"}, "c3")], "done"], [echo, add])
    calls = LangChainAdapter().parse(list(agent.stream(INPUT, stream_mode=mode)))
    assert [(call.tool, call.status) for call in calls] == [
        ("echo", "ok"),
        ("add", "ok"),
        ("echo", "ok"),
    ]
