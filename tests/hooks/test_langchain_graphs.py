"""Graphs and scripts that are no ready-made agent."""

from __future__ import annotations

from typing import Any

import pytest
from hooks.contract import KaboomError, add, echo
from hooks.scripted_langchain import INPUT, brief, model, record, say
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.func import entrypoint, task
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

import toolscore
from toolscore_integrations.langchain import ToolscoreCallbackHandler

ECHO_A = ("echo", {"text": "a"}, "c1")


def nodes(**functions: Any) -> Any:
    """A graph that runs these nodes, one after the other."""
    builder = StateGraph(MessagesState)
    last = START
    for name, function in functions.items():
        builder.add_node(name, function)
        builder.add_edge(last, name)
        last = name
    return builder.compile()


def asks(state: MessagesState) -> dict[str, Any]:
    """A model's node."""
    return {"messages": [model([ECHO_A], "done").invoke(state["messages"])]}


def test_tools_that_a_node_runs_by_itself_are_synthesized():
    """Whether they ran cannot be seen; the answer can."""

    def run_by_hand(state: MessagesState) -> dict[str, Any]:
        last = state["messages"][-1]
        assert isinstance(last, AIMessage)
        [call] = last.tool_calls
        return {"messages": [ToolMessage(echo(**call["args"]), tool_call_id=call["id"])]}

    run = record(nodes(think=asks, tools=run_by_hand))
    assert brief(run) == [("echo", {"text": "a"}, "ok", "synthesized", 0)]
    assert run.calls[0].result == "a"


@pytest.mark.parametrize("with_id", [True, False])
def test_a_node_that_calls_the_tool_itself_makes_an_attempt_at_the_request(with_id: bool):
    """With the call, or with its arguments only."""

    def run_by_hand(state: MessagesState) -> dict[str, Any]:
        last = state["messages"][-1]
        assert isinstance(last, AIMessage)
        [call] = last.tool_calls
        result = tool(echo).invoke(call if with_id else call["args"])
        message = result if with_id else ToolMessage(result, tool_call_id=call["id"])
        return {"messages": [message]}

    run = record(nodes(think=asks, tools=run_by_hand))
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]
    assert run.calls[0].result == "a"


@pytest.mark.parametrize("form", ["message", "dict"])
def test_a_model_that_is_called_without_langchain_is_seen_in_its_nodes_update(form: str):
    """Requests come from there when no event of a model tells of them."""
    asked = {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "echo", "arguments": '{"text": "a"}'},
            }
        ],
    }

    def think(state: MessagesState) -> dict[str, Any]:
        if isinstance(state["messages"][-1], ToolMessage):
            return {"messages": [AIMessage("done")]}
        return {"messages": [say([ECHO_A]) if form == "message" else asked]}

    builder = StateGraph(MessagesState)
    builder.add_node("think", think)
    builder.add_node("tools", ToolNode([tool(echo)]))
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", tools_condition)
    builder.add_edge("tools", "think")
    run = record(builder.compile())
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]
    assert [turn.content for turn in run.transcript.turns] == ["hi", "", "a", "done"]


def test_a_node_that_gives_back_the_whole_state_repeats_no_call():
    """The same messages come along again and again."""
    run = record(
        nodes(
            think=asks,
            tools=ToolNode([tool(echo)]),
            tidy=lambda state: {"messages": state["messages"]},
            again=lambda state: {"messages": state["messages"]},
        )
    )
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]


def test_a_workflow_without_a_model_has_calls_of_code_that_count():
    """There is no request that they could answer."""
    run = record(nodes(work=lambda _: {"messages": [("user", tool(echo).invoke({"text": "a"}))]}))
    assert brief(run) == [("echo", {"text": "a"}, "ok", "code", 1)]
    assert [call.tool for call in run.scored_calls()] == ["echo"]


def test_calls_of_code_beside_those_of_a_model_do_not_count():
    """The model is what is scored, then."""

    def prepare(state: MessagesState) -> dict[str, Any]:
        tool(add).invoke({"a": 1, "b": 2})
        return {"messages": []}

    run = record(nodes(prepare=prepare, think=asks, tools=ToolNode([tool(echo)])))
    assert [call.tool for call in run.calls] == ["add", "echo"]
    assert [call.tool for call in run.scored_calls()] == ["echo"]


def test_an_entrypoint_of_the_functional_api_is_recorded():
    """It is a graph too."""

    @task
    def think(messages: list[Any]) -> AIMessage:
        return model([ECHO_A], "done").invoke(messages)

    @task
    def act(call: Any) -> ToolMessage:
        message = tool(echo).invoke(call)
        assert isinstance(message, ToolMessage)
        return message

    @entrypoint()
    def agent(messages: list[Any]) -> Any:
        answer = think(messages).result()
        results = [act(call).result() for call in answer.tool_calls]
        return think([*messages, answer, *results]).result()

    run = record(agent, given=[HumanMessage("hi")])
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]
    assert run.output == "done"


def test_an_answer_of_a_model_alone_is_a_request_that_nobody_ran():
    """Which tool it would choose can be scored all the same."""
    agent = toolscore.watch(model([ECHO_A]), expected=["echo"])
    agent.invoke("hi")
    [run] = agent.runs
    assert brief(run) == [("echo", {"text": "a"}, "not_executed", "requested", 0)]
    assert agent.score.score == 0.5


def test_a_script_that_calls_model_and_tools_by_hand_is_one_run():
    """No event encloses the others; the session does."""
    with toolscore.session(expected=["echo"]) as script:
        messages: list[Any] = [HumanMessage("hi")]
        asked = model([ECHO_A], "done").invoke(messages)
        results = [tool(echo).invoke(call) for call in asked.tool_calls]
        model([ECHO_A], "done").invoke([*messages, asked, *results])
    [run] = script.runs
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]
    assert [call.metadata["step"] for call in run.calls] == [0]
    assert run.framework == "langchain"
    assert script.result.passed


async def test_a_script_may_be_async():
    """The session belongs to the context."""
    with toolscore.session(expected=["echo"]) as script:
        asked = await model([ECHO_A]).ainvoke([HumanMessage("hi")])
        for call in asked.tool_calls:
            await tool(echo).ainvoke(call["args"])
    assert brief(script.calls) == [("echo", {"text": "a"}, "ok", "executed", 1)]


def test_a_script_that_tries_a_failed_call_again_makes_a_second_attempt():
    """One request, one call."""
    left = [1]

    @tool
    def unsteady(text: str) -> str:
        """Fail once."""
        if left[0]:
            left[0] -= 1
            raise KaboomError("no")
        return text

    with toolscore.session() as script:
        [call] = model([("unsteady", {"text": "a"}, "c1")]).invoke("hi").tool_calls
        with pytest.raises(KaboomError):
            unsteady.invoke(call["args"])
        unsteady.invoke(call["args"])
    assert brief(script.calls) == [("unsteady", {"text": "a"}, "ok", "executed", 2)]


def test_sessions_inside_sessions_see_what_happens_inside_them():
    """The outer one all, the inner one its own part."""
    echoing = tool(echo)
    with toolscore.session() as outer:
        echoing.invoke({"text": "a"})
        with toolscore.session() as inside:
            echoing.invoke({"text": "b"})
        echoing.invoke({"text": "c"})
    echoing.invoke({"text": "d"})
    assert [call.args for call in outer.calls] == [{"text": t} for t in "abc"]
    assert [call.args for call in inside.calls] == [{"text": "b"}]


def test_a_script_that_calls_nothing_has_no_run():
    """And its result says so."""
    with toolscore.session(expected=["echo"]) as script:
        RunnableLambda(str.upper)
    assert script.runs == ()
    assert script.result.basis == "not_scored"


def test_a_tool_that_is_called_with_a_text_has_that_text_as_input():
    """Its parameter's name is not told."""
    handler = ToolscoreCallbackHandler()
    assert tool(echo).invoke("a", {"callbacks": [handler]}) == "a"
    [run] = handler.runs
    assert brief(run) == [("echo", {"input": "a"}, "ok", "code", 1)]


def test_a_handler_on_a_tool_says_that_it_sees_only_a_part():
    """The model's requests are outside of it."""
    handler = ToolscoreCallbackHandler()
    echoing = tool(echo)
    echoing.callbacks = [handler]
    nodes(think=asks, tools=ToolNode([echoing])).invoke(INPUT)
    [run] = handler.runs
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]
    assert not run.complete
    assert "inside the agent" in run.warnings[0]


@pytest.mark.parametrize("langchain_tool", [True, False])
@pytest.mark.parametrize("langchain_model", [True, False])
def test_an_agent_that_is_all_in_one_node_has_its_calls(
    langchain_tool: bool, langchain_model: bool
):
    """The update holds question, answer and conclusion at once."""

    def agent(state: MessagesState) -> dict[str, Any]:
        asked: Any = say([ECHO_A])
        if langchain_model:
            asked = model([ECHO_A], "done").invoke(state["messages"])
        [call] = asked.tool_calls
        result = tool(echo).invoke(call["args"]) if langchain_tool else echo(**call["args"])
        answer = ToolMessage(result, tool_call_id=call["id"])
        return {"messages": [asked, answer, AIMessage("done")]}

    run = record(nodes(agent=agent))
    origin, attempts = ("executed", 1) if langchain_tool else ("synthesized", 0)
    assert brief(run) == [("echo", {"text": "a"}, "ok", origin, attempts)]


def test_one_turn_of_an_agent_in_a_node_is_no_structured_answer():
    """Though question and answer come in one update."""

    def step(state: MessagesState) -> dict[str, Any]:
        asked = model([ECHO_A], "done").invoke(state["messages"])
        [call] = asked.tool_calls
        return {"messages": [asked, ToolMessage(echo(**call["args"]), tool_call_id=call["id"])]}

    assert brief(record(nodes(step=step))) == [("echo", {"text": "a"}, "ok", "synthesized", 0)]
