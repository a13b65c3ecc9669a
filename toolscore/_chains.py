"""The heaviest chain of pairs in order, grown one made call (or one step of them) at a time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import compress
from operator import add, gt, itemgetter
from typing import Any, TypeAlias

from toolscore._sides import Match, Sides

Chain: TypeAlias = "tuple[Any, int, int] | None"
"""The pairs of a chain, the last one first: what came before, an expected and a made call."""


class Chains:
    """For each ``k``, the best value over the first ``k`` expected calls, and how it came about."""

    def __init__(self, sides: Sides, expected: range, made: int, least: int) -> None:
        self.sides, self.expected = sides, expected
        self.best = [0] * (len(expected) + 1)
        self.chains: list[Chain] = [None] * (len(expected) + 1)
        # A chain that is worth as much as one already known uses at least ``least`` calls of each
        # side, so it never strays further from the diagonal than this:
        self.before, self.after = made - least, len(expected) - least
        self.seen = 0
        self._places: dict[str, _Places] = {}
        self._weights: dict[tuple[Any, ...], tuple[int, ...]] = {}

    def add(self, j: int) -> None:
        """Let a made call take one of the expected calls."""
        row, self.seen = self.seen, self.seen + 1
        places = self._of(self.sides.made[j].tool)
        if places is None:
            return
        weights = self._row(j, places)
        at = places.at
        low = bisect_left(at, row - self.before)
        high = bisect_right(at, row + self.after)
        best, chains = self.best, self.chains
        if low == 0 and high == len(at) and high > 1:
            values = list(map(add, places.here(best), weights))
            better = compress(range(high), map(gt, values, places.there(best)))
        else:
            values = [0] * low + [best[k] + w for k, w in zip(at[low:high], weights[low:high])]  # noqa: B905 - slices alike
            better = iter([n for n in range(low, high) if values[n] > best[at[n] + 1]])
        for number in reversed(list(better)):  # from the back, so that ``j`` is taken once
            value, k = values[number], at[number]
            end = bisect_left(best, value, k + 1)
            if end > k + 1:
                chain: Chain = (chains[k], k + self.expected.start, j)
                best[k + 1 : end] = [value] * (end - k - 1)
                chains[k + 1 : end] = [chain] * (end - k - 1)

    def add_step(self, group: Sequence[int]) -> None:
        """Let the calls of one step take expected calls, in any order among themselves."""
        self.seen += len(group)
        takers: dict[str, list[tuple[int, int, Sequence[int]]]] = {}
        for bit, j in enumerate(group):
            places = self._of(self.sides.made[j].tool)
            if places is not None:
                taker = (1 << bit, j, self._row(j, places))
                takers.setdefault(self.sides.made[j].tool, []).append(taker)
        used = [-1] * (1 << len(group))  # best value per set of the step's calls that are taken
        links: list[Chain] = [None] * len(used)
        used[0] = value = self.best[0]
        links[0] = end = self.chains[0]
        counts = dict.fromkeys(takers, 0)
        for k, i in enumerate(self.expected):
            tool = self.sides.gold[i].tool
            if tool in takers:
                number = counts[tool]
                counts[tool] += 1
                for subset in range(len(used) - 1, 0, -1):  # downwards: ``i`` is taken once
                    for bit, j, weights in takers[tool]:
                        before = used[subset ^ bit] if subset & bit else -1
                        if before >= 0 and before + weights[number] > used[subset]:
                            used[subset] = before + weights[number]
                            links[subset] = (links[subset ^ bit], i, j)
                    if used[subset] > value:
                        value, end = used[subset], links[subset]
            used[0], links[0] = self.best[k + 1], self.chains[k + 1]
            if used[0] > value:
                value, end = used[0], links[0]
            self.best[k + 1], self.chains[k + 1] = value, end

    def matches(self) -> list[Match]:
        """The pairs of the best chain."""
        found: list[Match] = []
        chain = self.chains[-1]
        sides = self.sides
        place = {i: n for places in sides.gold_places.values() for n, i in enumerate(places)}
        while chain is not None:
            chain, i, j = chain
            call = sides.made[j]
            value = sides.likeness(call.tool).of(place[i], call.args or {}, sides.made_keys[j])
            found.append(Match(i, j, value))
        found.sort()
        return found

    def _of(self, tool: str) -> _Places | None:
        if tool not in self._places:
            whole = self.sides.gold_places.get(tool, [])
            low = bisect_left(whole, self.expected.start)
            high = bisect_left(whole, self.expected.stop)
            self._places[tool] = _Places(low, [i - self.expected.start for i in whole[low:high]])
        return self._places[tool] if self._places[tool].at else None

    def _row(self, j: int, places: _Places) -> tuple[int, ...]:
        call, ending = self.sides.made[j], self.sides.outcomes[j]
        key = self.sides.made_keys[j]
        known = self._weights.get((call.tool, key, ending))
        if known is None:
            likeness = self.sides.likeness(call.tool).row(call.args or {}, key)
            likeness = likeness[places.first : places.first + len(places.at)]
            of_value = {value: self.sides.weight(value, j) for value in set(likeness)}
            known = tuple([of_value[value] for value in likeness])
            self._weights[call.tool, key, ending] = known
        return known


class _Places:
    """Where the expected calls of one tool stand, and how to read a list there in one go."""

    def __init__(self, first: int, at: list[int]) -> None:
        self.first, self.at = first, at
        if len(at) > 1:  # with one index, itemgetter gives no tuple
            self.here = itemgetter(*at)
            self.there = itemgetter(*[k + 1 for k in at])
