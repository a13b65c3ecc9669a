"""How much of the pairing keeps the expected order.

Calls that one model turn asked for have no order among themselves, so the best order inside each
step counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, TypeAlias

from toolscore._align import Match, Sides

EXACT_CELLS = 1_000_000
"""Expected times made calls, equal head and tail aside, up to which the order is exact."""
MAX_STEP = 8
"""Calls in one step, up to which every order inside it is tried."""

_Chain: TypeAlias = "tuple[Any, int, int] | None"


def in_order(sides: Sides, matches: list[Match]) -> tuple[list[Match], bool]:
    """The heaviest pairing that keeps the order, and whether that is certain."""
    groups = _steps(sides, matches)
    if _keeps_order(groups, matches):
        return matches, True
    head, tail = _trim(sides, groups, matches)
    inner = matches[len(head) : len(matches) - len(tail)]
    first = len(head)
    n = len(sides.gold) - first - len(tail)
    groups = groups[first : len(groups) - len(tail)]
    m = sum(map(len, groups))
    if n * m > EXACT_CELLS:
        return head + _heaviest_increasing(sides, groups, inner) + tail, False
    return head + _best(sides, groups, range(first, first + n)) + tail, True


def _steps(sides: Sides, matches: Sequence[Match]) -> list[list[int]]:
    """The made calls, step by step; a step of very many stands in the order of its partners."""
    groups: list[list[int]] = []
    last = -1
    for j, step in enumerate(sides.steps):
        if step == last:
            groups[-1].append(j)
        else:
            groups.append([j])
        last = step
    if all(len(group) <= MAX_STEP for group in groups):
        return groups
    partner = {match.actual: match.expected for match in matches}
    split: list[list[int]] = []
    for group in groups:
        if len(group) <= MAX_STEP:
            split.append(group)
        else:
            group.sort(key=lambda j: partner.get(j, len(sides.gold)))
            split += [[j] for j in group]
    return split


def _keeps_order(groups: Sequence[Sequence[int]], matches: Sequence[Match]) -> bool:
    place = {j: number for number, group in enumerate(groups) for j in group}
    last = -1
    for match in matches:  # in the order of the expected calls
        if place[match.actual] < last:
            return False
        last = place[match.actual]
    return True


def _trim(
    sides: Sides, groups: Sequence[Sequence[int]], matches: Sequence[Match]
) -> tuple[list[Match], list[Match]]:
    """The pairs of full worth at both ends: some best order always has them."""
    partner = {match.expected: match for match in matches}
    head: list[Match] = []
    tail: list[Match] = []
    most = min(len(sides.gold), len(groups))

    def full(i: int, group: Sequence[int]) -> Match | None:
        match = partner.get(i)
        if match is None or len(group) != 1 or match.actual != group[0]:
            return None
        whole = match.similarity == 1.0 and sides.outcomes[match.actual].factor == 1.0
        return match if whole and sides.outcomes[match.actual].meets else None

    while len(head) < most and (match := full(len(head), groups[len(head)])):
        head.append(match)
    while len(head) + len(tail) < most and (
        match := full(len(sides.gold) - 1 - len(tail), groups[-1 - len(tail)])
    ):
        tail.append(match)
    return head, tail[::-1]


def _best(sides: Sides, groups: Sequence[Sequence[int]], expected: range) -> list[Match]:
    """The heaviest pairing in order, step by step: ``best[k]`` uses the first ``k`` expected calls."""
    places: dict[str, list[int]] = {}
    for k, i in enumerate(expected):
        places.setdefault(sides.gold[i].tool, []).append(k)
    best = [0] * (len(expected) + 1)
    chains: list[_Chain] = [None] * (len(expected) + 1)
    for group in groups:
        if len(group) == 1:
            [j] = group
            _one(sides, j, places.get(sides.made[j].tool, []), expected.start, best, chains)
        else:
            best, chains = _several(sides, group, expected, best, chains)
    matches: list[Match] = []
    chain = chains[-1]
    while chain is not None:
        chain, i, j = chain
        matches.append(Match(i, j, sides.likeness(i, j)))
    matches.sort()
    return matches


def _one(
    sides: Sides, j: int, places: Sequence[int], start: int, best: list[int], chains: list[_Chain]
) -> None:
    """Let the call ``j`` take one expected call; from the back, so that it takes only one."""
    for k in reversed(places):
        value = best[k] + sides.weight(sides.likeness(start + k, j), j)
        chain: _Chain = None
        for later in range(k + 1, len(best)):
            if best[later] >= value:
                break
            chain = chain or (chains[k], start + k, j)
            best[later], chains[later] = value, chain


def _several(
    sides: Sides, group: Sequence[int], expected: range, best: list[int], chains: list[_Chain]
) -> tuple[list[int], list[_Chain]]:
    """Let the calls of one step take expected calls in any order: best value per set of them used."""
    size = 1 << len(group)
    used = [-1] * size
    links: list[_Chain] = [None] * size
    used[0], links[0] = best[0], chains[0]
    values, ends = [best[0]], [chains[0]]
    for k, i in enumerate(expected, start=1):
        tool = sides.gold[i].tool
        takers = [
            (1 << bit, sides.weight(sides.likeness(i, j), j), j)
            for bit, j in enumerate(group)
            if sides.made[j].tool == tool
        ]
        value, end = values[-1], ends[-1]
        if takers:
            for subset in range(size - 1, 0, -1):  # downwards: ``i`` is taken once
                for bit, weight, j in takers:
                    before = used[subset ^ bit]
                    if subset & bit and before >= 0 and before + weight > used[subset]:
                        used[subset] = before + weight
                        links[subset] = (links[subset ^ bit], i, j)
                if used[subset] > value:
                    value, end = used[subset], links[subset]
        used[0], links[0] = best[k], chains[k]
        if best[k] > value:
            value, end = best[k], chains[k]
        values.append(value)
        ends.append(end)
    return values, ends


def _heaviest_increasing(
    sides: Sides, groups: Sequence[Sequence[int]], matches: Sequence[Match]
) -> list[Match]:
    """The heaviest part of the pairing that keeps the order: a lower bound."""
    place = {j: number for number, group in enumerate(groups) for j in group}
    tops: list[int] = []  # places, increasing
    values: list[int] = []  # the best value that ends at each, increasing
    chains: list[_Chain] = []
    for match in matches:
        i, j, likeness = match
        at = bisect_left(tops, place[j] + 1)
        value = sides.weight(likeness, j) + (values[at - 1] if at else 0)
        chain = (chains[at - 1] if at else None, i, j)
        if at and tops[at - 1] == place[j]:
            at -= 1
        end = at
        while end < len(tops) and values[end] <= value:
            end += 1
        tops[at:end], values[at:end], chains[at:end] = [place[j]], [value], [chain]
    kept: set[int] = set()
    last: _Chain = chains[-1] if chains else None
    while last is not None:
        last, i, _ = last
        kept.add(i)
    return [match for match in matches if match.expected in kept]
