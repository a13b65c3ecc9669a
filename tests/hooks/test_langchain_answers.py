"""Answers of a model that are thrown away, rewritten, not acted on, or are only a form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hooks.contract import add, echo
from hooks.scripted_langchain import brief, build, model, record
from langchain.agents.middleware import AgentMiddleware, ModelRetryMiddleware, hook_config
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import AIMessage
from pydantic import BaseModel

ECHO_A = [("echo", {"text": "a"}, "c1")]


class Answer(BaseModel):
    """The answer."""

    text: str


def test_the_form_of_a_structured_answer_is_no_call_that_counts():
    """LangChain asks for the answer as if it were a tool."""
    turns = [ECHO_A, [("Answer", {"text": "done"}, "c2")]]
    run = record(build(turns, [echo], response_format=ToolStrategy(Answer)))
    assert brief(run) == [
        ("echo", {"text": "a"}, "ok", "executed", 1),
        ("Answer", {"text": "done"}, "ok", "structured_output", 0),
    ]
    assert [call.tool for call in run.scored_calls()] == ["echo"]


def test_a_structured_answer_that_fails_to_parse_does_not_count_either():
    """The model tries again."""
    turns = [[("Answer", {"wrong": 1}, "c1")], [("Answer", {"text": "done"}, "c2")]]
    run = record(build(turns, [echo], response_format=ToolStrategy(Answer)))
    assert [call.metadata["origin"] for call in run.calls] == ["structured_output"] * 2
    assert run.scored_calls() == ()


def test_an_answer_that_a_middleware_throws_away_is_discarded():
    """Only the accepted answer was the agent's turn."""

    class SecondTry(AgentMiddleware[Any, Any]):
        def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
            handler(request)
            other = model([("add", {"a": 1, "b": 2}, "c2")], "done")
            return handler(request.override(model=other))

    run = record(build([ECHO_A, "done"], [echo, add], middleware=[SecondTry()]))
    assert brief(run) == [
        ("echo", {"text": "a"}, "not_executed", "discarded", 0),
        ("add", {"a": 1, "b": 2}, "ok", "executed", 1),
    ]
    assert [call.tool for call in run.scored_calls()] == ["add"]
    assert run.calls[1].metadata["step"] == 0


def test_a_model_that_is_tried_again_is_asked_once_as_far_as_calls_go():
    """Its failure is no turn."""

    class Flaky(AgentMiddleware[Any, Any]):
        failed = False

        def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
            if not self.failed:
                self.failed = True
                raise ConnectionError("no")
            return handler(request)

    again = ModelRetryMiddleware(max_retries=2, initial_delay=0, jitter=False)
    run = record(build([ECHO_A, "done"], [echo], middleware=[again, Flaky()]))
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]


class End(AgentMiddleware[Any, Any]):
    """Ends the run before the tools."""

    @hook_config(can_jump_to=["end"])
    def after_model(self, state: Any, runtime: Any) -> Any:
        return {"jump_to": "end"}


def test_a_run_that_ends_before_its_tools_leaves_them_not_executed():
    """Asked for, never run, never answered."""
    run = record(build([ECHO_A, "done"], [echo], middleware=[End()]))
    assert brief(run) == [("echo", {"text": "a"}, "not_executed", "requested", 0)]
    assert run.status == "ok"


def test_an_answer_that_a_middleware_rewrites_is_one_turn():
    """The message keeps its id; what ran differs from what the model asked for."""

    class Rewrite(AgentMiddleware[Any, Any]):
        def after_model(self, state: Any, runtime: Any) -> Any:
            last = state["messages"][-1]
            if not isinstance(last, AIMessage) or not last.tool_calls:
                return None
            calls = [{**last.tool_calls[0], "args": {"text": "b"}}]
            return {"messages": [last.model_copy(update={"tool_calls": calls})]}

    run = record(build([ECHO_A, "done"], [echo], middleware=[Rewrite()]))
    [call] = run.calls
    assert (call.args, call.metadata["requested_args"]) == ({"text": "b"}, {"text": "a"})
