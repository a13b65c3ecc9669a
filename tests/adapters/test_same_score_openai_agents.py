"""A run of the OpenAI Agents SDK scores the same live and from what the SDK gives back."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest
from agents import Agent
from hooks.contract import add, echo, fail
from hooks.scripted_openai_agents import ScriptedModel, build, by_watch

from toolscore import Run, ToolCall, evaluate
from toolscore.adapters import OpenAIAdapter
from toolscore.adapters._formats import calls_of

DUMPS: dict[str, Callable[[Any], Any]] = {
    "to_input_list": lambda result: result.to_input_list(),
    "to_input_list, as JSON": lambda result: json.loads(json.dumps(result.to_input_list())),
    "new_items": lambda result: result.new_items,
    "the result": lambda result: result,
}

ECHO, ADD = ("echo", {"text": "a"}, "c1"), ("add", {"a": 1, "b": 2}, "c2")


def with_handoff() -> Agent[Any]:
    """An agent that hands over to one that calls a tool."""
    other = build([[ECHO], "done"], [echo], name="other")
    return build([[("transfer_to_other", {}, "h1")]], [], handoffs=[other])


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
        lambda: build([[("fail", {"text": "a"}, "c0")], [ECHO], "done"], [fail, echo]),
        ["fail", "echo"],
    ),
    "arguments that are no JSON": (
        lambda: build([[("echo", '{"text": ', "c1")], "done"], [echo]),
        ["echo"],
    ),
    "a handoff that nobody expects": (with_handoff, ["echo"]),
    "a handoff that is expected": (with_handoff, ["transfer_to_other", "echo"]),
    "no call": (lambda: build(["done"], [echo]), []),
}


def outline(calls: tuple[ToolCall, ...]) -> list[tuple[Any, ...]]:
    """What a score is made of. The history of a failure holds what the model was told of it."""
    return [
        (c.tool, c.args, c.status, c.result if c.status == "ok" else None, c.metadata["step"])
        for c in calls
    ]


@pytest.mark.parametrize("dump", DUMPS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_history_scores_as_the_run_did(situation: str, dump: str):
    """Calls, ends, steps, score and verdict are those of the live run."""
    made, expected = SITUATIONS[situation]
    recorded = by_watch(made(), expected)
    result = recorded.play()

    history = Run(tuple(OpenAIAdapter().parse(DUMPS[dump](result))))

    live = recorded.run.scored_calls(expected)
    assert outline(history.scored_calls(expected)) == outline(live)
    score, verdict = evaluate(expected, history), recorded.recording.score
    assert (score.score, score.passed) == (verdict.score, verdict.passed)


@pytest.mark.parametrize("dump", ["to_input_list", "to_input_list, as JSON", "new_items"])
def test_the_format_of_each_dump_is_recognised(dump: str):
    """So ``load_trace`` needs no name for it."""
    result = by_watch(build([[ECHO], "done"], [echo])).play()
    [call] = calls_of(DUMPS[dump](result))
    assert (call.tool, call.args, call.result) == ("echo", {"text": "a"}, "a")


def test_saved_responses_give_the_calls_that_the_model_asked_for():
    """Each response is a step; what the tools answered is not in them, and not made up."""
    recorded = by_watch(build([[ECHO, ADD], [("echo", {"text": "b"}, "c3")], "done"], [echo, add]))
    saved = [dataclasses.asdict(response) for response in recorded.play().raw_responses]

    calls = OpenAIAdapter().parse(saved)

    assert [(c.tool, c.args, c.status, c.metadata["step"]) for c in calls] == [
        ("echo", {"text": "a"}, None, 0),
        ("add", {"a": 1, "b": 2}, None, 0),
        ("echo", {"text": "b"}, None, 1),
    ]
    expected = ["echo", "add", "echo"]
    assert evaluate(expected, calls).score == evaluate(expected, recorded.run).score == 1.0


def test_what_the_run_was_given_is_not_called_again():
    """The input of a run may hold the calls of an earlier one; the result's items are its own."""
    first = by_watch(build([[ECHO], "done"], [echo])).play()
    history = [*first.to_input_list(), {"role": "user", "content": "once more"}]
    agent = build([[ADD], "done"], [add])
    second = by_watch(agent).play(text=history)
    assert [call.tool for call in OpenAIAdapter().parse(second)] == ["add"]


def test_the_scripted_model_is_the_sdks_own_loop():
    """Guards the other tests: the loop asked the model twice."""
    agent = build([[ECHO], "done"], [echo])
    by_watch(agent).play()
    assert isinstance(agent.model, ScriptedModel)
    assert len(agent.model.asked) == 2
