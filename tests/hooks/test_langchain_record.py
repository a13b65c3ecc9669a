"""What is recorded of a run as a whole."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from hooks.contract import add, echo
from hooks.scripted_langchain import INPUT, brief, build, graph, model, play
from langchain.agents import AgentState, create_agent
from langchain_core.tools import tool
from langgraph.prebuilt import InjectedState

import toolscore

ECHO_A = [("echo", {"text": "a"}, "c1")]


def test_no_value_of_the_host_is_recorded():
    """Injected state and the state beside the messages may be secret."""

    class State(AgentState[Any]):
        token: str

    @tool
    def look(user: str, state: Annotated[Any, InjectedState]) -> str:
        """Look up."""
        return f"found {user}, {len(state['token'])}"

    asked = [("look", {"user": "ann"}, "c1")]
    agent = toolscore.watch(create_agent(model(asked, "done"), [look], state_schema=State))
    agent.invoke({**INPUT, "token": "very secret"})
    [run] = agent.runs
    assert brief(run) == [("look", {"user": "ann"}, "ok", "executed", 1)]
    assert "very secret" not in repr(run)
    assert run.input == {"messages": [["user", "hi"]]}


def test_a_run_says_what_it_was_about():
    """Input, answer, transcript, agent, framework, thread."""
    agent = toolscore.watch(build([ECHO_A, "done"], [echo], name="parrot"))
    agent.invoke(INPUT, {"configurable": {"thread_id": 7}})
    [run] = agent.runs
    assert (run.framework, run.agent, run.thread_id) == ("langchain", "parrot", "7")
    assert (run.status, run.output, run.complete, run.warnings) == ("ok", "done", True, ())
    spoken = [(turn.role.value, turn.content) for turn in run.transcript.turns]
    assert spoken == [("user", "hi"), ("assistant", ""), ("tool", "a"), ("assistant", "done")]
    [call] = run.calls
    assert (call.metadata["agent"], call.metadata["kind"]) == ("parrot", "function")
    assert call.timestamp is not None
    assert call.duration is not None


def test_a_huge_result_is_cut_and_said_to_be():
    """Nothing of the user's can fill the memory."""

    @tool
    def much() -> str:
        """Return much."""
        return "x" * 10_000

    agent = toolscore.watch(graph([[("much", {}, "c1")], "done"], [much]), max_value_bytes=100)
    play(agent)
    [run] = agent.runs
    [call] = run.calls
    assert len(call.result) <= 100
    assert call.metadata["truncated"] is True


def test_the_context_decides_whose_score_is_read():
    """Request A never reads the score of request B."""
    agent = toolscore.watch(build([ECHO_A, "done"], [echo, add]), expected=["echo"])

    async def request(good: bool) -> bool:
        watched = agent if good else agent.expecting(["add"])
        await watched.ainvoke(INPUT)
        return bool(watched.score.passed)

    async def both() -> list[bool]:
        return await asyncio.gather(request(True), request(False))

    assert asyncio.run(both()) == [True, False]
