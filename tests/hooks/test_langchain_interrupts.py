"""Runs that wait for a person, and the runs that go on with them."""

from __future__ import annotations

from typing import Any

import pytest
from hooks.contract import add, echo
from hooks.scripted_langchain import INPUT, brief, build, graph
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

import toolscore

CONFIG: dict[str, Any] = {"configurable": {"thread_id": "t1"}}
SEND = [("send", {"x": 1}, "c1")]


@tool
def send(x: int) -> str:
    """Send."""
    return f"sent {x}"


def asking(*turns: Any) -> Any:
    """An agent whose tool ``send`` needs a person's approval."""
    person = HumanInTheLoopMiddleware(interrupt_on={"send": True})
    return build(
        turns or [SEND, "done"], [send, echo], middleware=[person], checkpointer=InMemorySaver()
    )


def legs(agent: Any, *resumes: Any) -> Any:
    """Run until it waits, then go on with each of these; the session."""
    watched = toolscore.watch(agent, expected=[{"tool": "send"}])
    with watched.session() as session:
        watched.invoke(INPUT, CONFIG)
        for resume in resumes:
            watched.invoke(Command(resume=resume), CONFIG)
    return session


def decide(kind: str, **details: Any) -> dict[str, Any]:
    return {"decisions": [{"type": kind, **details}]}


EDITED = {"name": "send", "args": {"x": 77}}


def test_a_call_that_waits_for_approval_is_interrupted():
    """It did not fail and did not succeed, and the run is not over."""
    session = legs(asking())
    [run] = session.runs
    assert brief(run) == [("send", {"x": 1}, "interrupted", "requested", 0)]
    assert (run.status, run.error, run.thread_id) == ("interrupted", None, "t1")


@pytest.mark.parametrize(
    ("decision", "made", "result"),
    [
        (decide("approve"), ("send", {"x": 1}, "ok", "executed", 1), "sent 1"),
        (decide("edit", edited_action=EDITED), ("send", {"x": 77}, "ok", "executed", 1), "sent 77"),
        (decide("reject", message="no"), ("send", {"x": 1}, "error", "rejected", 0), "no"),
    ],
    ids=["approve", "edit", "reject"],
)
def test_what_a_person_decides_is_the_outcome(decision: Any, made: Any, result: str):
    """In the second run, and in the session as one call."""
    session = legs(asking(), decision)
    _, second = session.runs
    assert brief(second) == [made]
    assert result in second.calls[0].result
    assert brief(session.calls) == [made]
    assert second.status == "ok"


def test_what_a_person_edits_is_kept_beside_what_the_model_asked_for():
    """The person's arguments ran."""
    session = legs(asking(), decide("edit", edited_action=EDITED))
    assert session.calls[0].metadata["requested_args"] == {"x": 1}


def pausing() -> Any:
    @tool
    def send(x: int) -> str:
        """Send, once a person agrees."""
        return f"sent {x}: {interrupt('really?')}"

    return send


@pytest.mark.parametrize("builder", [build, graph], ids=["sent", "one ToolNode"])
def test_a_tool_that_asks_a_person_waits_and_is_then_finished(builder: Any):
    """The tool starts twice; the pause is no error, and the session has one call."""
    session = legs(builder([SEND, "done"], [pausing()], checkpointer=InMemorySaver()), "yes")
    first, second = session.runs
    assert brief(first) == [("send", {"x": 1}, "interrupted", "executed", 1)]
    assert brief(second) == [("send", {"x": 1}, "ok", "executed", 1)]
    [call] = session.calls
    assert (call.status, call.result, call.metadata["attempts"]) == ("ok", "sent 1: yes", 2)
    assert session.result.passed


@pytest.mark.parametrize("builder", [build, graph], ids=["sent", "one ToolNode"])
def test_the_sibling_of_a_tool_that_waits_counts_once(builder: Any):
    """What was finished in the first run does not come again in the second."""
    turn = [*SEND, ("add", {"a": 1, "b": 2}, "c2")]
    session = legs(builder([turn, "done"], [pausing(), add], checkpointer=InMemorySaver()), "yes")
    assert [(c.tool, c.status) for c in session.calls] == [("send", "ok"), ("add", "ok")]


@pytest.mark.parametrize("mode", ["invoke", "stream"])
def test_a_graph_that_stops_before_its_tools_waits(mode: str):
    """Nothing is raised then; LangGraph tells its own kind of handler."""
    agent = graph([SEND, "done"], [send], checkpointer=InMemorySaver(), interrupt_before=["tools"])
    watched = toolscore.watch(agent)
    with watched.session() as session:
        for given in (INPUT, None):
            if mode == "invoke":
                watched.invoke(given, CONFIG)
            else:
                list(watched.stream(given, CONFIG))
    first, second = session.runs
    assert brief(first) == [("send", {"x": 1}, "interrupted", "requested", 0)]
    assert first.status == "interrupted"
    assert brief(second) == [("send", {"x": 1}, "ok", "executed", 1)]
    assert second.status == "ok"
    assert len(session.calls) == 1


def test_a_second_question_on_a_thread_counts_only_its_own_calls():
    """The thread's state holds the first question's calls too."""
    agent = toolscore.watch(build([SEND, "done"], [send], checkpointer=InMemorySaver()))
    for _ in range(2):
        agent.invoke(INPUT, CONFIG)
    assert [brief(run) for run in agent.runs] == [[("send", {"x": 1}, "ok", "executed", 1)]] * 2


def test_two_pauses_of_one_call_are_one_call():
    """Each leg waits, the last one ends."""

    @tool
    def send(x: int) -> str:
        """Ask twice."""
        return f"{interrupt('first?')} {interrupt('second?')}"

    session = legs(build([SEND, "done"], [send], checkpointer=InMemorySaver()), "yes", "really")
    assert [run.status for run in session.runs] == ["interrupted", "interrupted", "ok"]
    [call] = session.calls
    assert (call.status, call.result) == ("ok", "yes really")


def test_an_inner_graph_that_waits_makes_the_run_wait():
    """A pause goes up through the graphs around it."""
    inside = build([SEND, "done"], [pausing()])

    @tool
    def ask() -> str:
        """Ask the inner agent."""
        return str(inside.invoke(INPUT)["messages"][-1].content)

    agent = build(
        [[("ask", {}, "o1")], "done"], [ask], checkpointer=InMemorySaver(), survives=False
    )
    watched = toolscore.watch(agent)
    with watched.session() as session:
        watched.invoke(INPUT, CONFIG)
        watched.invoke(Command(resume="yes"), CONFIG)
    first, _ = session.runs
    assert [c.tool for c in first.calls] == ["ask", "send"]
    assert {c.status for c in first.calls} == {"interrupted"}
    assert first.status == "interrupted"
    assert [(c.tool, c.status) for c in session.calls] == [("ask", "ok"), ("send", "ok")]
