"""What ``evaluate`` takes besides lists of calls: traces, responses, results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from toolscore._call import ToolCall
from toolscore._run import Include, Run
from toolscore._scoring.containers import kind_of
from toolscore._written import KNOWN, NAMES

_ATOMS = (str, bytes, bytearray, int, float, complex)
_ELSEWHERE = frozenset(
    {"output", "tool_input", "tool_output", "tool_kwargs", "time", "elapsed", "log"}
)
"""What recorded traces write for arguments, results and times."""


class NotACallError(Exception):
    """An item of a list is no call in one of the ways that ``evaluate`` itself takes."""


def is_written_our_way(item: Mapping[str, Any]) -> bool:
    """Whether this is a call as ``evaluate`` takes it, and not one of a recorded trace.

    Example:
        >>> is_written_our_way({"name": "search", "args": {}})
        True
        >>> is_written_our_way({"name": "search", "args": {}, "type": "tool_call"})
        False
    """
    if "tool" in item:
        return not any(name in item for name in _ELSEWHERE)
    name = next((item[key] for key in NAMES if key in item), None)
    return type(name) is str and KNOWN.issuperset(item)


def recorded(actual: object) -> list[ToolCall] | None:
    """The calls of anything that ``auto_extract`` recognises; None where it does not.

    Raises:
        ValueError: it is recognised, and malformed; or it cannot be read at all.
    """
    kind = kind_of(actual)
    if issubclass(kind, _ATOMS):
        return None
    # the readers of a dozen formats, which lists of calls do not need
    from toolscore.extract._any import recognised

    try:
        if kind is list and any(issubclass(kind_of(i), ToolCall) for i in cast("Any", actual)):
            return None
        return recognised(actual)
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(
            f"actual= is {kind.__name__}, which cannot be read ({type(error).__name__}): give a "
            "list of calls, or a dump of the result."
        ) from error


def scored(
    calls: Sequence[ToolCall], gold: list[ToolCall] | None, include: Collection[Include]
) -> list[ToolCall]:
    """The calls of a recorded trace that count by default, and the kinds in ``include``.

    As in a captured run, except that what the provider or the framework ran counts too: the record
    is all that there is of it.
    """
    kept: list[Include] = [*include, "server", "framework"]
    return list(Run(tuple(calls)).scored_calls(gold, include=kept))
