"""Both lists of one evaluation, and what pairing and order need to know of each call."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, overload

from toolscore._call import ToolCall
from toolscore._scoring.canonical import FEW, Key, PlainKeys, canonical_arguments, distinct
from toolscore._scoring.equality import holds_matcher
from toolscore._scoring.lazy import lazy
from toolscore._scoring.likeness import Likeness
from toolscore._scoring.outcome import UNKNOWN, Outcome, outcome, steps
from toolscore._scoring.scalars import ATOMS
from toolscore._scoring.similarity import Similarity
from toolscore._scoring.texts import are_bare, exact_texts

NAME_CREDIT = 0.5
SCALE = 720_720 << 28  # 720,720 divides by 1 to 16: what most similarities are shares of is whole
_NO_TOOLS: frozenset[str] = frozenset()
_MEETS = attrgetter("meets")


class Match(NamedTuple):
    """An expected call, the call that met it, and the similarity of their arguments."""

    expected: int
    actual: int
    similarity: float


match_of: Callable[[tuple[int, int, float]], Match] = partial(
    tuple.__new__,  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    Match,
)
"""The ``Match`` of three values, in half the time of its constructor."""


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
        self,
        gold: Sequence[ToolCall],
        made: Sequence[ToolCall],
        similarity: Similarity,
        given: Sequence[ToolCall] | None = None,
    ) -> None:
        self.gold, self.made, self.similarity = gold, made, similarity
        self.given = gold if given is None else given  # as expected, before defaults were filled in
        self.bare = True  # nothing is known of any call but that it was made
        for call in made:
            if call.metadata or call.result is not None:
                self.bare = False
                self.outcomes: list[Outcome] = [outcome(call) for call in made]
                break
        else:
            self.outcomes = [UNKNOWN] * len(made)
        self.texts = exact_texts(made)
        # Whether arguments that ``==`` calls equal are equal:
        self.exact = self.texts is not None and exact_texts(gold) is not None

    @lazy
    def steps(self) -> Sequence[int]:
        """For each made call, the number of its step."""
        return range(len(self.made)) if self.bare else steps(self.made)

    @lazy
    def tie(self) -> int:
        """More than all tie-breaks of a pairing together."""
        return 4 * (min(len(self.gold), len(self.made)) + 1)

    @lazy
    def most(self) -> int:
        """The weight of a pair of full worth."""
        return SCALE * self.tie + 3

    @lazy
    def plain(self) -> bool:
        """Whether ``==`` compares the arguments right."""
        return self.exact and are_bare(self.texts or []) and are_bare(exact_texts(self.gold) or [])

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
        """The tools with a matcher or a foreign object in some call, which no key tells."""
        if self.plain:
            return _NO_TOOLS
        return frozenset(
            call.tool
            for call in chain(self.gold, self.made)
            if call.args
            and not ATOMS.issuperset(map(type, call.args.values()))
            and holds_matcher(call.args)
        )

    def likeness(self, tool: str) -> Likeness:
        """``A`` of the expected and the made calls of one tool."""
        known = self._likeness.get(tool)
        if known is None:
            places = self.gold_places[tool]
            expected = [self.gold[i].args for i in places]
            matchers = tool in self.matching_tools
            flat = self.plain or (
                not matchers
                and all(ATOMS.issuperset(map(type, args.values())) for args in expected if args)
            )
            known = self._likeness[tool] = Likeness(
                self.similarity,
                expected,
                partial(self._keys_of, places),
                matchers=matchers,
                flat=flat,
            )
        return known

    def _keys_of(self, places: Sequence[int]) -> list[Key | None]:
        return [self.gold_keys[i] for i in places]

    def alike(self, i: int, j: int) -> float:
        """``A`` of an expected and a made call of the same tool."""
        call = self.made[j]
        if self.plain and self.similarity.mode == "exact":
            wanted, found = self.gold[i].args, call.args or {}
            if wanted is None or wanted == found:
                return 1.0
            names, others = wanted.keys(), found.keys()
            union = len(names) if names == others else len(names | others)
            same = 0
            for name, value in wanted.items():  # without a set of items, which takes twice as long
                if name in found and found[name] == value:
                    same += 1
            return same / union
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
        if self.bare:
            exact = likeness == 1.0
            return self.most if exact else _scaled_worth(likeness, 1.0) * self.tie + 1
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
        if not self.bare and not all(map(_MEETS, self.outcomes)):
            return False
        exact = self.exact
        for gold, made in zip(self.gold, self.made):  # noqa: B905 - equal
            wanted = gold.args
            if gold.tool != made.tool:
                return False
            if exact and (wanted is None or wanted == (made.args or {})):
                continue
            if exact and self.plain and self.similarity.mode == "exact":
                return False
            if not self.similarity.full(wanted, made.args):
                return False
        return True

    @property
    def flawless_in_full(self) -> bool:
        """``flawless`` with all arguments compared, whatever the score leaves out."""
        return self.flawless and self.similarity.mode == "exact"

    @property
    def identical(self) -> int:
        """How many made calls repeat an earlier one, tool and arguments."""
        made = self.made
        if self.texts is None or not are_bare(self.texts):
            tools = [call.tool for call in made]
            return len(made) - len(set(zip(tools, self.made_keys)))  # noqa: B905 - one each
        if len(made) <= FEW:
            return len(made) - distinct(made)
        tools = [call.tool for call in made]
        return len(made) - len(set(zip(tools, self.plain_keys[1])))  # noqa: B905 - one each

    @lazy
    def plain_keys(self) -> tuple[PlainKeys, list[Hashable]]:
        """What makes keys of plain arguments, and those of the made calls."""
        key_of = PlainKeys()
        return key_of, [key_of(call.args) for call in self.made]

    def repeats(self, j: int) -> bool:
        """Whether a made call is the same as the one before it, tool and arguments."""
        same_tool = self.made[j - 1].tool == self.made[j].tool
        return same_tool and self.made_keys[j - 1] == self.made_keys[j]


@lru_cache(maxsize=4096)
def _scaled_worth(likeness: float, factor: float) -> int:
    return round(factor * (1 - (1 - NAME_CREDIT) * (1 - likeness)) * SCALE)


def _places(calls: Sequence[ToolCall]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, call in enumerate(calls):
        if call.tool in places:
            places[call.tool].append(place)
        else:
            places[call.tool] = [place]
    return places
