"""Which JSON objects, with a key such as ``$regex``, stand for a matcher."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from toolscore._scoring.containers import is_list, is_mapping, is_sequence
from toolscore._scoring.equality import Anything, Both, Either, Matcher, OptionalKey
from toolscore._scoring.holding import Contains, OneOf, Unordered
from toolscore._scoring.regex import Regex
from toolscore._scoring.single import Approx, IsType, LooseText
from toolscore._shown import in_short

DEPTH = 200
"""Levels of nesting that are read and written."""

TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float,),
    "bool": (bool,),
    "list": (list,),
    "dict": (dict,),
    "null": (type(None),),
    # what JSON Schema calls them
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
FLAGS = {"a": 256, "i": 2, "m": 8, "s": 16, "u": 32, "x": 64}
"""The letters by which a pattern itself names its flags."""


def read_forms(value: Any, depth: int = 0) -> Any:
    """The value, with matchers in the place of the objects that stand for them.

    Raises:
        ValueError: an object has a key with ``$`` that is no form, or holds what the form does not
            take; says which forms there are, and how to write such a key as it is.
    """
    if depth > DEPTH:
        raise ValueError(f"The arguments are nested deeper than {DEPTH} levels.")
    if is_sequence(value):
        items = [read_forms(item, depth + 1) for item in value]
        return items if is_list(value) else tuple(items)
    if not is_mapping(value):
        return value
    names = [key for key in value if type(key) is str and key.startswith("$")]
    if not names:
        return {key: read_forms(item, depth + 1) for key, item in value.items()}
    name = names[0]
    unknown = next((key for key in names if key not in _READERS), None)
    if unknown is not None:
        raise ValueError(
            f"{in_short(unknown)} stands for no matcher; there are {', '.join(_READERS)}. For an "
            f'argument that really has that key, write {{"$literal": {{{json.dumps(unknown)}: '
            "...}}."
        )
    if name == "$literal" and len(value) == 1:
        return value[name]
    rest = {key: read_forms(item, depth + 1) for key, item in value.items() if key != name}
    content = read_forms(value[name], depth + 1)
    try:
        return _READERS[name](content, rest)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise ValueError(
            f"{name} cannot be read ({error}): see docs/matchers.md, or write "
            f'{{"$literal": ...}} around an argument that really has the key {name}.'
        ) from error


def _plain(make: Callable[[Any], Any]) -> Callable[[Any, Mapping[str, Any]], Any]:
    def build(value: Any, rest: Mapping[str, Any]) -> Any:
        if rest:
            raise ValueError(f"it stands with {', '.join(rest)}")
        return make(value)

    return build


def _any(value: Any) -> Matcher:
    if value is not True:
        raise ValueError('it is written {"$any": true}')
    return Anything()


def _regex(pattern: Any, rest: Mapping[str, Any]) -> Matcher:
    letters = rest.get("flags", "")
    if rest.keys() - {"flags"} or type(letters) is not str or set(letters) - FLAGS.keys():
        raise ValueError(
            f"it stands with {', '.join(rest)}; there is flags, of the letters {''.join(FLAGS)}"
        )
    return Regex(pattern, sum(FLAGS[letter] for letter in set(letters)))


def _approx(value: Any, rest: Mapping[str, Any]) -> Matcher:
    return Approx(_number(value), **{key: _number(item) for key, item in rest.items()})


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("it needs a number")
    return value


def _items(value: Any) -> list[Any]:
    if not is_list(value):
        raise ValueError("it needs a list")
    return value


def _type(value: Any) -> Matcher:
    names = value if is_list(value) else [value]
    unknown = [name for name in names if not isinstance(name, str) or name not in TYPES]
    if unknown:
        raise ValueError(f"there are the types {', '.join(TYPES)}")
    return IsType(*[kind for name in names for kind in TYPES[name]])


def _joined(join: type[Either | Both]) -> Callable[[Any], Any]:
    def build(values: Any) -> Any:
        members: Sequence[Any] = _items(values)
        if not members:
            raise ValueError("it needs at least one item")
        first = members[0]
        if len(members) == 1:
            return first if isinstance(first, Matcher) else OneOf(first)
        return reduce(join, members)

    return build


def _not(value: Any) -> Matcher:
    return ~(value if isinstance(value, Matcher) else OneOf(value))


_READERS: dict[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "$any": _plain(_any),
    "$regex": _regex,
    "$approx": _approx,
    "$contains": _plain(Contains),
    "$one_of": _plain(lambda value: OneOf(*_items(value))),
    "$type": _plain(_type),
    "$optional": _plain(OptionalKey),
    "$unordered": _plain(lambda value: Unordered(_items(value))),
    "$loose_text": _plain(LooseText),
    "$any_of": _plain(_joined(Either)),
    "$all_of": _plain(_joined(Both)),
    "$not": _plain(_not),
    "$literal": _plain(lambda value: value),
    "$items": _plain(lambda value: dict(_items(value))),
    "$float": _plain(float),
    "$int": _plain(lambda value: int(value, 16)),
    "$bytes": _plain(lambda value: base64.b64decode(value, validate=True)),
}
