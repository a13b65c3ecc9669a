"""The transcript of a run: its turns, in order, each with the calls that it asked for.

Source:
    ``AgentTrace``, ``AgentTurn`` and ``TurnRole`` of kanros-agent ("Agent traces").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from toolscore._call import ToolCall

__all__ = ["AgentTrace", "AgentTurn", "TurnRole"]


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
    """The turns of one run, in order."""

    turns: Sequence[AgentTurn] = ()
