"""The words that watched agents, handlers, hooks and sessions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import Unpack

from toolscore._result import EvaluationResult
from toolscore._run import Run

if TYPE_CHECKING:
    from toolscore._capture_options import ExpectedFor
    from toolscore._options import EvaluateOptions
    from toolscore._recorder import Recorder
    from toolscore._session import Session


class Scores:
    """The words that watched agents, handlers, hooks and sessions share."""

    @property
    def score(self) -> EvaluationResult:
        """Result of the last run of this context (task, thread) if it had one, else of all.

        Never None and never raising: before the first run its basis is ``not_scored``, it is false,
        and it says what to do.
        """
        return self._latest()

    @property
    def scores(self) -> tuple[EvaluationResult, ...]:
        """Results, newest last, at most ``max_runs``."""
        return tuple(result for _, result in self._ended())

    @property
    def runs(self) -> tuple[Run, ...]:
        """Captured runs, newest last, in step with ``scores``."""
        return tuple(run for run, _ in self._ended())

    def _latest(self) -> EvaluationResult:
        raise NotImplementedError

    def _ended(self) -> tuple[tuple[Run, EvaluationResult], ...]:
        raise NotImplementedError


class Recording(Scores):
    """What a watched agent and every handler have besides."""

    _recorder: Recorder

    def session(
        self, expected: ExpectedFor | None = None, **options: Unpack[EvaluateOptions]
    ) -> Session:
        """Collect the runs inside a ``with`` block.

        Without ``expected`` the recording's own expectation applies.
        """
        from toolscore._session import Session

        own = self._recorder.options
        if expected is None and not options:
            return Session(self._recorder, own)
        if expected is None:
            expected = own.expected or own.gold
        return Session(self._recorder, own.expecting(expected, options))

    def _latest(self) -> EvaluationResult:
        return self._recorder.latest()

    def _ended(self) -> tuple[tuple[Run, EvaluationResult], ...]:
        return self._recorder.ended()
