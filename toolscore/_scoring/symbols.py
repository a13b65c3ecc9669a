"""Which symbols a made call shares with each expected call, as whole numbers of bits.

See ``subsequence``, which finds the longest sequence of symbols in common.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from toolscore._scoring.likeness import share
from toolscore._scoring.sides import Sides


class Lanes:
    """Whole numbers with ``width`` bits, a lane, for each expected call, the first the lowest."""

    def __init__(self, columns: Sequence[int], width: int) -> None:
        self.width = width
        self.all = (1 << len(columns) * width) - 1
        lane = (1 << width) - 1
        self.start = {i: number * width for number, i in enumerate(columns)}
        self.of = {i: lane << start for i, start in self.start.items()}
        lowest = self.all // lane if width else 0
        self.symbols = [lowest << symbol for symbol in range(width)]  # one of them in all lanes

    def together(self, columns: Iterable[int]) -> int:
        """The lanes of these expected calls."""
        lanes = 0
        for i in columns:
            lanes |= self.of[i]
        return lanes


class ToolSymbols:
    """The calls of one tool: what their pairs may be worth, and which symbols they share."""

    def __init__(self, sides: Sides, tool: str, expected: range, made: Sequence[int]) -> None:
        places = sides.gold_places[tool]
        low, high = bisect_left(places, expected.start), bisect_left(places, expected.stop)
        self.places, self.columns = range(low, high), places[low:high]
        self.sides, self.made, self.like = sides, made, sides.likeness(tool)
        self.flat = self.like.flat and sides.similarity.mode != "ignore"
        values = self._possible() if self.flat else self._found()
        examples = {sides.outcomes[j].factor: j for j in (made[:1] if sides.bare else made)}
        self.worths = {
            (value, factor): sides.weight(value, j) // sides.tie
            for factor, j in examples.items()
            for value in values
        }

    def reader(self, lanes: Lanes, unit: int) -> Callable[[int], Sequence[int]]:
        """Gives, for a made call and each symbol, the lanes that share it."""
        units = {kind: worth // unit for kind, worth in self.worths.items()}
        if self.flat:
            return _Counted(self, lanes, units).reader()
        return _Compared(self, lanes, units)

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
        self, tool: ToolSymbols, lanes: Lanes, units: Mapping[tuple[float, float], int]
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
    """The same where arguments agree or do not: from the lanes that have each argument.

    What a call has in common with several is worked out once for all calls like it; an expected
    call that alone has some argument is compared by itself.
    """

    def __init__(
        self, tool: ToolSymbols, lanes: Lanes, units: Mapping[tuple[float, float], int]
    ) -> None:
        self.tool, self.lanes, self.units = tool, lanes, units
        self.plain = tool.sides.plain  # then a call is its own key
        self.shapes: dict[frozenset[str], int] = {}  # by names
        self.unchecked = checked = 0
        having = defaultdict[tuple[Hashable, Hashable], list[int]](list)  # by name and value
        shape_of = defaultdict[tuple[str, ...], list[int]](list)
        for i, place in zip(tool.columns, tool.places):  # noqa: B905 - alike
            args = tool.like.args[place]
            if args is None:
                self.unchecked |= lanes.of[i]
                continue
            checked += 1
            for item in args.items() if self.plain else tool.like.keys[place] or ():
                having[item].append(i)
            shape_of[tuple(args)].append(i)
        for names, columns in shape_of.items():
            shape = frozenset(names)
            self.shapes[shape] = self.shapes.get(shape, 0) | lanes.together(columns)
        self.alone: dict[Hashable, int] = {}
        self.several: dict[Hashable, int] = {}  # the number of those, 0 where all have it
        self.those = [0]
        for item, columns in having.items():
            many = len(columns)
            if many == checked:
                self.several[item] = 0
            elif many == 1:
                self.alone[item] = columns[0]
            else:
                self.several[item] = len(self.those)
                self.those.append(lanes.together(columns))
        self.shared: dict[Hashable, tuple[list[int], list[list[tuple[int, int]]], int]] = {}
        self.known: dict[Hashable, tuple[list[int], int]] = {}

    def reader(self) -> Callable[[int], Sequence[int]]:
        """Gives the lanes of a call by symbol; all that it asks for stands at hand."""
        sides, known, plain = self.tool.sides, self.known, self.plain
        gold, made, outcomes, start_of, units = (
            sides.gold,
            sides.made,
            sides.outcomes,
            self.lanes.start,
            self.units,
        )
        several_of, alone_of = self.several.get, self.alone.get

        def row_of(j: int) -> Sequence[int]:
            args = made[j].args or {}
            key = args.items() if plain else sides.made_keys[j]
            several = list(map(several_of, key))
            factor = outcomes[j].factor
            kind = (factor, *args, *several)
            if kind not in known:
                known[kind] = self._row(j, several)
            row, sure = known[kind]
            if None in several:
                row = row.copy()
                for i in map(alone_of, key):
                    if i is None:
                        continue
                    same = plain and gold[i].args == args
                    most = units[1.0 if same else sides.alike(i, j), factor]
                    start = start_of[i]
                    for symbol in range(sure, most):
                        row[symbol] |= 1 << start + symbol
            return row

        return row_of

    def _row(self, j: int, several: Sequence[int | None]) -> tuple[list[int], int]:
        """By symbol, the lanes that share it; and how many symbols all lanes share."""
        everywhere = several.count(0)
        kind = (
            self.tool.sides.outcomes[j].factor,
            everywhere,
            *(self.tool.sides.made[j].args or ()),
        )
        shared = self.shared.get(kind)
        if shared is None:
            shared = self.shared[kind] = self._shared(j, everywhere)
        least, more, sure = shared
        row = least.copy()
        agreeing: list[int] = []  # lanes with one more argument in common, two ...
        for those in [self.those[number] for number in several if number]:
            if not agreeing:
                agreeing.append(those)
                continue
            agreeing.append(agreeing[-1] & those)
            for count in range(len(agreeing) - 2, 0, -1):
                agreeing[count] |= agreeing[count - 1] & those
            agreeing[0] |= those
        for those, symbols in zip(agreeing, more):  # noqa: B905 - no more agree
            for symbol, where in symbols:
                row[symbol] |= those & where
        return row, sure

    def _shared(
        self, j: int, everywhere: int
    ) -> tuple[list[int], list[list[tuple[int, int]]], int]:
        """By symbol, the lanes that share it at least; then those that may with more in common."""
        names, factor = self.tool.sides.made[j].args or {}, self.tool.sides.outcomes[j].factor
        least = [0] * self.lanes.width
        more: list[list[tuple[int, int]]] = [[] for _ in names]
        symbols = self.lanes.symbols
        if self.unchecked:
            for symbol in range(self.units[1.0, factor]):
                least[symbol] = self.unchecked & symbols[symbol]
        sure = self.lanes.width
        for shape, those in self.shapes.items():
            union = self.tool.like.union(shape, names.keys())
            sure = min(sure, self.units[share(everywhere, union), factor])
            start = 0
            for count in range(everywhere, len(shape & names.keys()) + 1):
                end = self.units[share(count, union), factor]
                for symbol in range(start, end):
                    if count == everywhere:
                        least[symbol] |= those & symbols[symbol]
                    else:
                        more[count - everywhere - 1].append((symbol, those & symbols[symbol]))
                start = end
        return least, more, sure
