"""The arguments of a call, from whatever the model wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast


def parse_arguments(written: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments by name, and the metadata that says what could not be kept.

    A mapping is taken as it is; text is read as JSON. Text that is no JSON gives ``{}``, other JSON
    than an object gives ``{"value": ...}``; in both cases, and where a number or a repeated key
    cannot be kept exactly, the text stays in ``raw_arguments``. Empty text and None mean none.

    Example:
        >>> parse_arguments('{"city": "Oslo"}')
        ({'city': 'Oslo'}, {})
        >>> parse_arguments('{"city": ')
        ({}, {'raw_arguments': '{"city": '})
        >>> parse_arguments('[1, 2]')
        ({'value': [1, 2]}, {'raw_arguments': '[1, 2]'})
    """
    if type(written) is str and written:
        try:
            value = _plain_json.decode(written)
        except (ValueError, RecursionError):
            pass  # no plain JSON: read it again with care
        else:
            if type(value) is dict:
                return cast("dict[str, Any]", value), {}
    if type(written) is dict or isinstance(written, Mapping):
        return dict(cast("Mapping[str, Any]", written)), {}
    if written is None or written == "":
        return {}, {}
    if not isinstance(written, str):
        return {"value": written}, {"raw_arguments": str(written)}
    reader = _ExactReader()
    try:
        value = reader.read(written)
    except (
        ValueError,
        RecursionError,
    ):  # not JSON, a number beyond the int limit, nesting without end
        return {}, {"raw_arguments": written}
    if not isinstance(value, dict):
        return {"value": value}, {"raw_arguments": written}
    return cast("dict[str, Any]", value), {} if reader.exact else {"raw_arguments": written}


def _refuse(text: str) -> Any:
    raise ValueError(text)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a key twice")
    return entries


# made once: nearly all arguments hold neither a float nor anything that cannot be kept exactly
_plain_json = json.JSONDecoder(
    parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_distinct
)


class _ExactReader:
    """``json.loads`` that notices what Python's types cannot hold."""

    def __init__(self) -> None:
        self.exact = True

    def read(self, text: str) -> Any:
        return json.loads(
            text,
            parse_float=self._float,
            parse_constant=self._constant,
            object_pairs_hook=self._object,
        )

    def _float(self, digits: str) -> float:
        value = float(digits)
        # repr is the shortest text that reads back as the same double: equal means nothing was lost
        if value in (float("inf"), float("-inf")) or Decimal(repr(value)) != Decimal(digits):
            self.exact = False
        return value

    def _constant(self, name: str) -> float:
        self.exact = False  # NaN and Infinity are not JSON
        return float(name)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries = dict(pairs)
        if len(entries) < len(pairs):
            self.exact = False
        return entries
