"""The headline score and the verdict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import NamedTuple

from toolscore._options import EvaluateOptions
from toolscore._run import Run
from toolscore._scoring.align import pair
from toolscore._scoring.order import in_order
from toolscore._scoring.policy import Excess, exceeded, forbidden_calls
from toolscore._scoring.sides import NAME_CREDIT, InPlace, Match, Sides
from toolscore._scoring.similarity import ALMOST

ORDER_WEIGHT = 0.3
EXTRA_CALL = 0.5
RECOVERED_CALL = 0.1
FORBIDDEN_CALL = 0.5
NEAR = 1e-6
"""Sums of worths that differ by more are different, whatever the rounding."""

_NONE: frozenset[int] = frozenset()
_NOTHING: Mapping[str, int] = Counter()


class Headline(NamedTuple):
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


_in_place = lru_cache(maxsize=64)(InPlace)


def headline(sides: Sides, options: EvaluateOptions, run: Run | None) -> Headline:
    """Score and verdict against an expectation."""
    hits = forbidden_calls(sides.made, options.get("forbidden") or ()) if options else []
    spent = exceeded(options.get("budget"), sides.made, run) if options else []
    fine = not hits and not spent and (run is None or ended_well(run))
    extra = FORBIDDEN_CALL * len(hits)
    if sides.flawless:
        count = len(sides.gold)
        whole, in_place = float(count), _in_place(count)
        score = _score(whole, whole, count, extra) if extra else 1.0
        # by place: by name takes half as long again
        return Headline(
            *(score, fine, in_place, in_place, whole, whole, True, count, extra, _NONE, hits, spent)
        )
    matches, pairing_exact = pair(sides)
    ordered, order_exact = matches, True
    if options.get("order") != "any":
        ordered, order_exact = in_order(sides, matches)
    matched = kept = _worth(sides, matches)
    keeps_order = ordered is matches
    if not keeps_order:
        kept = _worth(sides, ordered)
        near = kept > matched - NEAR
        keeps_order = near and _total(sides, matches) - _total(sides, ordered) <= len(matches)
    if keeps_order:  # of the best pairings, the one that shows it
        matches, matched = ordered, kept
    recovered = _NONE
    if not sides.bare:
        exact = frozenset(match.actual for match in matches if match.similarity == 1.0)
        recovered = made_good(sides, exact)
    beyond = forgiven = 0
    if options.get("extra_calls") != "allow":
        beyond, forgiven = _beyond(sides, recovered)
        extra = fsum([extra, EXTRA_CALL * beyond, RECOVERED_CALL * forgiven])
    counted = len(matches) if options.get("missing_calls") == "allow" else len(sides.gold)
    kept = min(kept, matched)
    score = _score(matched, kept, counted, extra)
    if score == 1.0 and any(match.similarity < 1.0 for match in matches):
        score = ALMOST
    passed = (
        keeps_order
        and not beyond
        and fine
        and len(matches) == counted
        and all(m.similarity == 1.0 and sides.outcomes[m.actual].meets for m in matches)
    )
    return Headline(
        *(score, passed, matches, ordered, matched, kept, keeps_order, counted, extra),
        *(recovered, hits, spent, pairing_exact, order_exact),
    )


def _score(matched: float, kept: float, counted: int, extra: float) -> float:
    if not counted:
        return 0.0 if extra else 1.0
    return (matched - ORDER_WEIGHT * (matched - kept)) / (counted + extra)


def _worth(sides: Sides, matches: Sequence[Match]) -> float:
    if sides.bare:
        return fsum([1 - (1 - NAME_CREDIT) * (1 - likeness) for _, _, likeness in matches])
    return fsum([sides.worth(match.similarity, match.actual) for match in matches])


def _total(sides: Sides, matches: Iterable[Match]) -> int:
    """``_worth`` in units of its own, to which each pair of it is rounded."""
    return sum(sides.weight(m.similarity, m.actual) // sides.tie for m in matches)


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
    made_good_of = Counter([sides.made[j].tool for j in recovered]) if recovered else _NOTHING
    full = forgiven = 0
    for tool, made in sides.made_places.items():
        beyond = len(made) - len(sides.gold_places.get(tool, ()))
        if beyond > 0:
            good = min(beyond, made_good_of[tool])
            forgiven += good
            full += beyond - good
    return full, forgiven


def ended_well(run: Run | None) -> bool:
    """Whether a live run ended with status ``ok`` and was captured whole."""
    return run is None or (run.status == "ok" and run.complete)
