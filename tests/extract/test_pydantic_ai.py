"""pydantic-ai: runs of real agents with a scripted model, their messages and dumps, old and new."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

import toolscore
from toolscore import evaluate, from_pydantic_ai

pytestmark = pytest.mark.usefixtures("loop")


def agent(*turns: list[Any], **options: Any) -> Agent[None, Any]:
    """An agent whose model gives these turns, with two tools."""
    pending = iter(turns)

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=next(pending))

    made: Agent[None, Any] = Agent(FunctionModel(model), retries=5, **options)

    @made.tool_plain
    def search(query: str, n: int = 1) -> list[str]:
        return [f"{n} pages about {query}"]

    @made.tool_plain
    def weather(city: str) -> str:
        if city == "nowhere":
            raise ModelRetry("try another")
        return "18C"

    return made


def ask(tool: str, args: Any, call_id: str) -> ToolCallPart:
    return ToolCallPart(tool, args, call_id)


def test_a_run_gives_its_calls_with_results_and_failures():
    """Parallel calls, an unknown tool, a retry, arguments that are wrong or no JSON."""
    result = agent(
        [ask("search", {"query": "a"}, "c1"), ask("weather", '{"city": "Oslo"}', "c2")],
        [ask("nosuch", {"x": 1}, "c3")],
        [ask("weather", {"city": "nowhere"}, "c4"), ask("weather", {"city": 5}, "c5")],
        [ask("weather", '{"city": ', "c6")],
        [TextPart("done")],
    ).run_sync("hi")

    calls = from_pydantic_ai(result)

    found = [
        (c["id"], c["tool"], c["args"], c["metadata"]["status"], c["metadata"]["step"])
        for c in calls
    ]
    assert found == [
        ("c1", "search", {"query": "a"}, "ok", 0),
        ("c2", "weather", {"city": "Oslo"}, "ok", 0),
        ("c3", "nosuch", {"x": 1}, "error", 1),
        ("c4", "weather", {"city": "nowhere"}, "error", 2),
        ("c5", "weather", {"city": 5}, "error", 2),
        ("c6", "weather", {}, "error", 3),
    ]
    assert (calls[0]["result"], calls[1]["result"]) == (["1 pages about a"], "18C")
    assert (calls[2]["metadata"]["origin"], calls[2]["metadata"]["attempts"]) == ("unknown_tool", 0)
    assert calls[3]["error"] == "try another"
    assert calls[5]["metadata"]["raw_arguments"] == '{"city": '
    assert all(call["timestamp"] for call in calls)


def ways(result: Any) -> dict[str, Any]:
    """All forms in which a run is kept."""
    return {
        "result": result,
        "messages": result.all_messages(),
        "JSON": result.all_messages_json(),
        "JSON, parsed": json.loads(result.all_messages_json()),
    }


@pytest.mark.parametrize("way", ["result", "messages", "JSON", "JSON, parsed"])
def test_every_form_of_a_run_gives_the_same(way: str):
    """The result, its messages, their JSON; each is evaluated as it is."""
    result = agent([ask("search", {"query": "a"}, "c1")], [TextPart("done")]).run_sync("hi")
    source = ways(result)[way]

    [call] = from_pydantic_ai(source)

    assert (call["tool"], call["args"], call["result"]) == (
        "search",
        {"query": "a"},
        ["1 pages about a"],
    )
    if way != "JSON":
        assert toolscore.auto_extract(source) == [call]
        assert evaluate([{"tool": "search", "args": {"query": "a"}}], source).score == 1.0


def test_the_history_that_a_run_was_given_is_not_its_own():
    """Only the new messages are the run's."""
    first = agent([ask("search", {"query": "a"}, "c1")], [TextPart("done")]).run_sync("hi")
    second = agent([ask("weather", {"city": "Oslo"}, "c2")], [TextPart("done")]).run_sync(
        "and?", message_history=first.all_messages()
    )
    assert [call["tool"] for call in from_pydantic_ai(second)] == ["weather"]


class Answer(BaseModel):
    """What the agent is to give."""

    x: int


def test_the_tool_that_carries_the_answer_is_no_call():
    """And a call beside it, which was not run, is said to be that."""
    result = agent(
        [ask("search", {"query": "a"}, "c1")],
        [ask("final_result", {"x": 1}, "c2"), ask("weather", {"city": "Oslo"}, "c3")],
        output_type=Answer,
        end_strategy="early",
    ).run_sync("hi")

    search, final, weather = from_pydantic_ai(result)

    assert final["metadata"]["origin"] == "structured_output"
    assert evaluate(["search"], result, extra_calls="allow").trace_calls[0].tool == "search"
    assert [c.tool for c in evaluate(None, result).trace_calls] == ["search", "weather"]
    assert (weather["metadata"]["status"], weather["result"]) == ("not_executed", None)
    assert search["metadata"]["status"] == "ok"


def test_a_call_that_waits_for_approval_has_no_end():
    """The run ended with a request to the user."""
    made = agent([ask("pay", {"n": 1}, "c1")], output_type=[str, DeferredToolRequests])

    @made.tool_plain(requires_approval=True)
    def pay(n: int) -> str:
        return "paid"

    [call] = from_pydantic_ai(made.run_sync("hi"))
    assert (call["tool"], call["result"], call["is_error"]) == ("pay", None, False)
    assert "status" not in call["metadata"]


OLD = [
    {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "hi"}]},
    {"kind": "response", "model_name": "m", "timestamp": "2025-01-01T00:00:00Z", "parts": [
        {"part_kind": "text", "content": "hm"},
        {"part_kind": "tool-call", "tool_name": "a", "args": '{"x": 1}', "tool_call_id": "c1"},
        {"part_kind": "builtin-tool-call", "tool_name": "web_search", "args": {"q": "b"},
         "tool_call_id": "c2", "provider_name": "p"},
        {"part_kind": "builtin-tool-return", "tool_name": "web_search", "content": {"hits": 1},
         "tool_call_id": "c2"}]},
    {"kind": "request", "parts": [
        {"part_kind": "retry-prompt", "tool_name": "a", "tool_call_id": "c1",
         "content": [{"type": "missing", "loc": ["y"], "msg": "Field required"}]}]},
    {"kind": "response", "parts": [
        {"part_kind": "tool-call", "tool_name": "b", "args": {}, "tool_call_id": "c3"}]},
    {"kind": "request", "parts": [
        {"part_kind": "retry-prompt", "tool_name": "b", "tool_call_id": "c3",
         "content": "Unknown tool name: 'b'. Available tools: 'a'"},
        {"part_kind": "retry-prompt", "tool_name": None, "content": "Please answer."}]},
]  # fmt: skip


def test_messages_of_older_versions_are_read():
    """Failures came as retry prompts, the provider's tools were called builtin."""
    a, web, b = from_pydantic_ai(OLD)
    assert (a["args"], a["is_error"], a["timestamp"]) == ({"x": 1}, True, 1735689600.0)
    assert "Field required" in a["error"]
    assert (web["result"], web["metadata"]["origin"]) == ({"hits": 1}, "server")
    assert (b["metadata"]["origin"], b["is_error"]) == ("unknown_tool", True)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        ("success", "ok"), ("failed", "error"), ("denied", "error"), ("retried", "error"),
        ("interrupted", "cancelled"),
    ],
)  # fmt: skip
def test_the_outcome_of_a_return_is_the_status(outcome: str, status: str):
    """The words of pydantic-ai 2."""
    messages = [
        {"kind": "response", "parts": [
            {"part_kind": "tool-call", "tool_name": "a", "args": {}, "tool_call_id": "c"}]},
        {"kind": "request", "parts": [
            {"part_kind": "tool-return", "tool_name": "a", "content": "said", "tool_call_id": "c",
             "outcome": outcome}]},
    ]  # fmt: skip
    [call] = from_pydantic_ai(messages)
    assert (call["metadata"]["status"], call["is_error"]) == (status, status == "error")


@pytest.mark.parametrize(
    "source", [None, 3, "{", b"\xff", {}, [{}], [1], "3", {"kind": "request"}], ids=repr
)
def test_what_is_not_of_pydantic_ai_is_refused(source: Any):
    """Not read as a run without calls."""
    with pytest.raises(ValueError, match="from_pydantic_ai"):
        from_pydantic_ai(source)
