"""OpenAI Agents: other ways to call ``Runner``, and other hands that hold our hooks."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
from typing import Any

import pytest
from agents import Runner
from hooks.scripted_openai_agents import build, by_watch, outline, play
from hooks.seams_openai_agents import MADE, NAMES, TURNS, echo

import toolscore
from toolscore_integrations.openai_agents import ToolscoreRunHooks

pytestmark = pytest.mark.usefixtures("restored")


def test_a_runner_reference_from_before() -> None:
    """``watch`` cannot see such a run; the score says that none has ended."""
    run_sync = Runner.run
    recorded = by_watch(build(TURNS, [echo]), ["echo"])

    asyncio.run(run_sync(recorded.agent, "hi"))

    assert recorded.recording.runs == ()
    assert recorded.recording.score.basis == "not_scored"


@pytest.mark.parametrize("fails", [False, True])
def test_hooks_with_a_runner_reference_from_before(fails: bool) -> None:
    """The hooks themselves record it; its end is inferred, or not seen, and the run says so."""
    run = Runner.run
    turns = [TURNS[0], RuntimeError("model down")] if fails else TURNS
    hooks = ToolscoreRunHooks(["echo"])

    async def main() -> None:
        await run(build(turns, [echo]), "hi", hooks=hooks)

    try:
        asyncio.run(main())
    except RuntimeError:
        assert fails

    [record] = hooks.runs
    assert outline(record) == MADE
    assert (record.status, record.complete) == (("unfinished", False) if fails else ("ok", True))
    assert record.signals["run_end"] is False
    assert record.warnings


def test_runs_at_the_same_time_through_an_old_reference() -> None:
    """They are told apart by what their contexts share."""
    run = Runner.run
    hooks = ToolscoreRunHooks()
    agent = build([[("echo", {"text": "a"}, "call_1")], "done"], [echo], by_input=True)

    async def main() -> None:
        await asyncio.gather(*(run(agent, "hi", hooks=hooks) for _ in range(20)))

    asyncio.run(main())

    assert [outline(record) for record in hooks.runs] == [MADE] * 20


def test_a_subclass_of_the_hooks() -> None:
    """Users may add to them, in async methods that call ours."""
    seen: list[str] = []

    class Mine(ToolscoreRunHooks):
        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            seen.append(tool.name)
            await super().on_tool_start(context, agent, tool)

    hooks = Mine(["echo"])

    play(build(TURNS, [echo]), hooks=hooks)

    assert seen == ["echo"]
    [run] = hooks.runs
    assert outline(run) == MADE


def test_the_runner_looks_as_before() -> None:
    """Signatures, names and coroutine-ness, for tools that inspect."""
    looks = [(inspect.signature(getattr(Runner, n)), getattr(Runner, n).__name__) for n in NAMES]
    watched = toolscore.watch(build(TURNS, [echo]))

    assert [
        (inspect.signature(getattr(Runner, n)), getattr(Runner, n).__name__) for n in NAMES
    ] == (looks)
    assert inspect.iscoroutinefunction(Runner.run)
    watched.unwatch()


def test_a_runner_of_the_users() -> None:
    """A subclass is recorded as ``Runner`` is."""

    class Mine(Runner):
        pass

    recorded = by_watch(build(TURNS, [echo]))

    asyncio.run(Mine.run(recorded.agent, "hi"))

    assert outline(recorded.run) == MADE


def test_every_argument_by_name() -> None:
    """``starting_agent=`` and ``input=``."""
    recorded = by_watch(build(TURNS, [echo]))

    asyncio.run(Runner.run(starting_agent=recorded.agent, input="hi"))

    assert outline(recorded.run) == MADE


def test_a_call_with_wrong_arguments() -> None:
    """The SDK's own TypeError, which is how that run ended."""
    recorded = by_watch(build(TURNS, [echo]))

    with pytest.raises(TypeError, match="nonsense"):
        asyncio.run(Runner.run(recorded.agent, "hi", nonsense=1))  # type: ignore[call-overload]

    assert (recorded.run.status, recorded.run.error_type) == ("error", "TypeError")


def test_hooks_can_be_copied_and_pickled_with_their_options() -> None:
    """A copied hooks object shares the record."""
    hooks = ToolscoreRunHooks(["echo"])

    play(build(TURNS, [echo]), hooks=copy.copy(hooks))

    [run] = hooks.runs
    assert outline(run) == MADE
    assert pickle.loads(pickle.dumps(run)) == run
