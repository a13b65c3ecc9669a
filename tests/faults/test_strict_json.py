"""Whatever stands in a call, a record of it is JSON, and says what it could not read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from toolscore import Run, ToolCall
from toolscore._plain import NO_NAMES, brief


class Broken(Mapping[str, Any]):
    """A mapping whose values cannot be had."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)

    def __iter__(self) -> Iterator[str]:
        yield "a"

    def __len__(self) -> int:
        return 1


class Number(int):
    """Is one, and cannot be turned into one."""

    def __int__(self) -> int:
        raise RuntimeError("int")


class Fraction(float):
    """Likewise."""

    def __float__(self) -> float:
        raise RuntimeError("float")


class Items(list[Any]):
    """A list that cannot be walked."""

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("iter")


class Elusive:
    """Not even its class can be had."""

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError("class")


class Pretender:
    """Says that it is a text."""

    __class__ = str  # type: ignore[assignment]


class Name(str):
    """A key with a text of its own."""

    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("str")


VALUES: list[Callable[[], Any]] = [
    Broken,
    lambda: Number(1),
    lambda: Fraction(1.5),
    lambda: Items([1]),
    Elusive,
    Pretender,
]
EACH = pytest.mark.parametrize("make", VALUES, ids=range(len(VALUES)))


@EACH
def test_a_value_that_cannot_be_read_is_named_in_the_record(make: Callable[[], Any]):
    """In arguments, results and metadata alike; what stands beside it is there."""
    value = make()
    call = ToolCall("act", {"a": value, "b": 1}, [value], metadata={"id": value})

    record = Run((call,)).to_dict()

    text = json.dumps(record, allow_nan=False)
    assert text.count("could not be read") == 3
    assert record["calls"][0]["args"]["b"] == 1


def test_a_key_is_its_characters():
    """Not what its class makes of them."""
    record = Run((ToolCall("act", {Name("a"): 1}),)).to_dict()
    assert record["calls"][0]["args"] == {"a": 1}


@EACH
def test_a_value_that_cannot_be_read_has_a_short_form(make: Callable[[], Any]):
    """For the sentences of findings."""
    value = make()
    assert isinstance(brief(value, NO_NAMES), str)
    assert isinstance(brief([value], NO_NAMES), str)
