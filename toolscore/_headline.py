"""The headline score and the verdict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from toolscore._align import Match, Sides, pair
from toolscore._call import ToolCall
from toolscore._equality import Comparison, same
from toolscore._options import Budget, EvaluateOptions, ForbiddenRule
from toolscore._order import in_order
from toolscore._run import Run

ORDER_WEIGHT = 0.3
EXTRA_CALL = 0.5
RECOVERED_CALL = 0.1
FORBIDDEN_CALL = 0.5
_SEARCH = Comparison(search=True)


@dataclass(frozen=True)
class Excess:
    """A bound of the budget that was exceeded, or whose quantity is unknown (``found`` None)."""

    name: str
    bound: float
    found: float | None


@dataclass(frozen=True)
class Headline:
    """What the score and the verdict were computed from."""

    score: float
    passed: bool
    matches: Sequence[Match] = ()
    ordered: Sequence[Match] = ()  # the heaviest part that keeps the order
    matched: float = 0.0  # M
    in_order: float = 0.0  # O
    keeps_order: bool = True
    counted: int = 0  # n
    extra: float = 0.0
    recovered: frozenset[int] = frozenset()  # failures that were made good
    forbidden: Sequence[tuple[int, int]] = ()  # a call, and the first rule that it matches
    excess: Sequence[Excess] = ()
    pairing_exact: bool = True
    order_exact: bool = True


def headline(sides: Sides, options: EvaluateOptions, run: Run | None) -> Headline:
    """Score and verdict against an expectation."""
    matches, pairing_exact = pair(sides)
    ordered, order_exact = matches, True
    any_order = options.get("order") == "any"
    if not any_order:
        ordered, order_exact = in_order(sides, matches)
    keeps_order = any_order or _total(sides, ordered) == _total(sides, matches)
    if keeps_order and not any_order:
        matches = ordered  # of the best pairings, the one that shows that the order holds
    missing_allowed = options.get("missing_calls") == "allow"
    counted = len(matches) if missing_allowed else len(sides.gold)
    exact = frozenset(m.actual for m in matches if m.similarity == 1.0)
    recovered = made_good(sides, exact)
    hits = forbidden_calls(sides.made, options.get("forbidden") or ())
    spent = exceeded(options.get("budget"), sides.made, run)
    allowed = options.get("extra_calls") == "allow"
    beyond, beyond_made_good = (0, 0) if allowed else _beyond(sides, recovered)
    extra = fsum(
        [
            EXTRA_CALL * beyond,
            RECOVERED_CALL * beyond_made_good,
            FORBIDDEN_CALL * len(hits),
        ]
    )
    matched = fsum(sides.worth(m.similarity, m.actual) for m in matches)
    kept = matched if keeps_order else fsum(sides.worth(m.similarity, m.actual) for m in ordered)
    kept = min(kept, matched)
    met = len(matches) == counted and all(
        m.similarity == 1.0 and sides.outcomes[m.actual].meets for m in matches
    )
    return Headline(
        score=_score(matched, kept, counted, extra),
        passed=met and keeps_order and not beyond and not hits and not spent and ended_well(run),
        matches=matches,
        ordered=ordered,
        matched=matched,
        in_order=kept,
        keeps_order=keeps_order,
        counted=counted,
        extra=extra,
        recovered=recovered,
        forbidden=hits,
        excess=spent,
        pairing_exact=pairing_exact,
        order_exact=order_exact,
    )


def _score(matched: float, kept: float, counted: int, extra: float) -> float:
    if not counted:
        return 0.0 if extra else 1.0
    return (matched - ORDER_WEIGHT * (matched - kept)) / (counted + extra)


def _total(sides: Sides, matches: Iterable[Match]) -> int:
    return sum(sides.weight(m.similarity, m.actual) for m in matches)


def made_good(sides: Sides, exact: Collection[int]) -> frozenset[int]:
    """The failures that a success of their tool in a later step made good.

    A success that meets an expected call exactly makes good all of them, any other one.
    """
    if not any(ending.failed for ending in sides.outcomes):
        return frozenset()
    good: set[int] = set()
    open_failures: dict[str, list[int]] = defaultdict(list)
    step_of: dict[int, list[int]] = defaultdict(list)
    for j, step in enumerate(sides.steps):
        step_of[step].append(j)
    for group in step_of.values():
        for j in group:
            waiting = open_failures[sides.made[j].tool]
            if sides.outcomes[j].succeeded and waiting:
                taken = waiting if j in exact else waiting[-1:]
                good.update(taken)
                open_failures[sides.made[j].tool] = waiting[: len(waiting) - len(taken)]
        for j in group:
            if sides.outcomes[j].failed:
                open_failures[sides.made[j].tool].append(j)
    return frozenset(good)


def _beyond(sides: Sides, recovered: Collection[int]) -> tuple[int, int]:
    """Calls beyond the expected number of their tool: those that weigh in full, those made good."""
    expected = Counter(call.tool for call in sides.gold)
    made = Counter(call.tool for call in sides.made)
    good = Counter(sides.made[j].tool for j in recovered)
    full = forgiven = 0
    for tool, count in made.items():
        beyond = max(0, count - expected[tool])
        forgiven += min(beyond, good[tool])
        full += beyond - min(beyond, good[tool])
    return full, forgiven


def forbidden_calls(
    calls: Sequence[ToolCall], rules: Sequence[str | ForbiddenRule]
) -> list[tuple[int, int]]:
    """Each call that matches a rule, with the first rule that it matches."""
    if not rules:
        return []
    checked: list[ForbiddenRule] = [{"tool": r} if isinstance(r, str) else r for r in rules]
    return [
        (j, next(number for number, rule in enumerate(checked) if _breaks(call, rule)))
        for j, call in enumerate(calls)
        if any(_breaks(call, rule) for rule in checked)
    ]


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


def exceeded(budget: Budget | None, calls: Sequence[ToolCall], run: Run | None) -> list[Excess]:
    """The bounds that were exceeded, or that nothing is known about."""
    excess: list[Excess] = []
    for name, bound in (budget or {}).items():
        found = _spent(name, calls, run)
        limit = float(bound)  # type: ignore[arg-type]
        if found is None or found > limit:
            excess.append(Excess(name, limit, found))
    return excess


def _spent(name: str, calls: Sequence[ToolCall], run: Run | None) -> float | None:
    if name == "calls":
        return len(calls)
    if name == "duration":
        return run.duration if run else None
    if name == "tokens":
        return run.usage.total_tokens if run and run.usage else None
    costs = [call.cost for call in calls]
    known = fsum(cost for cost in costs if cost is not None)
    return None if None in costs else known


def ended_well(run: Run | None) -> bool:
    """Whether a live run ended with status ``ok`` and was captured whole."""
    return run is None or (run.status == "ok" and run.complete)
