"""Recorded traces as tool calls: one adapter per format."""

from toolscore._call import ToolCall
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters.anthropic import AnthropicAdapter
from toolscore.adapters.custom import CustomAdapter
from toolscore.adapters.gemini import GeminiAdapter
from toolscore.adapters.langchain import LangChainAdapter
from toolscore.adapters.mcp import MCPAdapter
from toolscore.adapters.openai import OpenAIAdapter
from toolscore.adapters.otel import OTelAdapter, tool_calls_from_otel

__all__ = [
    "AnthropicAdapter",
    "BaseAdapter",
    "CustomAdapter",
    "GeminiAdapter",
    "LangChainAdapter",
    "MCPAdapter",
    "OTelAdapter",
    "OpenAIAdapter",
    "ToolCall",
    "tool_calls_from_otel",
]
