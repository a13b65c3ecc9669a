"""The calls in anything that is recognised."""

from __future__ import annotations

from typing import Any

from toolscore._call import ToolCall
from toolscore._run import Run
from toolscore._turns import AgentTrace
from toolscore.adapters._detect import Votes
from toolscore.adapters._formats import calls_of
from toolscore.adapters._plain import as_dicts
from toolscore.adapters._source import items_of
from toolscore.extract._frameworks import READERS, framework_of


def auto_extract(source: Any) -> list[dict[str, Any]]:
    """The calls in any response, result, message list or trace that is recognised.

    Args:
        source: What one of the ``from_...`` functions takes, or a ``Run``, an ``AgentTrace``, or a
            list of calls.

    Returns:
        Dicts as of ``from_openai``; none for a run that called nothing.

    Raises:
        ValueError: it is not recognised, or malformed.

    Source:
        ``toolscore.auto_extract`` of tool-scorer.

    Example:
        >>> block = {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "a"}}
        >>> [call] = auto_extract({"role": "assistant", "content": [block]})
        >>> call["tool"], call["args"]
        ('search', {'q': 'a'})
    """
    return as_dicts(extracted(source))


def recognised(source: object) -> list[ToolCall] | None:
    """``extracted``, or None where the format is not recognised.

    Raises:
        ValueError: it is recognised, and malformed.
    """
    if framework_of(source) is None:
        votes = Votes()
        votes.see(items_of(source, "toolscore"))
        if votes.format is None:
            return None
    return extracted(source)


def extracted(source: object) -> list[ToolCall]:
    """``auto_extract`` as ``ToolCall``s.

    Raises:
        ValueError: it is not recognised, or malformed.
    """
    if isinstance(source, Run):
        return list(source.calls)
    if isinstance(source, AgentTrace):
        return [call for turn in source.turns for call in turn.tool_calls]
    framework = framework_of(source)
    return calls_of(source) if framework is None else READERS[framework](source)
