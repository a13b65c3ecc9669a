"""Declared defaults: an argument that one side leaves out has the value that the tool gives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolscore._call import ToolCall
from toolscore._scoring.containers import is_dict, is_list, kind_of
from toolscore._scoring.copied import copied
from toolscore._scoring.equality import OptionalKey
from toolscore._scoring.filled import Filled
from toolscore._scoring.scalars import ATOMS, MAX_DEPTH
from toolscore._scoring.schema import Schema

_NESTING = frozenset({"default", "properties", "items", "$ref", "anyOf", "allOf", "oneOf"})
"""Words of a schema without which no default is in it."""


def with_defaults(
    gold: Sequence[ToolCall], made: Sequence[ToolCall], tools: Mapping[str, Any]
) -> Sequence[ToolCall]:
    """The expected calls, defaults filled in where they make a difference to a made call.

    What neither side gives is left out as before, so that it does not count as right.
    """
    wanted: dict[str, list[dict[str, Any]]] = {}
    found: dict[str, list[dict[str, Any]]] = {}
    for call in gold:
        if call.args is not None and call.tool in tools:
            wanted.setdefault(call.tool, []).append(call.args)
    for call in made:
        if call.tool in wanted:
            found.setdefault(call.tool, []).append(call.args or {})
    levels: dict[str, _Level] = {}
    for tool, calls in found.items():
        if not _alike([*wanted[tool], *calls]):
            level = _level_of(tools[tool], calls)
            if level is not None:
                levels[tool] = level
    return [_filled(call, levels.get(call.tool)) for call in gold] if levels else gold


def _filled(call: ToolCall, level: _Level | None) -> ToolCall:
    if level is None or call.args is None:
        return call
    args = level.fill(call.args)
    return call if args is call.args else replace(call, args=args)


def _alike(calls: Sequence[dict[str, Any]]) -> bool:
    """Whether all give the same names, and none holds names of its own inside: most runs do."""
    names = calls[0].keys()
    return all(
        args.keys() == names and ATOMS.issuperset(map(type, args.values())) for args in calls
    )


def _level_of(given: Any, found: Sequence[dict[str, Any]]) -> _Level | None:
    try:
        properties = given.get("properties")
        if not any(not _NESTING.isdisjoint(each) for each in properties.values()):
            return None
        return _level(Schema(copied(given)), found, 0)
    except Exception:  # noqa: BLE001 - what is no schema declares no default
        return None


def _level(schema: Schema, found: Sequence[Any], depth: int) -> _Level | None:
    """The names at one level of which the calls found make different use, or None."""
    names: dict[str, _Name] = {}
    for name, part in schema.properties().items() if depth < MAX_DEPTH else ():
        values = [args[name] for args in found if name in args]
        left_out = len(values) < len(found)
        default = part.default()
        has_default = default is not None
        mappings = [value for value in values if is_dict(value)]
        inner = _level(part, mappings, depth + 1) if mappings else None
        lists = [value for value in values if is_list(value)]
        items = [item for value in lists for item in value if is_dict(item)]
        each = _level(part.items(), items, depth + 1) if items else None
        if inner or each or (has_default and found):
            names[name] = _Name(default, left_out, bool(values), inner, each)
    return _Level(names) if names else None


class _Name:
    """What is known of one argument of a tool: its default, and whether calls give it."""

    __slots__ = ("default", "each", "given", "inner", "left_out")

    def __init__(
        self,
        default: tuple[Any] | None,
        left_out: bool,
        given: bool,
        inner: _Level | None,
        each: _Level | None,
    ) -> None:
        self.default, self.left_out, self.given = default, left_out, given
        self.inner, self.each = inner, each


class _Level:
    """The arguments of a tool, or what one of them holds, that need a look."""

    __slots__ = ("names",)

    def __init__(self, names: Mapping[str, _Name]) -> None:
        self.names = names

    def fill(self, args: dict[str, Any]) -> dict[str, Any]:
        """These arguments with their defaults; the same object where nothing changes."""
        changed: dict[str, Any] = {}
        for name, known in self.names.items():
            if name not in args:
                if known.default and known.given:
                    changed[name] = Filled(known.default[0], known.default[0], given=False)
                continue
            value = args[name]
            if isinstance(value, OptionalKey):
                continue  # the user's own word on what leaving it out means
            inner = _inside(value, known)
            if known.default and known.left_out:
                changed[name] = Filled(inner, known.default[0], given=True)
            elif inner is not value:
                changed[name] = inner
        return {**args, **changed} if changed else args


def _inside(value: Any, known: _Name) -> Any:
    if kind_of(value) is dict and known.inner:
        return known.inner.fill(value)
    if kind_of(value) is list and known.each:
        items: Iterable[Any] = value
        filled = [known.each.fill(item) if kind_of(item) is dict else item for item in items]
        if any(new is not old for new, old in zip(filled, value, strict=True)):
            return filled
    return value
