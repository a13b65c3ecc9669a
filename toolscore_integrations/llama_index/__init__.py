"""LlamaIndex: agents, ``AgentWorkflow``, workflows, and tools called by hand."""

from toolscore_integrations.llama_index._attach import attach
from toolscore_integrations.llama_index._handler import ToolscoreEventHandler

__all__ = ["ToolscoreEventHandler", "attach"]
