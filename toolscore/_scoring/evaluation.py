"""One evaluation: what was compared, how, and what came out."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from toolscore._options import EvaluateOptions, Tools
from toolscore._run import Run
from toolscore._scoring.headline import Headline
from toolscore._scoring.sides import Sides

Basis: TypeAlias = Literal["expected", "behaviour", "not_scored"]


class Evaluation(NamedTuple):
    """Both lists aligned, the headline, and the switches."""

    basis: Basis
    sides: Sides
    headline: Headline
    options: EvaluateOptions
    run: Run | None = None
    redact: frozenset[str] = frozenset()
    reason: str = ""  # why it is not scored

    @property
    def tools(self) -> Tools:
        """The JSON schemas of the tools, where known: those given, else those the run saw."""
        given = self.options.get("tools")
        if given is not None:
            return given
        return self.run.tools if self.run else {}
