"""One run while it goes on: the evidence, as it comes in."""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from typing import Final

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from toolscore import OpenRun
from toolscore_integrations.langchain._evidence import Answer, Node, Request, Turn
from toolscore_integrations.langchain._inputs import calls_in, is_structured, unanswered
from toolscore_integrations.langchain._ledger import Ledger
from toolscore_integrations.langchain._matching import MISUNDERSTOOD
from toolscore_integrations.langchain._messages import (
    Asked,
    Sighted,
    asked_by,
    messages_in,
    text_of,
    usage_of,
)
from toolscore_integrations.langchain._shapes import as_mapping, is_a

HISTORY: Final = "history"
"""Stands for a message that was there before this run."""
GONE: Final = "gone"
"""Stands for a message that was let go, since there are too many."""
MESSAGES_PER_CALL = 4
"""How many messages are told apart for each call that may be kept."""
RECENT_TURNS = 64
"""How far back an answer is looked for that came along without its id."""


class CapturedRun(Ledger):
    """What the events of one run say, written into its ledger."""

    def __init__(self, run: OpenRun, root: int | None) -> None:
        super().__init__(run)
        self.root = root
        """Number of its outermost LangChain run."""
        self.nodes: dict[int, None] = {}
        """Numbers of the LangChain runs that are remembered."""
        self.ended: deque[int] = deque()
        """Those of them that have ended, oldest first."""
        self._loop = _running_loop()
        self.interrupted = False
        self.exhausted: str | None = None
        """What an ``AgentExecutor`` says instead of an answer when it may take no more turns."""
        self.uncounted = 0
        """How many answers of models came without their tokens."""
        self.counted = False
        """Whether any came with them."""
        self.heard: list[tuple[str, str]] = []
        """Role and text of what the user and the system said at the beginning."""
        self.offered: set[str] = set()
        """Names of the tools that a model could call, as far as they are known."""
        self.answered_before: set[str] = set()
        """Ids that the final state holds an answer for, though none was given in this run."""
        most = MESSAGES_PER_CALL * run.recorder.options.max_calls
        self._turns: Sighted[Turn | str] = Sighted(most)
        self._answers: Sighted[Answer | str] = Sighted(most)
        self._dispatched: dict[tuple[Node | None, int], Turn] = {}
        self._recent: deque[Turn] = deque(maxlen=RECENT_TURNS)

    @property
    def is_stranded(self) -> bool:
        """Whether the event loop that it began in is closed, so that nothing more can be heard."""
        loop = None if self._loop is None else self._loop()
        return self._loop is not None and (loop is None or loop.is_closed())

    def replied(self, node: Node, message: AIMessage) -> None:
        """A model answered."""
        turn = self._said(node, message, asked_by(message), by_model=True)
        turn.structured = node.structured
        turn.accepted = node.enclosing_task() is None
        self._turns.add(message, turn if turn.kept else GONE)
        usage = usage_of(message)
        if usage is None:
            self.uncounted += 1
        else:
            self.open.add_usage(usage)
            self.counted = True

    def updated(self, node: Node, update: object) -> None:
        """A node of a graph gave its update: what is in it was accepted, or answers something."""
        last: Turn | None = None
        formal = node.ready_made or is_structured(update)
        node.replied = False
        for message in messages_in(update):
            if is_a(message, ToolMessage):
                self._answer(node, message, last if formal else None)
            elif is_a(message, AIMessage):
                last = self._accept(node, message)
                node.replied = True

    def dispatched(self, node: Node, inputs: object) -> bool:
        """A node that runs tools was sent calls; what nobody asked for here is from before."""
        calls = calls_in(inputs)
        for offset, call in enumerate(calls):
            request = self.request_of(node, call.get("id"))
            if request is not None:
                request.turn.accepted = True
            elif not self.is_cut(node.scope, call.get("id")):
                place = node.graph, node.step
                turn = self._dispatched.get(place)
                if turn is None:
                    turn = self._dispatched[place] = self.add_carried(node)
                asked = Asked(str(call.get("name")), call.get("args"), call.get("id"))
                self.add_request(turn, node.position + offset, asked)
        return bool(calls)

    def begun(self, node: Node, state: object) -> bool:
        """A graph begins with this state: its messages are history, calls still to run aside."""
        messages = list(messages_in(state))
        tail = unanswered(messages)
        for message in messages:
            if is_a(message, ToolMessage):
                if self._answers.find(message) is None:
                    self._answers.add(message, HISTORY)
            elif is_a(message, AIMessage) and self._turns.find(message) is None:
                if message is tail:
                    self._carry(node, message, messages)
                else:
                    self._turns.add(message, HISTORY)
        return bool(messages)

    def acted(self, node: Node, tool: str, tool_input: object, call_id: str | None) -> None:
        """An ``AgentExecutor`` acts on its model's answer, which may be mere text."""
        if tool == MISUNDERSTOOD:
            return
        said = next((t for t in reversed(self._recent) if t.scope is node.scope), None)
        if said is None:
            return
        said.accepted = True
        asked = Asked(tool, as_mapping(tool_input) or {"input": tool_input}, call_id)
        if not any(
            r.tool == tool and r.id == call_id for r in said.requests if call_id is not None
        ):
            # the action was read from the text
            self.add_request(said, len(said.requests), asked)

    def ended_with(self, outputs: object) -> None:
        """The run's final state: it may answer, from an earlier leg, what was carried in."""
        if not any(turn.carried for turn in self.turns):
            return
        for message in messages_in(outputs):
            if is_a(message, ToolMessage) and not is_a(self._answers.find(message), Answer):
                self.answered_before.add(message.tool_call_id)

    # -- inside

    def _said(self, node: Node, message: AIMessage, asked: list[Asked], **how: bool) -> Turn:
        turn = self.add_turn(node, message, asked, **how)
        self._recent.append(turn)
        return turn

    def _accept(self, node: Node, message: AIMessage) -> Turn | None:
        """An answer that a node passed on, whether or not a model's event told of it."""
        known = self._turns.find(message)
        if isinstance(known, str):
            return None
        turn = known or self._copy_of(node, message)
        if turn is None:
            turn = self._said(node, message, asked_by(message))
            turn.usage = usage_of(message)
        elif known is not None:
            self._revise(turn, message)
        turn.accepted = True
        if known is None:
            self._turns.add(message, turn if turn.kept else GONE)
        return turn

    def _copy_of(self, node: Node, message: AIMessage) -> Turn | None:
        """The answer that this message repeats, when code made a new message of it."""
        asked = asked_by(message)
        for turn in reversed(self._recent):
            if turn.accepted or turn.scope is not node.scope or not turn.by_model:
                continue
            own = [request for request in turn.requests if request.form != "server"]
            if asked and len(own) == len(asked):
                if all(map(self._is_same, own, asked)):
                    return turn
            elif not own and not asked and turn.text == self.copy(text_of(message.content))[0]:
                return turn
        return None

    def _is_same(self, request: Request, asked: Asked) -> bool:
        return (
            (request.id, request.tool) == (asked.id, asked.tool)
            and request.text == (None if asked.text is None else self.copy(asked.text)[0])
            and request.args == ({} if asked.args is None else self.copy(asked.args)[0])
        )

    def _revise(self, turn: Turn, message: AIMessage) -> None:
        """A middleware may add calls to an answer, or take some away; edits show in the attempt."""
        asked = asked_by(message)
        still = {one.id for one in asked}
        own = [request for request in turn.requests if request.form != "server"]
        if len(own) == len(asked) and still == {request.id for request in own}:
            return
        for request in own:
            request.withdrawn = request.id not in still
        known = {request.id for request in own}
        for index, one in enumerate(asked, len(turn.requests)):
            if one.id not in known:
                self.add_request(turn, index, one)

    def _carry(self, node: Node, message: AIMessage, messages: list[BaseMessage]) -> None:
        """A call that an earlier run asked for and did not finish."""
        answered = {m.tool_call_id for m in messages if is_a(m, ToolMessage)}
        ids = {call["id"] for call in message.tool_calls}
        for turn in self._dispatched.values():
            if turn.scope is node.scope and ids & {request.id for request in turn.requests}:
                self._turns.add(message, turn)
                return
        waiting = [a for a in asked_by(message) if a.text is None and a.id not in answered]
        turn = self._said(node, message, waiting, carried=True)
        turn.accepted = True
        self._turns.add(message, turn)

    def _answer(self, node: Node, message: ToolMessage, alongside: Turn | None) -> None:
        if self._answers.find(message) is None:
            answer = self.add_answer(node, message, alongside)
            self._answers.add(message, answer or GONE)


def _running_loop() -> weakref.ref[asyncio.AbstractEventLoop] | None:
    try:
        return weakref.ref(asyncio.get_running_loop())
    except RuntimeError:
        return None
