"""The evidence that is kept of one run, and no more than ``max_calls`` pieces of each kind."""

from __future__ import annotations

import itertools
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage

from toolscore import OpenRun
from toolscore._snapshot import snapshot
from toolscore_integrations.langchain._evidence import (
    Answer,
    Attempt,
    Node,
    Request,
    RequestForm,
    Turn,
)
from toolscore_integrations.langchain._inputs import without_injected
from toolscore_integrations.langchain._messages import Asked, text_of
from toolscore_integrations.langchain._server_tools import server_calls
from toolscore_integrations.langchain._shapes import as_mapping

TOO_MANY = "more evidence than max_calls={limit} allows was let go"


class Ledger:
    """Turns, attempts and answers, as copies.

    An agent that never comes to an end must not fill the memory: what is beyond ``max_calls`` is
    counted, and neither it nor what belongs to it is kept.

    Numbers come from one counter: a request is always numbered before the attempts that it causes.
    """

    def __init__(self, run: OpenRun) -> None:
        self.open = run
        self.turns: list[Turn] = []
        self.attempts: list[Attempt] = []
        self.answers: list[Answer] = []
        self.cut = 0
        """How many calls were not kept."""
        self.tick = itertools.count().__next__
        """The next number."""
        self._limit = run.recorder.options.max_calls
        self._bytes = run.recorder.options.max_value_bytes
        self._whole = self._bytes // 4
        """How long a text may be that nothing is cut from, whatever its characters."""
        self._requests = 0
        # an empty list: the latest request of this id was not kept
        self._asked: dict[tuple[Attempt | None, object], list[Request]] = {}

    # -- turns and their requests

    def add_turn(
        self,
        node: Node,
        message: AIMessage,
        asked: list[Asked],
        *,
        by_model: bool = False,
        carried: bool = False,
    ) -> Turn:
        """An answer of a model, with all that it asks for."""
        turn = Turn(self.tick(), node, node.scope, node.graph, by_model=by_model, carried=carried)
        self._keep(turn)
        if turn.kept:
            turn.text = self.copy(text_of(message.content))[0]
        for index, one in enumerate(asked):
            self.add_request(turn, index, one)
        for index, call in enumerate(() if carried else server_calls(message), len(asked)):
            asks = Asked(call.tool, call.args, call.id)
            request = self.add_request(turn, index, asks, "server")
            if request is not None:
                request.settled = call.settled
                request.result = self.copy(call.result)[0]
                request.error = text_of(request.result) or "failed" if call.failed else None
        return turn

    def add_carried(self, node: Node) -> Turn:
        """A turn of which nothing is known but the calls that a node is sent."""
        turn = Turn(self.tick(), node, node.scope, node.graph, accepted=True, carried=True)
        self._keep(turn)
        return turn

    def _keep(self, turn: Turn) -> None:
        turn.kept = len(self.turns) < self._limit
        if turn.kept:
            self.turns.append(turn)
        else:
            self._let_go()

    def add_request(
        self, turn: Turn, index: int, asked: Asked, form: RequestForm = "tool"
    ) -> Request | None:
        """One call that the turn asks for; None where there are too many."""
        place = turn.scope, asked.id
        if self._requests >= self._limit:
            self.cut += 1
            if place in self._asked:
                self._asked[place] = []
            return None
        self._requests += 1
        if asked.text is not None:
            text = self.arguments(asked.text, asked.tool)
            request = Request(turn, index, asked.tool, {}, asked.id, "invalid", text, asked.error)
        else:
            args = self.arguments(asked.args or {}, asked.tool)
            request = Request(turn, index, asked.tool, args, asked.id, form)
        if request.form == "tool":
            self._asked.setdefault(place, []).append(request)
        turn.requests.append(request)
        return request

    def request_of(self, node: Node, call_id: object) -> Request | None:
        """The latest request with this id; of the same graph, if its model was seen in there."""
        asked = self._asked.get((node.scope, call_id))
        if not asked or len(asked) == 1:
            return asked[0] if asked else None
        here = [request for request in asked if request.turn.graph is node.graph]
        return max(here or asked, key=_number_of_turn)

    def is_cut(self, scope: Attempt | None, call_id: object) -> bool:
        """Whether the call of this id was not kept."""
        return self.cut > 0 and call_id is not None and not self._asked.get((scope, call_id))

    # -- attempts and answers

    def attempt(
        self, node: Node, tool: str, inputs: object, text: str | None, call_id: str | None
    ) -> None:
        """A tool begins to run. Its node knows it even if it is not kept: others may run in it."""
        given = as_mapping(inputs)
        args = {"input": text} if given is None else without_injected(given)
        copied = self.arguments(args, tool)
        unnamed = text if given is None else None
        node.attempt = attempt = Attempt(self.tick(), node, tool, copied, unnamed, call_id)
        if len(self.attempts) < self._limit:
            if not self.is_cut(node.scope, call_id):
                self.attempts.append(attempt)
        elif call_id is None:
            self.cut += 1
        else:
            self._let_go()

    def cancelled(self, node: Node) -> None:
        """Something was stopped: so are the tools in it, of which older versions tell nothing."""
        for attempt in self.attempts:
            if attempt.status == "running" and attempt.node.is_inside(node):
                attempt.stop("cancelled")

    def add_answer(self, node: Node, message: ToolMessage, alongside: Turn | None) -> Answer | None:
        """The message that answers a call, if both are kept."""
        if self.is_cut(node.scope, message.tool_call_id):
            return None
        if len(self.answers) >= self._limit:
            self._let_go()
            return None
        content, cut = self.copy(message.content)
        failed = message.status == "error"
        answer = Answer(self.tick(), node, message.tool_call_id, content, failed, cut, alongside)
        self.answers.append(answer)
        return answer

    # -- bounds

    def copy(self, value: object) -> tuple[Any, bool]:
        """A bounded copy, and whether it was cut; most values are short texts."""
        if type(value) is str and len(value) <= self._whole:
            return value, False
        return snapshot(value, self._bytes)

    def arguments(self, args: object, tool: str) -> Any:
        """A bounded copy of what a tool is called with; what was cut cannot be compared."""
        copied, cut = snapshot(args, self._bytes)
        return self.open.snapshot(args, f"arguments of {tool}") if cut else copied

    def _let_go(self) -> None:
        self.open.warn(TOO_MANY.format(limit=self._limit))


def _number_of_turn(request: Request) -> int:
    return request.turn.number
