"""Expectations from files: which JSON objects stand for a matcher."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolscore import matchers
from toolscore._call import ToolCall
from toolscore._expectation import gold_calls
from toolscore._scoring.containers import is_list, is_mapping

_DEPTH = 200
_WRITE = '{"tool": "search", "args": {"query": {"$regex": "python.*"}}}'
_TYPES: dict[str, type] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "dict": dict,
    "null": type(None),
}


def gold_from(data: object) -> list[ToolCall]:
    """The calls of a parsed gold file.

    Raises:
        ValueError: it is no list of calls, nor an object with ``calls``; says which item is wrong.
    """
    held = data.get("calls") if is_mapping(data) else data
    if not is_list(held):
        raise ValueError(
            f"A gold file holds a list of calls, or an object with one under calls, not "
            f"{type(data).__name__}: write [{_WRITE}]."
        )
    calls = gold_calls([_with_matchers(item) for item in held]) or []
    for call, item in zip(calls, held, strict=True):
        if is_mapping(item):
            kept = {key: item[key] for key in ("side_effects", "description") if item.get(key)}
            call.metadata.update(kept)
    return calls


def _with_matchers(item: Any) -> Any:
    if not is_mapping(item):
        return item
    return {
        key: _read(value, 0) if key in ("args", "arguments", "input") else value
        for key, value in item.items()
    }


def _read(value: Any, depth: int) -> Any:
    """The value, with matchers in the place of the objects that stand for them."""
    if depth > _DEPTH:
        raise ValueError(f"The arguments of a gold call are nested deeper than {_DEPTH} levels.")
    if is_list(value):
        return [_read(item, depth + 1) for item in value]
    if not is_mapping(value):
        return value
    name = next((key for key in value if key in _MATCHERS), None)
    if name is None:
        return {key: _read(item, depth + 1) for key, item in value.items()}
    if name == "$literal":
        return value[name]
    rest = {key: item for key, item in value.items() if key != name}
    try:
        return _MATCHERS[name](_read(value[name], depth + 1), rest)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"{name} in a gold file cannot be read ({error}): see docs/matchers.md, or write "
            f'{{"$literal": ...}} around an argument that really has the key {name}.'
        ) from error


def _plain(make: Callable[[Any], Any]) -> Callable[[Any, Mapping[str, Any]], Any]:
    def build(value: Any, rest: Mapping[str, Any]) -> Any:
        if rest:
            raise ValueError(f"it stands with {', '.join(rest)}")
        return make(value)

    return build


def _items(value: Any) -> list[Any]:
    if not is_list(value):
        raise ValueError("it needs a list")
    return value


def _approx(value: Any, rest: Mapping[str, Any]) -> Any:
    return matchers.Approx(_number(value), **{key: _number(item) for key, item in rest.items()})


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("it needs a number")
    return value


def _type(value: Any) -> Any:
    names = value if is_list(value) else [value]
    unknown = [name for name in names if not isinstance(name, str) or name not in _TYPES]
    if unknown:
        raise ValueError(f"there are the types {', '.join(_TYPES)}")
    return matchers.IsType(*[_TYPES[name] for name in names])


def _all(values: Any) -> Any:
    wanted = [v if isinstance(v, matchers.Matcher) else matchers.OneOf(v) for v in _items(values)]
    if not wanted:
        raise ValueError("it needs at least one item")
    both = wanted[0]
    for other in wanted[1:]:
        both = both & other
    return both


_MATCHERS: dict[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "$any": _plain(lambda _: matchers.ANY),
    "$regex": _plain(matchers.Regex),
    "$approx": _approx,
    "$contains": _plain(matchers.Contains),
    "$one_of": _plain(lambda value: matchers.OneOf(*_items(value))),
    "$type": _plain(_type),
    "$optional": _plain(matchers.OptionalKey),
    "$unordered": _plain(lambda value: matchers.Unordered(_items(value))),
    "$loose_text": _plain(matchers.LooseText),
    "$all_of": _plain(_all),
    "$not": _plain(lambda value: ~matchers.OneOf(value)),
    "$literal": _plain(lambda value: value),
}
