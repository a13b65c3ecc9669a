"""What one agent's model asked for, and what was done about it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from toolscore import OpenCall, OpenRun
from toolscore_integrations.llama_index._requests import Request


@dataclass(eq=False, slots=True)
class Asked:
    """A call that the model asked for, and the name and id by which the framework runs it."""

    call: OpenCall
    tool: str
    args: dict[str, Any]
    id: str
    step: int


class Part:
    """One agent, workflow or script that is running: a run, or a part of the run around it.

    Attributes:
        run: Where it is recorded.
        parent: The tool call that it runs in, if any.
        by_hand: True where user code asks the model and calls the tools (plain workflows, scripts,
            ``predict_and_call``); agents do it with steps of their own.
        steps: Numbers of model turns; shared with the part around it unless a call lies between.
    """

    def __init__(
        self,
        run: OpenRun,
        *,
        by_hand: bool = False,
        parent: OpenCall | None = None,
        steps: Iterator[int] | None = None,
    ) -> None:
        self.run = run
        self.by_hand = by_hand
        self.parent = parent
        self.steps = itertools.count() if steps is None else steps
        self.step: int | None = None
        self.answer: str | None = None
        """The text of the last turn, if it asked for nothing."""
        self.offered: set[str] = set()
        """Names of the tools that its model could call."""
        self.offered_last: tuple[object, ...] = ()
        """The tools of the last turn."""
        self._asked: dict[tuple[str, str], list[Asked]] = {}
        self._waiting: list[Asked] = []

    def turn(
        self, text: str, requests: Iterable[Request], *, agent: str | None, handoffs: bool = False
    ) -> None:
        """The model answered: a text, and the calls that it asks for."""
        step = self.step = next(self.steps)
        self.answer = text
        self.run.message("assistant", text, step=step)
        for request in requests:
            self.answer = None
            self._ask(request, step, agent, handoffs)

    def _ask(self, request: Request, step: int, agent: str | None, handoffs: bool) -> Asked:
        call = self.run.request(
            request.tool,
            request.args,
            id=request.id or None,
            step=step,
            agent=agent,
            parent=self.parent,
            kind="handoff" if handoffs and request.tool == "handoff" else "function",
        )
        if request.raw is not None:
            call.note(raw_arguments=request.raw)
        key = request.key or request.id
        asked = Asked(call, request.tool, call.args, key, step)
        with self.run.lock:
            self._asked.setdefault((request.tool, key), []).append(asked)
        return asked

    def begun(self, request: Request, *, handoffs: bool) -> Asked:
        """The request that the framework runs now; one of its own if nobody was seen asking.

        A call that waited for a person is run again from its start: it is still the same call. Ids
        may be empty or repeated, so arguments decide first.
        """
        name = request.tool, request.key
        with self.run.lock:
            asked = self._take_only(name)
        if asked is None:
            args = self.run.copy(request.args)[0]
            with self.run.lock:
                asked = self._take_like(name, args)
        if asked is not None:
            return asked
        # a resumed workflow: the model asked in the run before
        if self.step is None:
            self.step = next(self.steps)
        asked = self._ask(request, self.step, None, handoffs)
        with self.run.lock:
            self._take(asked)
        return asked

    def _take_only(self, name: tuple[str, str]) -> Asked | None:
        """The one request of this name and id, if there is no choice: as it nearly always is."""
        like = self._asked.get(name)
        if like is None or len(like) > 1 or self._waiting or not name[1]:
            return None
        return self._take(like[0])

    def _take_like(self, name: tuple[str, str], args: dict[str, Any]) -> Asked | None:
        waiting = [a for a in self._waiting if (a.tool, a.id) == name]
        for like in (waiting, self._asked.get(name, [])):
            chosen = [a for a in like if a.args == args] or (like if name[1] else [])
            if chosen:
                return self._take(chosen[0])
        return None

    def _take(self, asked: Asked) -> Asked:
        if asked in self._waiting:
            self._waiting.remove(asked)
            return asked
        name = asked.tool, asked.id
        like = self._asked[name]
        like.remove(asked)
        if not like:
            del self._asked[name]
        return asked

    def _pending(self, tool: object) -> list[Asked]:
        like = [a for (name, _), group in self._asked.items() if name == tool for a in group]
        return sorted(like, key=lambda a: a.call.number)

    def begun_by_hand(self, tool: str, args: dict[str, Any], *, in_order: bool) -> OpenCall | None:
        """The request that code fulfils by calling this tool, if the model asked for it.

        Equal arguments decide; else the first request of this tool in the last turn is meant, whose
        arguments code has changed (``in_order``: the framework passes them on in its own way).
        """
        with self.run.lock:
            like = self._pending(tool)
            same = [a for a in like if a.args == args] or [a for a in like if a.step == self.step]
            if not same:
                return None
            call = self._take(same[0]).call
        call.start(None if in_order else args)
        return call

    def asked_for(self, tool: object) -> list[OpenCall]:
        """The requests of this tool that nothing was done about."""
        with self.run.lock:
            return [a.call for a in self._pending(tool)]

    def wait(self, asked: Asked) -> None:
        """The call waits for a person, and will be run again."""
        with self.run.lock:
            self._waiting.append(asked)

    @property
    def waits(self) -> bool:
        """Whether a call waits for a person."""
        return bool(self._waiting)
