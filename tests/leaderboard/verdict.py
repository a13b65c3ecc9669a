"""Our verdict on an answer to an entry of the leaderboard."""

from __future__ import annotations

from typing import Any

from toolscore import EvaluationResult, evaluate
from toolscore.matchers import from_possible_answers

TYPES = {"dict": "object", "float": "number", "tuple": "array"}
"""The leaderboard's names of types that JSON Schema has others for; it has none for ``any``."""


def verdict(
    ground_truth: list[Any], answer: list[Any], tools: dict[str, Any] | None = None
) -> EvaluationResult:
    """Calls in any order, as the leaderboard compares them."""
    calls = [{"tool": tool, "args": args} for entry in answer for tool, args in entry.items()]
    return evaluate(from_possible_answers(ground_truth), calls, order="any", tools=tools)


def tools_of(functions: list[dict[str, Any]]) -> dict[str, Any]:
    """Their tools as JSON schemas, without defaults, which the right answers state themselves."""
    return {function["name"]: _schema(function["parameters"]) for function in functions}


def _schema(part: Any) -> Any:
    if isinstance(part, list):
        return [_schema(item) for item in part]
    if not isinstance(part, dict):
        return part
    kept = {name: _schema(item) for name, item in part.items() if name != "default"}
    if isinstance(kept.get("type"), str):
        kept["type"] = TYPES.get(kept["type"], kept["type"])
    return kept
