"""A result as versioned, strict JSON; the run in it is recorded as ``Run.to_dict`` does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toolscore._plain import plain
from toolscore._run_record import call_record, run_record
from toolscore._scoring.evaluation import Evaluation
from toolscore._scoring.secrets import REDACTED, Redactor
from toolscore._scoring.similarity import MISSING, ArgumentDifference

if TYPE_CHECKING:
    from toolscore._result import EvaluationResult

VERSION = 1


def _difference(difference: ArgumentDifference, redactor: Redactor) -> dict[str, Any]:
    """The path and both values; a value that was not there is left out."""
    hidden = redactor.hides(difference.path)
    values = {"expected": difference.expected, "actual": difference.actual}
    return {
        "path": redactor.text(difference.path),
        **{
            side: REDACTED if hidden else plain(value, redactor)
            for side, value in values.items()
            if value is not MISSING
        },
    }


def result_record(
    result: EvaluationResult, evaluation: Evaluation, redactor: Redactor
) -> dict[str, Any]:
    """``EvaluationResult.to_dict``."""

    def number(value: float) -> float | None:
        return None if math.isnan(value) else value

    return {
        "schema": "toolscore.result",
        "schema_version": VERSION,
        "basis": result.basis,
        "score": number(result.score),
        "passed": result.passed,
        "grade": result.grade,
        "composite": number(result.composite),
        "complete": result.complete,
        "reason": redactor.text(evaluation.reason),
        "options": plain(dict(evaluation.options), redactor),
        "metrics": plain(dict(result.metrics), redactor),
        "findings": [
            {
                "kind": finding.kind,
                "message": finding.message,
                "expected": list(finding.expected),
                "actual": list(finding.actual),
                "path": finding.path,
                "fails": finding.fails,
            }
            for finding in result.findings
        ],
        "pairs": [
            {
                "expected": pair.expected,
                "actual": pair.actual,
                "similarity": pair.similarity,
                "differences": [_difference(each, redactor) for each in pair.differences],
            }
            for pair in result.pairs
        ],
        "run": None if evaluation.run is None else run_record(evaluation.run, redactor),
        "calls": {
            "expected": [call_record(call, redactor) for call in evaluation.sides.given],
            "actual": [call_record(call, redactor) for call in evaluation.sides.made],
        },
    }
