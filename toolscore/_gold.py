"""Expectations from files."""

from __future__ import annotations

from typing import Any

from toolscore._call import ToolCall
from toolscore._expectation import gold_calls
from toolscore._forms import read_forms
from toolscore._scoring.containers import is_list, is_mapping
from toolscore._to_json import REMARKS

_WRITE = '{"tool": "search", "args": {"query": {"$regex": "python.*"}}}'


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
    calls = gold_calls([_with_matchers(item, place) for place, item in enumerate(held)]) or []
    for call, item in zip(calls, held, strict=True):
        if is_mapping(item):
            call.metadata.update({key: item[key] for key in REMARKS if item.get(key)})
    return calls


def _with_matchers(item: Any, place: int) -> Any:
    if not is_mapping(item):
        return item
    try:
        return {
            key: read_forms(value) if key in ("args", "arguments", "input") else value
            for key, value in item.items()
        }
    except ValueError as error:
        raise ValueError(f"expected[{place}]: {error}") from error
