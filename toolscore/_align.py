"""Which expected call met which call that was made: the optimal one-to-one pairing.

Calls that are equal in full are paired first, which is optimal as long as the expected ones hold
no matcher (1 - A is a metric then). What is left goes, kind by kind, to the assignment: equal
calls are one kind, so that long runs of few different calls stay cheap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from toolscore._assignment import assign
from toolscore._call import ToolCall
from toolscore._equality import canonical, holds_matcher
from toolscore._outcome import Outcome, outcome, steps
from toolscore._similarity import Similarity

NAME_CREDIT = 0.5
SCALE = 1 << 52
EXACT_CELLS = 1_000_000
"""Kinds of expected times kinds of made calls of one tool, up to which the pairing is optimal."""


class Match(NamedTuple):
    """An expected call, the call that met it, and the similarity of their arguments."""

    expected: int
    actual: int
    similarity: float


@dataclass
class Sides:
    """Both lists, and what the pairing and the order need to know of each call."""

    gold: Sequence[ToolCall]
    made: Sequence[ToolCall]
    similarity: Similarity
    outcomes: list[Outcome] = field(init=False)
    steps: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.outcomes = [outcome(call) for call in self.made]
        self.steps = steps(self.made)
        self._kinds: dict[Hashable, int] = {}
        self._gold_kinds: dict[int, int] = {}
        self._made_kinds: dict[int, int] = {}
        self._known: dict[tuple[int, int], float] = {}

    def gold_kind(self, i: int) -> int:
        """A number that is the same for expected calls that compare alike."""
        kind = self._gold_kinds.get(i)
        if kind is None:
            args = self.gold[i].args
            kind = self._gold_kinds[i] = self._number(
                None if args is None else canonical(args, self.similarity.how.strict)
            )
        return kind

    def made_kind(self, j: int) -> int:
        """A number that is the same for made calls with equal arguments."""
        kind = self._made_kinds.get(j)
        if kind is None:
            key = canonical(self.made[j].args or {}, self.similarity.how.strict)
            kind = self._made_kinds[j] = self._number(key)
        return kind

    def _number(self, key: Hashable) -> int:
        return self._kinds.setdefault(key, len(self._kinds))

    def likeness(self, i: int, j: int) -> float:
        """``A`` of the expected call ``i`` and the made call ``j`` (of the same tool)."""
        key = (self.gold_kind(i), self.made_kind(j))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.similarity.of(self.gold[i].args, self.made[j].args)
        return known

    def worth(self, likeness: float, j: int) -> float:
        """``s``: what a pair with this argument similarity adds to the score."""
        return self.outcomes[j].factor * (1 - (1 - NAME_CREDIT) * (1 - likeness))

    def weight(self, likeness: float, j: int) -> int:
        """``s`` as a whole number, equal pairs told apart: exact and met first, then not failed."""
        ending = self.outcomes[j]
        better = 2 * (likeness == 1.0 and ending.meets) + (ending.factor == 1.0)
        return round(self.worth(likeness, j) * SCALE) * self.tie + better

    @property
    def tie(self) -> int:
        """More than all tie-breaks of a pairing together."""
        return 4 * (min(len(self.gold), len(self.made)) + 1)


def pair(sides: Sides) -> tuple[list[Match], bool]:
    """The pairing with the largest sum of ``s``, and whether that is certain."""
    gold_by_tool = _by_tool(sides.gold)
    made_by_tool = _by_tool(sides.made)
    matches: list[Match] = []
    exact = True
    for tool, expected in gold_by_tool.items():
        made = made_by_tool.get(tool)
        if made:
            found, certain = _pair_tool(sides, expected, made)
            matches += found
            exact = exact and certain
    matches.sort()
    return matches, exact


def _by_tool(calls: Sequence[ToolCall]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, call in enumerate(calls):
        places[call.tool].append(place)
    return places


def _pair_tool(sides: Sides, expected: list[int], made: list[int]) -> tuple[list[Match], bool]:
    matches: list[Match] = []
    if sides.similarity.mode == "exact" and not any(
        holds_matcher(sides.gold[i].args) for i in expected
    ):
        matches, expected, made = _equal_first(sides, expected, made)
    if not expected or not made:
        return matches, True
    rows = _groups(expected, [(sides.gold_kind(i),) for i in expected])
    columns = _groups(made, [(sides.made_kind(j), sides.outcomes[j]) for j in made])
    if len(rows) * len(columns) > EXACT_CELLS:
        return matches + _pair_greedily(sides, rows, columns), False
    return matches + _pair_kinds(sides, rows, columns), True


def _equal_first(
    sides: Sides, expected: list[int], made: list[int]
) -> tuple[list[Match], list[int], list[int]]:
    """Pair equal calls that did not fail; those that may meet an expected call go first."""
    at_hand: dict[int, list[int]] = defaultdict(list)
    for j in reversed(made):
        if sides.outcomes[j].factor == 1.0 and not sides.outcomes[j].meets:
            at_hand[sides.made_kind(j)].append(j)
    for j in reversed(made):
        if sides.outcomes[j].factor == 1.0 and sides.outcomes[j].meets:
            at_hand[sides.made_kind(j)].append(j)
    matches: list[Match] = []
    left: list[int] = []
    for i in expected:
        same = at_hand.get(sides.gold_kind(i)) if sides.gold[i].args is not None else None
        if same:
            matches.append(Match(i, same.pop(), 1.0))
        else:
            left.append(i)
    if not matches:
        return matches, expected, made
    used = {match.actual for match in matches}
    return matches, left, [j for j in made if j not in used]


def _groups(places: list[int], keys: Sequence[Hashable]) -> list[list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in zip(places, keys):  # noqa: B905 - one key per place
        groups[key].append(place)
    return list(groups.values())


def _pair_kinds(sides: Sides, rows: list[list[int]], columns: list[list[int]]) -> list[Match]:
    last = len(sides.made)
    room = (last + 1) * (min(len(sides.gold), last) + 1)  # earlier calls win among equals
    likeness = [[sides.likeness(row[0], column[0]) for column in columns] for row in rows]
    weights = [
        [
            sides.weight(like, column[0]) * room + last - sides.steps[column[0]]
            for like, column in zip(line, columns)  # noqa: B905 - one per column
        ]
        for line in likeness
    ]
    flows = assign(weights, list(map(len, rows)), list(map(len, columns)))
    return _members(rows, columns, flows, likeness)


def _members(
    rows: list[list[int]],
    columns: list[list[int]],
    flows: list[dict[int, int]],
    likeness: list[list[float]],
) -> list[Match]:
    """The calls behind the kinds: the earliest made ones, in order on both sides where that is free."""
    wanted: list[tuple[int, int]] = []  # an expected call, and its column
    for row, flow in zip(rows, flows):  # noqa: B905 - one flow per row
        slots = [column for column, amount in flow.items() for _ in range(amount)]
        slots.sort(key=lambda column: columns[column][0])
        wanted += list(zip(row, slots))  # noqa: B905 - members without a slot stay alone
    row_of = {i: number for number, row in enumerate(rows) for i in row}
    next_of = [iter(column) for column in columns]
    return [
        Match(i, next(next_of[column]), likeness[row_of[i]][column]) for i, column in sorted(wanted)
    ]


def _pair_greedily(sides: Sides, rows: list[list[int]], columns: list[list[int]]) -> list[Match]:
    """A good pairing of very many different calls, in order: a lower bound."""
    expected = sorted(i for row in rows for i in row)
    made = sorted(j for column in columns for j in column)
    return [Match(i, j, sides.likeness(i, j)) for i, j in zip(expected, made)]  # noqa: B905 - the rest stays alone
