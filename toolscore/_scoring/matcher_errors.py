"""Where in the expectation a matcher that raised stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolscore._call import ToolCall
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore._scoring.scalars import MAX_DEPTH
from toolscore._shown import text_of


def matcher_errors(
    gold: Sequence[ToolCall], errors: Mapping[int, tuple[Any, str]]
) -> Iterator[tuple[int, str, str]]:
    """Index of the expected call, path of the argument, and what was raised."""
    if not errors:
        return
    raised = {id(matcher): text for matcher, text in errors.values()}  # a copied result has new ids
    for i, call in enumerate(gold):
        for path, value in _values(call.args or {}, "", 0):
            if id(value) in raised:
                yield i, path, raised[id(value)]


def _values(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    yield path, value
    if depth > MAX_DEPTH:
        return
    if is_mapping(value):
        for key, item in value.items():
            yield from _values(item, f"{path}.{text_of(key)}" if path else text_of(key), depth + 1)
    elif is_sequence(value):
        for place, item in enumerate(value):
            yield from _values(item, f"{path}[{place}]", depth + 1)
