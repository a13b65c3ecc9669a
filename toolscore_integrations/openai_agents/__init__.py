"""OpenAI Agents SDK: what ``toolscore.watch`` attaches to agents, and the hooks for ``Runner``."""

try:
    from toolscore_integrations.openai_agents._attach import attach
    from toolscore_integrations.openai_agents._hooks import ToolscoreRunHooks
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error}; run: pip install 'toolscore-integrations[openai-agents]'", name=error.name
    ) from error

__all__ = ["ToolscoreRunHooks", "attach"]
