"""LlamaIndex: agents, ``AgentWorkflow``, workflows, and tools called by hand."""

try:
    from toolscore_integrations.llama_index._attach import attach
    from toolscore_integrations.llama_index._handler import ToolscoreEventHandler
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error}; run: pip install 'toolscore-integrations[llama-index]'", name=error.name
    ) from error

__all__ = ["ToolscoreEventHandler", "attach"]
