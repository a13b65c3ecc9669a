"""LangChain's formats beyond the messages of one run: executors, streams, older dumps, pauses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from adapters import traces
from hooks.contract import echo
from hooks.scripted_langchain import as_tools, build, model
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_classic.agents import AgentExecutor, create_tool_calling_agent
from langchain_core.agents import AgentAction, AgentActionMessageLog, AgentFinish, AgentStep
from langchain_core.load import dumps
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    FunctionMessage,
    HumanMessage,
    ToolMessage,
    convert_to_openai_messages,
    message_to_dict,
    messages_to_dict,
)
from langchain_core.prompts import ChatPromptTemplate
from langgraph.checkpoint.memory import InMemorySaver

from toolscore import ToolCall
from toolscore.adapters import LangChainAdapter
from toolscore.adapters._formats import calls_of


def parse(trace: Any) -> list[ToolCall]:
    """The calls."""
    return LangChainAdapter().parse(trace)


ECHO = {"name": "echo", "args": {"text": "a"}, "id": "c1", "type": "tool_call"}


def executor() -> AgentExecutor:
    """An agent of before LangGraph, which calls two tools in one turn."""
    turns = [[("echo", {"text": "a"}, "c1"), ("echo", {"text": "b"}, "c2")], "done"]
    prompt = ChatPromptTemplate.from_messages(
        [("user", "{input}"), ("placeholder", "{agent_scratchpad}")]
    )
    tools = as_tools([echo])
    agent = create_tool_calling_agent(model(*turns), tools, prompt)
    return AgentExecutor(agent=agent, tools=tools, return_intermediate_steps=True)


def test_what_an_agent_executor_returns():
    """Its steps, as objects and dumped; calls of one turn are one step."""
    given = executor().invoke({"input": "hi"})
    dumped = json.loads(dumps(given))
    for trace in (given, given["intermediate_steps"], dumped):
        assert [(c.tool, c.args, c.result, c.metadata["step"]) for c in parse(trace)] == [
            ("echo", {"text": "a"}, "a", 0),
            ("echo", {"text": "b"}, "b", 0),
        ]
    assert len(calls_of(given)) == len(calls_of(dumped)) == 2


def test_the_stream_of_an_agent_executor_has_each_call_once():
    """It shows actions, then the same as steps, and messages about both."""
    chunks = list(executor().stream({"input": "hi"}))
    assert [(c.args, c.result) for c in parse(chunks)] == [
        ({"text": "a"}, "a"),
        ({"text": "b"}, "b"),
    ]


def test_actions_of_every_age():
    """Objects, dictionaries, the action and the input of a JSON agent."""
    actions = [
        AgentAction("a", {"x": 1}, "log"),
        AgentActionMessageLog(tool="b", tool_input="text", log="", message_log=[]),
        {"action": "c", "action_input": '{"x": 1}'},
        {"tool": "d", "tool_input": ""},
        {"tool": "e"},
        AgentStep(action=AgentAction("f", "42", ""), observation="1764"),
        AgentFinish({"output": "done"}, ""),
        {"action": "Final Answer", "action_input": "done"},
    ]
    assert [(c.tool, c.args, c.result) for c in parse(actions)] == [
        ("a", {"x": 1}, None),
        ("b", {"input": "text"}, None),
        ("c", {"x": 1}, None),
        ("d", {"input": ""}, None),
        ("e", {}, None),
        ("f", {"input": "42"}, "1764"),
    ]


def test_a_tool_that_there_is_not_among_the_steps():
    """The executor goes on, and tells the model."""
    said = "nope is not a valid tool, try one of [echo]."
    [call] = parse([(AgentAction("nope", {}, ""), said), ("user", "hi")])
    assert (call.status, call.error, call.metadata["origin"]) == ("error", said, "unknown_tool")


def test_calls_that_could_not_be_read_stay_with_their_turn():
    """Beside others, and never answered: nothing says that they were made."""
    [first, _, _] = parse(traces.LANGCHAIN)
    assert [bad["name"] for bad in first.metadata["invalid_tool_calls"]] == ["book"]


def test_a_call_that_could_not_be_read_counts_when_it_was_answered_or_stands_alone():
    """The agent went on with it, or had nothing else."""
    bad = {
        "name": "book",
        "args": '{"seat": 1',
        "id": "c3",
        "error": "cut",
        "type": "invalid_tool_call",
    }
    alone = [AIMessage("", invalid_tool_calls=[bad])]
    beside = [
        AIMessage("", tool_calls=[ECHO], invalid_tool_calls=[bad]),
        ToolMessage("malformed", tool_call_id="c3", status="error"),
    ]
    for trace in (alone, beside):
        call = parse(trace)[-1]
        assert (call.tool, call.args, call.status, call.error) == ("book", {}, "error", "cut")
        assert (call.metadata["raw_arguments"], call.metadata["origin"]) == (
            '{"seat": 1',
            "invalid_json",
        )


def test_messages_of_before_tool_calls():
    """Their calls are among the additional arguments, in OpenAI's words."""
    function = {"name": "f", "arguments": '{"x": 1}'}
    trace = [
        AIMessage("", additional_kwargs={"function_call": function}),
        FunctionMessage("one", name="f"),
        {"type": "ai", "data": {"content": "", "additional_kwargs": {
            "tool_calls": [{"id": "c", "type": "function", "function": function}]}}},
        {"type": "tool", "data": {"content": "two", "tool_call_id": "c"}},
    ]  # fmt: skip
    assert [(c.tool, c.args, c.result) for c in parse(trace)] == [
        ("f", {"x": 1}, "one"),
        ("f", {"x": 1}, "two"),
    ]


def test_messages_in_the_form_of_openai():
    """``convert_to_openai_messages`` loses which tool failed."""
    messages = [AIMessage("", tool_calls=[ECHO]), ToolMessage("a", tool_call_id="c1")]
    for trace in (
        convert_to_openai_messages(messages),
        [messages[0], *convert_to_openai_messages(messages[1:])],
    ):
        assert [(c.tool, c.result) for c in calls_of(trace)] == [("echo", "a")]


def test_a_message_in_pieces_is_one_message():
    """A stream of tokens, each with what LangGraph says beside it."""
    pieces = ['{"te', 'xt": ', '"a"}']
    chunks = [
        AIMessageChunk(
            "",
            id="m1",
            tool_call_chunks=[
                {
                    "name": None if number else "echo",
                    "args": piece,
                    "id": None if number else "c1",
                    "index": 0,
                    "type": "tool_call_chunk",
                }
            ],
        )
        for number, piece in enumerate(pieces)
    ]
    whole = chunks[0] + chunks[1] + chunks[2]
    for trace in (chunks, [(chunk, {"langgraph_node": "model"}) for chunk in chunks], [whole]):
        assert [(c.tool, c.args) for c in parse(trace)] == [("echo", {"text": "a"})]
        assert [(c.tool, c.args) for c in calls_of(trace)] == [("echo", {"text": "a"})]
    dumped = messages_to_dict(chunks)
    assert [(c.tool, c.args) for c in calls_of(dumped)] == [("echo", {"text": "a"})]


def test_the_stream_of_a_graph_with_graphs_inside():
    """Each piece stands with where it came from, and with the mode if there are several."""
    state: Any = {"messages": [("user", "hi")]}
    agent = build([[("echo", {"text": "a"}, "c1")], "done"], [echo])
    for options in (
        {"stream_mode": "updates", "subgraphs": True},
        {"stream_mode": ["values", "updates"]},
        {"stream_mode": ["values", "messages"], "subgraphs": True},
    ):
        trace = list(agent.stream(state, **options))
        assert [(c.tool, c.result) for c in parse(trace)] == [("echo", "a")]
        assert [(c.tool, c.result) for c in calls_of(trace)] == [("echo", "a")]
    inside = [(("tools:1",), {"model": {"messages": [AIMessage("", tool_calls=[ECHO])]}})]
    assert [c.tool for c in calls_of(inside)] == ["echo"]


def test_a_run_that_waits_for_a_person():
    """Its last calls wait, too: the state says so, and so does its snapshot."""
    pause = HumanInTheLoopMiddleware(interrupt_on={"echo": True})
    agent = build(
        [[("echo", {"text": "a"}, "c1")], "done"],
        [echo],
        middleware=[pause],
        checkpointer=InMemorySaver(),
    )
    config: Any = {"configurable": {"thread_id": "t"}}
    state = agent.invoke({"messages": [("user", "hi")]}, config)
    assert [(c.tool, c.status) for c in parse(state)] == [("echo", "interrupted")]
    assert [(c.tool, c.status) for c in parse([agent.get_state(config)])] == [
        ("echo", "interrupted")
    ]


def test_an_artifact_is_kept_beside_the_result():
    """What the tool gave to the program, and not to the model."""
    call = parse(traces.LANGCHAIN)[0]
    assert (call.result, call.metadata["artifact"]) == ("4C", {"kelvin": 277})


def test_what_could_not_be_dumped_is_not_passed_over():
    """LangChain writes that in its place; a run read without it would be another."""

    class Mine(HumanMessage):
        """Of a class that LangChain cannot dump."""

        @classmethod
        def is_lc_serializable(cls) -> bool:
            return False

    trace = json.loads(dumps([Mine("hi"), AIMessage("", tool_calls=[ECHO])]))
    with pytest.raises(ValueError, match="messages_to_dict"):
        parse(trace)


def test_one_message_is_a_trace():
    """As an object or dumped."""
    message = AIMessage("", tool_calls=[ECHO])
    for trace in (message, message_to_dict(message), message.model_dump()):
        assert [c.tool for c in calls_of(trace)] == ["echo"]


@pytest.mark.parametrize("trace", [None, 5, {}, [5], [{}], [{"x": 1}], [{"name": 5, "args": {}}]])
def test_what_is_no_trace_of_langchain(trace: Any):
    """A sentence says what was found."""
    with pytest.raises(ValueError, match=r"LangChainAdapter|tool call"):
        parse(trace)
