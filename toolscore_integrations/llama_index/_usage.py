"""Tokens of one model response, wherever the integration keeps them."""

from __future__ import annotations

from collections.abc import Iterator

from toolscore import Usage
from toolscore_integrations.llama_index._read import read

NAMES = (
    ("prompt_tokens", "completion_tokens"),
    ("input_tokens", "output_tokens"),
    ("prompt_token_count", "candidates_token_count"),
    ("prompt_eval_count", "eval_count"),
)


def usage_in(raw: object, additional: object = None) -> Usage | None:
    """The counts in a provider's raw response, else in what the integration copied beside it."""
    for source in _sources(raw, additional):
        if source is None:
            continue
        for sent, received in NAMES:
            counts = _count(source, sent), _count(source, received)
            if counts != (None, None):
                inputs, outputs = counts[0] or 0, counts[1] or 0
                total = _count(source, "total_tokens") or _count(source, "total_token_count")
                return Usage(1, inputs, outputs, total or inputs + outputs)
    return None


def _sources(raw: object, additional: object) -> Iterator[object]:
    if raw is not None:
        yield from (read(raw, "usage"), read(raw, "usage_metadata"), raw)
    if additional:
        yield from (read(additional, "usage"), additional)


def _count(source: object, name: str) -> int | None:
    value = read(source, name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
