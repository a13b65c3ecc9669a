"""Levenshtein distance of two lists of names."""

from __future__ import annotations

from collections.abc import Sequence


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """The fewest names to insert, delete or replace that make ``left`` into ``right``.

    Source:
        Myers, "A fast bit-vector algorithm for approximate string matching" (1999), in the form of
        Hyyrö (2003): one column of the table in two whole numbers of as many bits as names.
    """
    start, end = 0, 0
    shorter = min(len(left), len(right))
    while start < shorter and left[start] == right[start]:
        start += 1
    while end < shorter - start and left[-1 - end] == right[-1 - end]:
        end += 1
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    if not left or not right:
        return len(left) + len(right)
    if len(left) > len(right):
        left, right = right, left
    places: dict[str, int] = {}
    for place, name in enumerate(left):
        places[name] = places.get(name, 0) | 1 << place
    whole = (1 << len(left)) - 1
    last = 1 << (len(left) - 1)
    up, down = whole, 0  # rows at which the column rises, and falls
    distance = len(left)
    for name in right:
        equal = places.get(name, 0)
        diagonal = ((((equal & up) + up) ^ up) | equal | down) & whole
        rises = down | (whole & ~(diagonal | up))
        falls = diagonal & up
        if rises & last:
            distance += 1
        elif falls & last:
            distance -= 1
        rises = rises << 1 | 1
        falls <<= 1
        up = (falls | ~(diagonal | rises)) & whole
        down = rises & diagonal & whole
    return distance
