"""One run while it goes on: the evidence, as it comes in."""

from __future__ import annotations

import itertools
from collections import deque
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from toolscore import OpenRun
from toolscore_integrations.langchain._evidence import (
    Answer,
    Attempt,
    Node,
    Request,
    RequestForm,
    Turn,
)
from toolscore_integrations.langchain._inputs import (
    calls_in,
    is_structured,
    unanswered,
    without_injected,
)
from toolscore_integrations.langchain._messages import (
    Asked,
    Sighted,
    asked_by,
    messages_in,
    text_of,
    usage_of,
)
from toolscore_integrations.langchain._server_tools import server_calls
from toolscore_integrations.langchain._shapes import as_mapping, is_a

HISTORY: Final = "history"
"""Stands for a message that was there before this run."""
RECENT_TURNS = 64
"""How far back an answer is looked for that came along without its id."""


class CapturedRun:
    """The evidence of one run. What it keeps are copies, messages without an id aside.

    Numbers come from one counter: a request is always numbered before the attempts that it causes.
    """

    def __init__(self, run: OpenRun, root: int | None) -> None:
        self.open = run
        self.root = root
        """Number of its outermost LangChain run."""
        self.nodes: list[int] = []
        self.turns: list[Turn] = []
        self.attempts: list[Attempt] = []
        self.answers: list[Answer] = []
        self.interrupted = False
        self.heard: list[tuple[str, str]] = []
        """Role and text of what the user and the system said at the beginning."""
        self.offered: set[str] = set()
        """Names of the tools that a model could call, as far as they are known."""
        self.answered_before: set[str] = set()
        """Ids that the final state holds an answer for, though none was given in this run."""
        self.tick = itertools.count().__next__
        """The next number."""
        self._asked: dict[tuple[Attempt | None, object], list[Request]] = {}
        self._whole = run.recorder.options.max_value_bytes // 4
        """How long a text may be that nothing is cut from, whatever its characters."""
        self._turns: Sighted[Turn | str] = Sighted()
        self._answers: Sighted[Answer | str] = Sighted()
        self._dispatched: dict[tuple[Node | None, int], Turn] = {}
        self._recent: deque[Turn] = deque(maxlen=RECENT_TURNS)

    # -- attempts

    def attempt(
        self, node: Node, tool: str, inputs: object, text: str | None, call_id: str | None
    ) -> Attempt:
        """A tool begins to run."""
        given = as_mapping(inputs)
        args = {"input": text} if given is None else without_injected(given)
        copied = self.open.snapshot(args, f"arguments of {tool}")
        unnamed = text if given is None else None
        attempt = Attempt(self.tick(), node, tool, copied, unnamed, call_id)
        node.attempt = attempt
        self.attempts.append(attempt)
        return attempt

    def cancelled(self, node: Node) -> None:
        """Something was stopped: so are the tools in it, of which older versions tell nothing."""
        for attempt in self.attempts:
            if attempt.status == "running" and attempt.node.is_inside(node):
                attempt.stop("cancelled")

    # -- turns

    def replied(self, node: Node, message: AIMessage) -> None:
        """A model answered."""
        turn = self._turn(node, message, asked_by(message), by_model=True)
        turn.structured = node.structured
        turn.accepted = node.enclosing_task() is None
        self._turns.add(message, turn)
        usage = usage_of(message)
        if usage is not None:
            self.open.add_usage(usage)

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
            request = self._request_of(node, call.get("id"))
            if request is not None:
                request.turn.accepted = True
                continue
            turn = self._dispatched.get((node.graph, node.step))
            if turn is None:
                turn = self._dispatched[node.graph, node.step] = Turn(
                    self.tick(), node, node.scope, node.graph, accepted=True, carried=True
                )
                self.turns.append(turn)
            asked = Asked(str(call.get("name")), call.get("args"), call.get("id"))
            turn.requests.append(self._request(turn, node.position + offset, asked))
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
        said = next((t for t in reversed(self._recent) if t.scope is node.scope), None)
        if said is None:
            return
        said.accepted = True
        asked = Asked(tool, as_mapping(tool_input) or {"input": tool_input}, call_id)
        if not any(
            r.tool == tool and r.id == call_id for r in said.requests if call_id is not None
        ):
            # the action was read from the text
            said.requests.append(self._request(said, len(said.requests), asked))

    def ended_with(self, outputs: object) -> None:
        """The run's final state: it may answer, from an earlier leg, what was carried in."""
        if not any(turn.carried for turn in self.turns):
            return
        for message in messages_in(outputs):
            if is_a(message, ToolMessage) and not is_a(self._answers.find(message), Answer):
                self.answered_before.add(message.tool_call_id)

    # -- inside

    def _turn(
        self,
        node: Node,
        message: AIMessage,
        asked: list[Asked],
        *,
        by_model: bool = False,
        carried: bool = False,
    ) -> Turn:
        turn = Turn(self.tick(), node, node.scope, node.graph, by_model=by_model, carried=carried)
        turn.text = self._copy(text_of(message.content))[0]
        turn.requests = [self._request(turn, index, one) for index, one in enumerate(asked)]
        turn.signature = _signature(asked, turn.text)
        first = len(turn.requests)
        for index, call in enumerate(() if carried else server_calls(message), first):
            asks = Asked(call.tool, call.args, call.id)
            request = self._request(turn, index, asks, "server")
            request.settled = call.settled
            request.result = self._copy(call.result)[0]
            request.error = text_of(request.result) or "failed" if call.failed else None
            turn.requests.append(request)
        self.turns.append(turn)
        self._recent.append(turn)
        return turn

    def _request(self, turn: Turn, index: int, asked: Asked, form: RequestForm = "tool") -> Request:
        what = f"arguments of {asked.tool}"
        if asked.text is not None:
            text = self.open.snapshot(asked.text, what)
            return Request(turn, index, asked.tool, {}, asked.id, "invalid", text, asked.error)
        args = self.open.snapshot(asked.args or {}, what)
        request = Request(turn, index, asked.tool, args, asked.id, form)
        if form == "tool":
            self._asked.setdefault((turn.scope, asked.id), []).append(request)
        return request

    def _copy(self, value: object) -> tuple[Any, bool]:
        """A bounded copy, and whether it was cut; most values are short texts."""
        if type(value) is str and len(value) <= self._whole:
            return value, False
        return self.open.copy(value)

    def _accept(self, node: Node, message: AIMessage) -> Turn | None:
        """An answer that a node passed on, whether or not a model's event told of it."""
        known = self._turns.find(message)
        if isinstance(known, str):
            return None
        turn = known or self._copy_of(node, message)
        if turn is None:
            turn = self._turn(node, message, asked_by(message))
            turn.usage = usage_of(message)
        elif known is not None:
            self._revise(turn, message)
        turn.accepted = True
        if known is None:
            self._turns.add(message, turn)
        return turn

    def _copy_of(self, node: Node, message: AIMessage) -> Turn | None:
        """The answer that this message repeats, when code made a new message of it."""
        signature: object = None
        for turn in reversed(self._recent):
            if turn.accepted or turn.scope is not node.scope or not turn.by_model:
                continue
            if signature is None:
                signature = _signature(asked_by(message), text_of(message.content))
            if turn.signature == signature:
                return turn
        return None

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
                turn.requests.append(self._request(turn, index, one))

    def _carry(self, node: Node, message: AIMessage, messages: list[BaseMessage]) -> None:
        """A call that an earlier run asked for and did not finish."""
        answered = {m.tool_call_id for m in messages if is_a(m, ToolMessage)}
        ids = {call["id"] for call in message.tool_calls}
        for turn in self._dispatched.values():
            if turn.scope is node.scope and ids & {request.id for request in turn.requests}:
                self._turns.add(message, turn)
                return
        waiting = [a for a in asked_by(message) if a.text is None and a.id not in answered]
        turn = self._turn(node, message, waiting, carried=True)
        turn.accepted = True
        self._turns.add(message, turn)

    def _request_of(self, node: Node, call_id: object) -> Request | None:
        """The latest request with this id; of the same graph, if its model was seen in there."""
        asked = self._asked.get((node.scope, call_id))
        if asked is None or len(asked) == 1:
            return None if asked is None else asked[0]
        here = [request for request in asked if request.turn.graph is node.graph]
        return max(here or asked, key=_number_of_turn)

    def _answer(self, node: Node, message: ToolMessage, alongside: Turn | None) -> None:
        if self._answers.find(message) is not None:
            return
        content, cut = self._copy(message.content)
        failed = message.status == "error"
        answer = Answer(self.tick(), node, message.tool_call_id, content, failed, cut, alongside)
        self._answers.add(message, answer)
        self.answers.append(answer)


def _number_of_turn(request: Request) -> int:
    return request.turn.number


def _signature(asked: list[Asked], text: str) -> object:
    return [(one.id, one.tool, repr(one.args), one.text) for one in asked] or text
