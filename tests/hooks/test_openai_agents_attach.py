"""OpenAI Agents: attaching, attaching twice, letting go."""

from __future__ import annotations

import copy
import gc
import weakref
from typing import Any

import pytest
from agents import Agent, RunHooks, Runner
from agents.realtime import RealtimeAgent
from hooks.scripted_openai_agents import build, by_hooks, by_watch, outline, play
from hooks.seams_openai_agents import MADE, TURNS, echo, wrapped

import toolscore
from toolscore import Recorder, UnwatchableAgentError
from toolscore_integrations.openai_agents import ToolscoreRunHooks, attach

pytestmark = pytest.mark.usefixtures("restored")


def test_the_agent_is_left_alone() -> None:
    """Its fields are what they were; the proxy is an instance of its class."""
    agent = build(TURNS, [echo])
    before = dict(vars(agent))

    watched = toolscore.watch(agent)

    assert {name: value is before[name] for name, value in vars(agent).items()} == dict.fromkeys(
        before, True
    )
    assert isinstance(watched, Agent)
    assert watched.unwatch() is agent


def test_unwatch_restores_the_runner() -> None:
    """The last one that lets go leaves the SDK as it was; what was recorded stays readable."""
    one = by_watch(build(TURNS, [echo]), ["echo"])
    other = by_watch(build(TURNS, [echo]))
    one.play()

    one.recording.unwatch()
    assert wrapped()
    other.recording.unwatch()
    other.recording.unwatch()

    assert not wrapped()
    assert outline(one.run) == MADE
    assert one.recording.score


def test_an_unwatched_proxy_still_runs() -> None:
    """It records nothing more, while others are recorded and when nobody is."""
    recorded, other = by_watch(build(TURNS * 2, [echo])), by_watch(build(TURNS, [echo]))
    recorded.recording.unwatch()

    assert recorded.play().final_output == "done"
    other.recording.unwatch()
    assert recorded.play().final_output == "done"

    assert recorded.recording.runs == ()


def test_the_bare_agent_is_watched_too() -> None:
    """``toolscore.watch(agent)`` may stand alone: the runs reach the sinks."""
    agent, scores = build(TURNS, [echo]), []
    toolscore.watch(agent, ["echo"], on_score=scores.append)
    gc.collect()

    play(agent)

    [score] = scores
    assert score


def test_the_bare_agent_is_watched_until_it_is_gone() -> None:
    """Nothing keeps it alive, and its end is the end of the watch."""
    agent = build(TURNS, [echo])
    toolscore.watch(agent)
    alive = weakref.ref(agent)

    del agent
    gc.collect()

    assert alive() is None
    assert not wrapped()


def test_the_bare_agent_belongs_to_the_latest_watch() -> None:
    """Both proxies record their own runs."""
    agent = build(TURNS * 3, [echo])
    first = toolscore.watch(agent)
    second = toolscore.watch(agent)

    play(agent)
    play(first)
    play(second)

    assert (len(first.runs), len(second.runs)) == (1, 2)


def test_expecting_has_scores_of_its_own() -> None:
    """The bare agent stays with the plain watch."""
    agent = build(TURNS * 3, [echo])
    watched = toolscore.watch(agent, ["echo"])
    other = watched.expecting([])

    play(other)
    play(agent)
    play(watched)

    assert (len(watched.scores), len(other.scores)) == (2, 1)
    assert all(watched.scores)
    assert not other.score


def test_a_derived_watch_ends_with_its_proxy() -> None:
    """A test that asks for many expectations leaves nothing behind."""
    agent = build(TURNS, [echo])
    watched = toolscore.watch(agent)
    recorders = [weakref.ref(watched.expecting([]).toolscore.recorder) for _ in range(3)]
    gc.collect()

    assert [recorder() for recorder in recorders] == [None] * 3


def test_watch_and_hooks_at_once() -> None:
    """Two records, each complete, and each call once in both."""
    hooks = ToolscoreRunHooks(["echo"])
    recorded = by_watch(build(TURNS, [echo]), ["echo"], inner=hooks)

    recorded.play()

    [run] = hooks.runs
    assert outline(run) == outline(recorded.run) == MADE
    assert hooks.score
    assert recorded.recording.score


def test_hooks_inside_hooks() -> None:
    """Two handler objects are two records."""
    inner = ToolscoreRunHooks(["echo"])
    recorded = by_hooks(build(TURNS, [echo]), [], inner=inner)

    recorded.play()

    [run] = inner.runs
    assert outline(run) == outline(recorded.run) == MADE
    assert inner.score
    assert not recorded.recording.score


def test_hooks_let_go_with_the_object() -> None:
    """The SDK is restored when the last hooks object is gone."""
    hooks = ToolscoreRunHooks()
    assert wrapped()

    del hooks
    gc.collect()

    assert not wrapped()


def test_a_wrapper_of_someone_else_stays() -> None:
    """Another library that wraps what we wrapped: its wrapper stays, and ours does nothing."""
    original = vars(Runner)["run_sync"]
    recorded = by_watch(build(TURNS * 3, [echo]))
    ours = Runner.run_sync
    calls: list[Any] = []

    def theirs(cls: type, *args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        return ours(*args, **kwargs)

    wrapper = classmethod(theirs)
    Runner.run_sync = wrapper  # type: ignore[method-assign,assignment]
    try:
        recorded.play()
        recorded.recording.unwatch()
        recorded.play()
        assert vars(Runner)["run_sync"] is wrapper

        again = by_watch(recorded.agent.__wrapped__)
        again.play()
        again.recording.unwatch()
        assert vars(Runner)["run_sync"] is wrapper
    finally:
        Runner.run_sync = original
    assert (len(calls), len(recorded.recording.runs)) == (3, 1)
    assert outline(again.run) == MADE


@pytest.mark.parametrize("other", [RealtimeAgent(name="r"), object(), Agent, toolscore.session()])
def test_what_is_no_agent_of_this_framework(other: Any) -> None:
    """``attach`` leaves it to the next hook."""
    assert attach(other, Recorder()) is None


def test_a_class_is_no_agent() -> None:
    """The message says what to do."""
    with pytest.raises(UnwatchableAgentError, match="pass an object of it"):
        toolscore.watch(Agent)


@pytest.mark.parametrize("inner", [object(), RunHooks])
def test_hooks_that_are_none(inner: Any) -> None:
    """The message says what to write."""
    with pytest.raises(ValueError, match="ToolscoreRunHooks\\(inner=MyHooks\\(\\)\\)"):
        ToolscoreRunHooks(inner=inner)


@pytest.mark.parametrize("way", [by_watch, by_hooks])
def test_switched_off(way: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is wrapped, the run is as without us, and the score says why it is none."""
    monkeypatch.setenv("TOOLSCORE_DISABLED", "1")
    seen: list[str] = []

    class Mine(RunHooks[Any]):
        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            seen.append(tool.name)

    recorded = way(build(TURNS, [echo]), ["echo"], inner=Mine())

    assert recorded.play().final_output == "done"
    assert not wrapped()
    assert seen == ["echo"]
    assert recorded.recording.runs == ()
    assert "TOOLSCORE_DISABLED" in str(recorded.recording.score)


def test_the_agents_own_methods_through_the_proxy() -> None:
    """Clones and copies are the agent's own kind."""
    recorded = by_watch(build(TURNS, [echo]))

    assert type(recorded.agent.clone(name="x")) is Agent
    assert type(copy.copy(recorded.agent)) is Agent
