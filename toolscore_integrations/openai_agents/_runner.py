"""``Runner.run``, ``run_sync`` and ``run_streamed``, while something is watched.

They are wrapped because hooks alone do not see the end of a run that failed, nor the runs inside
agents that are tools. Tried on openai-agents 0.8.0 and 0.24.0.
"""

from __future__ import annotations

import asyncio
import os
import weakref
from contextlib import suppress
from contextvars import Token
from types import TracebackType
from typing import Any, cast

from agents import Agent, Runner
from agents.lifecycle import RunHooksBase
from typing_extensions import Self

from toolscore import Recorder
from toolscore._context import enter
from toolscore._guard import log
from toolscore_integrations.openai_agents._composed import ComposedHooks, LegHooks
from toolscore_integrations.openai_agents._ending import Ending
from toolscore_integrations.openai_agents._leg import Leg
from toolscore_integrations.openai_agents._opening import open_leg
from toolscore_integrations.openai_agents._place import Place, Places, leave, move, places
from toolscore_integrations.openai_agents._seam import Seam, Seams
from toolscore_integrations.openai_agents._signals import mcp, probe
from toolscore_integrations.openai_agents._watching import Watching, unwatched

POSITIONS = ("starting_agent", "input", "context", "max_turns", "hooks")
"""What ``run_streamed`` takes by position; ``run`` and ``run_sync`` take the first two so.

Not read from a signature: another library's wrapper may hide it.
"""


class Conduct:
    """One call of a ``Runner`` method that is recorded, by one recorder or several."""

    def __init__(self, wrapped: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._wrapped = wrapped
        self._args = args
        self._kwargs = kwargs
        self._legs: list[Leg] = []
        self._token: Token[Places]

    def __enter__(self) -> Self:
        """Open the legs and be in them; unwrap the agent, put our hooks around the user's."""
        try:
            self._open()
        except Exception:  # noqa: BLE001 - the user's run matters more than our record
            log.exception("a run could not be recorded; it goes on")
        self._token = move(*(Place(leg) for leg in self._legs))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        """Be where we were before; what the SDK raised is how the run ended."""
        if error is not None:
            self.end(None, error)
        leave(self._token)

    def _open(self) -> None:
        watched, hooks = self._given("starting_agent"), self._given("hooks")
        agent = unwatched(watched)
        around: dict[Recorder, Place | None] = {
            recorder: place for recorder, place in places().items() if not place.leg.run.root.ended
        }
        for recorder in recorders_of(watched, hooks):
            around.setdefault(recorder, None)
        self._legs = [
            open_leg(recorder, agent, self._given, place) for recorder, place in around.items()
        ]
        self._give("starting_agent", agent)
        if hooks is None or isinstance(hooks, RunHooksBase):  # else the SDK refuses it, as it would
            self._give("hooks", LegHooks(self._legs, cast("Any", hooks)))

    def _given(self, name: str) -> Any:
        """An argument, by name or by its position; None where it is not given."""
        return argument(self._args, self._kwargs, name)

    def _give(self, name: str, value: object) -> None:
        if name in POSITIONS[: len(self._args)]:
            at = POSITIONS.index(name)
            self._args = (*self._args[:at], value, *self._args[at + 1 :])
        else:
            self._kwargs = {**self._kwargs, name: value}

    def call(self) -> Any:
        """Call the SDK; what was given is not kept."""
        args, kwargs, self._args, self._kwargs = self._args, self._kwargs, (), {}
        return self._wrapped(*args, **kwargs)

    def end(self, result: Any, error: BaseException | None = None) -> Any:
        """The run gave back ``result``, or raised ``error``; gives that ``result`` back."""
        for leg in self._legs:
            end_leg(leg, result, error)
        return result

    def follow(self, result: Any) -> None:
        """End with the task that runs the loop: who leaves the stream does not stop it."""
        task: asyncio.Task[Any] | None = getattr(result, "run_loop_task", None)
        if task is None:
            self.end(result)
            return
        abandoned = weakref.finalize(result, self._abandoned)
        abandoned.atexit = False

        def done(task: asyncio.Task[Any]) -> None:
            abandoned.detach()
            self.end(result, outcome(task, result))

        task.add_done_callback(done)

    def _abandoned(self) -> None:
        """The event loop was closed before the run ended."""
        for leg in self._legs:
            leg.run.warn("the event loop was closed before the run ended")
            leg.close("unfinished")


def end_leg(leg: Leg, result: Any, error: BaseException | None) -> None:
    """Settle a leg by what its run gave back or raised; whatever happens, it is closed."""
    try:
        Ending(leg, result, error).close()
    except Exception as problem:  # noqa: BLE001 - as above
        leg.recorder.trouble("end of a run", problem, leg.run.root)
        with suppress(Exception):  # the run must not hang open, nor may this reach the user
            leg.close("unfinished")


def outcome(task: asyncio.Task[Any], result: Any) -> BaseException | None:
    """What a streamed run raised, or will raise in the consumer's hands."""
    if task.cancelled():
        return asyncio.CancelledError()
    # not task.exception(): asyncio would take it as read, and not tell the user about it any more
    error: BaseException | None = getattr(task, "_exception", None)
    return error or getattr(result, "_stored_exception", None)


def argument(args: tuple[Any, ...], kwargs: dict[str, Any], name: str) -> Any:
    """An argument of a ``Runner`` method; None where it is not given."""
    if name in POSITIONS[: len(args)]:
        return args[POSITIONS.index(name)]
    return kwargs.get(name)


def recorders_of(agent: object, hooks: object) -> list[Recorder]:
    """Who records the run of this agent with these hooks."""
    found = [watching.recorder_of(agent)]
    while isinstance(hooks, ComposedHooks):
        found.append(hooks.recorder)
        hooks = hooks.inner
    return [recorder for recorder in found if recorder is not None]


def conduct(wrapped: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Conduct | None:
    """The recording of a call; None if nobody records it."""
    try:
        agent, hooks = argument(args, kwargs, "starting_agent"), argument(args, kwargs, "hooks")
        if isinstance(hooks, LegHooks) or not (places() or recorders_of(agent, hooks)):
            return None  # an outer wrapper of ours records it, or nobody does
        if not isinstance(agent, Agent):
            return None  # the SDK says so itself
        enter()  # the run may be awaited in a task of its own
        return Conduct(wrapped, args, kwargs)
    except Exception:  # noqa: BLE001 - as above
        log.exception("a run could not be recorded; it goes on")
        return None


def run(wrapped: Any, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Runner.run``."""
    recorded = conduct(wrapped, args, kwargs)
    return wrapped(*args, **kwargs) if recorded is None else _run(recorded)


async def _run(recorded: Conduct) -> Any:
    with recorded:
        return recorded.end(await recorded.call())


def run_sync(wrapped: Any, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Runner.run_sync``."""
    recorded = conduct(wrapped, args, kwargs)
    if recorded is None:
        return wrapped(*args, **kwargs)
    with recorded:
        return recorded.end(recorded.call())


def run_streamed(wrapped: Any, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Runner.run_streamed``."""
    recorded = conduct(wrapped, args, kwargs)
    if recorded is None:
        return wrapped(*args, **kwargs)
    with recorded:
        result = recorded.call()
    recorded.follow(result)
    return result


seams = Seams(
    Seam(Runner, "run", run),
    Seam(Runner, "run_sync", run_sync),
    Seam(Runner, "run_streamed", run_streamed),
    probe,
    mcp,
)
watching = Watching(seams.acquire, seams.release)


def _unlock_after_fork() -> None:
    """A thread that held a lock does not exist in the child of a fork."""
    seams.unlock()
    watching.unlock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_after_fork)
