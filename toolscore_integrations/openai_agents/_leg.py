"""One ``Runner.run`` in the record of one recorder, while it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from agents import Agent, LocalShellTool, ModelResponse
from agents.tool_context import ToolContext
from agents.tracing import get_current_span

from toolscore import OpenRun, Recorder, RunStatus, Usage
from toolscore._guard import never_raise, report
from toolscore_integrations.openai_agents._answers import answer, outputs_of, served
from toolscore_integrations.openai_agents._call import Asked
from toolscore_integrations.openai_agents._evidence import Collected
from toolscore_integrations.openai_agents._failure import failure_of
from toolscore_integrations.openai_agents._items import (
    FUNCTION,
    LOCAL,
    Request,
    input_text,
    request_of,
    text_of,
)
from toolscore_integrations.openai_agents._place import Place, move
from toolscore_integrations.openai_agents._toolbox import Toolbox, serial_families

FRAMEWORK = "openai_agents"


class Leg:
    """One ``Runner.run`` in the record of one recorder: from the hooks' events to its ``OpenRun``.

    No method raises and none waits: each is called in the task of the SDK that the event belongs
    to, before the user's own hook. What happens per call is kept short, since all runs of a program
    pay for it: it keeps what cannot be known later, and ``Collected`` makes calls of it.
    """

    def __init__(
        self,
        recorder: Recorder,
        run: OpenRun,
        *,
        driven: bool,
        outer: Leg | None = None,
        within: Asked | None = None,
    ) -> None:
        self.recorder = recorder
        self.run = run
        self.driven = driven
        """Whether ``Runner`` itself tells when the run ends; else it is inferred from the hooks."""
        self.within = within
        """The call that the run is inside of."""
        self.depth: int
        self.collected: Collected
        if outer is None:
            options = recorder.options
            self.depth = 0
            self.collected = Collected(options.max_calls, options.max_value_bytes)
            run.evidence = self.collected
        else:
            self.depth = (outer if within is None else within).depth + 1
            self.collected = outer.collected
        self.ended = False
        self.step = -1
        self.heard = False
        """Whether any hook was called."""
        self.waiting = False
        """Whether the model was asked and its answer was not seen yet."""
        self._usage: Any = None
        self._requests = 0
        self.latest: list[Asked] = []
        """The calls of the last model turn."""
        self.asked: list[Asked] = []
        """All calls that are not answered, and those of the last turn."""
        self._items: tuple[object, ...] = ()
        """What the model answered last; held, so that the address of each names no other."""
        self._by_item: dict[int, Asked] = {}
        self._running: dict[tuple[int, int], tuple[object, Asked]] = {}
        self._answered: set[tuple[str | None, str, str]] = set()
        self._toolboxes: dict[int, tuple[object, Toolbox]] = {}

    # -- the model

    @never_raise
    def began(self, given: object) -> None:
        """The run begins."""
        text = input_text(given)
        if text:
            self.run.message("user", text)

    @never_raise
    def llm_started(self, context: Any, agent: Agent[Any], items: Iterable[object]) -> None:
        """The model is asked again: what it is shown answers the calls of its last turn."""
        self.run.seen()
        self.heard = self.waiting = True
        self._usage = context.usage
        self._requests = self._usage.requests
        self._toolbox(agent)
        for asked in self.asked:
            if asked.failure is not None and asked.running:  # cancelled, but the run goes on
                asked.fail(*asked.failure, result=asked.held)
        self.settle(items)
        # the SDK says only at the end of the run which of its own tools' calls failed
        self.asked = [a for a in self.asked if not a.done or a.request.family in LOCAL]

    @never_raise
    def settle(self, items: Iterable[object]) -> None:
        """Take what the model is shown, or the run hands back, as the answers to the last calls."""
        latest, self.latest = self.latest, []
        unknown = {
            asked.request.id
            for asked in latest
            if asked.shown is None or asked.request.family != FUNCTION
        }
        outputs = outputs_of(list(items), unknown) if unknown else {}
        for asked in latest:
            output = outputs.get(asked.request.id)
            if output is not None:
                answer(asked, output)
            if asked.shown is not None and self.depth == 0:
                self.run.message("tool", asked.shown)

    @never_raise
    def llm_ended(self, agent: Agent[Any], response: ModelResponse) -> None:
        """The model answered: with text, with calls, or both."""
        self.waiting = False
        self.step += 1
        if self.depth == 0:
            self.run.message("assistant", text_of(response), step=self.step)
        usage = response.usage
        tokens = (usage.input_tokens, usage.output_tokens, usage.total_tokens)
        if any(tokens):  # a provider that counts nothing leaves zeros, and unknown is not zero
            self.run.add_usage(Usage(usage.requests, *tokens))
        toolbox = self._toolbox(agent)
        self.latest, self._by_item = [], {}
        self._items = items = tuple(response.output)
        for item in items:
            request = request_of(item)
            if request is not None and not (self._answered and self._replayed(request)):
                asked = self.request(request, agent, toolbox)
                self._by_item[id(item)] = asked
                if asked.origin == "server":
                    served(asked, item, items)

    def request(self, request: Request, agent: Agent[Any], toolbox: Toolbox) -> Asked:
        """Record that the model asked for a call."""
        kind, origin = toolbox.place(request)
        collected = self.collected
        asked = Asked(
            request,
            collected.limit,
            kind=kind,
            origin=origin,
            known=toolbox.knows(request),
            step=max(self.step, 0),
            agent=agent.name,
            within=self.within,
            depth=self.depth,
        )
        collected.add(asked)
        self.latest.append(asked)
        self.asked.append(asked)
        return asked

    def _replayed(self, request: Request) -> bool:
        """Whether the model repeats an answered call, id and arguments alike: the SDK skips it."""
        args = request.args
        return isinstance(args, str) and (request.id, request.tool, args) in self._answered

    # -- its tools

    def tool_started(self, context: object, agent: Agent[Any], tool: Any) -> None:
        """A tool begins."""
        if self.ended:
            return
        try:
            asked = (
                self._by_item.get(id(context.tool_call)) if type(context) is ToolContext else None
            )
            if asked is None or not asked.open:
                asked = self._asked_for(context, agent, tool)
            asked.start()
            self.heard = True
            if not isinstance(tool, LocalShellTool):  # it has no span
                asked.span = get_current_span()
            asked.context = context
            if type(context) is not ToolContext:
                self._running[id(context), id(tool)] = (context, asked)
            move(Place(self, asked, asked.span))
        except Exception as error:  # noqa: BLE001 - the user's run matters more than our record
            report(self, "Leg.tool_started", error)

    def tool_ended(self, context: object, agent: Agent[Any], tool: Any, result: object) -> None:
        """A tool is done: it returned, or what it raised was turned into the ``result``."""
        if self.ended:
            return
        try:
            asked = (
                self._by_item.get(id(context.tool_call)) if type(context) is ToolContext else None
            )
            if asked is None or asked.context is not context:
                asked = self._ended(context, agent, tool)
            if asked.paused:
                return
            asked.shown = result if isinstance(result, str) else None
            failure, request = failure_of(asked, tool, result, self.run), asked.request
            if failure is None:
                asked.finish(result)
            elif isinstance(failure[0], asyncio.CancelledError):
                asked.failure, asked.held = failure, result
            else:
                asked.fail(*failure, result=result)
            if request.id and isinstance(request.args, str):
                self._answered.add((request.id, request.tool, request.args))
        except Exception as error:  # noqa: BLE001 - as above
            report(self, "Leg.tool_ended", error)

    def _asked_for(self, context: object, agent: Agent[Any], tool: Any) -> Asked:
        """The request that a tool begins for."""
        if not isinstance(context, ToolContext):
            families = serial_families(tool)
            for asked in self.asked:
                if asked.open and asked.request.family in families:
                    return asked
            return self.request(Request(tool.name, {}, None, ""), agent, self._toolbox(agent))
        for asked in self.asked:
            same_id = asked.request.id == (context.tool_call_id or None)
            if asked.open and same_id and asked.request.tool == context.tool_name:
                return asked
        # the model's request was not seen, or taken for one that the SDK skips
        name, args, call_id = context.tool_name, context.tool_arguments, context.tool_call_id
        request = Request(name, args, call_id or None, FUNCTION)
        return self.request(request, agent, self._toolbox(agent))

    def _ended(self, context: object, agent: Agent[Any], tool: Any) -> Asked:
        """The request whose tool is done."""
        known = self._running.pop((id(context), id(tool)), None)
        if known is not None:
            return known[1]
        for asked in self.asked:
            if asked.context is context and asked.running:
                return asked
        # it was begun in an earlier leg, which paused inside it
        return self._asked_for(context, agent, tool)

    @never_raise
    def handed_off(self, target: Agent[Any]) -> None:
        """The run goes on with another agent."""
        handoffs = [a for a in self.asked if a.open and a.kind == "handoff"]
        if not handoffs:
            self.run.warn(
                f"a handoff to {target.name} was seen, but not the call that asked for it"
            )
            return
        first, *ignored = handoffs
        first.start()
        first.finish({"assistant": target.name})
        for asked in ignored:  # the SDK takes the first and answers the others so
            asked.close("not_executed", origin="requested")

    @property
    def unheard(self) -> bool:
        """Whether the model answered, and no hook was told: its tokens are counted before that."""
        return self.waiting and self._usage.requests != self._requests

    def running(self) -> list[Asked]:
        """The calls that have begun and not ended."""
        return [asked for asked in self.asked if asked.running]

    def close(
        self,
        status: RunStatus,
        *,
        output: str | None = None,
        error: BaseException | None = None,
    ) -> None:
        """End the run, and drop every reference to objects of the user's program."""
        self.ended = True
        for asked in self.asked:
            if not asked.done:
                asked.settle("cancelled" if status == "cancelled" else "unfinished")
        self.latest, self.asked, self._items = [], [], ()
        self._by_item, self._running, self._toolboxes = {}, {}, {}
        self._answered, self.within, self._usage = set(), None, None
        self.run.end(status, output=output, error=error)

    def _toolbox(self, agent: Agent[Any]) -> Toolbox:
        known = self._toolboxes.get(id(agent))
        if known is None:
            toolbox = Toolbox(agent, self.collected.limit)
            known = self._toolboxes[id(agent)] = (agent, toolbox)
            for name, schema in toolbox.schemas.items():
                self.collected.offer(name, schema)
        return known[1]

    def _trouble(self, where: str, error: Exception) -> None:
        self.recorder.trouble(where, error, self.run.root)
