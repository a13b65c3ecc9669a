"""Copies of the user's values: plain, bounded, independent, and never an exception."""

from __future__ import annotations

import dataclasses
import enum
import math
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from toolscore._snapshot import snapshot

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(PLAIN)
def test_plain_data_is_copied_exactly(value: Any):
    """Type and value stay, down to the digits."""
    copied, cut = snapshot(value, 10**6)
    assert (copied, cut) == (value, False)
    assert repr(copied) == repr(value)


@given(PLAIN, st.integers(0, 60))
def test_a_cut_copy_says_so_and_stays_small(value: Any, limit: int):
    """What was cut is known; what is kept is about as large as the limit."""
    copied, cut = snapshot(value, limit)
    assert cut or copied == value
    assert len(repr(copied)) <= 12 * limit + 2 * len("<integer of 1000 bits>") + 200


def test_a_later_change_changes_nothing():
    """The copy shares no container with the original."""
    value = {"items": [{"n": 1}]}
    copied, _ = snapshot(value, 1000)
    value["items"][0]["n"] = 99
    value["items"].append({})
    assert copied == {"items": [{"n": 1}]}


@pytest.mark.parametrize("text", ["a" * 50, "é" * 50, "😀" * 50, "\ud800" * 50])
@pytest.mark.parametrize("limit", range(9))
def test_text_is_cut_between_characters(text: str, limit: int):
    """Never half a character, never more bytes than the limit."""
    copied, cut = snapshot(text, limit)
    assert cut
    assert text.startswith(copied)
    assert len(copied.encode("utf-8", "surrogatepass")) <= limit


def test_cycles_and_endless_nesting_end():
    """A value that contains itself, and one deeper than the stack."""
    cycle: dict[str, Any] = {}
    cycle["self"] = cycle
    assert snapshot(cycle, 1000) == ({"self": "<cycle>"}, True)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    copied, cut = snapshot(deep, 10**6)
    assert cut
    assert "nested too deep" in repr(copied)


class Point(BaseModel):
    """A model of the user's."""

    x: int
    name: str = "p"


@dataclasses.dataclass
class Box:
    """A dataclass of the user's."""

    inner: Point


class Color(enum.Enum):
    """An enum of the user's."""

    RED = "red"


def test_models_dataclasses_enums_and_sets_become_plain():
    """The data in them, not their class: a record can be read where the class is not there."""
    value = {"box": Box(Point(x=1)), "color": Color.RED, "set": {3, 1, 2}, "pair": (1, 2)}
    copied, cut = snapshot(value, 1000)
    assert not cut
    assert copied == {
        "box": {"inner": {"x": 1, "name": "p"}},
        "color": "red",
        "set": [1, 2, 3],
        "pair": [1, 2],
    }
    assert pickle.loads(pickle.dumps(copied)) == copied


class Hostile:
    """Raises on every touch that Python knows."""

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise RuntimeError("bool")

    def __deepcopy__(self, memo: object) -> object:
        raise RuntimeError("deepcopy")

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)


class HostileKey(str):
    """A key whose text cannot be had."""

    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("str")


@pytest.mark.parametrize(
    "value",
    [[Hostile()], {"a": Hostile()}, (Hostile(), 1), {HostileKey("k"): 1}],
    ids=["list", "dict", "tuple", "key"],
)
def test_a_hostile_value_is_named_not_raised(value: object):
    """A value that cannot be read stands as a text that says so."""
    copied, _ = snapshot(value, 1000)
    assert "could not be" in repr(copied)


def test_special_numbers_stay_what_they_are():
    """NaN, infinities and integers beyond any float."""
    copied, cut = snapshot([math.nan, math.inf, 2**70], 1000)
    assert not cut
    assert math.isnan(copied[0])
    assert copied[1:] == [math.inf, 2**70]
    assert snapshot(1 << 10**6, 1000) == ("<integer of 1000001 bits>", True)
