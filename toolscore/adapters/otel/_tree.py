"""Which span is inside which: nested calls, calls seen twice, turns inside turns."""

from __future__ import annotations

from dataclasses import dataclass

from toolscore.adapters.otel._attempt import Attempt
from toolscore.adapters.otel._model import Turn
from toolscore.adapters.otel._span import Span

_MODEL_OR_AGENT = {
    "gen_ai.operation.name": {"invoke_agent", "chat", "generate_content", "text_completion"},
    "openinference.span.kind": {"AGENT", "LLM"},
    "traceloop.span.kind": {"agent", "workflow"},
    "langfuse.observation.type": {"agent", "generation"},
    "ai.operationId": {"ai.generateText", "ai.streamText"},
}


@dataclass
class Place:
    """What is around a span."""

    tool: Attempt | None = None  # the nearest tool span
    through_agent: bool = False  # a model or an agent stands between
    agent: str | None = None  # the acting agent's name


class Tree:
    """The spans of an export by their parents. Where they form a circle, one of them is a root."""

    def __init__(self, spans: list[Span], attempts: list[Attempt], turns: list[Turn]) -> None:
        self._spans = {(span.trace, span.id): span for span in spans if span.id}
        self._attempts = {id(attempt.span): attempt for attempt in attempts}
        self._places: dict[int, Place] = {}
        self._around: set[int] = set()
        for turn in turns:
            if turn.requests:
                self._mark_around(turn.span)

    def place(self, span: Span) -> Place:
        """What is around ``span``."""
        path: list[Span] = []
        walked: set[int] = set()
        above: Span | None = span
        while above is not None and id(above) not in self._places:
            self._places[id(above)] = Place()
            walked.add(id(above))
            path.append(above)
            above = self._parent(above)
        if above is not None and id(above) in walked:
            above = None  # a circle: the last span on the way is its root
        for inner in reversed(path):
            if above is not None:
                self._places[id(inner)] = self._below(above)
            above = inner
        return self._places[id(span)]

    def holds_turn(self, span: Span) -> bool:
        """Whether a model's turn with requests is inside this span: then that one counts."""
        return id(span) in self._around

    def _parent(self, span: Span) -> Span | None:
        parent = self._spans.get((span.trace, span.parent)) if span.parent else None
        return None if parent is span else parent

    def _below(self, parent: Span) -> Place:
        around = self._places[id(parent)]
        attempt = self._attempts.get(id(parent))
        name = parent.text("gen_ai.agent.name", "agent.name") or around.agent
        if attempt is not None:
            return Place(attempt, False, name)
        return Place(around.tool, around.through_agent or _is_agent(parent), name)

    def _mark_around(self, span: Span) -> None:
        above = self._parent(span)
        while above is not None and above is not span and id(above) not in self._around:
            self._around.add(id(above))
            above = self._parent(above)


def _is_agent(span: Span) -> bool:
    return any(span.text(name) in values for name, values in _MODEL_OR_AGENT.items())
