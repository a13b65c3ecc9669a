"""All metrics of one evaluation, nested as the classic keys are."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

from toolscore._equality import LENIENT
from toolscore._evaluation import Evaluation
from toolscore._micro_f1 import micro_f1
from toolscore._options import composite_weights
from toolscore._similarity import Similarity
from toolscore.metrics import (
    calculate_cost_attribution,
    calculate_edit_distance,
    calculate_invocation_accuracy,
    calculate_latency,
    calculate_required_call_recall,
    calculate_selection_accuracy,
    calculate_tool_correctness,
    find_secrets,
    redundancy,
    step_matches,
    trajectory,
    violations,
)


def classic_metrics(evaluation: Evaluation) -> dict[str, Any]:
    """Every metric by name; the rest of the headline's figures stand under ``alignment_metrics``."""
    sides, line = evaluation.sides, evaluation.headline
    gold, made = list(sides.gold), list(sides.made)
    strictness = Similarity(sides.similarity.how if sides.similarity else LENIENT, "allow_extra")
    right = sum(step_matches(g, t, strictness) for g, t in zip(gold, made))  # noqa: B905 - positions
    return {
        "invocation_accuracy": calculate_invocation_accuracy(gold, made),
        "selection_accuracy": calculate_selection_accuracy(gold, made),
        "tool_correctness_metrics": calculate_tool_correctness(gold, made),
        "argument_metrics": micro_f1(sides, line.matches),
        "sequence_metrics": calculate_edit_distance(gold, made),
        "efficiency_metrics": redundancy(
            gold, made, [sides.made_kind(j) for j in range(len(made))]
        ),
        "trajectory_metrics": trajectory(right, len(gold), len(made)),
        "required_call_recall": calculate_required_call_recall(gold, made),
        "security_metrics": find_secrets(made),
        "policy_metrics": violations(
            made, evaluation.options.get("forbidden") or (), line.forbidden
        ),
        "latency_metrics": calculate_latency(made),
        "cost_metrics": calculate_cost_attribution(made),
        "alignment_metrics": {
            "matched": line.matched,
            "in_order": line.in_order,
            "counted": line.counted,
            "extra": line.extra,
            "recovered": len(line.recovered),
        },
        "pairing_exact": line.pairing_exact,
        "order_exact": line.order_exact,
    }


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
