"""Arguments against the tool's JSON schema: unknown names and wrong types, nothing more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias, cast

from toolscore._scoring.containers import is_list, is_mapping

Problem: TypeAlias = "tuple[Literal['unknown_argument', 'wrong_type'], str, str]"

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}


def schema_problems(schema: Mapping[str, Any], args: Mapping[str, Any]) -> Iterator[Problem]:
    """Kind, path and sentence for each argument that the schema does not know or admit."""
    properties = schema.get("properties")
    if not is_mapping(properties):
        return
    known = cast("Mapping[str, Any]", properties)
    # JSON Schema admits further arguments unless told otherwise; tools do not take them.
    takes_more = "additionalProperties" in schema and schema["additionalProperties"] is not False
    takes_more = takes_more or "patternProperties" in schema
    for name, value in args.items():
        if name not in known:
            if not takes_more:
                names = ", ".join(map(str, known)) or "none"
                yield "unknown_argument", name, f"is not an argument of the tool (it has: {names})"
        elif problem := _type_problem(known[name], value):
            yield "wrong_type", name, problem


def _type_problem(schema: Any, value: Any) -> str | None:
    if not is_mapping(schema):
        return None
    allowed = cast("Mapping[str, Any]", schema).get("type")
    names = [allowed] if isinstance(allowed, str) else allowed
    if not is_list(names) or not all(name in _TYPES for name in names):
        return None
    types = cast("list[str]", names)
    if any(_is_of(value, name) for name in types):
        return None
    return f"is of type {type(value).__name__}, the tool takes {' or '.join(types)}"


def _is_of(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])
