"""Levenshtein distance of two lists of names."""

from __future__ import annotations

from collections.abc import Sequence
from operator import ne


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """The fewest names to insert, delete or replace that make ``left`` into ``right``.

    Source:
        Myers, "A fast bit-vector algorithm for approximate string matching" (1999), in the form of
        Hyyrö (2003): one column of the table in two whole numbers of as many bits as names.
    """
    if len(left) == len(right):
        differing: int = sum(map(ne, left, right))
        if differing <= 2:  # to shift names takes two edits too
            return differing
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
    # Bit 0 stands for the top row, where the distance grows by one with each name.
    places: dict[str, int] = {}
    for place, name in enumerate(left, start=1):
        places[name] = places.get(name, 0) | 1 << place
    rows = (1 << len(left) + 1) - 2
    whole = rows | 1
    up, down = rows, 0  # rows at which the column rises, and falls
    for name in right:
        equal = places.get(name, 0) | down
        diagonal = (((equal & up) + up) ^ up) | equal
        rises = (down | (whole ^ (diagonal | up))) << 1
        up = (((diagonal & up) << 1) | (whole ^ (diagonal | rises))) & rows
        down = rises & diagonal
    return len(right) + up.bit_count() - (down & rows).bit_count()
