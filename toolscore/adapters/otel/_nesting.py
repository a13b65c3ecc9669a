"""Calls inside calls, once twins are out of the way."""

from __future__ import annotations

from toolscore.adapters.otel._attempt import Attempt
from toolscore.adapters.otel._model import Turn
from toolscore.adapters.otel._tree import Tree


class Nesting:
    """Which call each span is inside of, how deep, and which calls are agents."""

    def __init__(self, tree: Tree, attempts: list[Attempt], turns: list[Turn]) -> None:
        self._tree = tree
        self._depths: dict[int, int] = {}
        self._agents: set[int] = set()
        for attempt in attempts:
            place = tree.place(attempt.span)
            if place.through_agent and place.tool is not None:
                self._agents.add(id(_owner(place.tool)))
        for turn in turns:
            tool = tree.place(turn.span).tool
            if turn.requests and tool is not None:
                self._agents.add(id(_owner(tool)))

    def parent(self, attempt: Attempt) -> Attempt | None:
        """The call that this one was made in."""
        tool = self._tree.place(attempt.span).tool
        return None if tool is None else _owner(tool)

    def depth(self, attempt: Attempt) -> int:
        """0 for the calls of the outermost agent."""
        path: list[Attempt] = []
        above: Attempt | None = attempt
        while above is not None and id(above) not in self._depths:
            path.append(above)
            above = self.parent(above)
        depth = 0 if above is None else self._depths[id(above)] + 1
        for inner in reversed(path):
            self._depths[id(inner)] = depth
            depth += 1
        return self._depths[id(attempt)]

    def around(self, turn: Turn) -> Attempt | None:
        """The call that a model's turn happened in."""
        tool = self._tree.place(turn.span).tool
        return None if tool is None else _owner(tool)

    def is_agent(self, attempt: Attempt) -> bool:
        """Whether a model was at work inside this call."""
        return id(attempt) in self._agents

    def acting(self, attempt: Attempt) -> str | None:
        """The name of the agent that made this call."""
        return attempt.span.text("gen_ai.agent.name") or self._tree.place(attempt.span).agent

    def acting_in(self, turn: Turn) -> str | None:
        """The name of the agent whose model's turn this was."""
        return turn.span.text("gen_ai.agent.name") or self._tree.place(turn.span).agent


def _owner(attempt: Attempt) -> Attempt:
    """The call that a twin belongs to; ways walked are shortened."""
    top = attempt
    while top.owner is not None:
        top = top.owner
    while attempt.owner is not None:
        attempt.owner, attempt = top, attempt.owner
    return top
