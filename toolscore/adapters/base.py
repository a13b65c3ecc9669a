"""Names under the path that users of tool-scorer import them from; ``toolscore.adapters`` too."""

from toolscore._call import ToolCall
from toolscore.adapters._base import BaseAdapter

__all__ = ["BaseAdapter", "ToolCall"]
