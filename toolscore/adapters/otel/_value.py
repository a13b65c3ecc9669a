"""Attribute values: OTLP spells each with its type, SDKs and dumps write them plainly."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

from toolscore._read import read
from toolscore._scoring.containers import is_mapping

_SCALARS = frozenset({"stringValue", "boolValue", "bytesValue"})
_CAMEL = {
    "string_value": "stringValue",
    "bool_value": "boolValue",
    "int_value": "intValue",
    "double_value": "doubleValue",
    "array_value": "arrayValue",
    "kvlist_value": "kvlistValue",
    "bytes_value": "bytesValue",
}
_TYPED = frozenset(_CAMEL.values())


def items_of(value: object) -> Iterable[Any]:
    """The items of a list, a tuple or a repeated field of protobuf; none of anything else.

    Example:
        >>> list(items_of((1, 2))), list(items_of("text")), list(items_of(None))
        ([1, 2], [], [])
    """
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
        return cast("Sequence[Any]", value)  # type: ignore[redundant-cast] # pyright: Unknown
    return ()


def attributes_of(source: object) -> dict[str, Any]:
    """The attributes of a span, event or log record, by name; the later one of a name wins.

    Example:
        >>> attributes_of({"attributes": [{"key": "n", "value": {"intValue": "3"}}]})
        {'n': 3}
        >>> attributes_of({"attributes": {"n": 3}})
        {'n': 3}
    """
    given = read(source, "attributes")
    if is_mapping(given):
        return {str(key): value for key, value in given.items()}
    found: dict[str, Any] = {}
    for pair in items_of(given):
        key = read(pair, "key")
        if isinstance(key, str):
            found[key] = plain_value(read(pair, "value"))
    return found


def plain_value(value: object) -> Any:
    """What an OTLP value holds; a value that is none of OTLP's is taken as it is.

    Raises:
        RecursionError: it is nested without end.

    Example:
        >>> plain_value({"arrayValue": {"values": [{"stringValue": "a"}, {}]}})
        ['a', None]
    """
    which = getattr(value, "WhichOneof", None)
    if callable(which):  # a protobuf message answers every name, with the type's zero
        name = which("value")
        return None if name is None else _typed(_CAMEL.get(str(name), ""), read(value, str(name)))
    if not is_mapping(value):
        return value
    if not value:
        return None  # an AnyValue that is not set
    if len(value) == 1:
        [(key, inner)] = value.items()
        name = _CAMEL.get(key, key) if isinstance(key, str) else ""
        if name in _TYPED:
            return _typed(name, inner)
    return value


def _typed(name: str, inner: Any) -> Any:
    if name in _SCALARS:
        return inner
    if name == "arrayValue":
        return [plain_value(item) for item in items_of(read(inner, "values"))]
    if name == "kvlistValue":
        pairs = items_of(read(inner, "values"))
        return {str(read(pair, "key")): plain_value(read(pair, "value")) for pair in pairs}
    try:
        return int(inner) if name == "intValue" else float(inner)
    except (TypeError, ValueError, OverflowError):
        return inner  # no number: kept as it was written


def decoded(value: object) -> Any:
    """Text that is JSON as what it says; anything else as it is.

    Example:
        >>> decoded('{"a": 1}'), decoded("84"), decoded("18C"), decoded([1])
        ({'a': 1}, 84, '18C', [1])
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in _JSON_STARTS:
        return value
    try:
        return json.loads(value, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return value


_JSON_STARTS = frozenset('{["-0123456789tfn')


def _refuse(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are no JSON
