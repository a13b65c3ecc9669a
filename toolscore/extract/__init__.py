"""The tool calls in what SDKs and frameworks return: one function for each, and one for any."""

from toolscore.extract._any import auto_extract
from toolscore.extract._claude_agent_sdk import from_claude_agent_sdk
from toolscore.extract._crewai import from_crewai
from toolscore.extract._formats import (
    from_anthropic,
    from_gemini,
    from_langgraph,
    from_openai,
    from_otel,
)
from toolscore.extract._openai_agents import from_openai_agents
from toolscore.extract._pydantic_ai import from_pydantic_ai

__all__ = [
    "auto_extract",
    "from_anthropic",
    "from_claude_agent_sdk",
    "from_crewai",
    "from_gemini",
    "from_langgraph",
    "from_openai",
    "from_openai_agents",
    "from_otel",
    "from_pydantic_ai",
]
