"""Whether wishes can all be met at once."""

from __future__ import annotations

from collections.abc import Sequence


def each_has_its_own(fits: Sequence[Sequence[int]]) -> bool:
    """Whether every row can take a place of its own (augmenting paths, breadth first)."""
    taken: dict[int, int] = {}
    for start in range(len(fits)):
        came: dict[int, int] = {}
        rows, end = [start], None
        for row in rows:  # grows while it is walked
            for place in fits[row]:
                if place not in came:
                    came[place] = row
                    if place not in taken:
                        end = place
                        break
                    rows.append(taken[place])
            if end is not None:
                break
        if end is None:
            return False
        held = {row: place for place, row in taken.items() if row in rows}
        while end is not None:
            row = came[end]
            taken[end] = row
            end = held.get(row)
    return True
