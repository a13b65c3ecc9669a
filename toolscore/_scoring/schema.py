"""Arguments against the tool's JSON schema: unknown names and wrong types, nothing more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from toolscore._scoring.containers import is_dict, is_list, kind_of
from toolscore._shown import text_of

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
    """Kind, path and sentence for each argument that the schema does not know or admit.

    Both are plain copies (``copied``); what is no schema in them says nothing.
    """
    properties = schema.get("properties")
    if not is_dict(properties):
        return
    known = properties
    # JSON Schema admits further arguments unless told otherwise; tools do not take them.
    takes_more = "additionalProperties" in schema and schema["additionalProperties"] is not False
    takes_more = takes_more or "patternProperties" in schema
    for name, value in args.items():
        if name not in known:
            if not takes_more:
                names = ", ".join(map(text_of, known)) or "none"
                yield (
                    "unknown_argument",
                    text_of(name),
                    f"is not an argument of the tool (it has: {names})",
                )
        elif problem := _type_problem(known[name], value):
            yield "wrong_type", text_of(name), problem


def _type_problem(schema: Any, value: Any) -> str | None:
    if not is_dict(schema):
        return None
    allowed = schema.get("type")
    names: list[Any] = allowed if is_list(allowed) else [allowed]
    if not all(type(name) is str and name in _TYPES for name in names):
        return None
    if any(_is_of(value, name) for name in names):
        return None
    return f"is of type {type(value).__name__}, the tool takes {' or '.join(names) or 'nothing'}"


def _is_of(value: Any, name: str) -> bool:
    kind = kind_of(value)
    if kind is bool:
        return name == "boolean"
    if name == "integer" and kind is float:
        return bool(value.is_integer())
    return issubclass(kind, _TYPES[name])
