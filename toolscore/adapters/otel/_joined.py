"""Executions and requests as calls: each call once, with all that is known of it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

from toolscore._scoring.canonical import canonical_arguments
from toolscore.adapters.otel._attempt import Attempt
from toolscore.adapters.otel._model import Request, Turn
from toolscore.adapters.otel._payload import Answer, Arguments, arguments_of
from toolscore.adapters.otel._span import Span

_Key: TypeAlias = tuple[object, ...]
_Keys: TypeAlias = Callable[["Joined"], list[_Key]]


@dataclass
class Joined:
    """One call: its execution, the request for it, or both."""

    trace: str
    tool: str
    id: str | None
    attempt: Attempt | None = None
    turn: Turn | None = None
    asked: Arguments = field(default_factory=Arguments)
    server: bool = False
    step: int | None = None
    place: int = 0  # among the requests
    shown: Answer = field(default_factory=Answer)  # what the model was told
    keys: list[Hashable] = field(default_factory=list[Hashable])  # the arguments, to compare by

    @property
    def span(self) -> Span:
        """Where its time is known from."""
        if self.attempt is not None:
            return self.attempt.span
        return self.turn.span if self.turn is not None else Span("", {})


def join(attempts: list[Attempt], turns: list[Turn]) -> list[Joined]:
    """Match each request with the execution that it led to; what has no match stays alone.

    By the call's id; then by name and arguments; then by name alone, in order and in one trace.
    Two different ids are two calls, whatever else is alike.
    """
    calls = [
        Joined(a.span.trace, a.tool, a.id, a, asked=a.arguments, keys=[a.key]) for a in attempts
    ]
    pending: list[Joined] = []
    for step, turn in enumerate(turn for turn in turns if turn.requests):
        pending += [_asked(request, turn, step, len(pending)) for request in turn.requests]
    for keys in _ORDER:
        free: defaultdict[tuple[_Key, bool], deque[Joined]] = defaultdict(deque)
        for call in calls:
            if call.turn is None:
                for key in keys(call):
                    free[key, True].append(call)
                    if call.id is None:
                        free[key, False].append(call)
        pending = [asked for asked in pending if not _claim(asked, free, keys)]
    calls += pending
    answers: dict[_Key, Answer] = {}
    for turn in turns:
        for call_id, answer in turn.answers.items():
            answers.setdefault((turn.span.trace, call_id), answer)
    for call in calls:
        call.shown = answers.get((call.trace, call.id), call.shown)
    return calls


def _asked(request: Request, turn: Turn, step: int, place: int) -> Joined:
    asked = arguments_of(request.written)
    keys: list[Hashable] = [canonical_arguments(asked.args)]
    if len(asked.args) == 1:  # some instrumentations write a lone argument without its name
        keys.append(canonical_arguments({"value": next(iter(asked.args.values()))}))
    return Joined(
        turn.span.trace, request.tool, request.id, None, turn, asked, request.server, step, place,
        keys=keys,
    )  # fmt: skip


def _by_id(call: Joined) -> list[_Key]:
    return [(call.trace, call.id, call.tool)] if call.id else []


def _by_id_alone(call: Joined) -> list[_Key]:
    return [(call.trace, call.id)] if call.id else []


def _by_arguments(call: Joined) -> list[_Key]:
    return [(call.trace, call.tool, key) for key in call.keys]


def _by_name(call: Joined) -> list[_Key]:
    return [(call.trace, call.tool)]


def _by_id_anywhere(call: Joined) -> list[_Key]:
    return [(call.id, call.tool)] if call.id else []


def _by_arguments_anywhere(call: Joined) -> list[_Key]:
    return [(call.tool, key) for key in call.keys]


_BY_ID = (_by_id, _by_id_alone, _by_id_anywhere)
_ORDER: tuple[_Keys, ...] = (
    _by_id,
    _by_id_alone,
    _by_arguments,
    _by_name,
    _by_id_anywhere,
    _by_arguments_anywhere,
)


def _claim(
    asked: Joined,
    free: dict[tuple[_Key, bool], deque[Joined]],
    keys: _Keys,
) -> bool:
    any_id = asked.id is None or keys in _BY_ID
    for key in keys(asked):
        queue = free.get((key, any_id))
        while queue:
            call = queue.popleft()
            if call.turn is None:
                call.turn, call.step, call.place = asked.turn, asked.step, asked.place
                call.id = call.id or asked.id
                call.server, call.asked = asked.server, asked.asked
                return True
    return False
