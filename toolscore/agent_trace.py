"""Agent traces: what was said and called, turn by turn, and small functions that measure it.

Source:
    ``AgentTrace``, ``ToolCall`` and the metric functions of kanros-agent ("Agent traces").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeVar

from toolscore._call import ToolCall
from toolscore._scoring.canonical import canonical
from toolscore._trace_messages import parse_openai_style_trace
from toolscore._turns import AgentTrace, AgentTurn, TurnRole

__all__ = [
    "AgentTrace",
    "AgentTurn",
    "TurnRole",
    "parse_openai_style_trace",
    "per_tool",
    "recovered_from_error",
    "redundant_tool_calls",
    "tool_call_count",
    "tool_success_rate",
    "trace_completed_with_answer",
    "unique_tools_used",
]

Measure = TypeVar("Measure")


def tool_call_count(trace: AgentTrace) -> int:
    """Count the tool calls of all assistant turns.

    Source:
        ``tool_call_count`` of kanros-agent, "Agent traces", metric table.

    Example:
        >>> tool_call_count(AgentTrace((AgentTurn(TurnRole.ASSISTANT, "", (ToolCall("a"),)),)))
        1
    """
    return sum(1 for _ in _calls(trace))


def tool_success_rate(trace: AgentTrace, default: float = 1.0) -> float:
    """Share of the calls that returned among those that returned or failed.

    A call that is not resolved (neither result nor error, cancelled, waiting for a person) is
    neither a success nor a failure.

    Args:
        trace: The trace to measure.
        default: What no resolved call at all gives.

    Returns:
        From 0 to 1, or ``default``.

    Source:
        ``tool_success_rate`` of kanros-agent, "Agent traces", metric table and notes.

    Example:
        >>> fine, failed = ToolCall("a", result="fine"), ToolCall("a", metadata={"error": "no"})
        >>> turn = AgentTurn(TurnRole.ASSISTANT, "", (fine, failed, ToolCall("unresolved")))
        >>> tool_success_rate(AgentTrace((turn,)))
        0.5
    """
    failed = [call.is_error for call in _calls(trace) if call.is_error or call.status == "ok"]
    return (len(failed) - sum(failed)) / len(failed) if failed else default


def unique_tools_used(trace: AgentTrace) -> int:
    """Count the different tools that were called.

    Source:
        ``unique_tools_used`` of kanros-agent, "Agent traces", metric table.

    Example:
        >>> calls = ToolCall("a"), ToolCall("b"), ToolCall("a")
        >>> unique_tools_used(AgentTrace((AgentTurn(TurnRole.ASSISTANT, "", calls),)))
        2
    """
    return len({call.tool for call in _calls(trace)})


def redundant_tool_calls(trace: AgentTrace) -> int:
    """Count the calls that repeat an earlier one, name and arguments alike.

    Three equal calls are two redundant ones, and a retry after an error counts too: take it as a
    soft cap. Values are compared as ``evaluate`` compares them: the order of keys does not matter,
    1 equals 1.0, True does not equal 1.

    Returns:
        A number of calls, from 0 to ``max(tool_call_count(trace) - 1, 0)``.

    Source:
        ``redundant_tool_calls`` of kanros-agent, "Agent traces", metric table.

    Example:
        >>> calls = ToolCall("a", {"q": 1}), ToolCall("a", {"q": 1.0}), ToolCall("a", {"q": True})
        >>> redundant_tool_calls(AgentTrace((AgentTurn(TurnRole.ASSISTANT, "", calls),)))
        1
    """
    seen = Counter(
        (call.tool, canonical([call.args or {}, call.metadata.get("raw_arguments")]))
        for call in _calls(trace)
    )
    return sum(count - 1 for count in seen.values())


def trace_completed_with_answer(trace: AgentTrace) -> bool:
    """Whether the last turn is the assistant's, with a content that is not empty.

    Source:
        ``trace_completed_with_answer`` of kanros-agent, "Agent traces", metric table.

    Example:
        >>> trace_completed_with_answer(AgentTrace((AgentTurn(TurnRole.ASSISTANT, "Done."),)))
        True
    """
    return bool(trace.turns) and _answers(trace.turns[-1])


def recovered_from_error(trace: AgentTrace) -> bool | None:
    """Whether the assistant went on to say something after its last failed call.

    Returns:
        None when no call failed; True when, after the turn with the last failure, an assistant's
        turn with content follows; else False.

    Source:
        "recovered-from-error" of kanros-agent, "Agent traces", scoring patterns.

    Example:
        >>> failed = AgentTurn(TurnRole.ASSISTANT, "", (ToolCall("a", metadata={"error": "no"}),))
        >>> recovered_from_error(AgentTrace((failed,)))
        False
        >>> recovered_from_error(AgentTrace((failed, AgentTurn(TurnRole.ASSISTANT, "Sorry."))))
        True
    """
    for place in range(len(trace.turns) - 1, -1, -1):
        if any(call.is_error for call in _asked(trace.turns[place])):
            return any(_answers(turn) for turn in trace.turns[place + 1 :])
    return None


def per_tool(trace: AgentTrace, measure: Callable[[AgentTrace], Measure]) -> dict[str, Measure]:
    """A measure of each tool's calls alone, by tool, in the order of their first calls.

    Args:
        trace: The trace to measure; its turns all stay, each with the calls of one tool.
        measure: One of the functions here, or your own.

    Example:
        >>> calls = ToolCall("a", result="fine"), ToolCall("b", metadata={"error": "no"})
        >>> trace = AgentTrace((AgentTurn(TurnRole.ASSISTANT, "", calls),))
        >>> per_tool(trace, tool_success_rate)
        {'a': 1.0, 'b': 0.0}
    """
    return {
        tool: measure(
            AgentTrace(
                tuple(
                    AgentTurn(
                        turn.role,
                        turn.content,
                        tuple(call for call in turn.tool_calls if call.tool == tool),
                    )
                    for turn in trace.turns
                )
            )
        )
        for tool in dict.fromkeys(call.tool for call in _calls(trace))
    }


def _calls(trace: AgentTrace) -> Iterator[ToolCall]:
    for turn in trace.turns:
        yield from _asked(turn)


def _asked(turn: AgentTurn) -> Iterator[ToolCall]:
    if turn.role is TurnRole.ASSISTANT:
        yield from turn.tool_calls


def _answers(turn: AgentTurn) -> bool:
    return turn.role is TurnRole.ASSISTANT and bool(turn.content)
