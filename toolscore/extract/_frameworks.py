"""Frameworks whose results and messages are recognised by what no format has."""

from __future__ import annotations

from collections.abc import Callable

from toolscore._call import ToolCall
from toolscore.extract._claude_agent_sdk import claude_agent_sdk_calls, is_claude_agent_sdk
from toolscore.extract._crewai import crewai_calls, is_crewai
from toolscore.extract._openai_agents import is_openai_agents, openai_agents_calls
from toolscore.extract._pydantic_ai import is_pydantic_ai, pydantic_ai_calls

READERS: dict[str, Callable[[object], list[ToolCall]]] = {
    "pydantic_ai": pydantic_ai_calls,
    "openai_agents": openai_agents_calls,
    "claude_agent_sdk": claude_agent_sdk_calls,
    "crewai": crewai_calls,
}
_MARKS: dict[str, Callable[[object], bool]] = {
    "pydantic_ai": is_pydantic_ai,
    "openai_agents": is_openai_agents,
    "claude_agent_sdk": is_claude_agent_sdk,
    "crewai": is_crewai,
}


def framework_of(source: object) -> str | None:
    """The framework that this is a result or a list of messages of.

    Example:
        >>> framework_of([{"kind": "request", "parts": [{"part_kind": "user-prompt"}]}])
        'pydantic_ai'
        >>> framework_of([{"role": "user", "content": "hi"}])
    """
    return next((name for name, is_ours in _MARKS.items() if is_ours(source)), None)
