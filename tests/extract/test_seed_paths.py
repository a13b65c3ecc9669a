"""What programs written for tool-scorer 1.10.0 import, call and read."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

import toolscore
from toolscore import ToolCall, metrics

PATHS = {
    "toolscore.core": [
        "EvaluationResult", "ToolScoreAssertionError", "assert_tools", "evaluate",
        "evaluate_trace", "load_gold_standard", "load_trace", "test_agent", "test_agent_async",
    ],
    "toolscore.integrations": [
        "auto_extract", "from_anthropic", "from_claude_agent_sdk", "from_crewai", "from_gemini",
        "from_langgraph", "from_openai", "from_openai_agents", "from_otel", "from_pydantic_ai",
    ],
    "toolscore.matchers": ["ANY", "Approx", "Contains", "IsType", "Matcher", "OneOf", "Regex"],
    "toolscore.adapters": [
        "AnthropicAdapter", "BaseAdapter", "CustomAdapter", "GeminiAdapter", "LangChainAdapter",
        "MCPAdapter", "OTelAdapter", "OpenAIAdapter", "ToolCall",
    ],
    "toolscore.adapters.base": ["BaseAdapter", "ToolCall"],
    "toolscore.adapters.otel": ["OTelAdapter", "tool_calls_from_otel"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in PATHS.items() for name in names]
)
def test_a_name_is_found_where_tool_scorer_had_it(module: str, name: str):
    """And is the one that ``toolscore`` itself offers, where it does."""
    found = getattr(importlib.import_module(module), name)
    assert found is getattr(toolscore, name, found)


GOLD = [ToolCall("a", {"x": 1}), ToolCall("b", {})]
MADE = [ToolCall("a", {"x": 2}, duration=1.0, cost=0.5), ToolCall("c", {})]
BOTH, ONE = ("gold_calls", "trace_calls"), ("trace_calls",)
# what tool-scorer 1.10.0 gives for these calls: parameters, keys of the result or the number itself
METRICS: dict[str, tuple[tuple[str, ...], Any]] = {
    "calculate_argument_f1": ((*BOTH, "strict"), "f1 precision recall"),
    "calculate_cost_attribution": (ONE, "average_cost cost_by_tool total_cost"),
    "calculate_edit_distance": (BOTH, "edit_distance normalized_distance sequence_accuracy"),
    "calculate_invocation_accuracy": (BOTH, 0.0),
    "calculate_latency": (ONE, "average_duration max_duration min_duration total_duration"),
    "calculate_partial_trajectory_accuracy": (
        (*BOTH, "allow_tool_name_variations"), "partial_trajectory_accuracy"),
    "calculate_redundant_call_rate": (
        BOTH, ("error_count error_rate identical_count identical_rate redundant_count "
              "redundant_rate retry_after_error_count total_calls")),
    "calculate_required_call_recall": (BOTH, 0.5),
    "calculate_selection_accuracy": (BOTH, 0.5),
    "calculate_tool_correctness": (
        (*BOTH, "strict_order"), ("called_tools correct_count expected_tools extra_tools "
                                 "missing_tools strict_order tool_correctness total_expected")),
    "calculate_tool_correctness_with_args": (
        BOTH, "match_count matches mismatches tool_correctness_strict total_expected"),
    "calculate_trajectory_accuracy": (
        BOTH, ("correct_steps path_efficiency step_match_rate total_expected_steps "
              "trajectory_accuracy trajectory_details")),
    "check_forbidden_calls": ((*ONE, "rules"), "rule_count violation_count violations"),
    "find_secrets": (ONE, "secret_count secrets"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "parameters", "result"), [(n, *m) for n, m in METRICS.items()])
def test_a_metric_has_its_signature_and_its_keys(
    name: str, parameters: tuple[str, ...], result: str | float
):
    """A program that calls it, and reads what it returned, goes on working."""
    metric = getattr(metrics, name)
    assert tuple(inspect.signature(metric).parameters) == parameters
    given = {"gold_calls": GOLD, "trace_calls": MADE, "rules": [{"tool": "c"}]}
    found = metric(*[given[p] for p in parameters if p in given])
    assert (sorted(found) if isinstance(result, str) else found) == (
        result.split() if isinstance(result, str) else result
    )


def test_the_members_of_a_result_are_there():
    """Those of tool-scorer's ``EvaluationResult``, with the keys of its metrics."""
    result = toolscore.evaluate(["a"], [{"tool": "a", "args": {}}])
    for name in ("score", "grade", "argument_f1", "sequence_accuracy", "selection_accuracy",
                 "required_call_recall", "gold_calls", "trace_calls", "to_dict"):  # fmt: skip
        assert hasattr(result, name)
    assert {
        "argument_metrics", "efficiency_metrics", "invocation_accuracy", "required_call_recall",
        "security_metrics", "selection_accuracy", "sequence_metrics", "tool_correctness_metrics",
        "trajectory_metrics",
    } <= result.metrics.keys()  # fmt: skip


def calls(*items: Any) -> list[dict[str, Any]]:
    return [{"tool": tool, "args": args} for tool, args in items]


A = ("a", {})
# what tool-scorer 1.10.0 scores, and what we do: the table of docs/migrate-from-tool-scorer.md
SCORES: dict[str, tuple[list[Any], list[Any], float, float]] = {
    "perfect": ([A], [A], 1.0, 1.0),
    "one of two missing": ([A, ("b", {})], [A], 0.9, 0.5),
    "one of ten made": ([(f"t{n}", {}) for n in range(10)], [("t0", {})], 0.82, 0.1),
    "asked once, made 100 times": ([A], [A] * 100, 0.703, 1 / 50.5),
    "two calls swapped": ([A, ("b", {})], [("b", {}), A], 0.8, 0.85),
    "one of two arguments wrong": (
        [("a", {"x": 1, "y": 2})], [("a", {"x": 1, "y": 3})], 0.85, 0.75),
    "the only argument wrong": ([("a", {"x": 1})], [("a", {"x": 2})], 0.7, 0.5),
    "nothing done": ([A], [], 0.1, 0.0),
    "wrong tool": ([("a", {"x": 1})], [("b", {"x": 1})], 0.0, 0.0),
}  # fmt: skip


@pytest.mark.parametrize(("gold", "made", "theirs", "ours"), SCORES.values(), ids=SCORES)
def test_the_classic_score_is_the_composite(
    gold: list[Any], made: list[Any], theirs: float, ours: float
):
    """The headline number is another one; theirs is still there, and is it with ``weights=``."""
    result = toolscore.evaluate(calls(*gold), calls(*made))
    assert result.composite == pytest.approx(theirs)
    assert result.score == pytest.approx(ours)
