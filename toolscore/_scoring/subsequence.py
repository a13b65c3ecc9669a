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

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import gcd

from toolscore._scoring.likeness import share
from toolscore._scoring.sides import Match, Sides

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
        tool: _Tool(sides, tool, expected, calls)
        for tool, calls in calls_of.items()
        if tool in sides.gold_places
    }
    worths = [worth for tool in tools.values() for worth in tool.worths.values()]
    unit = gcd(*worths)
    width = max(worths, default=0) // (unit or 1)
    if width > MOST_UNITS:
        return None
    columns = sorted([i for tool in tools.values() for i in tool.columns])
    lanes = _Lanes(columns, width)
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


class _Lanes:
    """Whole numbers with ``width`` bits, a lane, for each expected call, the first the lowest."""

    def __init__(self, columns: Sequence[int], width: int) -> None:
        self.width = width
        self.all = (1 << len(columns) * width) - 1
        lane = (1 << width) - 1
        self.of = {i: lane << number * width for number, i in enumerate(columns)}
        lowest = self.all // lane if width else 0
        self.symbols = [lowest << symbol for symbol in range(width)]  # one of them in all lanes


def _longest(rows: Iterable[Sequence[int]], lanes: _Lanes) -> list[tuple[int, int]]:
    """Row and lane of each pair; a row has, for each symbol, the lanes that share it."""
    same = everything = lanes.all  # a bit is 0 where the length grows by one
    table = [same]
    for shared in rows:
        for symbol in shared:
            met = same & symbol
            if met:
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


class _Tool:
    """The calls of one tool: what their pairs may be worth, and which symbols they share."""

    def __init__(self, sides: Sides, tool: str, expected: range, made: Sequence[int]) -> None:
        places = sides.gold_places[tool]
        low, high = bisect_left(places, expected.start), bisect_left(places, expected.stop)
        self.places, self.columns = range(low, high), places[low:high]
        self.sides, self.made, self.like = sides, made, sides.likeness(tool)
        self.flat = self.like.flat and sides.similarity.mode != "ignore"
        values = self._possible() if self.flat else self._found()
        examples = {sides.outcomes[j].factor: j for j in made}
        self.worths = {
            (value, factor): sides.weight(value, j) // sides.tie
            for factor, j in examples.items()
            for value in values
        }

    def reader(self, lanes: _Lanes, unit: int) -> Callable[[int], Sequence[int]]:
        """Gives, for a made call and each symbol, the lanes that share it."""
        units = {kind: worth // unit for kind, worth in self.worths.items()}
        return (_Counted if self.flat else _Compared)(self, lanes, units)

    def _possible(self) -> set[float]:
        """``A`` of all pairs, and perhaps more, going by the names of their arguments."""
        wanted = [self.like.args[place] for place in self.places]
        values = {1.0} if None in wanted else set[float]()
        shapes = {frozenset(names) for names in {tuple(a) for a in wanted if a is not None}}
        for names in {tuple(self.sides.made[j].args or ()) for j in self.made}:
            for shape in shapes:
                union = self.like.union(shape, set(names))
                most = len(shape.intersection(names))
                values.update([share(same, union) for same in range(most + 1)])
        return values

    def _found(self) -> set[float]:
        """``A`` of all pairs."""
        return {value for j in self.made for value in self.row(j)}

    def row(self, j: int) -> list[float]:
        """``A`` of a made call and each expected one."""
        row = self.like.row(self.sides.made[j].args or {}, self.sides.made_keys[j])
        return row[self.places.start : self.places.stop]


class _Compared:
    """The lanes that share each symbol with a call, from comparing it with each."""

    def __init__(
        self, tool: _Tool, lanes: _Lanes, units: Mapping[tuple[float, float], int]
    ) -> None:
        self.tool, self.lanes, self.units = tool, lanes, units

    def __call__(self, j: int) -> list[int]:
        lanes, factor = self.lanes, self.tool.sides.outcomes[j].factor
        sharing = [0] * lanes.width  # at the last symbol that they share
        for i, value in zip(self.tool.columns, self.tool.row(j)):  # noqa: B905 - alike
            sharing[self.units[value, factor] - 1] |= lanes.of[i]
        for symbol in range(lanes.width - 2, -1, -1):
            sharing[symbol] |= sharing[symbol + 1]
        return [those & symbol for those, symbol in zip(sharing, lanes.symbols)]  # noqa: B905 - alike


class _Counted:
    """The same where arguments agree or do not: from the lanes that have each argument."""

    def __init__(
        self, tool: _Tool, lanes: _Lanes, units: Mapping[tuple[float, float], int]
    ) -> None:
        self.tool, self.lanes, self.units = tool, lanes, units
        self.having: dict[
            tuple[Hashable, Hashable], int
        ] = {}  # by name and value; 0 where all have it
        self.shapes: dict[frozenset[str], int] = {}  # by names
        self.unchecked = 0
        self.plain = tool.sides.plain  # then a call is its own key
        having = self.having
        names_of: dict[tuple[str, ...], int] = {}
        for i, place in zip(tool.columns, tool.places):  # noqa: B905 - alike
            args, lane = tool.like.args[place], lanes.of[i]
            if args is None:
                self.unchecked |= lane
                continue
            for item in args.items() if self.plain else tool.like.keys[place] or ():
                those = having.get(item)
                having[item] = lane if those is None else those | lane
            names = tuple(args)
            names_of[names] = names_of.get(names, 0) | lane
        for names, those in names_of.items():
            shape = frozenset(names)
            self.shapes[shape] = self.shapes.get(shape, 0) | those
        checked = sum(self.shapes.values())  # each lane has one shape
        for item in [item for item, those in having.items() if those == checked]:
            having[item] = 0
        self.known: dict[Hashable, tuple[list[int], list[list[tuple[int, int]]]]] = {}

    def __call__(self, j: int) -> list[int]:
        sides = self.tool.sides
        args = sides.made[j].args or {}
        key = args.items() if self.plain else sides.made_keys[j]
        those_of = list(map(self.having.get, key))
        everywhere = those_of.count(0)
        kind = (sides.outcomes[j].factor, everywhere, *args)
        known = self.known.get(kind)
        if known is None:
            known = self.known[kind] = self._shared(j, everywhere)
        least, more = known
        row = least.copy()
        agreeing: list[int] = []  # lanes with one more argument in common, two ...
        for those in filter(None, those_of):
            if not agreeing:
                agreeing.append(those)
                continue
            agreeing.append(agreeing[-1] & those)
            for count in range(len(agreeing) - 2, 0, -1):
                agreeing[count] |= agreeing[count - 1] & those
            agreeing[0] |= those
        for those, symbols in zip(agreeing, more):  # noqa: B905 - no more agree
            if those:
                for symbol, where in symbols:
                    row[symbol] = row[symbol] | those & where if row[symbol] else those & where
        return row

    def _shared(self, j: int, everywhere: int) -> tuple[list[int], list[list[tuple[int, int]]]]:
        """By symbol, the lanes that share it at least; then those that may with more in common."""
        names, factor = self.tool.sides.made[j].args or {}, self.tool.sides.outcomes[j].factor
        least = [0] * self.lanes.width
        more: list[list[tuple[int, int]]] = [[] for _ in names]
        symbols = self.lanes.symbols
        if self.unchecked:
            for symbol in range(self.units[1.0, factor]):
                least[symbol] = self.unchecked & symbols[symbol]
        for shape, those in self.shapes.items():
            union = self.tool.like.union(shape, names.keys())
            start = 0
            for count in range(everywhere, len(shape & names.keys()) + 1):
                end = self.units[share(count, union), factor]
                for symbol in range(start, end):
                    if count == everywhere:
                        least[symbol] |= those & symbols[symbol]
                    else:
                        more[count - everywhere - 1].append((symbol, those & symbols[symbol]))
                start = end
        return least, more
