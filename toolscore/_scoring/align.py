"""Which expected call met which call that was made: the optimal one-to-one pairing.

Calls that are equal in full are paired first, which is optimal as long as the expected ones hold
no matcher (1 - A is a metric then). What is left goes, kind by kind, to the assignment: calls that
cannot be told apart are one kind, so that long runs of few different calls stay cheap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from operator import itemgetter
from typing import TypeVar

from toolscore._scoring.assignment import assign
from toolscore._scoring.canonical import Key
from toolscore._scoring.closest import pair_closest
from toolscore._scoring.sides import InPlace, Match, Sides, match_of

T = TypeVar("T")

EXACT_CELLS = 1_000_000
"""Kinds of expected times kinds of made calls of one tool, up to which the pairing is optimal."""
FEW_CELLS = 16
"""Expected times made calls of one tool, up to which grouping costs more than it saves."""
FINE_CELLS = 10_000
"""Calls of one tool, expected times made, up to which the earliest of equal pairings is found."""


def pair(sides: Sides) -> tuple[list[Match], bool]:
    """The pairing with the largest sum of ``s``, and whether that is certain."""
    if sides.flawless:
        return list(InPlace(len(sides.gold))), True
    matches: list[Match] = []
    exact = True
    for tool, expected in sides.gold_places.items():
        made = sides.made_places.get(tool)
        if made:
            found, certain = _pair_tool(sides, tool, expected, made)
            matches += found
            exact = exact and certain
    matches.sort(key=itemgetter(0))
    return matches, exact


def _pair_tool(
    sides: Sides, tool: str, expected: list[int], made: list[int]
) -> tuple[list[Match], bool]:
    if len(expected) == len(made) == 1:
        return [_alone(sides, expected[0], made[0])], True
    matches: list[Match] = []
    all_expected = expected
    if sides.similarity.mode == "exact" and tool not in sides.matching_tools:
        matches, expected, made = _equal_first(sides, expected, made)
    if not expected or not made:
        return matches, True
    if len(expected) == len(made) == 1:
        return [*matches, _alone(sides, expected[0], made[0])], True
    if len(expected) == len(made) == 2:
        return matches + _pair_two(sides, expected, made), True
    left = set(expected)
    place = {i: number for number, i in enumerate(all_expected) if i in left}
    rows, columns = _kinds(sides, tool, expected, made)
    if len(rows) * len(columns) > EXACT_CELLS:
        return matches + pair_closest(sides, tool, place, made), False
    return matches + _pair_kinds(sides, tool, place, rows, columns), True


def _alone(sides: Sides, i: int, j: int) -> Match:
    """The one expected and the one made call that are left of a tool."""
    return match_of((i, j, sides.alike(i, j)))


def _pair_two(sides: Sides, expected: list[int], made: list[int]) -> list[Match]:
    """Two against two: straight or crosswise."""
    (a, b), (c, d) = expected, made
    straight = Match(a, c, sides.alike(a, c)), Match(b, d, sides.alike(b, d))
    crossed = Match(a, d, sides.alike(a, d)), Match(b, c, sides.alike(b, c))
    ac, bd = (_rank(sides, likeness, j) for _, j, likeness in straight)
    ad, bc = (_rank(sides, likeness, j) for _, j, likeness in crossed)
    return list(crossed if (ad + bc, ad) > (ac + bd, ac) else straight)


def _rank(sides: Sides, likeness: float, j: int) -> int:
    """The weight of a pair; earlier calls win among equals, and among these the earlier exact."""
    last = len(sides.made)
    room = (last + 1) * (min(len(sides.gold), last) + 1)
    early = (last - sides.steps[j]) * (room if likeness == 1.0 else 1)
    return sides.weight(likeness, j) * room * room + early


def _equal_first(
    sides: Sides, expected: list[int], made: list[int]
) -> tuple[list[Match], list[int], list[int]]:
    """Pair equal calls that did not fail; those that may meet an expected call go first."""
    if sides.bare and sides.plain and len(expected) * len(made) <= FEW_CELLS:
        return _equal_of_few(sides, expected, made)
    outcomes, key_of = sides.outcomes, None
    keys: Sequence[Hashable]
    if sides.plain:
        key_of, keys = sides.plain_keys
    else:
        keys = sides.made_keys
    at_hand: dict[Hashable, list[int]] = {}
    usable = made[::-1]
    if not sides.bare:
        usable = [j for j in usable if outcomes[j].factor == 1.0]
        usable.sort(key=lambda j: outcomes[j].meets)
    for j in usable:
        key = keys[j]
        if key in at_hand:
            at_hand[key].append(j)
        else:
            at_hand[key] = [j]
    matches: list[Match] = []
    left: list[int] = []
    for i in expected:
        args = sides.gold[i].args
        if args is None:
            left.append(i)
            continue
        same = at_hand.get(key_of(args) if key_of else sides.gold_keys[i])
        if same:
            matches.append(Match(i, same.pop(), 1.0))
        else:
            left.append(i)
    if not matches:
        return matches, expected, made
    used = {match.actual for match in matches}
    return matches, left, [j for j in made if j not in used]


def _equal_of_few(
    sides: Sides, expected: list[int], made: list[int]
) -> tuple[list[Match], list[int], list[int]]:
    """The same for a few plain calls of which nothing else is known, each compared with each."""
    matches: list[Match] = []
    left: list[int] = []
    free = made.copy()
    for i in expected:
        args = sides.gold[i].args
        for j in free:
            if args is not None and args == (sides.made[j].args or {}):
                matches.append(match_of((i, j, 1.0)))
                free.remove(j)
                break
        else:
            left.append(i)
    return matches, left, free


def _kinds(
    sides: Sides, tool: str, expected: list[int], made: list[int]
) -> tuple[list[list[int]], list[list[int]]]:
    """The calls in groups that cannot be told apart.

    Where arguments agree in full or not at all, one that no call of the other side has might as
    well have any other value: only its name counts.
    """
    if len(expected) * len(made) <= FEW_CELLS:
        return [[i] for i in expected], [[j] for j in made]
    gold_keys, made_keys = sides.gold_keys, sides.made_keys
    likeness = sides.likeness(tool)
    endings = [(sides.outcomes[j].factor, sides.outcomes[j].meets) for j in made]
    if tool in sides.matching_tools:
        wanted: list[Hashable] = list(expected)
        found: list[Hashable] = [made_keys[j] for j in made]
    elif likeness.flat:
        theirs = {item for i in expected for item in gold_keys[i] or ()}
        ours = {item for j in made for item in made_keys[j]}
        wanted = [_told_apart(gold_keys[i], ours) for i in expected]
        found = [_told_apart(made_keys[j], theirs) for j in made]
    else:
        wanted = [gold_keys[i] for i in expected]
        found = [made_keys[j] for j in made]
    if len(expected) * len(made) <= FINE_CELLS and any(sides.outcomes[j].failed for j in made):
        found = list(made)  # which success comes first decides which failures it makes good
    return _groups(expected, wanted), _groups(made, list(zip(found, endings)))  # noqa: B905 - one each


def _told_apart(key: Key | None, others: Collection[Hashable]) -> Hashable:
    if key is None:
        return None
    return frozenset([item if item in others else item[0] for item in key])


def _groups(places: list[int], keys: Sequence[Hashable]) -> list[list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in zip(places, keys):  # noqa: B905 - one key per place
        groups[key].append(place)
    return list(groups.values())


def _pair_kinds(
    sides: Sides,
    tool: str,
    place: dict[int, int],
    rows: list[list[int]],
    columns: list[list[int]],
) -> list[Match]:
    like = sides.likeness(tool)
    first = [place[row[0]] for row in rows]
    likeness: list[list[float]] = []
    weights: list[list[int]] = []
    for j, *_ in columns:
        line = like.line(first, sides.made[j].args or {}, sides.made_keys[j])
        rank = {value: _rank(sides, value, j) for value in set(line)}
        likeness.append(line)
        weights.append([rank[value] for value in line])
    likeness, weights = _turned(likeness), _turned(weights)
    flows = assign(weights, list(map(len, rows)), list(map(len, columns)))
    return _members(rows, columns, flows, likeness)


def _turned(matrix: list[list[T]]) -> list[list[T]]:
    return list(map(list, zip(*matrix)))  # noqa: B905 - a matrix


def _members(
    rows: list[list[int]],
    columns: list[list[int]],
    flows: list[dict[int, int]],
    likeness: list[list[float]],
) -> list[Match]:
    """The calls behind the kinds, the earliest first: those that meet one exactly, then others."""
    wanted: list[tuple[bool, int, int, float]] = []  # an expected call, its column, their likeness
    for row, flow, line in zip(rows, flows, likeness):  # noqa: B905 - one each per row
        slots = [column for column, amount in flow.items() for _ in range(amount)]
        slots.sort(key=lambda column: columns[column][0])
        wanted += [
            (line[column] < 1.0, i, column, line[column])
            for i, column in zip(row, slots)  # noqa: B905 - members without a slot stay alone
        ]
    members = [iter(column) for column in columns]
    return [Match(i, next(members[column]), value) for _, i, column, value in sorted(wanted)]
