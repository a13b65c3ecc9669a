"""What a middleware does between the model's request and the tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hooks.contract import MODES, Mode, echo, fail, flaky
from hooks.scripted_langchain import brief, build, model, record, refusal
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    LLMToolEmulator,
    ToolCallLimitMiddleware,
    ToolRetryMiddleware,
)
from langchain_core.messages import AIMessage, RemoveMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.graph.message import REMOVE_ALL_MESSAGES


class Wrap(AgentMiddleware[Any, Any]):
    """Handles a tool call by a function, in sync runs."""

    def __init__(self, wrapped: Callable[[Any, Callable[[Any], Any]], Any]) -> None:
        super().__init__()
        self._wrapped = wrapped

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return self._wrapped(request, handler)


ECHO_A = [("echo", {"text": "a"}, "c1")]


def wrapped(by: Callable[[Any, Callable[[Any], Any]], Any], *tools: Any) -> Any:
    return build([ECHO_A, "done"], tools or (echo,), middleware=[Wrap(by)])


@pytest.mark.parametrize("mode", MODES)
def test_attempts_of_one_request_are_one_call(mode: Mode):
    """Two failures and a success: the outcome is the last one."""
    retry = ToolRetryMiddleware(max_retries=3, initial_delay=0, jitter=False)
    turns = [[("unsteady", {"text": "a"}, "c1")], "done"]
    run = record(build(turns, [flaky(2)], middleware=[retry], survives=False), mode)
    assert brief(run) == [("unsteady", {"text": "a"}, "ok", "executed", 3)]
    [call] = run.calls
    assert (call.result, call.error) == ("a", None)


def test_a_retry_that_never_succeeds_is_one_failed_call():
    """With the error of the last attempt, and what the model was told."""
    retry = ToolRetryMiddleware(max_retries=1, initial_delay=0, jitter=False)
    turns = [[("fail", {"text": "no"}, "c1")], "done"]
    run = record(build(turns, [fail], middleware=[retry], survives=False))
    [call] = run.calls
    assert brief(run) == [("fail", {"text": "no"}, "error", "executed", 2)]
    assert (call.error, call.metadata["error_type"]) == ("no", "KaboomError")
    assert "fail" in call.metadata["model_visible_result"]


def test_a_call_answered_from_a_cache_is_synthesized():
    """It did not run; the model got an answer."""

    def cached(request: Any, handler: Any) -> Any:
        return ToolMessage("from the cache", tool_call_id=request.tool_call["id"])

    run = record(wrapped(cached))
    [call] = run.calls
    assert brief(run) == [("echo", {"text": "a"}, "ok", "synthesized", 0)]
    assert (call.result, call.duration, call.timestamp) == ("from the cache", None, None)


def test_a_call_that_a_model_plays_is_synthesized():
    """The emulator's own model is no turn of the agent."""
    emulator = LLMToolEmulator(tools=["echo"], model=model("played"))
    run = record(build([ECHO_A, "done"], [echo], middleware=[emulator]))
    assert brief(run) == [("echo", {"text": "a"}, "ok", "synthesized", 0)]
    assert run.calls[0].result == "played"
    assert [turn.content for turn in run.transcript.turns] == ["hi", "", "played", "done"]


def test_a_call_that_a_guardrail_refuses_is_rejected():
    """Answered with an error, without running."""

    def refuse(request: Any, handler: Any) -> Any:
        return refusal(request, "not allowed")

    run = record(wrapped(refuse))
    [call] = run.calls
    assert brief(run) == [("echo", {"text": "a"}, "error", "rejected", 0)]
    assert call.error == "not allowed"


def test_arguments_that_a_middleware_edits_are_those_that_ran():
    """What the model asked for is kept beside them."""

    def edit(request: Any, handler: Any) -> Any:
        call = {**request.tool_call, "args": {"text": "b"}}
        return handler(request.override(tool_call=call))

    [call] = record(wrapped(edit)).calls
    assert (call.args, call.result) == ({"text": "b"}, "b")
    assert call.metadata["requested_args"] == {"text": "a"}


def test_a_tool_that_a_middleware_redirects_to_is_the_one_that_ran():
    """The name that the model used is kept beside it."""

    @tool
    def shout(text: str) -> str:
        """Shout."""
        return text.upper()

    def redirect(request: Any, handler: Any) -> Any:
        call = {**request.tool_call, "name": "shout"}
        return handler(request.override(tool_call=call, tool=shout))

    [call] = record(wrapped(redirect, echo, shout)).calls
    assert (call.tool, call.result, call.metadata["requested_tool"]) == ("shout", "A", "echo")


def test_a_middleware_that_runs_the_tool_twice_makes_two_attempts():
    """One request, one call."""

    def twice(request: Any, handler: Any) -> Any:
        handler(request)
        return handler(request)

    assert brief(record(wrapped(twice))) == [("echo", {"text": "a"}, "ok", "executed", 2)]


def test_an_error_that_a_middleware_hides_is_still_an_error():
    """The model was told of a success; the tool failed."""

    def hide(request: Any, handler: Any) -> Any:
        try:
            return handler(request)
        except Exception:
            return ToolMessage("all is well", tool_call_id=request.tool_call["id"])

    turns = [[("fail", {"text": "no"}, "c1")], "done"]
    [call] = record(build(turns, [fail], middleware=[Wrap(hide)], survives=False)).calls
    assert (call.status, call.error) == ("error", "no")
    assert call.metadata["model_visible_result"] == "all is well"


def test_a_result_that_a_middleware_rewrites_stays_the_tools_own():
    """What the model saw is kept beside it."""

    def redact(request: Any, handler: Any) -> Any:
        handler(request)
        return ToolMessage("REDACTED", tool_call_id=request.tool_call["id"])

    [call] = record(wrapped(redact)).calls
    assert (call.result, call.metadata["model_visible_result"]) == ("a", "REDACTED")


def test_a_middleware_that_raises_leaves_the_call_not_executed():
    """The run ends by its error."""

    def burst(request: Any, handler: Any) -> Any:
        raise LookupError("no")

    run = record(build([ECHO_A, "done"], [echo], middleware=[Wrap(burst)], survives=False))
    assert brief(run) == [("echo", {"text": "a"}, "not_executed", "requested", 0)]
    assert (run.status, run.error_type) == ("error", "LookupError")


def test_calls_beyond_a_limit_are_rejected():
    """The limit answers before the allowed call does."""
    turn = [("echo", {"text": "a"}, "c1"), ("echo", {"text": "b"}, "c2")]
    limit = ToolCallLimitMiddleware(run_limit=1, exit_behavior="continue")
    run = record(build([turn, "done"], [echo], middleware=[limit]))
    assert brief(run) == [
        ("echo", {"text": "a"}, "ok", "executed", 1),
        ("echo", {"text": "b"}, "error", "rejected", 0),
    ]


def test_a_history_that_is_wiped_on_the_way_takes_no_call_along():
    """Summaries replace messages in the state, not in what happened."""

    class Wipe(AgentMiddleware[Any, Any]):
        def before_model(self, state: Any, runtime: Any) -> Any:
            calls = sum(isinstance(m, ToolMessage) for m in state["messages"])
            if calls < 2:
                return None
            kept = [RemoveMessage(id=REMOVE_ALL_MESSAGES), AIMessage("so far"), AIMessage("well")]
            return {"messages": kept}

    turns = [[("echo", {"text": t}, f"c{t}")] for t in "abc"]
    run = record(build([*turns, "done"], [echo], middleware=[Wipe()]))
    assert [call.args for call in run.calls] == [{"text": t} for t in "abc"]


def test_arguments_are_recorded_before_a_tool_can_change_them():
    """Tools with a plain JSON schema are handed the message's own lists."""
    schema = {
        "title": "spoil",
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "string"}}},
    }

    @tool(args_schema=schema)
    def spoil(items: list[str]) -> str:
        """Change the list."""
        items.append("changed")
        return "ok"

    agent = create_agent(model([("spoil", {"items": ["a"]}, "c1")], "done"), [spoil])
    [call] = record(agent).calls
    assert call.args == {"items": ["a"]}
    assert "requested_args" not in call.metadata
