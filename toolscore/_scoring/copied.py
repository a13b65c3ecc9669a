"""Plain copies of the values that the user gave: nothing in them runs code of the user's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from toolscore._scoring.containers import MANY, is_dict, kind_of, own_dict, own_items
from toolscore._scoring.equality import Matcher
from toolscore._scoring.scalars import ATOMS, MAX_DEPTH
from toolscore._shown import in_short

MOST = 1_000_000
"""Values that one argument may hold, each counted as often as it stands in it; longer ones are
fine as long as they do not owe their size to the repetition of a few."""
FEW_REPEATS = 5
"""Beyond the level where copies keep what is shared: references that are always affordable."""

_KEYS = ATOMS | {bytes}


def copied(value: Any, depth: int = 0) -> Any:
    """The value in plain containers of our own; matchers and foreign objects are shared.

    Subclasses of text, numbers and containers become what they are made of, other mappings become
    dicts, and keys that are neither texts nor numbers the text that shows them. So the rest of an
    evaluation meets no method of the user's but ``==`` and ``repr`` of single values.

    Raises:
        ValueError: a mapping cannot be read, or the value holds the same few so often (inside
            each other, or inside itself) that it could never be written out.

    Example:
        >>> from collections import OrderedDict
        >>> copied(OrderedDict(a=(1, [2])))
        {'a': (1, [2])}
    """
    if kind_of(value) in ATOMS:
        return value
    return _Copier(value).copy(value, depth)


def plain_key(key: Any) -> Any:
    """The key of a mapping, as something that can be compared and sorted without surprises."""
    kind = kind_of(key)
    if kind in _KEYS:
        return key
    base = base_of(key)
    if base is not key:
        return base
    if kind is tuple:
        return tuple(plain_key(part) for part in key)
    return in_short(key)


def base_of(value: Any) -> Any:
    """What a text or number of a class of the user's (an ``Enum``, say) is made of."""
    kind = kind_of(value)
    if kind in ATOMS:
        return value
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, int):
        return int.__index__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    return value


class _Copier:
    """One copy in progress, and how much it may still hold."""

    __slots__ = ("left", "root", "sized")

    def __init__(self, root: Any) -> None:
        self.root, self.left, self.sized = root, MANY, False

    def copy(self, value: Any, depth: int) -> Any:
        kind = kind_of(value)
        if kind in ATOMS:
            return value
        if kind is dict:
            self._count(len(value))
            if depth > MAX_DEPTH:
                return _copied_deep(value)
            if any(type(key) is not str for key in value):
                return self._mapping(value.items(), depth)
            result = value.copy()
            for key, item in value.items():
                if type(item) not in ATOMS:
                    result[key] = self.copy(item, depth + 1)
            return result
        if kind is list or kind is tuple:
            self._count(len(value))
            if depth > MAX_DEPTH:
                return _copied_deep(value)
            items = [item if type(item) in ATOMS else self.copy(item, depth + 1) for item in value]
            return items if kind is list else tuple(items)
        return self._other(value, kind, depth)

    def _other(self, value: Any, kind: type, depth: int) -> Any:
        if issubclass(kind, Matcher):
            return value
        base = base_of(value)
        if base is not value:
            return base
        if issubclass(kind, dict):
            return self.copy(own_dict(value), depth)
        if issubclass(kind, list):
            return self.copy(list(own_items(value)), depth)
        if issubclass(kind, tuple):
            return self.copy(tuple(own_items(value)), depth)
        if issubclass(kind, (set, frozenset)):
            members = frozenset(value)
            self._count(len(members))
            items = [self.copy(member, depth + 1) for member in members]
            return set(items) if issubclass(kind, set) else frozenset(items)
        try:
            if not isinstance(value, Mapping):
                return value
        except Exception:  # noqa: BLE001 - an object that does not even tell its class
            return in_short(value)
        entries = own_dict(cast("object", value))
        if entries is None:
            raise ValueError(
                f"A value of type {kind.__name__} cannot be read, or not to an end: give it as a "
                "dict."
            )
        self._count(len(entries))
        return self._mapping(entries.items(), depth)

    def _mapping(self, items: Iterable[tuple[Any, Any]], depth: int) -> dict[Any, Any]:
        return {plain_key(key): self.copy(item, depth + 1) for key, item in items}

    def _count(self, values: int) -> None:
        self.left -= values + 1
        if self.left < 0:
            size = _Size(self.root)
            if self.sized or size.cyclic or size.explodes:
                _refuse(self.root)
            self.left, self.sized = max(MOST, 2 * size.own), True  # large, but all its own


def _refuse(value: Any) -> None:
    raise ValueError(
        f"{in_short(value)[:80]} holds the same values so often, inside each other or inside "
        f"itself, that it is more than {MOST:,} values long: give a value that can be written out "
        "as JSON."
    )


def _copied_deep(value: Any) -> Any:
    """``copy`` without recursion; cycles stay cycles; a tuple this deep is shared."""
    size = _Size(value)
    if (size.cyclic and size.repeats > FEW_REPEATS) or size.explodes:
        _refuse(value)
    copies: dict[int, Any] = {}
    pending: list[Any] = []

    def copy_of(item: Any) -> Any:
        if type(item) not in (dict, list):
            return item
        if id(item) not in copies:
            copies[id(item)] = item.copy()
            pending.append(copies[id(item)])
        return copies[id(item)]

    root = copy_of(value)
    while pending:
        container = pending.pop()
        places: Any = container if is_dict(container) else range(len(container))
        for place in places:
            container[place] = copy_of(container[place])
    return root


class _Size:
    """How many values there are, and how many if each were written out where it stands."""

    def __init__(self, root: Any) -> None:
        written: dict[int, int] = {}
        opened: set[int] = set()
        references = self.own = 0
        self.cyclic = False
        pending: list[tuple[Any, bool]] = [(root, False)]
        while pending:
            value, leaves = pending.pop()
            key = id(value)
            if leaves:
                opened.discard(key)
                inner = [written.get(id(item), 1) for item in _containers(value)]
                written[key] = 1 + len(value) + sum(inner)
                continue
            references += 1
            if key in opened:
                self.cyclic = True
            elif key not in written:
                opened.add(key)
                self.own += 1 + len(value)
                pending.append((value, True))
                pending += [(item, False) for item in _containers(value)]
        self.explodes = written[id(root)] > max(MOST, 2 * self.own)
        self.repeats = references - len(written)


def _containers(value: Any) -> Iterator[Any]:
    return (item for item in own_items(value) if issubclass(kind_of(item), (dict, list, tuple)))
