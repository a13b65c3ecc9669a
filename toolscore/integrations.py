"""Names under the path that users of tool-scorer import them from; ``toolscore`` has the same."""

from toolscore.extract import (
    auto_extract,
    from_anthropic,
    from_claude_agent_sdk,
    from_crewai,
    from_gemini,
    from_langgraph,
    from_openai,
    from_openai_agents,
    from_otel,
    from_pydantic_ai,
)

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
