"""A good pairing of very many different calls, where the best one would take too long."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from toolscore._scoring.sides import Match, Sides

NEIGHBOURS = 64
"""Expected calls that each made call is compared with."""


def pair_closest(
    sides: Sides, tool: str, place: Mapping[int, int], made: Sequence[int]
) -> list[Match]:
    """The closest pairs first, each call used once; then the rest in order: a lower bound.

    ``place`` gives the expected calls at hand, and where each stands among those of the tool.
    """
    like = sides.likeness(tool)
    expected = list(place)
    near = _neighbours(sides, expected, made)
    candidates: list[tuple[int, int, int, float]] = []
    for rank, j in enumerate(made):
        args, key = sides.made[j].args or {}, sides.made_keys[j]
        for i in near(rank, j):
            value = like.of(place[i], args, key)
            candidates.append((-sides.weight(value, j), i, j, value))
    candidates.sort()
    matches: list[Match] = []
    free = dict.fromkeys(expected)
    waiting = dict.fromkeys(sorted(made, key=lambda j: (-sides.outcomes[j].factor, j)))
    for _, i, j, value in candidates:
        if i in free and j in waiting:
            del free[i], waiting[j]
            matches.append(Match(i, j, value))
    for i, j in zip(list(free), list(waiting)):  # noqa: B905 - the rest stays alone
        value = like.of(place[i], sides.made[j].args or {}, sides.made_keys[j])
        matches.append(Match(i, j, value))
    return matches


class _neighbours:  # noqa: N801 - a function with what it looks things up in
    """Expected calls with an argument in common, the rarest first, and those about as far on."""

    def __init__(self, sides: Sides, expected: Sequence[int], made: Sequence[int]) -> None:
        self.sides, self.expected = sides, expected
        self.scale = len(expected) / len(made)
        self.having: dict[Hashable, list[int]] = {}
        for i in expected:
            key = sides.gold_keys[i]
            for item in key or ():
                self.having.setdefault(item, []).append(i)

    def __call__(self, rank: int, j: int) -> list[int]:
        about = int(rank * self.scale)
        found = dict.fromkeys(self.expected[max(0, about - 4) : about + 4])
        lists = [self.having[item] for item in self.sides.made_keys[j] if item in self.having]
        for members in sorted(lists, key=len):
            if len(found) >= NEIGHBOURS:
                break
            start = int(rank / max(1, len(members))) % len(members)
            chosen = (
                members[start : start + NEIGHBOURS]
                + members[: max(0, start + NEIGHBOURS - len(members))]
            )
            found.update(dict.fromkeys(chosen[: NEIGHBOURS - len(found)]))
        return list(found)
