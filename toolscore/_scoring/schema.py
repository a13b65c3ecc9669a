"""A tool's JSON schema, read as far as scoring needs it: names, defaults, types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from toolscore._scoring.containers import is_dict, is_list, is_sequence, kind_of
from toolscore._scoring.equality import same
from toolscore._scoring.scalars import MAX_DEPTH
from toolscore._shown import in_short, text_of

MOST_STEPS = 20_000
"""Comparisons of a value with a part of a schema, after which the rest is taken as right."""
_HOPS = 20
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}


class Problem(NamedTuple):
    """What a schema has against an argument."""

    kind: Literal["unknown_argument", "wrong_type", "wrong_argument"]
    path: str
    text: str


class Schema:
    """A part of a schema, references inside the same document followed."""

    __slots__ = ("body", "part", "root")

    def __init__(self, root: Any, part: Any = None) -> None:
        self.root = root
        self.part: dict[Any, Any] = root if part is None else part if is_dict(part) else {}
        self.body = _followed(root, self.part)

    def default(self) -> tuple[Any] | None:
        """The declared default, in a tuple; None if there is none."""
        for place in (self.part, self.body):
            if "default" in place:
                return (place["default"],)
        return None

    def branches(self) -> list[Schema]:
        """The alternatives, of which one must fit."""
        found = self.body.get("anyOf") or self.body.get("oneOf")
        return [Schema(self.root, branch) for branch in found] if is_list(found) else []

    def object(self) -> dict[Any, Any]:
        """The part that describes an object, alone or as the only such alternative."""
        if is_dict(self.body.get("properties")):
            return self.body
        of_all = self.body.get("allOf")
        parts = [Schema(self.root, part) for part in of_all] if is_list(of_all) else []
        bodies = [each.body for each in [*parts, *self.branches()]]
        described = [body for body in bodies if is_dict(body.get("properties"))]
        return described[0] if len(described) == 1 else {}

    def properties(self) -> dict[str, Schema]:
        """The names in it that are known."""
        held = self.object().get("properties")
        return {name: Schema(self.root, part) for name, part in held.items()} if held else {}

    def items(self) -> Schema:
        """What each item of a list is."""
        bodies = [self.body, *(branch.body for branch in self.branches())]
        held: Any = next((body["items"] for body in bodies if is_dict(body.get("items"))), None)
        return Schema(self.root, held or {})

    def type_names(self) -> list[str]:
        """The types that it admits; none where it does not say, or names one that is none."""
        allowed = self.body.get("type")
        names: list[Any] = allowed if is_list(allowed) else [allowed]
        return names if all(type(name) is str and name in _TYPES for name in names) else []


def _followed(root: Any, part: dict[Any, Any]) -> dict[Any, Any]:
    for _ in range(_HOPS):
        reference = part.get("$ref")
        if type(reference) is not str or not reference.startswith("#"):
            return part
        place: Any = root
        for name in reference[1:].strip("/").split("/") if reference != "#" else ():
            place = place.get(name.replace("~1", "/").replace("~0", "~")) if is_dict(place) else {}
        part = place if is_dict(place) else {}
    return {}


def unknown_names(schema: Schema, args: Mapping[str, Any]) -> Iterator[Problem]:
    """The arguments that the tool does not have: hallucinated ones."""
    known = schema.object()
    if not known:
        return
    # JSON Schema admits further arguments unless told otherwise; tools do not take them.
    takes_more = "additionalProperties" in known and known["additionalProperties"] is not False
    if takes_more or "patternProperties" in known:
        return
    names = ", ".join(map(text_of, known["properties"])) or "none"
    for name in args:
        if name not in known["properties"]:
            text = f"is not an argument of the tool (it has: {names})"
            yield Problem("unknown_argument", text_of(name), text)


def value_problems(schema: Schema, args: Mapping[str, Any]) -> Iterator[Problem]:
    """Arguments of a wrong type, not among those listed, or required and not given."""
    yield from _Checker().check(schema, args, "", 0)


class _Checker:
    """One check in progress, and how much of it may still be done."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def check(self, schema: Schema, value: Any, path: str, depth: int) -> Iterator[Problem]:
        self.left -= 1
        if depth > MAX_DEPTH or self.left < 0:
            return
        names = schema.type_names()
        if names and not is_of(value, names):
            yield Problem("wrong_type", path, say_type(value, names))
            return
        listed = schema.body.get("enum")
        if is_list(listed) and not any(_is_listed(one, value) for one in listed):
            yield Problem("wrong_argument", path, say_listed(listed))
            return
        branches = schema.branches()
        if branches:
            fitting = (not any(self.check(each, value, path, depth + 1)) for each in branches)
            if not any(fitting):
                yield Problem("wrong_type", path, say_branches(branches, value))
        of_all = schema.body.get("allOf")
        for part in of_all if is_list(of_all) else ():
            yield from self.check(Schema(schema.root, part), value, path, depth + 1)
        if is_dict(value):
            yield from self._object(schema, value, path, depth)
        elif is_sequence(value) and is_dict(schema.body.get("items")):
            each = Schema(schema.root, schema.body["items"])
            for place, item in enumerate(value):
                yield from self.check(each, item, f"{path}[{place}]", depth + 1)

    def _object(
        self, schema: Schema, value: Mapping[Any, Any], path: str, depth: int
    ) -> Iterator[Problem]:
        held, more = schema.body.get("properties"), schema.body.get("additionalProperties")
        known: Mapping[Any, Any] = held if is_dict(held) else {}
        for name, item in value.items():
            if name in known:
                part = Schema(schema.root, known[name])
                yield from self.check(part, item, below(path, name), depth + 1)
            elif path and more is False and "patternProperties" not in schema.body:
                yield Problem("unknown_argument", below(path, name), SAY_UNKNOWN)
        required = schema.body.get("required")
        for name in required if is_list(required) else ():
            if type(name) is str and name not in value:
                yield Problem("wrong_argument", below(path, name), SAY_REQUIRED)


SAY_UNKNOWN = "is not known to the tool"
SAY_REQUIRED = "is required by the tool, and was not given"


def below(path: str, name: Any) -> str:
    """The path of a name inside."""
    return f"{path}.{text_of(name)}" if path else text_of(name)


def say_type(value: Any, names: list[str]) -> str:
    """What type a value has, and which ones the tool takes."""
    return f"is of type {kind_of(value).__name__}, the tool takes {' or '.join(names) or 'nothing'}"


def say_listed(listed: list[Any]) -> str:
    """Which values the tool takes."""
    return f"is not one of those that the tool takes: {in_short(listed)}"


def _is_listed(one: Any, value: Any) -> bool:
    return bool(one == value) if kind_of(value) is str else same(one, value)


def say_branches(branches: list[Schema], value: Any) -> str:
    """Why a value fits none of the alternatives."""
    each = [branch.type_names() for branch in branches]
    names = list(dict.fromkeys(name for of_one in each for name in of_one))
    if all(each) and not is_of(value, names):
        return say_type(value, names)
    return "fits none of the forms that the tool takes"


def is_of(value: Any, names: list[str]) -> bool:
    """Whether a value is of one of the types."""
    kind = kind_of(value)
    if kind is bool:
        return "boolean" in names
    if kind is float and "integer" in names and value.is_integer():
        return True
    return any(issubclass(kind, _TYPES[name]) for name in names if name != "boolean")
