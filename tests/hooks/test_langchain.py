"""What the LangChain hook promises to the program of its user."""

from __future__ import annotations

import asyncio
import copy
import gc
import pickle
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from hooks.contract import MODES, Mode, add, echo, fail
from hooks.scripted_langchain import INPUT, brief, build, play
from langchain.agents import AgentState
from langchain_core.callbacks import BaseCallbackHandler, CallbackManager
from langchain_core.runnables import RunnableBinding, RunnableLambda
from langchain_core.tools import tool
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.pregel.remote import RemoteGraph

import toolscore
from toolscore_integrations.langchain import ToolscoreCallbackHandler, attach

ECHO_A = [("echo", {"text": "a"}, "c1")]
MADE = [("echo", {"text": "a"}, "ok", "executed", 1)]


def agent_of(*turns: Any) -> Any:
    return build(turns or [ECHO_A, "done"], [echo, add, fail])


class Heard(BaseCallbackHandler):
    """A handler of the user's."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def on_tool_start(self, *args: Any, **kwargs: Any) -> None:
        self.events.append("start")

    def on_tool_end(self, *args: Any, **kwargs: Any) -> None:
        self.events.append("end")


@pytest.mark.parametrize("mode", MODES)
def test_the_user_gets_what_the_agent_gives(mode: Mode):
    """The same messages, of the same classes."""
    plain, watched = play(agent_of(), mode), play(toolscore.watch(agent_of()), mode)
    assert [type(m) for m in watched["messages"]] == [type(m) for m in plain["messages"]]
    assert [m.content for m in watched["messages"]] == [m.content for m in plain["messages"]]


def test_a_watched_graph_is_still_a_graph():
    """Everything that a graph can do goes through."""
    watched = toolscore.watch(agent_of())
    assert isinstance(watched, CompiledStateGraph)
    assert "tools" in watched.get_graph().nodes
    assert list(watched.nodes) == list(agent_of().nodes)


def test_a_watched_graph_may_be_a_node_of_another():
    """Its runs are recorded there too, as the runs that they are for it."""
    watched = toolscore.watch(agent_of())
    builder = StateGraph(AgentState)
    builder.add_node("agent", watched.__wrapped__)
    builder.add_edge(START, "agent")
    builder.compile().invoke(INPUT)
    [run] = watched.runs
    assert brief(run) == MADE


@pytest.mark.parametrize("way", ["watch", "handler"])
@pytest.mark.parametrize("mode", MODES)
def test_handlers_of_the_user_hear_everything_once(mode: Mode, way: str):
    """Ours beside it changes nothing."""
    heard = Heard()
    agent: Any = toolscore.watch(agent_of())
    callbacks: list[Any] = [heard]
    if way == "handler":
        agent, callbacks = agent_of(), [ToolscoreCallbackHandler(), heard]
    play(agent, mode, callbacks=callbacks)
    assert heard.events == ["start", "end"]


@pytest.mark.parametrize("form", ["list", "manager"])
def test_handlers_that_are_bound_to_a_runnable_stay(form: str):
    """``with_config`` of a binding would replace them."""
    heard = Heard()
    bound: Any = [heard] if form == "list" else CallbackManager([heard], [heard])
    chain = RunnableLambda(lambda _: INPUT) | agent_of()
    watched = toolscore.watch(chain.with_config(callbacks=bound))
    assert isinstance(watched, RunnableBinding)
    watched.invoke("hi")
    assert heard.events == ["start", "end"]
    assert brief(watched.runs[0]) == MADE


def test_one_handler_given_twice_records_once():
    """Bound, in the config, and in a manager."""
    handler = ToolscoreCallbackHandler()
    agent = agent_of().with_config(callbacks=[handler])
    agent.invoke(INPUT, {"callbacks": [handler]})
    agent.invoke(INPUT, {"callbacks": CallbackManager([handler], [handler])})
    assert [brief(run) for run in handler.runs] == [MADE] * 2


def test_two_handlers_are_two_records():
    """Each complete."""
    handler = ToolscoreCallbackHandler(expected=["add"])
    watched = toolscore.watch(agent_of(), expected=["echo"])
    watched.invoke(INPUT, {"callbacks": [handler]})
    assert [brief(run) for run in (*watched.runs, *handler.runs)] == [MADE, MADE]
    assert (watched.score.passed, handler.score.passed) == (True, False)


def test_an_unwatched_agent_records_no_more():
    """What was recorded stays."""
    agent = agent_of()
    watched = toolscore.watch(agent)
    watched.invoke(INPUT)
    instrumented = watched.__wrapped__
    assert watched.unwatch() is agent
    instrumented.invoke(INPUT)
    agent.invoke(INPUT)
    assert len(watched.runs) == 1


def test_the_agent_itself_is_left_alone():
    """Watching makes a copy of its outermost object."""
    agent = agent_of()
    before = agent.config
    toolscore.watch(agent)
    assert agent.config == before


@pytest.mark.parametrize("thing", [object(), "text", RunnableLambda, add])
def test_what_is_no_runnable_is_not_ours(thing: Any):
    """Another hook may know it."""
    assert attach(thing, toolscore.Recorder()) is None


def test_a_graph_on_a_server_is_watched_with_a_warning():
    """Its tools run elsewhere, where no handler is."""
    with pytest.warns(toolscore.ToolscoreWarning, match="runs on a server") as warned:
        toolscore.watch(RemoteGraph("agent", url="http://127.0.0.1:9"))
    assert [warning.filename for warning in warned] == [__file__]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copied_agent_keeps_recording_into_the_same_record(copied: Any):
    """Its config carries the handler, which is never two."""
    handler = ToolscoreCallbackHandler()
    assert copied(handler) is handler
    watched = toolscore.watch(RunnableLambda(str.upper))
    assert copied(watched).invoke("hi") == "HI"
    assert len(watched.runs) == 1


def test_a_handler_in_another_process_has_an_empty_record():
    """Locks and open runs stay here."""
    handler = ToolscoreCallbackHandler(expected=["echo"])
    agent_of().invoke(INPUT, {"callbacks": [handler]})
    other = pickle.loads(pickle.dumps(handler))
    assert isinstance(other, ToolscoreCallbackHandler)
    assert other.runs == ()


def test_a_handler_is_inert_where_toolscore_is_disabled(monkeypatch: pytest.MonkeyPatch):
    """The environment switches it off."""
    monkeypatch.setenv("TOOLSCORE_DISABLED", "1")
    handler = ToolscoreCallbackHandler()
    agent_of().invoke(INPUT, {"callbacks": [handler]})
    assert handler.runs == ()
    assert "TOOLSCORE_DISABLED" in str(handler.score)


@pytest.mark.guarding
def test_what_goes_wrong_in_our_code_marks_the_run_and_not_the_users(
    caplog: pytest.LogCaptureFixture,
):
    """A value of the user's that raises when we look at it: the run goes on, and says so."""

    class Hostile:
        @property
        def messages(self) -> Any:
            raise LookupError("hands off")

    class State(AgentState[Any]):
        other: Any

    builder = StateGraph(State)
    builder.add_node("agent", agent_of())
    builder.add_node("odd", lambda _: {"other": Hostile()})
    builder.add_edge(START, "agent")
    builder.add_edge("agent", "odd")
    watched = toolscore.watch(builder.compile())
    assert isinstance(watched.invoke(INPUT)["other"], Hostile)
    [run] = watched.runs
    assert brief(run) == MADE
    assert (run.status, run.complete) == ("ok", False)
    assert "LookupError: hands off" in run.warnings[0]
    assert {record.name for record in caplog.get_records("call")} == {"toolscore"}


def alive() -> Counter[str]:
    """How many objects of the hook there are, by class."""
    gc.collect()
    kinds = [type(thing) for thing in gc.get_objects()]
    return Counter(
        kind.__qualname__ for kind in kinds if str(kind.__module__).startswith("toolscore_integ")
    )


def test_nothing_is_kept_of_runs_that_ended_or_were_left():
    """Errors, streams left early and cancellations included."""

    @tool
    async def forever() -> str:
        """Never return."""
        await asyncio.Event().wait()
        return "never"

    handler = ToolscoreCallbackHandler(max_runs=1)
    good = agent_of()
    bad = build([[("fail", {"text": "no"}, "c1")]], [fail], survives=False)
    slow = build([[("forever", {}, "c1")]], [forever])
    config: Any = {"callbacks": [handler]}
    before = alive()
    for _ in range(5):
        play(good, "sync", handler)
        play(good, "async", handler)
        with suppress(Exception):
            play(bad, "sync", handler)
        stream = good.stream(INPUT, config)
        next(stream)
        stream.close()
        with suppress(asyncio.TimeoutError):
            asyncio.run(asyncio.wait_for(slow.ainvoke(INPUT, config), 0.05))
    assert alive() == before
