"""``watch``: which hook is asked, what the user gets back, how it ends."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from core.third_party import install, tinyagents

import toolscore
from toolscore import Recorder, ToolscoreWarning, UnwatchableAgentError

__all__ = ["tinyagents"]


def search(query: str) -> str:
    """Search."""
    return f"found {query}"


PLAN = [("search", {"query": "python"})]
EXPECTED = [{"tool": "search", "args": {"query": "python"}}]


def test_a_third_party_framework_is_watched(tinyagents: ModuleType):
    """Three lines of metadata and a hook: the agent is recorded and scored like any other."""
    agent = toolscore.watch(tinyagents.Agent([search]), EXPECTED)

    assert agent.run(PLAN) == ["found python"]

    [run] = agent.runs
    [call] = run.calls
    assert (call.tool, call.args, call.result) == ("search", {"query": "python"}, "found python")
    assert (run.framework, run.output) == ("tinyagents", "found python")
    assert run.input == [["search", {"query": "python"}]]
    assert agent.score
    assert agent.score.score == 1.0


def test_a_watched_agent_is_the_agent(tinyagents: ModuleType):
    """Class checks, attributes, repr and dir are those of the agent; ours are there besides."""
    plain = tinyagents.Agent([search])
    agent = toolscore.watch(plain)
    assert isinstance(agent, tinyagents.Agent)
    assert agent.tools is plain.tools
    assert repr(agent) == repr(plain)
    assert {"run", "score", "expecting", "toolscore"} <= set(dir(agent))
    agent.extra = 3
    assert plain.extra == 3
    with pytest.raises(AttributeError):
        agent.no_such_attribute  # noqa: B018 - the access is the test


def test_before_the_first_run_the_score_says_what_to_do(tinyagents: ModuleType):
    """Never None, never raising, and false."""
    agent = toolscore.watch(tinyagents.Agent([]), EXPECTED)
    assert not agent.score
    assert agent.score.basis == "not_scored"
    assert "run the object that watch() returned" in str(agent.score)
    assert (agent.scores, agent.runs) == ((), ())


def test_an_attribute_of_the_agents_own_wins(tinyagents: ModuleType):
    """Ours is then ``watched.toolscore.score``, and watch() says so once."""
    with pytest.warns(ToolscoreWarning, match="has its own score: read ours as watched.toolscore"):
        agent = toolscore.watch(tinyagents.Scored([search]), EXPECTED)
    agent.run(PLAN)
    assert agent.score == "mine"
    assert agent.toolscore.score.passed
    assert len(agent.runs) == 1


def test_a_callable_agent_stays_callable(tinyagents: ModuleType):
    """And one that is not does not become so."""
    agent = toolscore.watch(tinyagents.Callable([search]), EXPECTED)
    assert agent(PLAN) == ["found python"]
    assert agent.score
    assert not callable(toolscore.watch(tinyagents.Agent([])))


def test_expecting_has_scores_of_its_own(tinyagents: ModuleType):
    """The same agent under another expectation; sinks and limits are shared."""
    told: list[bool] = []
    agent = toolscore.watch(
        tinyagents.Agent([search]),
        EXPECTED,
        on_score=lambda result: told.append(result.passed),
        max_runs=2,
    )
    other = agent.expecting([], order="any")
    for _ in range(3):
        other.run(PLAN)
    assert not other.score
    assert len(other.scores) == 2
    assert told == [True, False] * 3


def test_watching_a_watched_agent_is_expecting(tinyagents: ModuleType):
    """No second proxy around the first."""
    plain = tinyagents.Agent([search])
    first = toolscore.watch(plain, EXPECTED)
    second = toolscore.watch(first, ["book"], max_runs=1)
    assert second.unwatch() is plain
    first.run(PLAN)
    assert first.score
    assert second.score.basis == "not_scored"


def test_unwatch_gives_the_agent_back(tinyagents: ModuleType):
    """Idempotent; what was recorded stays readable."""
    plain = tinyagents.Agent([search])
    agent = toolscore.watch(plain, EXPECTED)
    agent.run(PLAN)
    assert agent.unwatch() is plain
    assert agent.unwatch() is plain
    assert plain.listeners == []
    agent.run(PLAN)
    assert len(agent.runs) == 1


def test_copies_are_copies_of_the_agent(tinyagents: ModuleType):
    """copy, deepcopy and pickle do what they do to the agent itself."""
    plain = tinyagents.Agent([])
    agent = toolscore.watch(plain)
    agent.unwatch()
    assert type(copy.copy(agent)) is tinyagents.Agent
    assert type(copy.deepcopy(agent)) is tinyagents.Agent
    assert type(pickle.loads(pickle.dumps(agent))) is tinyagents.Agent


def test_an_unknown_agent_is_refused_with_what_to_type():
    """The message names the class, the hooks, the command."""
    with pytest.raises(UnwatchableAgentError) as caught:
        toolscore.watch(object())
    assert "No hook for builtins.object" in str(caught.value)
    assert "pip install 'toolscore-integrations[langchain]'" in str(caught.value)
    assert isinstance(caught.value, TypeError)


def test_a_class_in_place_of_an_agent(tinyagents: ModuleType):
    """A likely slip, answered with what to write."""
    with pytest.raises(UnwatchableAgentError, match=r"Agent is a class: pass an object of it"):
        toolscore.watch(tinyagents.Agent)


async def started() -> None:
    """A run that was started."""


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (None, "That is None"),
        ("agent", "That is a str"),
        ([], "That is a list"),
        (len, "len is a function"),
        (started(), "is a run that was started: watch the agent, then run it"),
    ],
    ids=str,
)
def test_a_likely_mistake_is_named(thing: object, words: str):
    """What is easily passed in place of an agent."""
    with pytest.raises(UnwatchableAgentError, match=words):
        toolscore.watch(thing)


def test_a_misspelt_option_is_recognised(tinyagents: ModuleType):
    """The message names the option that was meant, and the others."""
    with pytest.raises(ValueError, match=r"Did you mean 'expected'\? .*on_score"):
        toolscore.watch(tinyagents.Agent([]), expeced=["search"])
    with pytest.raises(ValueError, match="Did you mean 'any'"):
        toolscore.watch(tinyagents.Agent([]), order="unordered")


def test_a_failing_assertion_shows_why(tinyagents: ModuleType):
    """``assert agent.score`` prints the repr: it holds the verdict and the worst finding."""
    agent = toolscore.watch(
        tinyagents.Agent([search]), [{"tool": "search", "args": {"query": "a"}}]
    )
    assert "NOT SCORED" in repr(agent.score)
    agent.run(PLAN)
    assert "FAILED 0.50  search: query is 'python', expected 'a'" in repr(agent.score)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("tinyagents = toolscore_tinyagents:broken", "RuntimeError: this hook is broken"),
        ("tinyagents = toolscore_tinyagents:no_such_name", "AttributeError"),
        ("tinyagents = no_such_module:attach", "ModuleNotFoundError"),
        ("tinyagents = toolscore_tinyagents:not_mine", "Installed hooks: "),
    ],
)
def test_a_hook_that_does_not_attach_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, words: str
):
    """Broken, missing, or of another framework: the error says what each hook said."""
    framework = next(install(tmp_path, monkeypatch, entry))
    with pytest.raises(UnwatchableAgentError, match=words):
        toolscore.watch(framework.Agent([]))


async def asynchronous(result: object) -> None:
    """A sink that nothing would await."""


class AsyncCallable:
    """The same, as an object."""

    async def __call__(self, result: object) -> None: ...


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"on_score": asynchronous}, "nothing would await it"),
        ({"on_run": AsyncCallable()}, "nothing would await it"),
        ({"on_score": 3}, "on_score= takes a function"),
        ({"on_score": lambda: None}, "takes a function of one argument"),
        ({"max_runs": 0}, "max_runs= takes a whole number from 1"),
        ({"max_calls": True}, "max_calls= takes a whole number"),
        ({"max_value_bytes": "1"}, "max_value_bytes= takes"),
        ({"redact": "token"}, "redact="),
        ({"expected": asynchronous}, "not an async one"),
        ({"expected": "search"}, "search"),
        ({"expected": [{"args": {}}]}, "tool"),
        ({"order": "sorted"}, "order"),
        ({"no_such_option": 1}, "no_such_option"),
        ({"weights": {"selection_accuracy": -1}}, "weight"),
    ],
)
def test_a_wrong_option_is_refused_at_watch(
    tinyagents: ModuleType, options: dict[str, Any], words: str
):
    """Where the user can see it, not in the middle of a run."""
    with pytest.raises(ValueError, match=words):
        toolscore.watch(tinyagents.Agent([]), **options)


def test_switched_off(tinyagents: ModuleType, monkeypatch: pytest.MonkeyPatch):
    """``TOOLSCORE_DISABLED=1`` makes watch inert, and the score says why."""
    monkeypatch.setenv("TOOLSCORE_DISABLED", "1")
    plain = tinyagents.Agent([search])
    agent = toolscore.watch(plain, EXPECTED)
    assert agent.run(PLAN) == ["found python"]
    assert plain.listeners == []
    assert agent.runs == ()
    assert "TOOLSCORE_DISABLED" in str(agent.score)


def test_a_recorder_survives_copy_and_pickle():
    """A copied agent shares the record; another process gets an empty one."""
    recorder = Recorder(["a"], on_score=print)
    assert copy.deepcopy(recorder) is recorder
    assert copy.copy(recorder) is recorder
    other = pickle.loads(pickle.dumps(recorder))
    assert other.ended() == ()


def test_the_example_of_the_seed_for_the_expectation_by_input(tinyagents: ModuleType):
    """``expected=`` may be a function of the run's input; None from it scores behaviour."""

    def expected(plan: Any) -> Any:
        return [plan[0][0]] if plan else None

    agent = toolscore.watch(tinyagents.Agent([search]), expected)
    agent.run(PLAN)
    agent.run([])
    assert [result.basis for result in agent.scores] == ["expected", "behaviour"]
