"""The heaviest pairing that keeps the order, as a longest common subsequence.

A call is written as symbols 1 to ``width``, one after the other, and symbol ``s`` of a made call
equals symbol ``s`` of an expected one where their pair weighs at least ``s`` units. The longest
common subsequence is as long as the heaviest pairing is heavy. Not shorter: each pair has as many
symbols in common as it weighs. Not longer: from one common symbol to the next, either both calls
are new, or one of them stays and the symbol rises. So a stretch in which one call always stays is
no longer than its last symbol, hence than the last of its pairs weighs, which can stand for all.

Source:
    Crochemore, Iliopoulos, Pinzon and Reid, "A fast and practical bit-vector algorithm for the
    longest common subsequence problem" (2001): a row of the table is one whole number, with a bit
    for each symbol of the expected calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from toolscore._scoring.sides import Match, Sides
from toolscore._scoring.symbols import Lanes, ToolSymbols

MOST_UNITS = 40
"""Units in the heaviest pair, up to which whole numbers of bits beat a table of numbers."""


def heaviest_in_order(sides: Sides, expected: range, made: Sequence[int]) -> list[Match] | None:
    """The pairs, for calls that are a step each, or None: then ask ``Table``.

    Unlike ``Table`` it does not tell apart pairings of the same weight, which matters to the
    verdict where a call waits for a person: None.
    """
    outcomes = sides.outcomes
    if not sides.bare and any(outcomes[j].factor == 1.0 and not outcomes[j].meets for j in made):
        return None
    calls_of: dict[str, list[int]] = {}
    for j in made:
        calls_of.setdefault(sides.made[j].tool, []).append(j)
    tools = {
        tool: ToolSymbols(sides, tool, expected, calls)
        for tool, calls in calls_of.items()
        if tool in sides.gold_places
    }
    worths = [worth for tool in tools.values() for worth in tool.worths.values()]
    unit = gcd(*worths)
    width = max(worths, default=0) // (unit or 1)
    if width > MOST_UNITS:
        return None
    columns = sorted([i for tool in tools.values() for i in tool.columns])
    lanes = Lanes(columns, width)
    row_of = {name: tool.reader(lanes, unit) for name, tool in tools.items()}
    taking = [j for j in made if sides.made[j].tool in row_of]
    # One row at a time: memory that was just given back is much faster than new memory.
    pairs = _longest((row_of[sides.made[j].tool](j) for j in taking), lanes)
    if not sides.bare:
        pairs = _rather_without_failures(sides, taking, pairs)
    found = [(columns[lane], taking[row]) for row, lane in pairs]
    return [Match(i, j, sides.alike(i, j)) for i, j in found]


def _rather_without_failures(
    sides: Sides, made: Sequence[int], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The pairs with a call that did not fail wherever one is worth the same as one that did.

    It is worth half a call whatever its arguments, and one that failed no more than that, so what
    stands between the neighbours of a pair weighs the same, or the pair would not be there.
    """
    chosen: list[tuple[int, int]] = []
    start = 0
    ends = [row for row, _ in pairs[1:]] + [len(made)]
    for (row, lane), end in zip(pairs, ends):  # noqa: B905 - one each
        j = made[row]
        if sides.outcomes[j].factor < 1.0:
            for other in range(start, end):
                also = made[other]
                if (
                    sides.outcomes[also].factor == 1.0
                    and sides.made[also].tool == sides.made[j].tool
                ):
                    row = other
                    break
        chosen.append((row, lane))
        start = row + 1
    return chosen


def _longest(rows: Iterable[Sequence[int]], lanes: Lanes) -> list[tuple[int, int]]:
    """Row and lane of each pair; a row has, for each symbol, the lanes that share it."""
    same = everything = lanes.all  # a bit is 0 where the length grows by one
    table = [same]
    for shared in rows:
        for symbol in shared:
            met = same & symbol
            same = (same + met) | (same ^ met)
        same &= everything
        table.append(same)
    pairs: list[tuple[int, int]] = []
    left = everything  # the lanes before that of the last pair
    here = table.pop()
    kept = here.bit_count()
    for row in range(len(table) - 1, -1, -1):
        above = table[row] & left
        if above.bit_count() > kept:
            lane = ((here ^ left).bit_length() - 1) // lanes.width
            pairs.append((row, lane))
            left = (1 << lane * lanes.width) - 1
            above &= left
            kept = above.bit_count()
        here = above
    return pairs[::-1]
