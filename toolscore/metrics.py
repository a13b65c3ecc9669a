"""The classic metrics, one function each.

Source:
    ``toolscore.metrics`` of tool-scorer 1.10.0: same names, same values, with equality that is
    exact about types and a pairing that stays optimal beyond twelve calls of one tool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

from toolscore._call import ToolCall
from toolscore._expectation import made_calls
from toolscore._options import ForbiddenRule, check_options
from toolscore._scoring import classic
from toolscore._scoring.align import pair
from toolscore._scoring.equality import LENIENT, STRICT
from toolscore._scoring.micro_f1 import micro_f1
from toolscore._scoring.policy import forbidden_calls, violations
from toolscore._scoring.secrets import secrets_in
from toolscore._scoring.sides import Sides
from toolscore._scoring.similarity import Similarity

__all__ = [
    "calculate_argument_f1",
    "calculate_cost_attribution",
    "calculate_edit_distance",
    "calculate_invocation_accuracy",
    "calculate_latency",
    "calculate_partial_trajectory_accuracy",
    "calculate_redundant_call_rate",
    "calculate_required_call_recall",
    "calculate_selection_accuracy",
    "calculate_tool_correctness",
    "calculate_tool_correctness_with_args",
    "calculate_trajectory_accuracy",
    "check_forbidden_calls",
    "find_secrets",
]

Calls: TypeAlias = list[ToolCall]


def calculate_invocation_accuracy(gold_calls: Calls, trace_calls: Calls) -> float:
    """(right names - half of the wrong and missed ones) / expected names, from 0 to 1.

    Example:
        >>> calculate_invocation_accuracy([ToolCall("a"), ToolCall("b")], [ToolCall("a")])
        0.25
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    gold, made = classic.tally(gold_calls), classic.tally(trace_calls)
    right, _, _ = classic.overlap(gold, made)
    return classic.invocation(len(gold), len(made), right)


def calculate_selection_accuracy(gold_calls: Calls, trace_calls: Calls) -> float:
    """Share of calls made whose tool was expected, from 0 to 1.

    Without calls made: 1 if none was expected, else 0.

    Example:
        >>> calculate_selection_accuracy([ToolCall("a")], [ToolCall("a"), ToolCall("b")])
        0.5
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    gold, made = classic.tally(gold_calls), classic.tally(trace_calls)
    _, within, _ = classic.overlap(gold, made)
    return classic.selection(within, len(gold_calls), len(trace_calls))


def calculate_argument_f1(
    gold_calls: Calls, trace_calls: Calls, strict: bool = False
) -> dict[str, float]:
    """``precision``, ``recall`` and ``f1`` of the arguments, each from 0 to 1.

    Micro-averaged over the pairs of the optimal pairing. Expected calls whose arguments are None
    are skipped; nothing to compare is 1.0; one of the two lists empty is 0.0.

    Example:
        >>> calculate_argument_f1([ToolCall("t", {"a": 1, "b": 2})], [ToolCall("t", {"a": 1})])
        {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666}
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    sides = Sides(gold_calls, trace_calls, Similarity(STRICT if strict else LENIENT, "exact"))
    return micro_f1(sides, pair(sides)[0])


def calculate_edit_distance(gold_calls: Calls, trace_calls: Calls) -> dict[str, float]:
    """Levenshtein distance of the tool names: ``edit_distance``.

    ``normalized_distance`` is its share of the longer list, ``sequence_accuracy`` 1 - that: 0 to 1.

    Example:
        >>> calculate_edit_distance([ToolCall("a"), ToolCall("b")], [ToolCall("b")])
        {'edit_distance': 1.0, 'normalized_distance': 0.5, 'sequence_accuracy': 0.5}
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    return classic.sequence([c.tool for c in gold_calls], [c.tool for c in trace_calls])


def calculate_redundant_call_rate(gold_calls: Calls, trace_calls: Calls) -> dict[str, float]:
    """How many calls were of no use, and as a share of all calls made (from 0 to 1).

    ``redundant``: beyond the expected number of their tool; ``identical``: same tool and arguments
    as an earlier call; ``error``: failed; ``retry_after_error``: repeats the failed call before it.

    Example:
        >>> rates = calculate_redundant_call_rate([ToolCall("a")], [ToolCall("a"), ToolCall("a")])
        >>> rates["redundant_rate"]
        0.5
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    gold, made = classic.tally(gold_calls), classic.tally(trace_calls)
    sides = Sides(gold_calls, trace_calls, Similarity(LENIENT, "exact"))
    return classic.redundancy(sides, classic.overlap(gold, made)[2])


def calculate_tool_correctness(
    gold_calls: Calls, trace_calls: Calls, strict_order: bool = False
) -> dict[str, Any]:
    """``tool_correctness``: the share of expected names that were called, from 0 to 1.

    With ``strict_order`` the share of positions with the expected name.

    Example:
        >>> found = calculate_tool_correctness([ToolCall("a"), ToolCall("b")], [ToolCall("b")])
        >>> found["missing_tools"]
        ['a']
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    found = classic.correctness(classic.tally(gold_calls), classic.tally(trace_calls))
    if not strict_order:
        return found
    wanted, called = [c.tool for c in gold_calls], [c.tool for c in trace_calls]
    right = sum(map(str.__eq__, wanted, called))
    return {
        "tool_correctness": right / len(wanted) if wanted else found["tool_correctness"],
        "correct_count": right,
        "total_expected": len(wanted),
        "expected_tools": found["expected_tools"],
        "called_tools": found["called_tools"],
        "expected_sequence": wanted,
        "called_sequence": called,
        "strict_order": True,
    }


def calculate_tool_correctness_with_args(gold_calls: Calls, trace_calls: Calls) -> dict[str, Any]:
    """``tool_correctness_strict``: the share of expected calls made with equal arguments, 0 to 1.

    Example:
        >>> calculate_tool_correctness_with_args(
        ...     [ToolCall("a", {"x": 1})], [ToolCall("a", {"x": True})]
        ... )["tool_correctness_strict"]
        0.0
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    sides = Sides(gold_calls, trace_calls, Similarity(LENIENT, "exact"))
    right = [match for match in pair(sides)[0] if match.similarity == 1.0]
    met, used = {match.expected for match in right}, {match.actual for match in right}
    vacuous = 0.0 if trace_calls else 1.0
    return {
        "tool_correctness_strict": len(right) / len(gold_calls) if gold_calls else vacuous,
        "matches": [(gold_calls[m.expected], trace_calls[m.actual]) for m in right],
        "mismatches": [
            *(call for i, call in enumerate(gold_calls) if i not in met),
            *(call for j, call in enumerate(trace_calls) if j not in used),
        ],
        "match_count": len(right),
        "total_expected": len(gold_calls),
    }


def calculate_required_call_recall(gold_calls: Calls, trace_calls: Calls) -> float | None:
    """Share of expected calls with their own call of that tool that did not fail, from 0 to 1.

    None when nothing was required: then the metric does not apply.

    Example:
        >>> calculate_required_call_recall([ToolCall("a"), ToolCall("a")], [ToolCall("a")])
        0.5
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    return classic.recall(classic.tally(gold_calls), trace_calls, len(gold_calls))


def calculate_trajectory_accuracy(gold_calls: Calls, trace_calls: Calls) -> dict[str, Any]:
    """Position by position: ``step_match_rate`` times ``path_efficiency``, each from 0 to 1.

    A step matches when its tool is the expected one and each expected argument is equal; further
    arguments do not matter. ``path_efficiency`` is min(1, expected calls / calls made).

    Example:
        >>> found = calculate_trajectory_accuracy([ToolCall("a")], [ToolCall("a"), ToolCall("b")])
        >>> found["trajectory_accuracy"]
        0.5
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)
    matches = [_step_matches(g, t) for g, t in zip_longest(gold_calls, trace_calls)]
    details = [
        {
            "step": number,
            "expected_tool": gold.tool if gold else None,
            "actual_tool": made.tool if made else None,
            "matches": match,
            "expected_args": (gold.args or {}) if gold else {},
            "actual_args": (made.args or {}) if made else {},
        }
        for number, (gold, made, match) in enumerate(
            zip_longest(gold_calls, trace_calls, matches), start=1
        )
    ]
    figures = classic.trajectory(sum(matches), len(gold_calls), len(trace_calls))
    return {**figures, "trajectory_details": details}


def _step_matches(gold: ToolCall | None, made: ToolCall | None) -> bool:
    if gold is None or made is None or gold.tool != made.tool:
        return False
    return Similarity(LENIENT, "allow_extra").full(gold.args, made.args)


def calculate_partial_trajectory_accuracy(
    gold_calls: Calls, trace_calls: Calls, allow_tool_name_variations: bool = False
) -> dict[str, float]:
    """Share of expected calls whose name was called, each call used once, from 0 to 1.

    With ``allow_tool_name_variations`` case and the marks ``_-`` do not count.

    Example:
        >>> calculate_partial_trajectory_accuracy([ToolCall("a"), ToolCall("b")], [ToolCall("b")])
        {'partial_trajectory_accuracy': 0.5}
    """
    gold_calls, trace_calls = made_calls(gold_calls), made_calls(trace_calls)

    def name(call: ToolCall) -> str:
        plain = call.tool.lower().replace("_", "").replace("-", "")
        return plain if allow_tool_name_variations else call.tool

    if not gold_calls:
        return {"partial_trajectory_accuracy": 0.0 if trace_calls else 1.0}
    common = Counter(map(name, gold_calls)) & Counter(map(name, trace_calls))
    return {"partial_trajectory_accuracy": common.total() / len(gold_calls)}


def calculate_latency(trace_calls: Calls) -> dict[str, float]:
    """Sum, mean, largest and smallest of the known durations, in seconds; 0.0 where none is known.

    Example:
        >>> calculate_latency([ToolCall("a", duration=1.5)])["total_duration"]
        1.5
    """
    return classic.latency(made_calls(trace_calls))


def calculate_cost_attribution(trace_calls: Calls) -> dict[str, float | dict[str, float]]:
    """Sum and mean of the known costs, and the sum by tool, in USD.

    Example:
        >>> calculate_cost_attribution([ToolCall("a", cost=0.5)])["cost_by_tool"]
        {'a': 0.5}
    """
    return classic.cost(made_calls(trace_calls))


def find_secrets(trace_calls: Calls) -> dict[str, Any]:
    """Credentials in arguments, at any depth: ``secret_count`` and ``secrets``.

    Example:
        >>> find_secrets([ToolCall("a", {"key": "AKIA" + "A" * 16})])["secrets"][0]["kind"]
        'aws_access_key_id'
    """
    found = secrets_in(made_calls(trace_calls))
    return {"secret_count": len(found), "secrets": found}


def check_forbidden_calls(
    trace_calls: Calls, rules: Sequence[str | ForbiddenRule]
) -> dict[str, Any]:
    """The calls that match a rule, each with the first one: ``violation_count``, ``violations``.

    A ``Regex`` in a rule is searched, not matched in full, so that a prefix does not hide a call.

    Raises:
        ValueError: a rule is not a tool's name or ``{"tool": ..., "args": ..., "reason": ...}``.

    Example:
        >>> check_forbidden_calls([ToolCall("drop")], [{"tool": "drop"}])["violation_count"]
        1
    """
    trace_calls = made_calls(trace_calls)
    checked = check_options({"forbidden": rules}).get("forbidden") or []
    hits = forbidden_calls(trace_calls, checked)
    return violations(trace_calls, checked, hits)
