"""A result as text: verdict, number and worst finding first, then the rest and the sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolscore._finding import Finding
from toolscore._scoring.evaluation import Evaluation
from toolscore._scoring.headline import ORDER_WEIGHT
from toolscore._scoring.one_line import one_line
from toolscore._scoring.secrets import Redactor

if TYPE_CHECKING:
    from toolscore._result import EvaluationResult

_MOST = 20
"""Different findings printed; the others are in ``findings``."""


def report(result: EvaluationResult, evaluation: Evaluation, redactor: Redactor) -> str:
    """What ``print(result)`` shows."""
    if result.basis == "not_scored":
        return f"NOT SCORED  {one_line(redactor.text(evaluation.reason))}"
    findings = result.findings
    verdict = "PASSED" if result.passed else "FAILED"
    name = " composite" if _composite(evaluation) else ""
    first = f"{verdict} {result.score:.2f}{name}  "
    said = _said(findings)
    first += said[0] if said else _praise(evaluation)
    lines = [first, *(f"  {text}" for text in said[1:_MOST])]
    if len(said) > _MOST:
        lines.append(f"  and {len(said) - _MOST} more findings")
    if findings:
        lines.append(f"  {_sum(result, evaluation)}")
    return "\n".join(lines)


def _said(findings: Sequence[Finding]) -> list[str]:
    """Each sentence once, with how often it holds."""
    times = Counter(finding.message for finding in findings)
    return [text if count == 1 else f"{text} ({count} times)" for text, count in times.items()]


def _composite(evaluation: Evaluation) -> bool:
    return evaluation.basis == "expected" and bool(evaluation.options.get("weights"))


def _praise(evaluation: Evaluation) -> str:
    if evaluation.basis == "behaviour":
        counted = evaluation.headline.counted
        return f"behaviour: {counted} call{'s' * (counted != 1)} settled, nothing to object to"
    count = len(evaluation.headline.matches)
    if not count:
        return "no call was expected, none was made" if not evaluation.sides.made else "as expected"
    order = "" if evaluation.options.get("order") == "any" else ", in order"
    return f"{count} of {len(evaluation.sides.gold)} expected calls made{order}"


def _sum(result: EvaluationResult, evaluation: Evaluation) -> str:
    """The score, from figures that a reader can add up."""
    line = evaluation.headline
    if evaluation.basis == "behaviour":
        return f"behaviour: {line.matched:g} useful of {line.counted} settled = {line.score:.4g}"
    if _composite(evaluation):
        return f"composite of the classic metrics = {result.score:.4g}"
    if not line.counted:
        return f"nothing counts as expected, {line.extra:g} extra = {line.score:.4g}"
    return (
        f"({line.matched:.4g} - {ORDER_WEIGHT} * ({line.matched:.4g} - {line.in_order:.4g})) / "
        f"({line.counted} + {line.extra:g}) = {line.score:.4g}"
    )
