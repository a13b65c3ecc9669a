"""The calls of one run and of the runs inside it, until somebody reads them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from toolscore import RunStatus
from toolscore._evidence import Merged
from toolscore._snapshot import snapshot
from toolscore_integrations.openai_agents._call import Asked


class Collected:
    """What was asked for in a run, in request order, and what its agents offered."""

    def __init__(self, max_calls: int, limit: int) -> None:
        self.dropped = 0
        self.limit = limit
        """Bytes kept per value."""
        self._max_calls = max_calls
        self._asked: list[Asked] = []
        self._schemas: dict[str, Mapping[str, Any]] = {}
        self._number = itertools.count(1).__next__

    def add(self, asked: Asked) -> None:
        """One more."""
        asked.number = self._number()
        if len(self._asked) < self._max_calls:
            self._asked.append(asked)
        else:
            self.dropped += 1

    def offer(self, tool: str, schema: Mapping[str, Any]) -> None:
        """The schema of a tool: a copy, of which the record gets a copy of its own."""
        self._schemas.setdefault(tool, schema)

    def close(self, status: RunStatus) -> None:
        """Close what is open, and let go of the user's objects."""
        for asked in self._asked:
            if not asked.done:
                asked.settle("cancelled" if status == "cancelled" else "unfinished")

    def merged(self) -> Merged:
        """The calls, with a word on each whose arguments were cut."""
        calls = [asked.to_call() for asked in self._asked]
        cut = [
            f"arguments of {asked.request.tool} were cut at max_value_bytes={self.limit}"
            for asked in self._asked
            if asked.cut
        ]
        tools = {name: snapshot(schema, self.limit)[0] for name, schema in self._schemas.items()}
        return Merged(calls, cut, tools)
