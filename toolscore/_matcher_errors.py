"""Where in the expectation a matcher that raised stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from toolscore._call import ToolCall
from toolscore._equality import MAX_DEPTH


def matcher_errors(
    gold: Sequence[ToolCall], errors: Sequence[tuple[Any, str]]
) -> Iterator[tuple[int, str, str]]:
    """Index of the expected call, path of the argument, and what was raised."""
    if not errors:
        return
    texts = {id(matcher): text for matcher, text in errors}
    for i, call in enumerate(gold):
        for path, value in _values(call.args or {}, "", 0):
            if id(value) in texts:
                yield i, path, texts[id(value)]


def _values(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    yield path, value
    if depth > MAX_DEPTH:
        return
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield from _values(item, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, (list, tuple)):
        for place, item in enumerate(cast("Sequence[Any]", value)):
            yield from _values(item, f"{path}[{place}]", depth + 1)
