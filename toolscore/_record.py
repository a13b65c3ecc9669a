"""The one record: results and runs as versioned, strict JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toolscore._call import ToolCall
from toolscore._evaluation import Evaluation
from toolscore._plain import plain
from toolscore._secrets import Redactor

if TYPE_CHECKING:
    from toolscore._result import EvaluationResult

VERSION = 1


def call_record(call: ToolCall, redactor: Redactor) -> dict[str, Any]:
    """One call, every field."""
    return {
        "tool": redactor.text(call.tool),
        "args": plain(call.args, redactor),
        "result": plain(call.result, redactor),
        "status": call.status,
        "is_error": call.is_error,
        "error": None if call.error is None else redactor.text(call.error),
        "timestamp": plain(call.timestamp),
        "duration": plain(call.duration),
        "cost": plain(call.cost),
        "metadata": plain(call.metadata, redactor),
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
            {"expected": pair.expected, "actual": pair.actual, "similarity": pair.similarity}
            for pair in result.pairs
        ],
        "calls": {
            "expected": [call_record(call, redactor) for call in evaluation.sides.gold],
            "actual": [call_record(call, redactor) for call in evaluation.sides.made],
        },
    }
