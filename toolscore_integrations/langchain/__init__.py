"""LangChain and LangGraph. ``toolscore.watch`` finds this hook; the handler is for your configs."""

from toolscore_integrations.langchain._attach import attach
from toolscore_integrations.langchain._handler import ToolscoreCallbackHandler

__all__ = ["ToolscoreCallbackHandler", "attach"]
