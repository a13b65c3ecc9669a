"""Recorded traces as tool calls: one adapter per format."""

from toolscore._call import ToolCall
from toolscore.adapters._base import BaseAdapter

__all__ = ["BaseAdapter", "ToolCall"]
