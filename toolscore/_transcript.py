"""The turns of a run, while it goes on."""

from __future__ import annotations

from collections.abc import Sequence

from toolscore._call import ToolCall
from toolscore._turns import AgentTrace, AgentTurn, TurnRole

_ROLES = {role.value: role for role in TurnRole}
"""To ask an enumeration costs more than the rest of a turn."""


class Transcript:
    """Turns in the order in which they were seen, each with the model turn (step) that it is."""

    def __init__(self) -> None:
        self._turns: list[tuple[TurnRole, str, int | None]] = []
        self._prompt: str | None = None
        """What the system said last."""
        self._prompts = 0
        """How many turns of the system stand at the beginning."""

    def add(self, role: str, content: str, step: int | None) -> None:
        """Add a turn; the system's once until it says something else.

        Hooks hear the system's words when the model is asked, and the first ones came before the
        user's.
        """
        known = _ROLES.get(role) or TurnRole(role)
        if known is not TurnRole.SYSTEM:
            self._turns.append((known, content, step))
        elif content != self._prompt:
            self._prompt = content
            place = len(self._turns)
            if all(role is not TurnRole.ASSISTANT for role, _, _ in self._turns):
                place = self._prompts
                self._prompts += 1
            self._turns.insert(place, (known, content, None))

    def build(self, calls: Sequence[ToolCall]) -> AgentTrace:
        """The transcript, each assistant's turn with the calls that it asked for."""
        asked: dict[int, list[ToolCall]] = {}
        for call in calls:
            step = call.metadata.get("step")
            if step is not None and not call.metadata.get("depth"):
                asked.setdefault(step, []).append(call)
        return AgentTrace(
            tuple(
                AgentTurn(role, content, tuple(asked.get(step, ())) if step is not None else ())
                for role, content, step in self._turns
            )
        )
