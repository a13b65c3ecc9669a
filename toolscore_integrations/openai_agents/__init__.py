"""OpenAI Agents SDK: what ``toolscore.watch`` attaches to agents, and the hooks for ``Runner``."""

from toolscore_integrations.openai_agents._attach import attach
from toolscore_integrations.openai_agents._hooks import ToolscoreRunHooks

__all__ = ["ToolscoreRunHooks", "attach"]
