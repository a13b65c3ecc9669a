"""Both lists of one evaluation, and what pairing and order need to know of each call."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, overload

from toolscore._call import ToolCall
from toolscore._scoring.canonical import Key, canonical_arguments, distinct, plain_texts
from toolscore._scoring.equality import holds_matcher
from toolscore._scoring.lazy import lazy
from toolscore._scoring.likeness import Likeness
from toolscore._scoring.outcome import UNKNOWN, Outcome, outcome, steps
from toolscore._scoring.scalars import ATOMS
from toolscore._scoring.similarity import Similarity

NAME_CREDIT = 0.5
SCALE = 720_720 << 28  # 720,720 divides by 1 to 16: what most similarities are shares of is whole
_NO_TOOLS: frozenset[str] = frozenset()


class Match(NamedTuple):
    """An expected call, the call that met it, and the similarity of their arguments."""

    expected: int
    actual: int
    similarity: float


class InPlace(Sequence[Match]):
    """Each expected call with the call at its place."""

    def __init__(self, count: int) -> None:
        self.places = range(count)

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Match: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Match]: ...
    def __getitem__(self, index: int | slice) -> Match | Sequence[Match]:
        if isinstance(index, slice):
            return [Match(place, place, 1.0) for place in self.places[index]]
        return Match(self.places[index], self.places[index], 1.0)


class Sides:
    """The expected calls and the calls made, compared one way."""

    def __init__(
        self, gold: Sequence[ToolCall], made: Sequence[ToolCall], similarity: Similarity
    ) -> None:
        self.gold, self.made, self.similarity = gold, made, similarity
        self.bare = True  # nothing is known of any call but that it was made
        for call in made:
            if call.metadata or call.result is not None:
                self.bare = False
                self.outcomes: list[Outcome] = [outcome(call) for call in made]
                self.steps: Sequence[int] = steps(made)
                break
        else:
            self.outcomes = [UNKNOWN] * len(made)
            self.steps = range(len(made))
        # More than all tie-breaks of a pairing together:
        self.tie = 4 * (min(len(gold), len(made)) + 1)
        self.most = SCALE * self.tie + 3  # the weight of a pair of full worth
        self.texts = plain_texts(gold, made)  # all among the arguments, where these are plain
        self.plain = self.texts is not None  # ``==`` compares them right

    @lazy
    def gold_keys(self) -> list[Key | None]:
        """Equal for expected calls with equal arguments; None where they are not checked."""
        if self.plain:
            return [
                None if call.args is None else frozenset(call.args.items()) for call in self.gold
            ]
        strict = self.similarity.how.strict
        return [
            None if call.args is None else canonical_arguments(call.args, strict)
            for call in self.gold
        ]

    @lazy
    def made_keys(self) -> list[Key]:
        """Equal for made calls with equal arguments."""
        if self.plain:
            return [frozenset(call.args.items() if call.args else ()) for call in self.made]
        strict = self.similarity.how.strict
        return [canonical_arguments(call.args or {}, strict) for call in self.made]

    @lazy
    def gold_places(self) -> dict[str, list[int]]:
        """Where the expected calls of each tool stand."""
        return _places(self.gold)

    @lazy
    def made_places(self) -> dict[str, list[int]]:
        """Where the made calls of each tool stand."""
        return _places(self.made)

    @lazy
    def matching_tools(self) -> frozenset[str]:
        """The tools whose expected calls hold a matcher or a foreign object."""
        if self.plain:
            return _NO_TOOLS
        return frozenset(
            call.tool
            for call in self.gold
            if call.args
            and not ATOMS.issuperset(map(type, call.args.values()))
            and holds_matcher(call.args)
        )

    def likeness(self, tool: str) -> Likeness:
        """``A`` of the expected and the made calls of one tool."""
        known = self._likeness.get(tool)
        if known is None:
            expected = [(self.gold[i].args, self.gold_keys[i]) for i in self.gold_places[tool]]
            matchers = tool in self.matching_tools
            flat = self.plain or (
                not matchers
                and all(ATOMS.issuperset(map(type, args.values())) for args, _ in expected if args)
            )
            known = self._likeness[tool] = Likeness(
                self.similarity, expected, matchers=matchers, flat=flat
            )
        return known

    def alike(self, i: int, j: int) -> float:
        """``A`` of an expected and a made call of the same tool."""
        call = self.made[j]
        if self.plain and self.similarity.mode == "exact":
            wanted, found = self.gold[i].args, call.args or {}
            if wanted is None or wanted == found:
                return 1.0
            names, others = wanted.keys(), found.keys()
            union = len(names) if names == others else len(names | others)
            return len(wanted.items() & found.items()) / union
        place = bisect_left(self.gold_places[call.tool], i)
        return self.likeness(call.tool).of(place, call.args or {}, self.made_keys[j])

    @lazy
    def _likeness(self) -> dict[str, Likeness]:
        return {}

    def worth(self, likeness: float, j: int) -> float:
        """``s``: what a pair with this argument similarity adds to the score."""
        return self.outcomes[j].factor * (1 - (1 - NAME_CREDIT) * (1 - likeness))

    def weight(self, likeness: float, j: int) -> int:
        """``s`` as a whole number, equal pairs told apart: exact and met first, then not failed."""
        ending = self.outcomes[j]
        if likeness == 1.0 and ending.meets and ending.factor == 1.0:
            return self.most
        better = 2 * (likeness == 1.0 and ending.meets) + (ending.factor == 1.0)
        return _scaled_worth(likeness, ending.factor) * self.tie + better

    @lazy
    def flawless(self) -> bool:
        """Whether each call is the one expected at its place, made in full."""
        if len(self.gold) != len(self.made):
            return False
        same = self.similarity.full
        if self.plain and self.similarity.mode == "exact":
            same = _same_plain
        for gold, made, ending in zip(self.gold, self.made, self.outcomes):  # noqa: B905 - equal
            if gold.tool != made.tool or not ending.meets or not same(gold.args, made.args):
                return False
        return True

    @property
    def flawless_in_full(self) -> bool:
        """``flawless`` with all arguments compared, whatever the score leaves out."""
        return self.flawless and self.similarity.mode == "exact"

    @property
    def identical(self) -> int:
        """How many made calls repeat an earlier one, tool and arguments."""
        if self.plain:
            return len(self.made) - distinct(self.made)
        tools = [call.tool for call in self.made]
        return len(self.made) - len(set(zip(tools, self.made_keys)))  # noqa: B905 - one each


@lru_cache(maxsize=4096)
def _scaled_worth(likeness: float, factor: float) -> int:
    return round(factor * (1 - (1 - NAME_CREDIT) * (1 - likeness)) * SCALE)


def _same_plain(expected: dict[str, Any] | None, actual: dict[str, Any] | None) -> bool:
    return expected is None or expected == (actual or {})


def _places(calls: Sequence[ToolCall]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, call in enumerate(calls):
        if call.tool in places:
            places[call.tool].append(place)
        else:
            places[call.tool] = [place]
    return places
