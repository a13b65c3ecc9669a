"""How much of the pairing keeps the expected order.

Calls that one model turn asked for have no order among themselves, so the best order inside each
step counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from toolscore._scoring.sides import Match, Sides, match_of
from toolscore._scoring.subsequence import heaviest_in_order
from toolscore._scoring.table import Chain, Table

EXACT_CELLS = 1_000_000
"""Expected times made calls, equal head and tail aside, up to which the order is exact."""
FEW_CELLS = 200
"""Up to here a lower bound to narrow the search costs more than it saves."""
MAX_STEP = 8
"""Calls in one step, up to which every order inside it is tried."""


def in_order(sides: Sides, matches: list[Match]) -> tuple[list[Match], bool]:
    """The heaviest pairing that keeps the order, and whether that is certain."""
    if sides.bare:
        if _increases([actual for _, actual, _ in matches]):
            return matches, True
        kept = _bare_in_order(sides, matches)
        if kept is not None:
            return kept, True
    groups = _steps(sides, matches)
    place = {j: number for number, group in enumerate(groups) for j in group}
    if not sides.bare and _increases([place[match.actual] for match in matches]):
        return matches, True
    head, tail = _trim(sides, groups, matches)
    first = len(head)
    inner = matches[first : len(matches) - len(tail)]
    expected = range(first, len(sides.gold) - len(tail))
    groups = groups[first : len(groups) - len(tail)]
    made = sum(map(len, groups))
    cells = len(expected) * made
    if cells <= FEW_CELLS and len(groups) == made:
        return head + _of_few(sides, expected, [j for (j,) in groups], inner) + tail, True
    pairs = None
    if len(groups) == made and cells <= EXACT_CELLS and not sides.bare:
        pairs = heaviest_in_order(sides, expected, [j for (j,) in groups])
    if pairs is not None:
        return head + pairs + tail, True
    least = 0
    if cells > FEW_CELLS:
        kept = _heaviest_increasing(sides, place, inner)
        if cells > EXACT_CELLS:
            return head + kept + tail, False
        known = sum(sides.weight(match.similarity, match.actual) for match in kept)
        least = -(-known // sides.most)
    best = Table(sides, expected, made, least)
    for group in groups:
        if len(group) == 1:
            best.add(group[0])
        else:
            best.add_step(group)
    return head + best.matches() + tail, True


def _bare_in_order(sides: Sides, matches: list[Match]) -> list[Match] | None:
    """The same for calls of which nothing is known but that they were made; None: too many."""
    expected, made = len(sides.gold), len(sides.made)
    head = tail = 0
    while matches[head] == (head, head, 1.0):
        head += 1
    while matches[-1 - tail] == (expected - 1 - tail, made - 1 - tail, 1.0):
        tail += 1
    kept: list[Match] | None = None
    within, among = range(head, expected - tail), range(head, made - tail)
    if expected * made <= FEW_CELLS:
        kept = _of_few(sides, within, among, matches[head : len(matches) - tail])
    elif len(within) * len(among) <= EXACT_CELLS:
        kept = heaviest_in_order(sides, within, among)
    return None if kept is None else matches[:head] + kept + matches[len(matches) - tail :]


def _of_few(
    sides: Sides, expected: Sequence[int], made: Sequence[int], matches: Sequence[Match]
) -> list[Match]:
    """``Table`` for a few calls, each a step of its own, without what only pays for many."""
    alike = {(i, j): likeness for i, j, likeness in matches}
    places: dict[str, list[int]] = {}
    for k, i in enumerate(expected):
        places.setdefault(sides.gold[i].tool, []).append(k)
    row = [0] * (len(expected) + 1)  # the best value over the first ``k`` expected calls
    rows = [row]
    for j in made:
        before, row = row, row.copy()
        for k in places.get(sides.made[j].tool, ()):
            pair = expected[k], j
            likeness = alike.get(pair)
            if likeness is None:
                likeness = alike[pair] = sides.alike(*pair)
            value = before[k] + sides.weight(likeness, j)
            while k < len(expected) and row[k + 1] < value:
                k += 1
                row[k] = value
        rows.append(row)
    kept: list[Match] = []
    k = len(expected)
    for number in range(len(made), 0, -1):
        row = rows[number]
        if row[k] > rows[number - 1][k]:
            k = row.index(row[k]) - 1
            i, j = expected[k], made[number - 1]
            kept.append(match_of((i, j, alike[i, j])))
    return kept[::-1]


def _steps(sides: Sides, matches: Sequence[Match]) -> list[list[int]]:
    """The made calls, step by step; a step of very many stands in the order of its partners."""
    if sides.bare:
        return [[j] for j in sides.steps]
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


def _increases(places: list[int]) -> bool:
    return places == sorted(places)


def _trim(
    sides: Sides, groups: Sequence[Sequence[int]], matches: list[Match]
) -> tuple[list[Match], list[Match]]:
    """The pairs of full worth at both ends: some best order always has them."""
    most = min(len(matches), len(groups))
    whole = [
        likeness == 1.0
        and (sides.bare or (sides.outcomes[j].meets and sides.outcomes[j].factor == 1.0))
        for _, j, likeness in matches
    ]
    head = tail = 0
    while head < most and whole[head] and _alone(matches[head], head, groups[head]):
        head += 1
    last = len(sides.gold) - 1
    while (
        head + tail < most
        and whole[-1 - tail]
        and _alone(matches[-1 - tail], last - tail, groups[-1 - tail])
    ):
        tail += 1
    return matches[:head], matches[len(matches) - tail :]


def _alone(match: Match, i: int, group: Sequence[int]) -> bool:
    """Whether the match is that of this expected call and a step of one call."""
    return match.expected == i and len(group) == 1 and match.actual == group[0]


def _heaviest_increasing(
    sides: Sides, place: Mapping[int, int], matches: Sequence[Match]
) -> list[Match]:
    """The heaviest part of the pairing that keeps the order: a lower bound.

    ``place`` is the number of the step of each made call.
    """
    tops: list[int] = []  # places, increasing
    values: list[int] = []  # the best value that ends at each, increasing
    chains: list[Chain] = []
    for number, match in enumerate(matches):
        here = place[match.actual]
        at = bisect_left(tops, here + 1)
        value = sides.weight(match.similarity, match.actual) + (values[at - 1] if at else 0)
        chain = (chains[at - 1] if at else None, number, 0)
        if at and tops[at - 1] == here:
            at -= 1
        end = at
        while end < len(tops) and values[end] <= value:
            end += 1
        tops[at:end], values[at:end], chains[at:end] = [here], [value], [chain]
    kept: list[Match] = []
    last = chains[-1] if chains else None
    while last is not None:
        last, number, _ = last
        kept.append(matches[number])
    return kept[::-1]
