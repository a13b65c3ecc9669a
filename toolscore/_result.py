"""``EvaluationResult``: the score, the verdict, and why."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from typing_extensions import Self

from toolscore._call import ToolCall
from toolscore._errors import ToolScoreAssertionError
from toolscore._findings import Finding, find
from toolscore._record import result_record
from toolscore._run import Run
from toolscore._scoring.all_metrics import all_metrics, composite
from toolscore._scoring.diff import diff
from toolscore._scoring.equality import LENIENT
from toolscore._scoring.evaluation import Basis, Evaluation
from toolscore._scoring.headline import Headline
from toolscore._scoring.lazy import lazy
from toolscore._scoring.report import report
from toolscore._scoring.secrets import Redactor
from toolscore._scoring.sides import Sides
from toolscore._scoring.similarity import MISSING, ArgumentDifference, Similarity
from toolscore._shown import in_short

__all__ = ["MISSING", "ArgumentDifference", "EvaluationResult", "Pair", "not_scored"]


@dataclass(frozen=True)
class Pair:
    """An expected call and the call that met it.

    Attributes:
        expected: Index into ``gold_calls``.
        actual: Index into ``trace_calls``.
        similarity: Of the arguments, 0 to 1.
        differences: Where the arguments differ.
    """

    expected: int
    actual: int
    similarity: float
    differences: tuple[ArgumentDifference, ...] = ()


class EvaluationResult:
    """How close one run came to what was expected. True in a boolean context when it passed.

    Sentences, pairs and metrics are worked out when they are read.

    Example:
        >>> from toolscore import evaluate
        >>> result = evaluate(["search", "book"], [{"tool": "search"}])
        >>> print(result)
        FAILED 0.50  book was not called (expected call 2 of 2: 0 of 1, over 2 expected)
          (1 - 0.3 * (1 - 1)) / (2 + 0) = 0.5
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    @property
    def score(self) -> float:
        """Headline score, 0 to 1; the composite with weights; NaN when not scored."""
        evaluation = self._evaluation
        if evaluation.options.get("weights") and evaluation.basis == "expected":
            return self.composite
        return evaluation.headline.score

    @property
    def passed(self) -> bool:
        """The verdict; False when not scored."""
        return self._evaluation.headline.passed

    @property
    def grade(self) -> Literal["A", "B", "C", "D", "F", "-"]:
        """Letter of ``score``, at most ``C`` when not passed; ``-`` when not scored."""
        if self.basis == "not_scored":
            return "-"
        score = self.score
        if self.passed and score >= 0.8:
            return "A" if score >= 0.9 else "B"
        return "C" if score >= 0.7 else "D" if score >= 0.6 else "F"

    @property
    def basis(self) -> Basis:
        """What the score was computed from."""
        return self._evaluation.basis

    @lazy
    def composite(self) -> float:
        """The classic weighted score; NaN when not scored."""
        if self.basis == "not_scored":
            return math.nan
        return composite(self.metrics, self._evaluation.options.get("weights"))

    @lazy
    def metrics(self) -> Mapping[str, Any]:
        """Every metric, nested as the classic keys are."""
        return all_metrics(self._evaluation)

    @lazy
    def pairs(self) -> tuple[Pair, ...]:
        """The alignment, in the order of the expected calls."""
        sides = self._evaluation.sides
        return tuple(
            Pair(
                match.expected,
                match.actual,
                match.similarity,
                ()
                if match.similarity == 1.0
                else sides.similarity.differences(
                    sides.gold[match.expected].args, sides.made[match.actual].args
                ),
            )
            for match in self._evaluation.headline.matches
        )

    @lazy
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, worst first."""
        return find(self._evaluation, self._redactor)

    @property
    def gold_calls(self) -> list[ToolCall]:
        """The expected calls."""
        return list(self._evaluation.sides.given)

    @property
    def trace_calls(self) -> list[ToolCall]:
        """The calls that were scored."""
        return list(self._evaluation.sides.made)

    @property
    def run(self) -> Run | None:
        """The captured run."""
        return self._evaluation.run

    @property
    def complete(self) -> bool:
        """Whether capture saw everything (True for lists of calls)."""
        run = self._evaluation.run
        return self.basis != "not_scored" and (run is None or run.complete)

    @property
    def selection_accuracy(self) -> float:
        """Classic metric, 0 to 1."""
        return float(self.metrics["selection_accuracy"])

    @property
    def argument_f1(self) -> float:
        """Classic metric, 0 to 1."""
        return float(self.metrics["argument_metrics"]["f1"])

    @property
    def sequence_accuracy(self) -> float:
        """Classic metric, 0 to 1."""
        return float(self.metrics["sequence_metrics"]["sequence_accuracy"])

    @property
    def required_call_recall(self) -> float | None:
        """Classic metric, 0 to 1; None when nothing was required."""
        recall: float | None = self.metrics["required_call_recall"]
        return recall

    def diff(self, *, color: bool = False) -> str:
        """Expected and made calls side by side, aligned by ``pairs``."""
        return diff(self._evaluation, self._redactor, color=color)

    def require(self, *, min_score: float | None = None, passed: bool | None = None) -> Self:
        """This result, or an error with the diff. Without arguments the verdict must be passed.

        Args:
            min_score: The least score that will do, 0 to 1.
            passed: The verdict that is required.

        Raises:
            ToolScoreAssertionError: what was required does not hold.
            ValueError: ``min_score`` is not a number from 0 to 1.

        Example:
            >>> from toolscore import evaluate
            >>> evaluate(["search"], [{"tool": "search"}]).require().score
            1.0
        """
        __tracebackhide__ = True  # pytest: the failure is in the test, not in here
        if min_score is not None and not _is_share(min_score):
            raise ValueError(f"min_score= takes a number from 0 to 1, not {in_short(min_score)}.")
        if min_score is None and passed is None:
            passed = True
        problems: list[str] = []
        if min_score is not None and not self.score >= min_score:
            problems.append(f"score {self.score:.4g} is below {min_score:g}")
        if passed is not None and self.passed is not passed:
            problems.append(f"the verdict is {'passed' if self.passed else 'failed'}")
        if problems:
            raise ToolScoreAssertionError(f"{'; '.join(problems)}\n{self}\n\n{self.diff()}")
        return self

    def to_dict(self) -> dict[str, Any]:
        """Complete, versioned, strict JSON (a NaN score is null).

        Its schema is ``toolscore/schema/result.schema.json``. Secrets and the arguments named in
        ``redact=`` are redacted; what JSON has no form for says so (``{"$repr": "..."}``).
        """
        return result_record(self, self._evaluation, self._redactor)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return report(self, self._evaluation, self._redactor)

    def __repr__(self) -> str:
        # what a failing ``assert agent.score`` shows: the verdict and the worst of why
        return f"<EvaluationResult {str(self).splitlines()[0]}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}\n\n{html.escape(self.diff())}</pre>"

    @lazy
    def _redactor(self) -> Redactor:
        run, sides = self._evaluation.run, self._evaluation.sides
        calls = [*sides.given, *sides.made, *(run.calls if run else ())]
        return Redactor(self._evaluation.redact, calls)


def _is_share(value: object) -> bool:
    return issubclass(type(value), (int, float)) and 0.0 <= cast("float", value) <= 1.0


def not_scored(
    reason: str,
    run: Run | None = None,
    gold: Sequence[ToolCall] | None = None,
    *,
    redact: Collection[str] = (),
) -> EvaluationResult:
    """A result that says why there is no score; everything of it can be read."""
    made = list(run.scored_calls(gold)) if run else []
    sides = Sides(list(gold or ()), made, Similarity(LENIENT, "exact"))
    none = Headline(math.nan, passed=False)
    return EvaluationResult(
        Evaluation("not_scored", sides, none, {}, run, frozenset(redact), reason)
    )
