"""``Table`` for long lists, in numpy where that is installed: the same pairs, sooner.

numpy is an option (the extra ``fast``): whole numbers in, whole numbers out, so that nothing
depends on whether it is there.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping, Sequence
from importlib import import_module
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from toolscore._scoring.outcome import Outcome
from toolscore._scoring.sides import Sides

WORTH_USING = 10_000
"""Expected times made calls from which on numpy is faster, where it is loaded already."""
WORTH_LOADING = 200_000
"""The same where it has to be loaded first."""

Values: TypeAlias = Mapping[Any, Hashable]
FEW_NAMES = 11
"""Twice as many names as an argument list has, up to which a count of them fits a byte, squared."""
_ABSENT = object()


class _Block(NamedTuple):
    """All pairs of one tool: where they stand, and ``A`` of each as a code of few values."""

    rows: list[int]  # of made calls
    columns: Any  # of expected calls
    codes: Any
    values: list[float]


def heaviest_in_order(
    sides: Sides, expected: range, made: Sequence[int]
) -> list[tuple[int, int]] | None:
    """The pairs that ``Table`` finds for calls that are a step each, or None: then ask it."""
    cells = len(expected) * len(made)
    if cells < (WORTH_USING if "numpy" in sys.modules else WORTH_LOADING):
        return None
    try:
        np = import_module("numpy")
    except ImportError:
        return None
    blocks = _blocks(np, sides, expected, made)
    weights = _weights(np, sides, blocks, made)
    most = max((int(weight.max()) for weight in weights), default=0)
    if most * min(len(expected), len(made)) >= 1 << 63:
        return None
    lines: list[tuple[Any, Any, Any, Any] | None] = [None] * len(made)
    for block, weight in zip(blocks, weights):  # noqa: B905 - one each
        room = block.columns + 1, np.zeros(len(expected) + 1, np.int64)
        for row, line in zip(block.rows, weight):  # noqa: B905 - one each
            lines[row] = block.columns, line, *room
    pairs = _heaviest(np, lines, len(expected))
    return [(column + expected.start, made[row]) for row, column in pairs]


def _heaviest(
    np: Any, lines: Sequence[tuple[Any, Any, Any, Any] | None], expected: int
) -> list[tuple[int, int]]:
    """Row and column of each pair.

    ``lines`` are per row its columns, their weights, the columns after them, and room to work in
    that is zero in all others.
    """
    maximum, running = np.maximum, np.maximum.accumulate
    best = np.zeros((len(lines) + 1, expected + 1), np.int64)
    last = best[0]  # the best value over the first ``k`` expected calls
    for line, here in zip(lines, best[1:]):  # noqa: B905 - a row each
        if line is None:
            here[:] = last
        else:
            columns, weights, after, room = line
            room[after] = last[columns] + weights
            running(room, out=here)
            maximum(here, last, out=here)
        last = here
    pairs: list[tuple[int, int]] = []
    column = expected
    for row in range(len(lines), 0, -1):
        value = best[row, column]
        if value > best[row - 1, column]:
            column = int(best[row].searchsorted(value)) - 1
            pairs.append((row - 1, column))
    return pairs[::-1]


def _weights(np: Any, sides: Sides, blocks: Sequence[_Block], made: Sequence[int]) -> list[Any]:
    """The weights of each block, in the largest unit in which all are whole."""
    endings = [sides.outcomes[j] for j in made]
    example = dict(zip(endings, made))  # noqa: B905 - one each
    exact: dict[tuple[float, Outcome], tuple[int, int]] = {}
    for value in {value for block in blocks for value in block.values}:
        for ending, j in example.items():
            exact[value, ending] = divmod(sides.weight(value, j), sides.tie)
    unit = gcd(*[worth for worth, _ in exact.values()]) or 1
    short = {key: worth // unit * sides.tie + better for key, (worth, better) in exact.items()}
    weights: list[Any] = []
    number = {ending: place for place, ending in enumerate(example)}
    for block in blocks:
        table = np.array([[short[value, ending] for value in block.values] for ending in example])
        of_row = np.array([number[endings[row]] for row in block.rows])
        weights.append(table[of_row[:, None], block.codes])
    return weights


def _blocks(np: Any, sides: Sides, expected: range, made: Sequence[int]) -> list[_Block]:
    rows: dict[str, list[int]] = {}
    for row, j in enumerate(made):
        rows.setdefault(sides.made[j].tool, []).append(row)
    blocks: list[_Block] = []
    for tool, places in sides.gold_places.items():
        inside = [place for place, i in enumerate(places) if i in expected]
        if inside and tool in rows:
            columns = np.array([places[place] - expected.start for place in inside])
            found = _likeness(np, sides, tool, inside, [made[row] for row in rows[tool]])
            blocks.append(_Block(rows[tool], columns, *found))
    return blocks


def _likeness(
    np: Any, sides: Sides, tool: str, inside: Sequence[int], calls: Sequence[int]
) -> tuple[Any, list[float]]:
    """``A`` of all pairs of a tool as codes, a line per made call, and the value of each code."""
    like = sides.likeness(tool)
    if like.flat and sides.similarity.mode == "exact":
        if sides.plain:
            made: list[Values] = [sides.made[j].args or {} for j in calls]
            return _shares(np, [like.args[place] for place in inside], made)
        gold = [None if (key := like.keys[place]) is None else dict(key) for place in inside]
        return _shares(np, gold, [dict(sides.made_keys[j]) for j in calls])
    code: dict[float, int] = {}
    lines: dict[Hashable, list[int]] = {}
    codes: list[list[int]] = []
    for j in calls:
        key = sides.made_keys[j]
        if key not in lines:
            line = like.line(inside, sides.made[j].args or {}, key)
            lines[key] = [code.setdefault(value, len(code)) for value in line]
        codes.append(lines[key])
    return np.array(codes), list(code)


def _shares(
    np: Any, gold: Sequence[Values | None], made: Sequence[Values]
) -> tuple[Any, list[float]]:
    """The same where arguments agree in full or not at all: counted for all pairs at once."""
    wanted = [args or {} for args in gold]
    sizes = list(map(len, wanted)), list(map(len, made))
    wide = max(sizes[0]) + max(sizes[1]) + 1
    number = np.int8 if wide < FEW_NAMES else np.int32  # small ones are counted much faster
    union = np.add.outer(np.array(sizes[1], number), np.array(sizes[0], number))
    agreeing = np.zeros_like(union)
    for name in {name for args in wanted for name in args}:
        codes: dict[Hashable, int] = {_ABSENT: -1}
        left = np.array([codes.setdefault(a.get(name, _ABSENT), len(codes)) for a in wanted])
        codes[_ABSENT] = -3
        right = np.array([codes.get(args.get(name, _ABSENT), -2) for args in made])
        agreeing += np.equal.outer(right, left).view(np.int8)
        if left.min() > -1 and right.min() > -3:
            union -= 1
        else:
            union -= np.logical_and.outer(right > -3, left > -1).view(np.int8)
    unchecked = [place for place, args in enumerate(gold) if args is None]
    agreeing[:, unchecked] = union[:, unchecked] = 1
    both = agreeing * number(wide) + union
    present = np.flatnonzero(np.bincount(both.ravel()))
    rank = np.zeros(int(present[-1]) + 1, np.intp)
    rank[present] = np.arange(len(present))
    shares = [divmod(int(code), wide) for code in present]
    return rank[both], [same / among if among else 1.0 for same, among in shares]
