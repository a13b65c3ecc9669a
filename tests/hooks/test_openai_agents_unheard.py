"""OpenAI Agents: runs that end where no hook is called, and processes that are forked."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import warnings
from typing import Any

import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrailTripwireTriggered,
    RunContextWrapper,
    input_guardrail,
)
from hooks.scripted_openai_agents import WAYS, ScriptedModel, build, outline
from hooks.seams_openai_agents import MADE, TURNS, echo

import toolscore
from toolscore_integrations.openai_agents import _runner

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


class KaboomError(Exception):
    """What the user's code raises here."""


INTERRUPTED = """
import gc, sys
from hooks.scripted_openai_agents import build, by_hooks, by_watch, outline
from hooks.seams_openai_agents import echo

async def stop(text: str) -> str:
    raise KeyboardInterrupt

turns = [[("echo", {"text": "a"}, "c1")], [("stop", {"text": "b"}, "c2")], "done"]
recorded = {"by_watch": by_watch, "by_hooks": by_hooks}[sys.argv[1]](build(turns, [echo, stop]))
try:
    recorded.play(sys.argv[2])
except KeyboardInterrupt:
    pass
gc.collect()  # the tasks that asyncio gave up
run = recorded.run
print(outline(run), run.status, run.complete, recorded.recording.scores[0].passed)
"""


@ways
@modes
def test_a_keyboard_interrupt_in_an_async_tool(way: Any, mode: str) -> None:
    """It reaches the user; the run and the call that was running are cancelled.

    In a process of its own, since asyncio leaves the SDK's tasks behind, watched or not.
    """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-c", INTERRUPTED, way.__name__, mode]

    said = subprocess.run(command, env=env, capture_output=True, text=True, check=False).stdout

    ends = [("cancelled", True)]
    if mode == "stream":  # newer versions give up its task too: then its end was not seen
        ends.append(("unfinished", False))
    assert said.strip() in {
        f"{[*MADE, ('stop', {'text': 'b'}, status, None)]} {status} {complete} False"
        for status, complete in ends
    }


@ways
@modes
def test_a_run_that_dies_before_the_model_is_asked(way: Any, mode: str) -> None:
    """Nothing was heard of it, and it says so; the error is the user's own."""

    def instructions(context: RunContextWrapper[Any], agent: Agent[Any]) -> str:
        raise KaboomError("no instructions")

    recorded = way(build(TURNS, [echo], instructions=instructions))

    with pytest.raises(KaboomError):
        recorded.play(mode)

    run = recorded.run
    assert (run.status, run.complete) == ("error", False)
    assert "before any hook was called: no instructions" in run.warnings[0]
    assert not recorded.recording.score


class Broken:
    """Token counts that cannot be read."""

    requests = 1

    def __getattr__(self, name: str) -> Any:
        raise KaboomError("no tokens")


@ways
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_an_answer_that_the_sdk_cannot_take(way: Any, mode: str) -> None:
    """No hook was told of it, whatever the error: the record says that it may lack its calls."""

    class Miscounting(ScriptedModel):
        async def get_response(self, *args: Any, **kwargs: Any) -> Any:
            response = await super().get_response(*args, **kwargs)
            if len(self.asked) == 2:
                response.usage = Broken()
            return response

    agent = build([], [echo])
    agent.model = Miscounting([TURNS[0], [("echo", {"text": "b"}, "c2")], "done"])
    recorded = way(agent)

    with pytest.raises(KaboomError):
        recorded.play(mode)

    assert outline(recorded.run) == MADE
    assert (recorded.run.status, recorded.run.complete) == ("error", False)
    assert "no tokens" in recorded.run.warnings[0]


@ways
@modes
def test_a_guardrail_that_trips_when_the_model_has_answered(way: Any, mode: str) -> None:
    """The call that was asked for is in the record, or the record says that it may lack some."""
    answered = asyncio.Event()

    class Telling(ScriptedModel):
        def _items(self, given: Any) -> list[Any]:
            answered.set()
            return super()._items(given)

    @input_guardrail
    async def late(context: Any, agent: Any, text: Any) -> GuardrailFunctionOutput:
        await answered.wait()
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=True)

    agent = build(TURNS, [echo], input_guardrails=[late])
    agent.model = Telling(TURNS)
    recorded = way(agent)

    with pytest.raises(InputGuardrailTripwireTriggered):
        recorded.play(mode)

    assert recorded.run.calls or not recorded.run.complete


def test_a_fork_while_a_lock_is_held() -> None:
    """A lock that another thread held at the fork is nobody's in the child."""
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with _runner.seams._lock, _runner.watching._lock:
            held.set()
            done.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of what is the point here
        child = os.fork()
    if child == 0:
        watcher = threading.Thread(
            target=lambda: toolscore.watch(build(TURNS, [echo])).unwatch(), daemon=True
        )
        watcher.start()
        watcher.join(10)
        os._exit(1 if watcher.is_alive() else 0)
    done.set()
    holder.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
