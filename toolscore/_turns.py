"""The transcript of a run: its turns, in order, each with the calls that it asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from toolscore._call import ToolCall


class TurnRole(str, Enum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


@dataclass(frozen=True)
class AgentTurn:
    """One turn of a transcript; only an assistant's turn has tool calls."""

    role: TurnRole
    content: str = ""
    tool_calls: Sequence[ToolCall] = ()


@dataclass(frozen=True)
class AgentTrace:
    """The turns of one run, in order.

    Source:
        ``AgentTrace`` of kanros-agent ("Agent traces"), with the one ``ToolCall`` of this project.

    Example:
        >>> call = ToolCall("weather", {"city": "Tokyo"}, "18C")
        >>> trace = AgentTrace(
        ...     (
        ...         AgentTurn(TurnRole.USER, "Weather in Tokyo?"),
        ...         AgentTurn(TurnRole.ASSISTANT, "", (call,)),
        ...         AgentTurn(TurnRole.TOOL, "18C"),
        ...         AgentTurn(TurnRole.ASSISTANT, "It is 18C in Tokyo."),
        ...     )
        ... )
        >>> AgentTrace.from_json(trace.to_json()) == trace
        True
    """

    turns: Sequence[AgentTurn] = ()

    @classmethod
    def from_messages(cls, messages: Any) -> AgentTrace:
        """A trace from whatever the adapters read: messages of any provider or framework.

        Each message is a turn, in order; a call stands in the turn that asked for it, and what a
        tool answered is the call's result and a turn of its own. Formats without messages (MCP
        sessions, lists of calls) give a turn for each step and each answer.

        Args:
            messages: Parsed JSON, or the objects of an SDK: what ``evaluate(actual=...)`` takes.

        Raises:
            ValueError: the format is not recognised, or the trace is malformed.

        Example:
            >>> trace = AgentTrace.from_messages(
            ...     [
            ...         {"role": "user", "content": "ping"},
            ...         {"role": "assistant", "content": [{"type": "tool_use", "id": "t1",
            ...             "name": "pong", "input": {}}]},
            ...     ]
            ... )
            >>> [(turn.role.value, len(turn.tool_calls)) for turn in trace.turns]
            [('user', 0), ('assistant', 1)]
        """
        from toolscore.adapters._formats import calls_of
        from toolscore.adapters._heard import heard

        with heard() as turns:
            calls = calls_of(messages)
        return turns.trace(calls)

    def to_messages(self) -> list[dict[str, Any]]:
        """This trace as OpenAI chat messages; ``parse_openai_style_trace`` reads them back.

        A call without an id gets one, since the messages of its answers need it. A failed call's
        answer has ``status: "error"``. Credentials are redacted.

        Example:
            >>> call = ToolCall("weather", {"city": "Tokyo"}, "18C")
            >>> asked = AgentTurn(TurnRole.ASSISTANT, "", (call,))
            >>> for message in AgentTrace((asked, AgentTurn(TurnRole.TOOL, "18C"))).to_messages():
            ...     print(message["role"], message.get("tool_call_id"))
            assistant None
            tool call_0
        """
        from toolscore._trace_messages import messages_of

        return messages_of(self)

    def to_json(self) -> str:
        """This trace as strict JSON; ``from_json`` reads it back.

        Keys: ``turns``, of each ``role`` (lower case), ``content``, ``tool_calls``, and of each
        call ``name``, ``arguments``, ``result``, ``error``, and what else is known of it. Integers
        and the order of keys are kept. Credentials are redacted; what JSON has no form for, NaN for
        one, says so (``{"$float": "nan"}``).
        """
        from toolscore._trace_json import (
            written,
        )  # read when it is used: import toolscore stays cheap

        return written(self)

    @classmethod
    def from_json(cls, text: str) -> AgentTrace:
        """The trace that ``to_json`` wrote.

        Raises:
            AgentFormatError: ``text`` is anything else.
        """
        from toolscore._trace_json import read_back

        return cls(read_back(text))
