"""Rules that hold whatever was expected: forbidden calls, and the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, cast

from toolscore._call import ToolCall
from toolscore._options import Budget, ForbiddenRule
from toolscore._run import Run
from toolscore._scoring.equality import Comparison, same
from toolscore._scoring.scalars import LARGEST

_SEARCH = Comparison(search=True)


@dataclass(frozen=True)
class Excess:
    """A bound of the budget that was exceeded, or whose quantity is unknown (``found`` None)."""

    name: str
    bound: float
    found: float | None


def forbidden_calls(
    calls: Sequence[ToolCall], rules: Sequence[str | ForbiddenRule]
) -> list[tuple[int, int]]:
    """Each call that matches a rule, with the first rule that it matches."""
    hits: list[tuple[int, int]] = []
    checked: list[ForbiddenRule] = [{"tool": r} if isinstance(r, str) else r for r in rules]
    for j, call in enumerate(calls) if rules else ():
        number = next((n for n, rule in enumerate(checked) if _breaks(call, rule)), None)
        if number is not None:
            hits.append((j, number))
    return hits


def _breaks(call: ToolCall, rule: ForbiddenRule) -> bool:
    if call.tool != rule.get("tool"):
        return False
    args = call.args or {}
    return all(
        name in args and _found(value, args[name]) for name, value in rule.get("args", {}).items()
    )


def _found(rule: Any, value: Any) -> bool:
    try:
        return same(rule, value, _SEARCH)
    except Exception:  # noqa: BLE001 - a rule that cannot be applied forbids: safety first
        return True


def violations(
    calls: Sequence[ToolCall],
    rules: Sequence[str | ForbiddenRule],
    hits: Sequence[tuple[int, int]],
) -> dict[str, Any]:
    """The classic ``policy_metrics`` of the calls that match, each with the first rule of its."""
    reasons = [None if isinstance(rule, str) else rule.get("reason") for rule in rules]
    return {
        "violation_count": len(hits),
        "rule_count": len(rules),
        "violations": [
            {
                "index": j,
                "tool": calls[j].tool,
                "args": calls[j].args or {},
                "rule": rule,
                "reason": reasons[rule],
            }
            for j, rule in hits
        ],
    }


def exceeded(budget: Budget | None, calls: Sequence[ToolCall], run: Run | None) -> list[Excess]:
    """The bounds that were exceeded, or that nothing is known about."""
    excess: list[Excess] = []
    for name, bound in cast("dict[str, float]", budget or {}).items():
        found = _spent(name, calls, run)
        if found is None or found > bound:
            excess.append(Excess(name, bound, found))
    return excess


def _spent(name: str, calls: Sequence[ToolCall], run: Run | None) -> float | None:
    if name == "calls":
        return len(calls)
    if name == "duration":
        return _known(run.duration) if run else None
    if name == "tokens":
        return _known(run.usage.total_tokens) if run and run.usage else None
    costs = [call.cost for call in calls]
    return None if None in costs else fsum(cost for cost in costs if cost is not None)


def _known(figure: object) -> float | None:
    """A figure of a run, which may have been made by hand, if it is one."""
    if type(figure) in (int, float) and abs(cast("float", figure)) <= LARGEST:
        return cast("float", figure)
    return None
