"""Answers to an entry of the leaderboard: right ones, and right ones with one thing wrong."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

Call = dict[str, dict[str, Any]]
RIGHT = ("first alternatives", "last alternatives, none where it may be absent")


def answers(ground_truth: list[Call], chance: random.Random) -> Iterator[tuple[str, list[Call]]]:
    """Each with its kind; what the entry does not allow for is left out."""
    base = _answer(ground_truth, last=False)
    yield RIGHT[0], base
    yield RIGHT[1], _answer(ground_truth, last=True)
    place = chance.randrange(len(base))
    ((tool, args),) = base[place].items()
    if args:
        name = chance.choice(sorted(args))
        yield "wrong value", _changed(base, place, tool, {**args, name: _wrong(args[name])})
        needed = [name for name in args if "" not in ground_truth[place][tool][name]]
        if needed:
            name = chance.choice(sorted(needed))
            left = {other: value for other, value in args.items() if other != name}
            yield "missing argument", _changed(base, place, tool, left)
    yield "wrong tool", [*base[:place], {f"{tool}_x": args}, *base[place + 1 :]]
    yield "extra call", [*base, base[0]]
    yield "dropped call", base[:-1]


def _changed(base: list[Call], place: int, tool: str, args: dict[str, Any]) -> list[Call]:
    changed = copy.deepcopy(base)
    changed[place] = {tool: args}
    return changed


def _answer(ground_truth: list[Call], *, last: bool) -> list[Call]:
    return [
        {tool: _named(args, last=last) for tool, args in entry.items()} for entry in ground_truth
    ]


def _named(args: dict[str, Any], *, last: bool) -> dict[str, Any]:
    """One of the alternatives of each name."""
    chosen: dict[str, Any] = {}
    for name, alternatives in args.items():
        if not isinstance(alternatives, list):
            chosen[name] = alternatives
            continue
        values = [value for value in alternatives if value != ""]
        if values and not (last and "" in alternatives):
            chosen[name] = _value(values[-1 if last else 0], last=last)
    return chosen


def _value(value: Any, *, last: bool) -> Any:
    if isinstance(value, dict):
        return _named(value, last=last)
    if isinstance(value, list):
        return [_value(item, last=last) for item in value]
    return value


def _wrong(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 17
    if isinstance(value, str):
        return value + "zzz"
    if isinstance(value, list):
        return [*value, _wrong(value[0]) if value else "zzz"]
    if isinstance(value, dict) and value:
        name = next(iter(value))
        return {**value, name: _wrong(value[name])}
    return "zzz"
