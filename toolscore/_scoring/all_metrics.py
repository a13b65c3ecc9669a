"""All metrics of one evaluation, nested as the classic keys are, and their composite."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

from toolscore._options import composite_weights
from toolscore._scoring import classic
from toolscore._scoring.evaluation import Evaluation
from toolscore._scoring.headline import Headline
from toolscore._scoring.micro_f1 import micro_f1
from toolscore._scoring.policy import violations
from toolscore._scoring.secrets import secrets_in
from toolscore._scoring.sides import Sides
from toolscore._scoring.similarity import Similarity


def all_metrics(evaluation: Evaluation) -> dict[str, Any]:
    """Every metric by name; the headline's own figures stand under ``alignment_metrics``."""
    sides, line = evaluation.sides, evaluation.headline
    made = sides.made
    secrets = secrets_in(made, sides.texts)
    rules = evaluation.options.get("forbidden") or ()
    metrics = _flawless(sides) if sides.flawless_in_full else _compared(sides, line)
    metrics["security_metrics"] = {"secret_count": len(secrets), "secrets": secrets}
    metrics["policy_metrics"] = (
        violations(made, rules, line.forbidden)
        if rules
        else {"violation_count": 0, "rule_count": 0, "violations": []}
    )
    metrics["latency_metrics"] = classic.latency(made)
    metrics["cost_metrics"] = classic.cost(made)
    metrics["alignment_metrics"] = {
        "matched": line.matched,
        "in_order": line.in_order,
        "counted": line.counted,
        "extra": line.extra,
        "recovered": len(line.recovered),
    }
    metrics["pairing_exact"] = line.pairing_exact
    metrics["order_exact"] = line.order_exact
    return metrics


def _compared(sides: Sides, line: Headline) -> dict[str, Any]:
    gold, made = sides.gold, sides.made
    expected = {tool: len(places) for tool, places in sides.gold_places.items()}
    called = {tool: len(places) for tool, places in sides.made_places.items()}
    right, within, needed = classic.overlap(expected, called)
    if sides.bare:
        recall = needed / len(gold) if gold else None
    else:
        recall = classic.recall(expected, made, len(gold))
    return {
        "invocation_accuracy": classic.invocation(len(expected), len(called), right),
        "selection_accuracy": classic.selection(within, len(gold), len(made)),
        "tool_correctness_metrics": classic.correctness(expected, called),
        "argument_metrics": micro_f1(sides, line.matches),
        "sequence_metrics": classic.sequence(
            [call.tool for call in gold], [call.tool for call in made]
        ),
        "efficiency_metrics": classic.redundancy(sides, needed),
        "trajectory_metrics": classic.trajectory(_steps_met(sides), len(gold), len(made)),
        "required_call_recall": recall,
    }


def _flawless(sides: Sides) -> dict[str, Any]:
    """``_compared`` for the calls expected and no others: all but repetition is known."""
    count = len(sides.made)
    names = sorted({call.tool for call in sides.made})
    identical = sides.identical if len(names) < count else 0
    return {
        "invocation_accuracy": 1.0,
        "selection_accuracy": 1.0,
        "tool_correctness_metrics": {
            "tool_correctness": 1.0,
            "correct_count": len(names),
            "total_expected": len(names),
            "expected_tools": names,
            "called_tools": names.copy(),
            "strict_order": False,
            "missing_tools": [],
            "extra_tools": [],
        },
        "argument_metrics": {"precision": 1.0, "recall": 1.0, "f1": 1.0},
        "sequence_metrics": {
            "edit_distance": 0.0,
            "normalized_distance": 0.0,
            "sequence_accuracy": 1.0,
        },
        "efficiency_metrics": {
            "redundant_count": 0,
            "total_calls": count,
            "redundant_rate": 0.0,
            "identical_count": identical,
            "identical_rate": identical / count if identical else 0.0,
            "error_count": 0,
            "error_rate": 0.0,
            "retry_after_error_count": 0,
        },
        "trajectory_metrics": {
            "trajectory_accuracy": 1.0,
            "step_match_rate": 1.0,
            "path_efficiency": 1.0,
            "correct_steps": count,
            "total_expected_steps": count,
        },
        "required_call_recall": 1.0 if count else None,
    }


def _steps_met(sides: Sides) -> int:
    """Positions at which the expected tool was called with all expected arguments."""
    if sides.plain:
        return sum(
            [
                1
                for gold, made in zip(sides.gold, sides.made)  # noqa: B905 - positions
                if gold.tool == made.tool
                and (not gold.args or gold.args.items() <= (made.args or {}).items())
            ]
        )
    similarity = Similarity(sides.similarity.how, "allow_extra")
    met = [
        1
        for gold, made in zip(sides.gold, sides.made)  # noqa: B905 - positions
        if gold.tool == made.tool and similarity.full(gold.args, made.args)
    ]
    return len(met)


def composite(metrics: Mapping[str, Any], weights: Mapping[str, float] | None) -> float:
    """The classic weighted score, 0 to 1."""
    recall = metrics["required_call_recall"]
    values = {
        "selection_accuracy": metrics["selection_accuracy"],
        "argument_f1": metrics["argument_metrics"]["f1"],
        "sequence_accuracy": metrics["sequence_metrics"]["sequence_accuracy"],
        "redundant_rate": 1.0 - metrics["efficiency_metrics"]["redundant_rate"],
        "required_call_recall": 1.0 if recall is None else recall,
    }
    return fsum(weight * values[name] for name, weight in composite_weights(weights).items())
