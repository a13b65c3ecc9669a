"""The classic metrics, worked out from how often each tool was expected and called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any, TypeAlias

from toolscore._call import ToolCall
from toolscore._scoring.edit_distance import edit_distance
from toolscore._scoring.sides import Sides

Tally: TypeAlias = Mapping[str, int]
"""Calls by tool."""


def tally(calls: Sequence[ToolCall]) -> dict[str, int]:
    """How often each tool was called."""
    counts: dict[str, int] = {}
    for call in calls:
        counts[call.tool] = counts.get(call.tool, 0) + 1
    return counts


def overlap(gold: Tally, made: Tally) -> tuple[int, int, int]:
    """Expected names that were called; all calls of these; those that are not one too many."""
    right = within = needed = 0
    for tool, count in made.items():
        wanted = gold.get(tool)
        if wanted:
            right += 1
            within += count
            needed += min(wanted, count)
    return right, within, needed


def invocation(gold: int, made: int, right: int) -> float:
    """(right names - half of the wrong and missed ones) / expected names, from 0 to 1."""
    if not gold:
        return 0.0 if made else 1.0
    wrong = gold + made - 2 * right
    return max(0.0, (right - 0.5 * wrong) / gold)


def selection(within: int, gold: int, made: int) -> float:
    """Share of the calls made whose tool was expected."""
    if not made:
        return 0.0 if gold else 1.0
    return within / made


def correctness(gold: Tally, made: Tally) -> dict[str, Any]:
    """Expected against called names, as sets."""
    vacuous = 0.0 if made else 1.0
    wanted = called = sorted(gold)
    missing: list[str] = []
    extra: list[str] = []
    if gold.keys() != made.keys():
        called = sorted(made)
        missing = [tool for tool in wanted if tool not in made]
        extra = [tool for tool in called if tool not in gold]
    right = len(gold) - len(missing)
    return {
        "tool_correctness": right / len(gold) if gold else vacuous,
        "correct_count": right,
        "total_expected": len(gold),
        "expected_tools": wanted,
        "called_tools": [*called],
        "strict_order": False,
        "missing_tools": missing,
        "extra_tools": extra,
    }


def sequence(gold: Sequence[str], made: Sequence[str]) -> dict[str, float]:
    """Levenshtein distance of the names, as it is and as a share of the longer list."""
    distance = edit_distance(gold, made)
    normalized = distance / max(len(gold), len(made), 1)
    return {
        "edit_distance": float(distance),
        "normalized_distance": normalized,
        "sequence_accuracy": 1.0 - normalized,
    }


def redundancy(sides: Sides, needed: int) -> dict[str, float]:
    """Calls of no use, by reason, as numbers and as shares of all calls."""
    made = sides.made
    total = len(made)
    failed = again = 0
    if not sides.bare:
        failures = [j for j, call in enumerate(made) if call.metadata and call.is_error]
        failed = len(failures)
        again = len([j for j in failures if j + 1 < total and sides.repeats(j + 1)])
    identical = sides.identical
    divisor = total or 1
    return {
        "redundant_count": total - needed,
        "total_calls": total,
        "redundant_rate": (total - needed) / divisor,
        "identical_count": identical,
        "identical_rate": identical / divisor,
        "error_count": failed,
        "error_rate": failed / divisor,
        "retry_after_error_count": again,
    }


def recall(gold: Tally, calls: Sequence[ToolCall], total: int) -> float | None:
    """Share of the expected calls with their own call of that tool that did not fail."""
    if not total:
        return None
    made = tally([call for call in calls if not (call.metadata and call.is_error)])
    return overlap(gold, made)[2] / total


def trajectory(right: int, expected: int, made: int) -> dict[str, float]:
    """``step_match_rate`` of ``right`` positions, times ``path_efficiency``."""
    vacuous = 0.0 if made else 1.0
    rate = right / expected if expected else vacuous
    efficiency = 1.0 if not expected else min(1.0, expected / made) if made else 0.0
    return {
        "trajectory_accuracy": rate * efficiency,
        "step_match_rate": rate,
        "path_efficiency": efficiency,
        "correct_steps": right,
        "total_expected_steps": expected,
    }


def latency(calls: Sequence[ToolCall]) -> dict[str, float]:
    """Sum, mean, largest and smallest of the known durations."""
    known: list[float] = []
    for call in calls:
        if call.duration is not None:
            known.append(call.duration)  # noqa: PERF401 - most runs are short and have none
    if not known:
        return {
            "total_duration": 0.0,
            "average_duration": 0.0,
            "max_duration": 0.0,
            "min_duration": 0.0,
        }
    total = fsum(known)
    return {
        "total_duration": total,
        "average_duration": total / len(known),
        "max_duration": max(known),
        "min_duration": min(known),
    }


def cost(calls: Sequence[ToolCall]) -> dict[str, float | dict[str, float]]:
    """Sum and mean of the known costs, and the sum by tool."""
    by_tool: dict[str, list[float]] = {}
    known: list[float] = []
    for call in calls:
        if call.cost is not None:
            by_tool.setdefault(call.tool, []).append(call.cost)
            known.append(call.cost)
    if not known:
        return {"total_cost": 0.0, "average_cost": 0.0, "cost_by_tool": {}}
    total = fsum(known)
    return {
        "total_cost": total,
        "average_cost": total / len(known),
        "cost_by_tool": {tool: fsum(costs) for tool, costs in by_tool.items()},
    }
