"""What an adapter was given, as the items of a trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolscore._scoring.containers import is_mapping, is_sequence, kind_of


def items_of(source: object, adapter: str) -> Sequence[Any]:
    """The items of a list; a mapping or an object of an SDK is the only item.

    Raises:
        ValueError: None, a text or a number, which hold no trace.
    """
    if source is None:
        raise ValueError(
            f"{adapter} got no trace (None): pass a dict or a list, [] for a run without calls."
        )
    if isinstance(source, (str, bytes, bytearray, bool, int, float, complex)):
        raise ValueError(
            f"{adapter} takes a dict or a list, not {type(source).__name__}: parse text with "
            "json.loads first, or use toolscore.load_trace(path)."
        )
    return source if is_sequence(source) else [source]


def refuse(adapter: str, item: object, wanted: str) -> ValueError:
    """The error that names what is no part of this format; to be raised."""
    found = kind_of(item).__name__
    if is_mapping(item):
        keys = ", ".join(sorted(str(key)[:40] for key in item)[:8])
        found = f"an object with the keys {keys}" if keys else "an empty object"
    return ValueError(
        f"{adapter} cannot read {found}: it reads {wanted}. If the trace has another format, name "
        "it: toolscore.load_trace(path, format=...), or use that format's adapter."
    )
