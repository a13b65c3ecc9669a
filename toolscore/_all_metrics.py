"""All metrics of one evaluation, nested as the classic keys are, and their composite."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

from toolscore import _classic as classic
from toolscore._evaluation import Evaluation
from toolscore._micro_f1 import PERFECT, micro_f1
from toolscore._options import composite_weights
from toolscore._policy import violations
from toolscore._secrets import secrets_in
from toolscore._sides import Sides
from toolscore._similarity import Similarity


def all_metrics(evaluation: Evaluation) -> dict[str, Any]:
    """Every metric by name; the headline's own figures stand under ``alignment_metrics``."""
    sides, line = evaluation.sides, evaluation.headline
    gold, made = sides.gold, sides.made
    expected = {tool: len(places) for tool, places in sides.gold_places.items()}
    called = {tool: len(places) for tool, places in sides.made_places.items()}
    flawless = sides.flawless and sides.similarity.mode == "exact"
    secrets = secrets_in(made)
    return {
        "invocation_accuracy": classic.invocation(expected, called),
        "selection_accuracy": classic.selection(expected, called, len(made)),
        "tool_correctness_metrics": classic.correctness(expected, called),
        "argument_metrics": dict(PERFECT) if flawless else micro_f1(sides, line.matches),
        "sequence_metrics": classic.sequence(
            [call.tool for call in gold], [call.tool for call in made]
        ),
        "efficiency_metrics": classic.redundancy(expected, called, made, sides.made_keys),
        "trajectory_metrics": classic.trajectory(
            len(gold) if flawless else steps_met(sides), len(gold), len(made)
        ),
        "required_call_recall": classic.recall(expected, made, len(gold)),
        "security_metrics": {"secret_count": len(secrets), "secrets": secrets},
        "policy_metrics": violations(
            made, evaluation.options.get("forbidden") or (), line.forbidden
        ),
        "latency_metrics": classic.latency(made),
        "cost_metrics": classic.cost(made),
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


def steps_met(sides: Sides) -> int:
    """Positions at which the expected tool was called with all expected arguments."""
    similarity = Similarity(sides.similarity.how, "allow_extra")
    return sum(
        1
        for gold, made in zip(sides.gold, sides.made)  # noqa: B905 - positions
        if gold.tool == made.tool and similarity.full(gold.args, made.args)
    )


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
