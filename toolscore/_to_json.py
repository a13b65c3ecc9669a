"""Matchers, and expectations that hold them, as JSON."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from toolscore._call import ToolCall
from toolscore._forms import DEPTH, FLAGS, TYPES
from toolscore._scoring.containers import is_dict, is_list, is_mapping, is_sequence, kind_of
from toolscore._scoring.copied import base_of
from toolscore._scoring.equality import Anything, Both, Either, Matcher, Not, OptionalKey
from toolscore._scoring.holding import Contains, OneOf, Unordered
from toolscore._scoring.regex import Regex
from toolscore._scoring.single import Approx, IsType, LooseText
from toolscore._shown import LONGEST_INT, in_short

Write: TypeAlias = Callable[[Any], Any]

REMARKS = ("side_effects", "description")
"""What a gold file says beside a call, kept in its metadata."""

_NAMES = {kinds[0]: name for name, kinds in reversed(TYPES.items()) if len(kinds) == 1}


def to_json(value: Any) -> Any:
    """The JSON that a gold file holds for a value, a matcher, a call, or a list of them.

    ``load_gold_standard`` reads it back: matchers become objects such as ``{"$regex": "..."}``, and
    an argument that itself looks like one stands under ``$literal``. Tuples become lists.

    Args:
        value: An expectation (a list of names, mappings and ``ToolCall``s), or a part of one.

    Raises:
        ValueError: something in it has no JSON form, such as a matcher of your own.

    Example:
        >>> from toolscore import Regex
        >>> to_json([{"tool": "search", "args": {"query": Regex("py.*") | "none"}}])
        [{'tool': 'search', 'args': {'query': {'$any_of': [{'$regex': 'py.*'}, 'none']}}}]
    """
    return _written(value, 0)


def _written(value: Any, depth: int) -> Any:
    if depth > DEPTH:
        raise ValueError(f"{in_short(value)[:80]} is nested deeper than {DEPTH} levels.")

    def write(inner: Any) -> Any:
        return _written(inner, depth + 1)

    value = base_of(value)
    kind = kind_of(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int:
        return value if value.bit_length() < LONGEST_INT else {"$int": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"$float": repr(value)}
    if kind is bytes:
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if issubclass(kind, ToolCall):
        return _call(value, write)
    if is_mapping(value):
        return _mapping(value, write)
    if is_sequence(value):
        return [write(item) for item in value]
    form = form_of(value, write) if issubclass(kind, Matcher) else None
    if form is None:
        raise ValueError(
            f"{in_short(value)} has no JSON form: a gold file holds JSON and the matchers of "
            "toolscore.matchers. Write IsType(str), Regex(...) or ANY in its place."
        )
    return form


def _call(call: ToolCall, write: Write) -> dict[str, Any]:
    written: dict[str, Any] = {"tool": write(call.tool)}
    if call.args is not None:
        written["args"] = write(call.args)
    written.update({key: write(call.metadata[key]) for key in REMARKS if key in call.metadata})
    return written


def _mapping(value: Mapping[Any, Any], write: Write) -> dict[str, Any]:
    items = [(key, write(item)) for key, item in value.items()]
    if all(isinstance(key, str) and not key.startswith("$") for key, _ in items):
        return dict(items)
    if all(isinstance(key, str) for key, _ in items) and _is_json(value):
        return {"$literal": dict(value)}
    return {"$items": [[write(key), item] for key, item in items]}


def _is_json(value: Any) -> bool:
    """Whether JSON keeps the value as it is. Its depth and its kinds are known to be fine."""
    if is_dict(value):
        return all(type(key) is str and _is_json(item) for key, item in value.items())
    if is_list(value):
        return all(map(_is_json, value))
    kind = kind_of(value)
    if kind is float:
        return math.isfinite(value)
    return value is None or kind in (str, bool) or (kind is int and value < 1 << 64)


def form_of(matcher: Matcher, write: Write) -> dict[str, Any] | None:
    """The JSON form of a matcher, what it holds written by ``write``; None if it has none."""
    make = _WRITERS.get(type(matcher))
    return None if make is None else make(matcher, write)


def _regex_form(matcher: Any, write: Write) -> dict[str, Any] | None:
    pattern, flags = matcher.pattern, int(matcher.flags)
    if type(pattern) is not str:  # it was given compiled
        pattern, flags = matcher.compiled.pattern, matcher.compiled.flags & ~FLAGS["u"]
    if type(pattern) is not str or flags & ~sum(FLAGS.values()):
        return None
    letters = "".join(letter for letter, flag in FLAGS.items() if flags & flag)
    return {"$regex": write(pattern), **({"flags": letters} if letters else {})}


def _approx_form(matcher: Any, write: Write) -> dict[str, Any]:
    rel = {} if matcher.rel == 1e-6 else {"rel": write(matcher.rel)}
    return {
        "$approx": write(matcher.value),
        **rel,
        **({"abs": write(matcher.abs)} if matcher.abs else {}),
    }


def _type_form(matcher: Any, _: Write) -> dict[str, Any] | None:
    names = [_NAMES.get(kind) for kind in matcher.types]
    return None if None in names else {"$type": names[0] if len(names) == 1 else names}


def _chain(name: str) -> Callable[[Any, Write], dict[str, Any]]:
    """``a | b | c`` in one list."""

    def form(matcher: Any, write: Write) -> dict[str, Any]:
        members: list[Any] = []
        left: Any = matcher
        while type(left) is type(matcher):
            members.append(left.right)
            left = left.left
        return {name: [write(member) for member in [left, *reversed(members)]]}

    return form


_WRITERS: dict[type, Callable[[Any, Write], dict[str, Any] | None]] = {
    Anything: lambda _matcher, _write: {"$any": True},
    Regex: _regex_form,
    Approx: _approx_form,
    Contains: lambda matcher, write: {"$contains": write(matcher.item)},
    OneOf: lambda matcher, write: {"$one_of": [write(value) for value in matcher.values]},
    IsType: _type_form,
    OptionalKey: lambda matcher, write: {"$optional": write(matcher.value)},
    Unordered: lambda matcher, write: {"$unordered": [write(item) for item in matcher.items]},
    LooseText: lambda matcher, write: {"$loose_text": write(matcher.text)},
    Either: _chain("$any_of"),
    Both: _chain("$all_of"),
    Not: lambda matcher, write: {"$not": write(matcher.inner)},
}
