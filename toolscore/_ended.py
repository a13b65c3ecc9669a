"""A run that has ended: its record and its score, worked out when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from toolscore._result import EvaluationResult
from toolscore._run import Run

Scored: TypeAlias = "tuple[Run, EvaluationResult]"


class Ended:
    """A run that has ended, and its result.

    Both are made of copies that nobody changes any more, so it makes no difference when: an agent
    that serves requests does not pay for scores that nobody reads.
    """

    _scored: Scored

    def __init__(self, build: Callable[[], Run], score: Callable[[Run], EvaluationResult]) -> None:
        self._build: Callable[[], Run] | None = build
        self._score = score

    def read(self) -> Scored:
        """The record and the result; the same ones whoever asks, in whatever thread.

        No lock is held, since scoring may call matchers of the user's.
        """
        build = self._build
        if build is not None and "_scored" not in vars(self):
            run = build()
            vars(self).setdefault("_scored", (run, self._score(run)))  # the first thread's stays
            self._build = None  # what it is made of is not needed any more
        return self._scored
