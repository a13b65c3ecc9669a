"""What every adapter of a trace format is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from toolscore._call import ToolCall


class BaseAdapter(ABC):
    """Converts one trace format into tool calls. Subclass it and write ``parse``.

    Source:
        ``toolscore.adapters.BaseAdapter`` of tool-scorer.

    Example:
        >>> class Lines(BaseAdapter):
        ...     def parse(self, trace_data):
        ...         self._validate_trace_data(trace_data)
        ...         return [ToolCall(line["op"], line.get("params", {})) for line in trace_data]
        >>> [call.tool for call in Lines().parse([{"op": "search"}])]
        ['search']
    """

    @abstractmethod
    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls in ``trace_data``, in chronological order.

        ``trace_data`` is not changed, and nothing of it is shared with the calls.

        Raises:
            ValueError: the trace is malformed.
        """

    def _validate_trace_data(self, trace_data: Any) -> None:
        """Refuse what cannot hold a trace.

        Raises:
            ValueError: ``trace_data`` is None, or neither a dict nor a list.
        """
        if trace_data is None:
            raise ValueError(
                f"{type(self).__name__} got no trace (None): pass a dict or a list, [] for a run "
                "without calls."
            )
        if not isinstance(trace_data, (dict, list)):
            raise ValueError(
                f"{type(self).__name__} takes a dict or a list, not {type(trace_data).__name__}: "
                "parse text with json.loads first, or use toolscore.load_trace(path)."
            )
