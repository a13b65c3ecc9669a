"""Agents inside agents, graphs inside graphs, and several agents in one run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hooks.contract import KaboomError, add, echo
from hooks.scripted_langchain import INPUT, brief, build, graph, model, record, say
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableLambda, RunnableParallel
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

import toolscore
from toolscore import Run


def inner(*texts: str, call_id: str = "i", name: str | None = None) -> Any:
    calls = [("echo", {"text": text}, f"{call_id}{n}") for n, text in enumerate(texts)]
    return build([calls, "inner done"], [echo], name=name)


def places(run: Run) -> list[tuple[str, int, str | None]]:
    """Tool, depth, and the tool that it was called in."""
    tools = {call.metadata["key"]: call.tool for call in run.calls}
    return [(c.tool, c.metadata["depth"], tools.get(str(c.metadata["parent"]))) for c in run.calls]


def ask_sync(q: str) -> str:
    """Ask the inner agent."""
    return str(inner("a", "b").invoke(INPUT)["messages"][-1].content)


async def ask_async(q: str) -> str:
    """Ask the inner agent."""
    return str((await inner("a", "b").ainvoke(INPUT))["messages"][-1].content)


WAYS = [(ask_sync, "sync"), (ask_sync, "async"), (ask_async, "async")]


@pytest.mark.parametrize(("ask", "mode"), WAYS)
def test_calls_of_an_agent_inside_a_tool_are_nested(ask: Any, mode: Any):
    """They belong to the tool's call, and are not scored by default."""
    run = record(build([[(ask.__name__, {"q": "x"}, "c1")], "done"], [ask]), mode)
    assert places(run) == [
        (ask.__name__, 0, None),
        ("echo", 1, ask.__name__),
        ("echo", 1, ask.__name__),
    ]
    assert {call.status for call in run.calls} == {"ok"}
    assert run.calls[0].metadata["kind"] == "agent"
    assert [call.tool for call in run.scored_calls()] == [ask.__name__]
    assert run.scored_calls(include=["nested"]) == run.calls


def test_parallel_agents_inside_tools_may_use_the_same_ids():
    """Each request belongs to the agent that it was made in."""

    @tool
    async def ask(q: str) -> str:
        """Ask the inner agent."""
        return str((await inner(q).ainvoke(INPUT))["messages"][-1].content)

    turn = [("ask", {"q": "a"}, "c1"), ("ask", {"q": "b"}, "c2")]
    run = record(build([turn, "done"], [ask]), "async")
    parents = {call.metadata["key"]: call.args["q"] for call in run.calls if call.tool == "ask"}
    nested = [call for call in run.calls if call.tool == "echo"]
    assert sorted(call.args["text"] for call in nested) == ["a", "b"]
    for call in nested:
        assert (call.status, call.result) == ("ok", call.args["text"])
        assert parents[call.metadata["parent"]] == call.args["text"]


def test_steps_of_nested_turns_differ_from_those_around_them():
    """Calls of one step have no order; calls of different agents are never of one step."""
    run = record(
        build(
            [[("ask_sync", {"q": "x"}, "c1")], [("echo", {"text": "z"}, "c2")], "done"],
            [ask_sync, echo],
        )
    )
    assert [(c.tool, c.metadata["step"]) for c in run.calls if not c.metadata["depth"]] == [
        ("ask_sync", 0),
        ("echo", 1),
    ]
    nested = {c.metadata["step"] for c in run.calls if c.metadata["depth"]}
    assert len(nested) == 1
    assert nested.isdisjoint({0, 1})


def test_a_tool_that_calls_a_tool_makes_a_nested_call_of_code():
    """No model asked for it."""

    @tool
    def outer(text: str) -> str:
        """Echo by another tool."""
        return str(tool(echo).invoke({"text": text}))

    run = record(build([[("outer", {"text": "a"}, "c1")], "done"], [outer]))
    assert brief(run) == [
        ("outer", {"text": "a"}, "ok", "executed", 1),
        ("echo", {"text": "a"}, "ok", "code", 1),
    ]
    assert places(run) == [("outer", 0, None), ("echo", 1, "outer")]


def test_an_agent_that_is_a_node_of_a_graph_is_not_nested():
    """Nor does the second one count again what the first one left in the state."""
    builder = StateGraph(MessagesState)
    builder.add_node("one", inner("a", name="one"))
    builder.add_node("two", inner("b", name="two"))
    builder.add_edge(START, "one")
    builder.add_edge("one", "two")
    # the scripted model counts its answers since the user spoke
    run = record(builder.compile())
    assert places(run)[0] == ("echo", 0, None)
    assert [call.args for call in run.calls] == [{"text": "a"}]
    assert run.calls[0].metadata["agent"] == "one"


def test_a_handoff_to_the_graph_around_is_a_handoff():
    """The tool's own graph ends by an exception that is none."""

    @tool
    def hand_over() -> Any:
        """Hand over."""
        message = ToolMessage("handed over", tool_call_id="c1")
        return Command(graph=Command.PARENT, goto="two", update={"messages": [message]})

    first = build([[("hand_over", {}, "c1")], "done"], [hand_over], survives=False)
    builder = StateGraph(MessagesState)
    builder.add_node("one", first, destinations=("two",))
    builder.add_node("two", lambda _: {"messages": [AIMessage("taken over")]})
    builder.add_edge(START, "one")
    run = record(builder.compile())
    [call] = run.calls
    assert brief(run) == [("hand_over", {}, "ok", "executed", 1)]
    assert (call.result, call.metadata["kind"]) == ("handed over", "handoff")
    assert (run.status, run.output) == ("ok", "taken over")


def test_a_call_that_a_node_writes_itself_is_of_the_framework():
    """A supervisor's ``transfer_back`` looks like a call, but no model asked for it."""

    def back(state: MessagesState) -> dict[str, Any]:
        asks = say([("transfer_back", {}, "t1")])
        return {"messages": [asks, ToolMessage("back", tool_call_id="t1")]}

    builder = StateGraph(MessagesState)
    builder.add_node("agent", inner("a"))
    builder.add_node("back", back)
    builder.add_edge(START, "agent")
    builder.add_edge("agent", "back")
    run = record(builder.compile())
    assert brief(run) == [
        ("echo", {"text": "a"}, "ok", "executed", 1),
        ("transfer_back", {}, "ok", "framework", 0),
    ]
    assert [call.tool for call in run.scored_calls()] == ["echo"]


def test_an_agent_that_is_tried_again_as_a_whole_keeps_every_attempt():
    """All that ran is recorded; the failure that a later try makes good counts as recovered."""
    left = [1]

    @tool
    def unsteady(text: str) -> str:
        """Fail once."""
        if left[0]:
            left[0] -= 1
            raise KaboomError("not yet")
        return text

    agent = build([[("unsteady", {"text": "a"}, "c1")], "done"], [unsteady], survives=False)
    run = record(agent.with_retry(wait_exponential_jitter=False))
    assert [call.status for call in run.calls] == ["error", "ok"]
    assert [call.metadata["attempts"] for call in run.calls] == [1, 1]
    assert run.status == "ok"


def test_agents_side_by_side_in_one_run_may_use_the_same_ids():
    """Ids are unique in one graph's run at most."""
    both = RunnableParallel(left=inner("a"), right=inner("b"))
    run = record(both)
    assert sorted((c.args["text"], c.result) for c in run.calls) == [("a", "a"), ("b", "b")]


def test_an_agent_inside_a_chain_is_one_run():
    """The outermost thing that is watched makes the run."""
    chain = RunnableLambda(lambda text: {"messages": [("user", text)]}) | inner("a")
    agent = toolscore.watch(chain)
    agent.invoke("hi")
    [run] = agent.runs
    assert brief(run) == [("echo", {"text": "a"}, "ok", "executed", 1)]
    assert (run.input, run.output) == ("hi", "inner done")


def test_a_model_inside_a_retriever_belongs_to_the_run():
    """A retriever is no tool, but what runs inside it is not a run of its own."""
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

    class Asking(BaseRetriever):
        def _get_relevant_documents(
            self, query: str, *, run_manager: CallbackManagerForRetrieverRun
        ) -> list[Document]:
            said = model("rephrased").invoke(query, {"callbacks": run_manager.get_child()})
            return [Document(str(said.content))]

    @tool
    def find(query: str) -> str:
        """Find."""
        return Asking().invoke(query)[0].page_content

    run = record(build([[("find", {"query": "a"}, "c1")], "done"], [find]))
    assert brief(run) == [("find", {"query": "a"}, "ok", "executed", 1)]
    assert run.calls[0].result == "rephrased"


def test_runs_at_the_same_time_are_separate():
    """64 of them, on one handler, in tasks."""
    agent = toolscore.watch(graph([[("add", {"a": 1, "b": 2}, "c1")], "done"], [add]))

    async def many() -> None:
        await asyncio.gather(*(agent.ainvoke(INPUT) for _ in range(64)))

    asyncio.run(many())
    assert [brief(run) for run in agent.runs] == [
        [("add", {"a": 1, "b": 2}, "ok", "executed", 1)]
    ] * 64
