"""OpenAI Agents: the user's program goes on as without us, and nothing of it is kept."""

from __future__ import annotations

from typing import Any

import pytest
from agents import Agent, RunHooks, UserError
from agents.lifecycle import AgentHooksBase, RunHooksBase
from hooks.scripted_openai_agents import WAYS, build, by_watch, outline, play

from toolscore_integrations.openai_agents import ToolscoreRunHooks, _leg

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])
EVENTS = [
    "on_agent_start",
    "on_llm_start",
    "on_llm_end",
    "on_tool_start",
    "on_tool_end",
    "on_handoff",
    "on_agent_end",
]


def echo(text: str) -> str:
    """Say it back."""
    return text


class KaboomError(Exception):
    """What the user's code raises here."""


def noting(names: list[str], seen: list[str], base: type, prefix: str = "") -> Any:
    """Hooks of the user's that note each event."""

    def method(name: str) -> Any:
        async def note(self: Any, *args: Any, **kwargs: Any) -> None:
            seen.append(prefix + name)

        return note

    return type("Noting", (base,), {name: method(name) for name in names})()


def handing_over() -> Agent[Any]:
    second = build(["done"], name="B")
    turns = [[("echo", {"text": "a"}, "c1")], [("transfer_to_b", {}, "h1")]]
    return build(turns, [echo], handoffs=[second])


@ways
@modes
def test_the_users_own_hooks_fire_as_without_us(way: Any, mode: str) -> None:
    """Each once per event, in their order; hooks on the agent too."""
    alone: list[str] = []
    play(handing_over(), mode, hooks=noting(EVENTS, alone, RunHooksBase))
    seen: list[str] = []
    agent_seen: list[str] = []
    agent = handing_over()
    agent.hooks = noting(["on_start", "on_tool_start", "on_tool_end"], agent_seen, AgentHooksBase)
    own = agent.hooks

    way(agent, inner=noting(EVENTS, seen, RunHooksBase)).play(mode)

    assert seen == alone
    assert set(seen) == set(EVENTS)
    assert agent_seen == ["on_start", "on_tool_start", "on_tool_end"]
    assert agent.hooks is own


@ways
@modes
@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_of_the_users_that_raises(way: Any, mode: str, event: str) -> None:
    """The run fails as without us, and what was called is recorded."""

    async def bad(self: Any, *args: Any, **kwargs: Any) -> None:
        raise KaboomError(event)

    def outcome(play_it: Any) -> tuple[type, str]:
        with pytest.raises((KaboomError, UserError)) as raised:
            play_it()
        return type(raised.value), str(raised.value)

    alone = outcome(
        lambda: play(handing_over(), mode, hooks=type("Bad", (RunHooksBase,), {event: bad})())
    )
    recorded = way(handing_over(), inner=type("Bad", (RunHooksBase,), {event: bad})())

    assert outcome(lambda: recorded.play(mode)) == alone
    run = recorded.run
    assert run.status == "error"
    asked = [] if event in ("on_agent_start", "on_llm_start") else ["echo"]
    assert [c.tool for c in run.calls][:1] == asked


@ways
@modes
def test_what_the_run_gives_back_is_the_same(way: Any, mode: str) -> None:
    """The result's type, its items, its last agent: the bare one."""
    turns = [[("echo", {"text": "a"}, "c1")], "done"]
    alone = play(build(turns, [echo]), mode)
    agent = build(turns, [echo])
    recorded = way(agent)

    result = recorded.play(mode)

    assert type(result) is type(alone)
    assert [type(item) for item in result.new_items] == [type(item) for item in alone.new_items]
    assert result.last_agent is agent
    assert result.to_input_list() == alone.to_input_list()


@ways
def test_the_model_is_asked_the_same(way: Any) -> None:
    """Not one item more or less."""
    turns = [[("echo", {"text": "a"}, "c1")], "done"]
    alone, watched = build(turns, [echo]), build(turns, [echo])
    play(alone)

    way(watched).play()

    assert watched.model.asked == alone.model.asked  # type: ignore[union-attr]


@ways
@modes
@pytest.mark.guarding
@pytest.mark.parametrize(
    "broken", ["llm_started", "llm_ended", "tool_started", "tool_ended", "began"]
)
def test_our_own_code_fails(
    way: Any, mode: str, broken: str, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """The run is unaffected, it is said once, and the record says that something may be missing."""

    class Broken:
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            raise KaboomError("ours")

    part = {
        "llm_started": "outputs_of",
        "llm_ended": "request_of",
        "tool_started": "get_current_span",
        "tool_ended": "failure_of",
        "began": "input_text",
    }[broken]
    monkeypatch.setattr(_leg, part, Broken())
    recorded = way(handing_over())

    assert recorded.play(mode).final_output == "done"

    run = recorded.run
    assert not run.complete
    assert any("KaboomError: ours" in warning for warning in run.warnings)
    errors = [r for r in caplog.get_records("call") if r.name == "toolscore"]
    assert len(errors) == 1


@ways
@pytest.mark.guarding
@pytest.mark.parametrize("part", ["open_leg", "Ending"])
def test_our_own_code_fails_around_the_run(
    way: Any, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening or closing the record must not break the run either."""
    from toolscore_integrations.openai_agents import _runner

    def broken(*args: Any, **kwargs: Any) -> Any:
        raise KaboomError("ours")

    monkeypatch.setattr(_runner, part, broken)
    recorded = way(handing_over())

    assert recorded.play().final_output == "done"


@ways
def test_sinks_are_told_after_the_run(way: Any) -> None:
    """One that raises is logged, and the run goes on."""
    told: list[Any] = []
    recorded = way(
        build([[("echo", {"text": "a"}, "c1")], "done"], [echo]), ["echo"], on_run=told.append
    )

    recorded.play()

    assert told == [recorded.run]


def test_hooks_in_a_place_of_the_users_own() -> None:
    """A dispatcher of the user's that calls ours: recorded, and the end of the run is inferred."""
    ours = ToolscoreRunHooks(["echo"])

    class Dispatch(RunHooks[Any]):
        async def on_llm_start(self, *args: Any) -> None:
            await ours.on_llm_start(*args)

        async def on_llm_end(self, *args: Any) -> None:
            await ours.on_llm_end(*args)

        async def on_tool_start(self, *args: Any) -> None:
            await ours.on_tool_start(*args)

        async def on_tool_end(self, *args: Any) -> None:
            await ours.on_tool_end(*args)

        async def on_agent_end(self, *args: Any) -> None:
            await ours.on_agent_end(*args)

    play(build([[("echo", {"text": "a"}, "c1")], "done"], [echo]), hooks=Dispatch())

    [run] = ours.runs
    assert outline(run) == [("echo", {"text": "a"}, "ok", "a")]
    assert ours.score


def test_a_watched_agent_that_nobody_runs() -> None:
    """The score says what to do."""
    recorded = by_watch(build(["done"]), ["echo"])

    assert recorded.recording.score.basis == "not_scored"
    assert not recorded.recording.score
