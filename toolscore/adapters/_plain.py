"""A call as the dict that every extractor returns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall


def as_dicts(calls: Iterable[ToolCall]) -> list[dict[str, Any]]:
    """The calls as dicts: what ``evaluate`` takes, and what can be written as JSON.

    Example:
        >>> [call] = as_dicts([ToolCall("search", {"q": "a"}, result=3, metadata={"id": "c1"})])
        >>> call["tool"], call["args"], call["result"], call["id"], call["is_error"]
        ('search', {'q': 'a'}, 3, 'c1', False)
    """
    return [
        {
            "tool": call.tool,
            "args": call.args or {},
            "result": call.result,
            "is_error": call.is_error,
            "error": call.error,
            "duration": call.duration,
            "timestamp": call.timestamp,
            "id": call.metadata.get("id"),
            "metadata": call.metadata,
        }
        for call in calls
    ]
