"""What providers put into answers besides text: server-side tools, tokens, offered tools."""

from __future__ import annotations

from typing import Any

import pytest
from hooks.contract import echo
from hooks.scripted_langchain import INPUT, brief, build, model, record
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

import toolscore
from toolscore import Usage

SEARCH = {"query": "python"}
ANTHROPIC = [
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": SEARCH},
    {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"title": "Python"}]},
    {"type": "text", "text": "done"},
]
STANDARD = [
    {"type": "server_tool_call", "id": "s1", "name": "web_search", "args": SEARCH},
    {"type": "server_tool_result", "tool_call_id": "s1", "output": [{"title": "Python"}]},
]
OPENAI = [
    {
        "type": "web_search_call",
        "id": "s1",
        "status": "completed",
        "action": {**SEARCH, "sources": ["x"]},
        "results": [{"title": "Python"}],
    }
]


@pytest.mark.parametrize("blocks", [ANTHROPIC, STANDARD, OPENAI], ids=["anthropic", "v1", "openai"])
def test_a_tool_that_the_provider_runs_is_recorded_and_not_scored(blocks: Any):
    """Nothing tells of it but the content of the answer."""
    run = record(build([AIMessage(blocks)], [echo]))
    [call] = run.calls
    assert brief(run) == [("web_search", SEARCH, "ok", "server", 1)]
    assert call.result == [{"title": "Python"}]
    assert (call.metadata["id"], call.metadata["kind"]) == ("s1", "hosted")
    assert (call.duration, call.timestamp) == (None, None)
    assert run.scored_calls() == ()
    assert run.scored_calls(include=["server"]) == run.calls


FAILED = [
    {"type": "server_tool_use", "id": "s1", "name": "code_execution", "input": {"code": "1/0"}},
    {
        "type": "code_execution_tool_result",
        "tool_use_id": "s1",
        "content": {"type": "code_execution_tool_result_error", "error_code": "unavailable"},
    },
]


@pytest.mark.parametrize(
    ("blocks", "made"),
    [
        (FAILED, ("code_execution", {"code": "1/0"}, "error", "server", 1)),
        (
            [{"type": "mcp_call", "id": "m1", "name": "ask", "arguments": "{}", "output": "yes"}],
            ("ask", {}, "ok", "server", 1),
        ),
        (
            [
                {
                    "type": "image_generation_call",
                    "id": "g1",
                    "status": "completed",
                    "result": "aGk=",
                }
            ],
            ("image_generation", {}, "ok", "server", 1),
        ),
        (
            [{"type": "file_search_call", "id": "f1", "status": "in_progress", "queries": ["a"]}],
            ("file_search", {"queries": ["a"]}, "unfinished", "server", 0),
        ),
        (
            [
                {"type": "executable_code", "executable_code": "1", "language": "python"},
                {"type": "code_execution_result", "code_execution_result": "1", "outcome": 1},
            ],
            ("code_interpreter", {"code": "1", "language": "python"}, "ok", "server", 1),
        ),
    ],
    ids=["failed", "mcp", "image", "unfinished", "gemini"],
)
def test_each_kind_of_server_side_call_is_read(blocks: Any, made: Any):
    """Every provider has its own blocks; whether a result came is part of the outcome."""
    assert brief(record(build([AIMessage(blocks)], [echo]))) == [made]


def test_the_tokens_of_all_models_are_added_up():
    """A copy of an answer out of a cache costs nothing."""
    tokens: Any = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    asked = AIMessage(
        "", tool_calls=[{"name": "echo", "args": {"text": "a"}, "id": "c1"}], usage_metadata=tokens
    )
    cached = AIMessage("done", usage_metadata={**tokens, "total_cost": 0})  # type: ignore[typeddict-unknown-key]
    run = record(build([asked, cached], [echo]))
    assert run.usage == Usage(1, 7, 3, 10)


def test_a_run_without_token_counts_has_no_usage():
    """Unknown is not zero."""
    assert record(build(["done"], [echo])).usage is None


@pytest.mark.parametrize("way", ["graph", "model"])
def test_the_schemas_of_the_tools_are_known(way: str):
    """From the graph that is watched, or from what the model was offered."""
    agent = build(["done"], [echo]) if way == "graph" else _offering()
    run = record(agent, given=INPUT if way == "graph" else "hi")
    assert list(run.tools) == ["echo"]
    assert run.tools["echo"]["properties"]["text"]["type"] == "string"


class Offering(BaseChatModel):
    """A model that is told of its tools, as those of providers are."""

    @property
    def _llm_type(self) -> str:
        return "offering"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        function = {"name": "echo", "parameters": schema}
        return self.bind(tools=[{"type": "function", "function": function}], **kwargs)

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        answers = {"name": "Answer", "args": {"text": "a"}, "id": "c1"}
        message = AIMessage("", tool_calls=[answers])
        return ChatResult(generations=[ChatGeneration(message=message)])


def _offering() -> Any:
    return Offering().bind_tools([tool(echo)])


def test_the_schema_of_a_structured_answer_is_no_call_that_counts():
    """``with_structured_output`` asks for the answer as if it were a tool."""
    schema = {"title": "Answer", "description": "x", "type": "object", "properties": {}}
    run = record(Offering().with_structured_output(schema), given="hi")
    assert brief(run) == [("Answer", {"text": "a"}, "ok", "structured_output", 0)]
    assert run.scored_calls() == ()


def test_a_model_by_itself_may_be_watched():
    """The simplest runnable that asks for calls."""
    watched = toolscore.watch(model("hello"))
    assert watched.invoke("hi").content == "hello"
    [run] = watched.runs
    assert (run.output, run.status) == ("hello", "ok")
