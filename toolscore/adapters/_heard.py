"""The turns of a trace while it is read, for those who ask for them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar

from toolscore._call import ToolCall
from toolscore._turns import AgentTrace, AgentTurn, TurnRole
from toolscore.adapters._content import text_of

_ROLES = {
    **{role.value: role for role in TurnRole},
    "human": TurnRole.USER,
    "ai": TurnRole.ASSISTANT,
    "model": TurnRole.ASSISTANT,
    "developer": TurnRole.SYSTEM,
    "function": TurnRole.TOOL,
}


class Heard:
    """Who said what, in the order of the trace; a call stands in the turn that asked for it."""

    def __init__(self) -> None:
        self._turns: list[tuple[TurnRole, list[str], list[ToolCall]]] = []
        self._asking: dict[int, list[ToolCall]] = {}  # by the number of the model's turn
        self._known: set[int] = set()
        self._told: set[int] = set()

    def said(self, role: object, content: object, step: int | None) -> None:
        """A message. The texts of one turn of the model may come in several."""
        known = _ROLES.get(role) if isinstance(role, str) else None
        if known is None:
            return
        text = text_of(content) or ""
        if known is not TurnRole.ASSISTANT:
            self._turns.append((known, [text], []))
        elif step in self._asking and self._turns[-1][2] is self._asking[step]:
            self._turns[-1][1].append(text)
        else:
            # words without a call may follow the calls of their step: they are a turn, too
            calls: list[ToolCall] = []
            self._turns.append((known, [text], calls))
            if step is not None:
                self._asking.setdefault(step, calls)

    def asked(self, call: ToolCall) -> None:
        """A call; where its turn said nothing before, that begins here."""
        self._known.add(id(call))
        step = call.metadata.get("step")
        if not isinstance(step, int):
            self._turns.append((TurnRole.ASSISTANT, [], [call]))
            return
        if step not in self._asking:
            self.said("assistant", None, step)
        self._asking[step].append(call)

    def answered(self, call: ToolCall) -> None:
        """A tool's answer, which is a turn of its own."""
        self._told.add(id(call))
        self._turns.append((TurnRole.TOOL, [_answer(call)], []))

    def trace(self, calls: Iterable[ToolCall]) -> AgentTrace:
        """The turns, with all of the trace's calls: some formats have no messages to hear."""
        for call in calls:
            if id(call) not in self._known:
                self.asked(call)
        turns: list[AgentTurn] = []
        for role, texts, asked in self._turns:
            turns.append(AgentTurn(role, "\n".join(filter(None, texts)), tuple(asked)))
            turns += [
                AgentTurn(TurnRole.TOOL, _answer(call))
                for call in asked
                if id(call) not in self._told and (call.result is not None or call.error)
            ]
        return AgentTrace(tuple(turns))


def _answer(call: ToolCall) -> str:
    return text_of(call.error if call.result is None else call.result) or ""


hearing: ContextVar[Heard | None] = ContextVar("toolscore_hearing", default=None)
"""Who wants to hear the traces that are read in this context. Nobody: texts are not kept, so that
a trace of any length is read in little memory."""


@contextmanager
def heard() -> Generator[Heard]:
    """The turns of what is read inside."""
    turns = Heard()
    token = hearing.set(turns)
    try:
        yield turns
    finally:
        hearing.reset(token)
