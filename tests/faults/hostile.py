"""Values that no agent should send and some program will: each refuses, lies or never ends."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import types
from collections import OrderedDict, UserDict, UserList, deque, namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pydantic

from toolscore.matchers import Matcher


def _fail(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("hostile")


SPECIAL = ["__eq__", "__ne__", "__hash__", "__repr__", "__str__", "__bool__", "__len__", "__iter__",
           "__getitem__", "__contains__", "__format__", "__lt__"]  # fmt: skip


def refusing(base: type, *names: str) -> type:
    """A subclass whose methods of these names raise."""
    return type(f"Refusing{base.__name__.title()}", (base,), dict.fromkeys(names, _fail))


class Elusive:
    """Not even its class can be had."""

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError("class")


class Pretender:
    """Says that it is a text."""

    __class__ = str  # type: ignore[assignment]


class Endless(Mapping[str, int]):
    """A mapping whose keys never end."""

    def __getitem__(self, key: str) -> int:
        return 1

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        number = 0
        while True:
            yield str(number)
            number += 1


class EndlessList(list[Any]):
    """A list that never stops giving."""

    def __iter__(self) -> Iterator[Any]:
        while True:
            yield 1


class EndlessSequence(Sequence[Any]):
    """Any place has an item."""

    def __getitem__(self, place: Any) -> Any:
        return {"tool": "t", "args": {}}

    def __len__(self) -> int:
        return 1


class Key:
    """Can be a key, and not be compared with another."""

    __eq__ = __repr__ = __str__ = _fail

    def __hash__(self) -> int:
        return hash("a")


class Zone(dt.tzinfo):
    """A time zone that nobody knows."""

    utcoffset = _fail
    dst = _fail
    tzname = _fail


class Color(enum.Enum):
    """Plain."""

    RED = "red"


class Tint(str, enum.Enum):
    """A text."""

    RED = "red"


class Level(enum.IntEnum):
    """A number."""

    ONE = 1


class Broken(Matcher):
    """A matcher that fails."""

    def matches(self, value: Any, /) -> bool:
        raise RuntimeError("matcher")


class Model(pydantic.BaseModel):
    """Of pydantic's."""

    city: str = "Oslo"


@dataclasses.dataclass
class Point:
    """Without a hash."""

    x: Any = 1


Pair = namedtuple("Pair", "left right")


def nested(levels: int, leaf: Any = 1) -> Any:
    """Lists and dicts inside each other."""
    value = leaf
    for number in range(levels):
        value = [value] if number % 2 else {"k": value}
    return value


def repeated(levels: int) -> Any:
    """A list that holds itself twice per level: 2**levels leaves in ``levels`` objects."""
    value: Any = [1]
    for number in range(levels):
        value = [value, value] if number % 2 else {"a": value, "b": value}
    return value


def inside_itself(times: int) -> Any:
    """A list that holds itself."""
    value: list[Any] = [1]
    value += [value] * times
    return value


def below(levels: int, leaf: Any) -> Any:
    """A value far down."""
    return nested(levels, leaf)


KEYS = (1, None, 10**5000, b"b", (1, "a"), Color.RED, 1.5, frozenset([1]), float("nan"))

MAKERS: dict[str, Callable[[], Any]] = {
    **{f"object {name}": (lambda name=name: refusing(object, name)()) for name in SPECIAL},
    "object, all": lambda: refusing(object, *SPECIAL)(),
    "text": lambda: refusing(str, *SPECIAL)("a"),
    "empty text": lambda: refusing(str, *SPECIAL)(),
    "int": lambda: refusing(int, *SPECIAL, "__int__", "__index__", "__float__")(1),
    "float": lambda: refusing(float, *SPECIAL, "__float__", "__int__")(1.5),
    "bytes": lambda: refusing(bytes, *SPECIAL)(b"a"),
    "list": lambda: refusing(list, *SPECIAL)([1]),
    "tuple": lambda: refusing(tuple, *SPECIAL)([1]),
    "dict": lambda: refusing(dict, *SPECIAL, "items", "keys", "values", "get", "copy")(a=1),
    "set": lambda: refusing(set, *SPECIAL)([1]),
    "mapping": lambda: refusing(UserDict, *SPECIAL, "items")(),
    "sequence": lambda: refusing(UserList, *SPECIAL)([1]),
    "exception": lambda: refusing(Exception, *SPECIAL)("a"),
    "metaclass": lambda: refusing(type, *SPECIAL)("Kind", (), {}),
    "elusive": Elusive,
    "pretender": Pretender,
    "endless": Endless,
    "endless list": EndlessList,
    "endless sequence": EndlessSequence,
    "key": lambda: {Key(): 1},
    "keys": lambda: dict.fromkeys(KEYS),
    "huge": lambda: 10**5000,
    "huge key": lambda: {10**5000: 10**5000},
    "large float": lambda: 1e308,
    "beyond floats": lambda: 10**400,
    "negative": lambda: -1,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "snan": lambda: decimal.Decimal("sNaN"),
    "decimal nan": lambda: decimal.Decimal("NaN"),
    "decimal": lambda: decimal.Decimal("1.5"),
    "fraction": lambda: fractions.Fraction(1, 3),
    "complex": lambda: 1j,
    "zone": lambda: dt.datetime(2026, 1, 1, tzinfo=Zone()),
    "date": lambda: dt.date(2026, 1, 1),
    "enum": lambda: Color.RED,
    "tint": lambda: Tint.RED,
    "level": lambda: Level.ONE,
    "surrogate": lambda: "\ud800",
    "bytes, plain": lambda: b"\xff",
    "range": lambda: range(3),
    "deque": lambda: deque([1, [2]]),
    "sets": lambda: {1, "a", (1, 2)},
    "frozen sets": lambda: {frozenset([1]), frozenset()},
    "generator": lambda: (number for number in (1, 2)),
    "ordered": lambda: OrderedDict(a=1),
    "proxy": lambda: types.MappingProxyType({"a": {"b": 1}}),
    "pair": lambda: Pair(1, [2]),
    "model": Model,
    "point": Point,
    "points": lambda: [Point(refusing(object, "__eq__", "__repr__")())],
    "array": lambda: np.array([1, 2]),
    "array in list": lambda: [np.array([1.0, float("nan")])],
    "number of numpy": lambda: np.int64(3),
    "matcher": Broken,
    "matchers": lambda: [Broken(), {"a": ~Broken() | 1}],
    "class": lambda: int,
    "function": lambda: _fail,
    "module": lambda: types,
    "ellipsis": lambda: ...,
    "deep": lambda: nested(10_000),
    "far down": lambda: below(100, refusing(object, *SPECIAL)()),
    "cycle": lambda: inside_itself(1),
    "cycles": lambda: inside_itself(3),
    "repeated": lambda: repeated(50),
    "repeated, far down": lambda: below(100, repeated(50)),
    "cycles, far down": lambda: below(100, inside_itself(9)),
    "text with secrets": lambda: "sk-proj-" + "aB3" * 14,
    "schema": lambda: {"type": [["x"]], "properties": {"a": {"type": [["x"]]}, "b": 1, "v": []}},
    "odd schema": lambda: {"t": {"properties": {"v": {"type": {"a": 1}}, 1: {"type": 1}}}},
    "true": lambda: True,
    "none": lambda: None,
    "a call": lambda: {"tool": "t", "args": {}},
    "calls": lambda: [{"tool": "t", "args": {"v": 1}}],
}
"""By name, made anew each time."""

HEAVY = frozenset({
    "endless", "endless list", "endless sequence", "deep", "cycles", "repeated",
    "repeated, far down",
})  # fmt: skip
"""Those that take a while."""
