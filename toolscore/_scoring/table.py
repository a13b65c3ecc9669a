"""The heaviest pairing that keeps the order, one made call or step after the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import compress
from operator import add, gt, itemgetter
from typing import Any, TypeAlias

from toolscore._scoring.sides import Match, Sides

LONG = 8
"""Cells from which on writing a whole stretch at once pays."""
MANY = 6
"""Expected calls of one tool from which on reading all of them in one go pays."""

Chain: TypeAlias = "tuple[Any, int, int] | None"
"""Pairs, the last one first: what came before, an expected and a made call."""


class Table:
    """For each ``k``, the best value over the first ``k`` expected calls; a row per step."""

    def __init__(self, sides: Sides, expected: range, made: int, least: int) -> None:
        self.sides, self.expected = sides, expected
        end = sides.most * (len(expected) + made + 1)  # above every value: stops the inner loop
        self.best: list[int] = [0] * (len(expected) + 1) + [end]
        self.rows: list[list[int]] = []
        self.taken: list[int | _Step] = []  # per row: the call, or the step
        # A pairing worth as much as one already known uses at least ``least`` calls of each side,
        # so it never strays further from the diagonal than this:
        self.before, self.after = made - least, len(expected) - least
        self.seen = 0
        self._places: dict[str, _Places] = {}
        self._weights: dict[tuple[Any, ...], tuple[int, ...]] = {}

    def add(self, j: int) -> None:
        """Let a made call take one of the expected calls."""
        row, self.seen = self.seen, self.seen + 1
        places = self._of(self.sides.made[j].tool)
        if not places.at:
            return
        self.rows.append(self.best.copy())
        self.taken.append(j)
        weights, at, best = self._row(j, places), places.at, self.best
        low = bisect_left(at, row - self.before)
        high = bisect_right(at, row + self.after)
        if low == 0 and high == len(at) >= MANY:
            values = list(map(add, places.here(best), weights))
            there = places.there(best)
            better = list(compress(zip(places.after, values), map(gt, values, there)))  # noqa: B905 - alike
        else:
            better = [(k + 1, best[k] + w) for k, w in zip(at[low:high], weights[low:high])]  # noqa: B905 - alike
        far = len(best) - LONG
        for k, value in reversed(better):  # from the back, so that ``j`` is taken once
            if k < far and best[k + LONG] < value:
                end = bisect_left(best, value, k + LONG)
                best[k:end] = [value] * (end - k)
            while best[k] < value:
                best[k] = value
                k += 1

    def add_step(self, group: Sequence[int]) -> None:
        """Let the calls of one step take expected calls, in any order among themselves."""
        low = min(max(0, self.seen - self.before), len(self.expected))
        self.seen += len(group)
        step = _Step(self, group, low, min(len(self.expected), self.seen + self.after))
        self.rows.append(self.best)
        self.taken.append(step)
        self.best = step.best

    def matches(self) -> list[Match]:
        """The pairs of the best pairing, found from the last row back to the first."""
        found: list[Match] = []
        k = len(self.expected)
        below = self.best
        for row, taken in zip(reversed(self.rows), reversed(self.taken)):  # noqa: B905 - alike
            if below[k] > row[k]:
                k = bisect_left(below, below[k], 0, k)
                if isinstance(taken, int):
                    k -= 1
                    found.append(self._match(k + self.expected.start, taken))
                else:
                    k, chain = taken.ends[k - taken.low]
                    while chain is not None:
                        chain, i, j = chain
                        found.append(self._match(i, j))
            below = row
        found.sort()
        return found

    def _match(self, i: int, j: int) -> Match:
        return Match(i, j, self.sides.alike(i, j))

    def _of(self, tool: str) -> _Places:
        places = self._places.get(tool)
        if places is None:
            whole = self.sides.gold_places.get(tool, [])
            low = bisect_left(whole, self.expected.start)
            high = bisect_left(whole, self.expected.stop)
            at = [i - self.expected.start for i in whole[low:high]]
            places = self._places[tool] = _Places(low, at)
        return places

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

    def count(self, tool: str, k: int) -> int:
        """How many of the first ``k`` expected calls are of this tool."""
        return bisect_left(self._of(tool).at, k)

    def takers(self, group: Sequence[int]) -> dict[str, list[tuple[int, int, Sequence[int]]]]:
        """By tool: the bit of each call of a step, the call, and its weights."""
        found: dict[str, list[tuple[int, int, Sequence[int]]]] = {}
        for number, j in enumerate(group):
            tool = self.sides.made[j].tool
            places = self._of(tool)
            if places.at:
                found.setdefault(tool, []).append((1 << number, j, self._row(j, places)))
        return found


class _Step:
    """One step: the best value per ``k`` after it, and from where and by which pairs.

    Only expected calls from ``low`` up to ``high`` are taken.
    """

    def __init__(self, table: Table, group: Sequence[int], low: int, high: int) -> None:
        before = table.best
        takers = table.takers(group)
        counts = {tool: table.count(tool, low) for tool in takers}
        used = [-1] * (1 << len(group))  # best value per set of the step's calls that are taken
        used[0] = value = before[low]
        links: list[tuple[int, Chain]] = [(low, None)] * len(used)
        end = links[0]
        self.low = low
        self.best = before[: low + 1]
        self.ends = [end]
        for k, i in enumerate(table.expected[low:high], low):
            tool = table.sides.gold[i].tool
            if tool in takers:
                number = counts[tool]
                counts[tool] += 1
                for subset in range(len(used) - 1, 0, -1):  # downwards: ``i`` is taken once
                    for bit, j, weights in takers[tool]:
                        rest = used[subset ^ bit] if subset & bit else -1
                        if rest >= 0 and rest + weights[number] > used[subset]:
                            used[subset] = rest + weights[number]
                            start, chain = links[subset ^ bit]
                            links[subset] = (start, (chain, i, j))
                    if used[subset] > value:
                        value, end = used[subset], links[subset]
            used[0], links[0] = before[k + 1], (k + 1, None)
            if used[0] >= value:
                value, end = used[0], links[0]
            self.best.append(value)
            self.ends.append(end)
        rest = bisect_left(before, value, len(self.best))
        self.best += [value] * (rest - len(self.best)) + before[rest:]


class _Places:
    """Where the expected calls of one tool stand, and how to read a list there in one go."""

    def __init__(self, first: int, at: list[int]) -> None:
        self.first, self.at = first, at
        self.after = [k + 1 for k in at]
        if len(at) >= MANY:
            self.here = itemgetter(*at)
            self.there = itemgetter(*self.after)
