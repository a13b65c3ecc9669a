"""Kinds of LlamaIndex agents, models and tools."""

# without postponed annotations: the framework reads those of the tools as they are
from typing import Any

import pytest
from hooks.scripted_llama_index import build, run, scripted
from llama_index.core.agent.workflow import CodeActAgent, FunctionAgent, ReActAgent
from llama_index.core.query_engine import CustomQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import (
    BaseTool,
    QueryEngineTool,
    RetrieverTool,
    ToolMetadata,
    ToolOutput,
)

import toolscore
from toolscore_integrations.llama_index import ToolscoreEventHandler


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# the framework's own use of what it deprecates
pytestmark = pytest.mark.filterwarnings("ignore:is_running called:DeprecationWarning")

ADD = [("add", {"a": 1, "b": 2}, "c1")]


class Legacy(BaseTool):
    """A tool as they were written before there were asynchronous ones."""

    def __init__(self, fails: int = 0) -> None:
        self.fails = fails

    @property
    def metadata(self) -> ToolMetadata:
        return ToolMetadata(name="legacy", description="Old.")

    def __call__(self, input: Any) -> ToolOutput:  # noqa: A002 - the framework's name
        if self.fails:
            self.fails -= 1
            raise ValueError("not yet")
        text = f"<{input}>"
        return ToolOutput(tool_name="legacy", content=text, raw_input={}, raw_output=text)


def test_predict_and_call_tries_a_tool_twice_within_one_call():
    """The framework repeats a failed call of a tool that is no function: one request, one call."""
    with ToolscoreEventHandler() as handler:
        scripted([("legacy", {"input": "x"}, "c1")]).predict_and_call(
            [Legacy(fails=1)], user_msg="?"
        )

    [call] = handler.runs[0].calls
    assert (call.status, call.result, call.metadata["attempts"]) == ("ok", "<x>", 2)


def test_a_legacy_tool_is_one_call_although_it_is_three_spans():
    """The adapter that the agent puts around it is not a call of its own."""
    agent = toolscore.watch(build([[("legacy", {"input": "x"}, "c1")], "done"], [Legacy()]))

    run(agent)

    [call] = agent.runs[0].calls
    assert (call.args, call.result, call.metadata["attempts"]) == ({"input": "x"}, "<x>", 1)


def test_a_query_engine_as_a_tool_keeps_the_models_arguments():
    """Its result is an object; the text that the model was shown stands beside it."""

    class Engine(CustomQueryEngine):
        def custom_query(self, query_str: str) -> str:
            return f"about {query_str}"

    engine = QueryEngineTool.from_defaults(Engine(), name="ask", description="Ask.")
    agent = toolscore.watch(build([[("ask", {"input": "what"}, "c1")], "done"], [engine]))

    run(agent)

    [call] = agent.runs[0].calls
    assert call.args == {"input": "what"}
    assert call.result["response"] == "about what"
    assert call.metadata["model_visible_result"] == "about what"


def test_a_retriever_as_a_tool_keeps_the_models_arguments():
    """The framework's own raw input is a text made of them; its result is a list of nodes."""

    class Shelf(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [NodeWithScore(node=TextNode(text=f"on {query_bundle.query_str}"), score=1.0)]

    tool = RetrieverTool.from_defaults(Shelf(), name="find", description="Find.")
    agent = toolscore.watch(build([[("find", {"input": "what"}, "c1")], "done"], [tool]))

    run(agent)

    [call] = agent.runs[0].calls
    assert (call.args, call.status, call.metadata["attempts"]) == ({"input": "what"}, "ok", 1)
    [node] = call.result
    assert node["score"] == 1.0
    assert "what" in node["node"]["text"]
    assert "what" in call.metadata["model_visible_result"]


def test_a_react_agent_has_no_ids_and_recovers_from_bad_text():
    """Its ids are the framework's invention; a text that is no action is a turn without a call."""
    turns = iter(
        [
            "Thought: I need a tool.\nAction: add\nAction Input: {'a': 1,, ",
            'Thought: I need a tool.\nAction: add\nAction Input: {"a": 1, "b": 2}',
            "Thought: I can answer.\nAnswer: 3",
        ]
    )
    llm = scripted(lambda: next(turns))
    agent = toolscore.watch(ReActAgent(tools=[add], llm=llm, streaming=False), expected=["add"])

    run(agent)

    [recorded] = agent.runs
    [call] = recorded.calls
    assert (call.args, call.result, call.metadata["id"]) == ({"a": 1, "b": 2}, 3, None)
    assert recorded.output == "3"
    assert agent.score


def test_the_code_of_a_code_agent_is_one_call_and_its_functions_are_not_seen():
    """The run says so."""
    turns = iter(["<execute>print(add(1, 2))</execute>", "done"])
    agent = toolscore.watch(
        CodeActAgent(
            code_execute_fn=lambda code: code and "3",
            tools=[add],
            llm=scripted(lambda: next(turns)),
            streaming=False,
        )
    )

    run(agent)

    [recorded] = agent.runs
    assert [(c.tool, c.args) for c in recorded.calls] == [("execute", {"code": "print(add(1, 2))"})]
    assert not recorded.complete
    assert "CodeActAgent" in recorded.warnings[0]


@pytest.mark.parametrize("streaming", [True, False])
def test_the_tokens_of_all_turns_are_added_up(streaming: bool):
    """From the models' events; an ``achat`` that calls ``chat`` tells of each turn twice."""
    llm = scripted(ADD, "done", counts={"prompt_tokens": 5, "completion_tokens": 2})
    agent = toolscore.watch(FunctionAgent(tools=[add], llm=llm, streaming=streaming))

    run(agent)

    assert agent.runs[0].usage == toolscore.Usage(2, 10, 4, 14)
