"""The score without an expectation: what share of the settled calls was of use."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum

from toolscore._options import EvaluateOptions
from toolscore._run import Run
from toolscore._scoring.canonical import canonical
from toolscore._scoring.headline import Headline, ended_well, made_good
from toolscore._scoring.policy import exceeded, forbidden_calls
from toolscore._scoring.sides import Sides

RECOVERED_USE = 0.5
LOOP = 3
"""Identical calls in a row from which on they are a loop."""


def behaviour(sides: Sides, options: EvaluateOptions, run: Run | None) -> Headline:
    """Useful calls over settled calls, 1.0 when there are none; failures made good count half."""
    recovered = made_good(sides, ())
    settled = sum(1 for ending in sides.outcomes if ending.settled)
    useful = useful_calls(sides)
    use = fsum([len(useful), RECOVERED_USE * len(recovered)])
    failures = {j for j, ending in enumerate(sides.outcomes) if ending.failed}
    hits = forbidden_calls(sides.made, options.get("forbidden") or ())
    spent = exceeded(options.get("budget"), sides.made, run)
    good = failures <= recovered and not loops(sides) and not hits and not spent
    return Headline(
        score=use / settled if settled else 1.0,
        passed=good and ended_well(run),
        matched=use,
        in_order=use,
        counted=settled,
        recovered=recovered,
        forbidden=hits,
        excess=spent,
    )


def useful_calls(sides: Sides) -> list[int]:
    """Successes that do not repeat an earlier successful call with an equal result."""
    seen: set[tuple[Hashable, ...]] = set()
    useful: list[int] = []
    for j, call in enumerate(sides.made):
        if sides.outcomes[j].succeeded:
            key = (call.tool, sides.made_keys[j], canonical(call.result))
            if key not in seen:
                seen.add(key)
                useful.append(j)
    return useful


def loops(sides: Sides) -> list[Sequence[int]]:
    """Runs of three or more identical calls in a row."""
    found: list[Sequence[int]] = []
    start = 0
    for j in range(1, len(sides.made) + 1):
        ended = j == len(sides.made) or not sides.repeats(j)
        if ended:
            if j - start >= LOOP:
                found.append(range(start, j))
            start = j
    return found
