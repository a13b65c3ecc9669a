"""The runs that start inside a ``with`` block."""

from __future__ import annotations

from collections import deque
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import TYPE_CHECKING

from typing_extensions import Self

from toolscore._call import ToolCall
from toolscore._context import enter
from toolscore._ended import Ended, Scored
from toolscore._legs import join_legs
from toolscore._result import EvaluationResult, not_scored
from toolscore._scores import Scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolscore._capture_options import Capture
    from toolscore._recorder import Recorder

NO_RUN = (
    "no run ended in this session: start the run inside the with block, and read the score after it"
)


class Session(Scores, AbstractContextManager["Session"]):
    """The runs that start inside a ``with`` block, in its context.

    That is its task, what it awaits, and threads that are given a copy of the context; whatever
    else runs at the same time stays out. A run that ends after the block is still added.
    """

    def __init__(
        self,
        recorder: Recorder,
        options: Capture,
        attach: Callable[[Session], Callable[[], None]] | None = None,
    ) -> None:
        self.recorder = recorder
        self._options = options
        self._attach = attach
        self._detach: Callable[[], None] | None = None
        self._token: Token[tuple[Session, ...]] | None = None
        self._runs: deque[Ended] = deque(maxlen=options.max_runs)
        self._lost = 0
        self.left_elsewhere = False

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Calls of all runs in order; one that was interrupted and then finished counts once."""
        return join_legs(self.runs).calls

    @property
    def result(self) -> EvaluationResult:
        """One evaluation of ``calls`` against the session's expectation.

        A run that was paused and resumed, in two legs, is scored as one.
        """
        runs = self.runs
        if not runs:
            return not_scored(NO_RUN)
        lost = f"{self._lost} runs beyond max_runs={self._options.max_runs} were dropped"
        joined = join_legs(runs, warnings=(lost,) if self._lost else ())
        return self.recorder.score(joined, self._options)

    def add(self, ended: Ended) -> None:
        """Take a run that has ended (called by the recorder)."""
        recorder, own = self.recorder, self._options
        kept = ended
        if own is not recorder.options:
            kept = Ended(lambda: ended.read()[0], lambda run: recorder.score(run, own))
            if own.expected:  # a function of the user's: called once, when the run ends
                kept.read()
        with recorder.lock:
            self._lost += len(self._runs) == self._runs.maxlen
            self._runs.append(kept)

    def __enter__(self) -> Self:
        """Begin to collect."""
        if self._token is not None:
            raise ValueError("This session is open already: make another one with session().")
        enter()
        self.left_elsewhere = False
        # it may still stand here, if it was left in another context
        self._token = _sessions.set((*(s for s in _sessions.get() if s is not self), self))
        if self._attach is not None:
            self._detach = self._attach(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        """Stop collecting; runs that are still going on are added when they end."""
        if self._detach is not None:
            self._detach()
            self._detach = None
        token, self._token = self._token, None
        if token is None:
            return
        try:
            _sessions.reset(token)
        except ValueError:  # left in another context than it was entered in, as fixtures are
            _sessions.set(tuple(s for s in _sessions.get() if s is not self))
            self.left_elsewhere = True

    def _latest(self) -> EvaluationResult:
        with self.recorder.lock:
            last = self._runs[-1] if self._runs else None
        return not_scored(NO_RUN) if last is None else last.read()[1]

    def _ended(self) -> tuple[Scored, ...]:
        with self.recorder.lock:
            kept = tuple(self._runs)
        return tuple(ended.read() for ended in kept)


_sessions: ContextVar[tuple[Session, ...]] = ContextVar("toolscore_sessions", default=())


def open_sessions(recorder: Recorder) -> tuple[Session, ...]:
    """The sessions of this context that collect the runs of ``recorder``.

    One that was left in another context still stands in the one that it was entered in; it collects
    no more.
    """
    return tuple(
        session
        for session in _sessions.get()
        if session.recorder is recorder and not session.left_elsewhere
    )
