"""``A`` of one made call against all expected calls of its tool, without comparing each pair.

Where the expected values are plain scalars, two arguments agree or they do not, and what agrees is
found by looking it up: the cost is the number of agreements, not of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence, Set
from typing import Any

from toolscore._scoring.canonical import Key
from toolscore._scoring.lazy import lazy
from toolscore._scoring.similarity import Similarity

SHARE = 8
"""One in so many of the expected calls, from which on looking up all of them is cheaper."""


class Likeness:
    """The expected calls of one tool, to compare made ones with."""

    def __init__(
        self,
        similarity: Similarity,
        args: Sequence[dict[str, Any] | None],
        keys: Callable[[], Sequence[Key | None]],
        *,
        matchers: bool,
        flat: bool,
    ) -> None:
        self.similarity = similarity
        self.args = args
        self._make_keys = keys
        self.flat = flat
        self._rows: dict[Hashable, list[float]] = {}
        self._pairs: dict[tuple[Hashable, Hashable], float] = {}
        self._matchers = matchers
        self._index: dict[Hashable, list[int]] | None = None
        self._shapes: dict[frozenset[Hashable], list[int]] = {}

    @lazy
    def keys(self) -> Sequence[Key | None]:
        """The key of each expected call, made only where the calls themselves will not do."""
        return self._make_keys()

    def of(self, place: int, args: dict[str, Any], key: Key) -> float:
        """``A`` of the expected call at ``place`` (among those of the tool) and a made call."""
        wanted = self.keys[place]
        if self.flat and wanted is not None and self.similarity.mode == "exact":
            union = len((self.args[place] or args).keys() | args.keys())
            return share(len(wanted & key), union)
        pair = (place if self._matchers else wanted, key)
        known = self._pairs.get(pair)
        if known is None:
            known = self._pairs[pair] = self.similarity.of(self.args[place], args)
        return known

    def line(self, places: Sequence[int], args: dict[str, Any], key: Key) -> list[float]:
        """``A`` of the expected calls at these places and a made call."""
        if self.flat and len(places) > 3 and len(places) * SHARE > len(self.args):
            row = self.row(args, key)
            return [row[place] for place in places]
        return [self.of(place, args, key) for place in places]

    def row(self, args: dict[str, Any], key: Key) -> list[float]:
        """``A`` of all expected calls of the tool and a made call."""
        row = self._rows.get(key)
        if row is None:
            if self.flat and len(self.args) > 3 and self.similarity.mode != "ignore":
                row = self._looked_up(key)
            else:
                row = [self.of(place, args, key) for place in range(len(self.args))]
            self._rows[key] = row
        return row

    def _indexed(self) -> dict[Hashable, list[int]]:
        index: dict[Hashable, list[int]] = {}
        for place, key in enumerate(self.keys):
            if key is not None:
                for item in key:
                    if item in index:
                        index[item].append(place)
                    else:
                        index[item] = [place]
            shape = frozenset(self.args[place] or ())
            self._shapes.setdefault(shape, []).append(place)
        return index

    def _looked_up(self, key: Key) -> list[float]:
        if self._index is None:
            self._index = self._indexed()
        count = len(self.args)
        everywhere = 0
        agreements: dict[int, int] = {}
        for item in key:
            places = self._index.get(item)
            if places is None:
                continue
            if len(places) == count:
                everywhere += 1
                continue
            for place in places:
                agreements[place] = agreements.get(place, 0) + 1
        names = {name for name, _ in key}
        row = [0.0] * count
        for shape, places in self._shapes.items():
            union = self.union(shape, names)
            same = share(everywhere, union)
            if len(places) == count:
                row = [same] * count
                for place, agreeing in agreements.items():
                    row[place] = (everywhere + agreeing) / union
                break
            for place in places:
                agreeing = everywhere + agreements.get(place, 0)
                row[place] = share(agreeing, union)
        for place, args in enumerate(self.args):
            if args is None:
                row[place] = 1.0
        return row

    def union(self, expected: frozenset[Hashable], made: Set[Hashable]) -> int:
        """How many names count, of calls with these."""
        if self.similarity.mode == "allow_extra":
            return len(expected)
        if self.similarity.mode == "allow_missing":
            return len(made)
        return len(expected | made)


def share(same: int, union: int) -> float:
    """``A`` of calls with so many arguments in common among so many names."""
    return same / union if union else 1.0
