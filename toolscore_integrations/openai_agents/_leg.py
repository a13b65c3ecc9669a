"""One ``Runner.run`` in the record of one recorder, while it goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any

from agents import Agent, LocalShellTool, ModelResponse
from agents.tool_context import ToolContext
from agents.tracing import get_current_span
from agents.tracing.spans import NoOpSpan

from toolscore import Kind, OpenRun, Origin, Recorder, RunStatus, Usage
from toolscore._guard import never_raise
from toolscore_integrations.openai_agents._answers import answer, outputs_of
from toolscore_integrations.openai_agents._asked import (
    Asked,
    Toolbox,
    is_malformed,
    runs_on_server,
    serial_families,
)
from toolscore_integrations.openai_agents._items import (
    LOCAL,
    Request,
    hosted_outcome,
    input_text,
    read,
    request_of,
    text_of,
)
from toolscore_integrations.openai_agents._place import Place, move
from toolscore_integrations.openai_agents._timeout import timed_out

FRAMEWORK = "openai_agents"
SHELL_OUTPUT = "shell_call_output"
UNSEEN_FAILURE = (
    "tracing is off, and then the SDK does not say whether a custom tool failed: {} may have failed"
)


class Leg:
    """One ``Runner.run`` in the record of one recorder: from the hooks' events to its ``OpenRun``.

    No method raises and none waits: each is called in the task of the SDK that the event belongs
    to, before the user's own hook.
    """

    def __init__(
        self, recorder: Recorder, run: OpenRun, *, driven: bool, within: Asked | None = None
    ) -> None:
        self.recorder = recorder
        self.run = run
        self.driven = driven
        """Whether ``Runner`` itself tells when the run ends; else it is inferred from the hooks."""
        self.within = within
        """The call that the run is inside of."""
        self.ended = False
        self.step = -1
        self.waiting = False
        """Whether the model was asked and its answer was not seen yet."""
        self.latest: list[Asked] = []
        """The calls of the last model turn."""
        self.asked: list[Asked] = []
        """All calls that are not answered, and those of the last turn."""
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
    def llm_started(self, agent: Agent[Any], items: Iterable[object]) -> None:
        """The model is asked again: what it is shown answers the calls of its last turn."""
        self.run.seen()
        self.waiting = True
        self._toolbox(agent)
        for asked in self.asked:
            if asked.running and asked.failure is not None:  # cancelled, but the run goes on
                asked.fail(*asked.failure, result=asked.held)
        self.settle(list(items))
        # the SDK says only at the end of the run which of its own tools' calls failed
        self.asked = [a for a in self.asked if not a.done or a.request.family in LOCAL]

    @never_raise
    def settle(self, items: list[Any]) -> None:
        """Take what the model is shown, or the run hands back, as the answers to the last calls."""
        outputs = outputs_of(items, {asked.request.id for asked in self.latest})
        for asked in self.latest:
            output = outputs.get(asked.request.id)
            if output is not None:
                answer(asked, output)
            if asked.shown is not None:
                self.run.message("tool", asked.shown)
        self.latest = []

    @never_raise
    def llm_ended(self, agent: Agent[Any], response: ModelResponse) -> None:
        """The model answered: with text, with calls, or both."""
        self.waiting = False
        self.step += 1
        self.run.message("assistant", text_of(response), step=self.step)
        usage = response.usage
        tokens = (usage.input_tokens, usage.output_tokens, usage.total_tokens)
        if any(tokens):  # a provider that counts nothing leaves zeros, and unknown is not zero
            self.run.add_usage(Usage(usage.requests, *tokens))
        toolbox = self._toolbox(agent)
        self.latest, self._by_item = [], {}
        for item in response.output:
            request = request_of(item)
            if request is not None and not self._replayed(request):
                self.request(request, agent, toolbox, response.output)

    def request(
        self, request: Request, agent: Agent[Any], toolbox: Toolbox, outputs: Iterable[object] = ()
    ) -> Asked:
        """Record that the model asked for a call."""
        kind: Kind = toolbox.kinds.get(request.tool, "function")
        hosted = request.on_server or (
            request.family == "shell_call" and any(runs_on_server(tool) for tool in agent.tools)
        )
        origin: Origin = "server" if hosted else "executed"
        if request.tool == "json_tool_call" and agent.output_type is not None:
            origin = "structured_output"
        call = self.run.request(
            request.tool,
            request.args,
            id=request.id,
            step=max(self.step, 0),
            kind="hosted" if hosted else kind,
            agent=agent.name,
            origin=origin,
        )
        asked = Asked(call, request, kind, toolbox.knows(request))
        asked.malformed = is_malformed(request.args, call.args)
        if hosted:
            self._served(asked, outputs)
        self.latest.append(asked)
        self.asked.append(asked)
        self._by_item[id(request.item)] = asked
        return asked

    def _served(self, asked: Asked, outputs: Iterable[object]) -> None:
        """The provider ran it: its outcome is in the item, or in one of the same response."""
        wanted = (SHELL_OUTPUT, asked.request.id)
        answers = (o for o in outputs if (read(o, "type"), read(o, "call_id")) == wanted)
        item = next(answers, asked.request.item)
        result, error = hosted_outcome(item)
        if error is None:
            asked.call.finish(result)
        else:
            asked.call.fail(error, result=result, source="provider")
        asked.call.note(attempts=1, mcp_server=read(asked.request.item, "server_label"))
        asked.done = True

    def _replayed(self, request: Request) -> bool:
        """Whether the model repeats an answered call, id and arguments alike: the SDK skips it."""
        args = request.args
        return isinstance(args, str) and (request.id, request.tool, args) in self._answered

    # -- its tools

    @never_raise
    def tool_started(self, context: object, agent: Agent[Any], tool: Any) -> None:
        """A tool begins."""
        if self.ended:
            return
        asked = self._asked_for(context, agent, tool)
        asked.started = time.perf_counter()
        if not asked.malformed:
            asked.call.start()
        span = None if isinstance(tool, LocalShellTool) else get_current_span()  # it has none
        asked.span = span
        self._running[id(context), id(tool)] = (context, asked)
        move(Place(self, asked, span))

    @never_raise
    def tool_ended(self, context: object, agent: Agent[Any], tool: Any, result: object) -> None:
        """A tool is done: it returned, or what it raised was turned into the ``result``."""
        if self.ended:
            return
        asked = self._ended(context, agent, tool)
        if asked.paused:
            return
        asked.shown = result if isinstance(result, str) else None
        failure = asked.failure or self._failure(asked, tool, result)
        if failure is None:
            asked.finish(result)
        elif isinstance(failure[0], asyncio.CancelledError):
            asked.failure, asked.held = failure, result
        else:
            asked.fail(*failure, result=result)
        if asked.request.id and isinstance(asked.request.args, str):
            self._answered.add((asked.request.id, asked.request.tool, asked.request.args))

    def _failure(
        self, asked: Asked, tool: Any, result: object
    ) -> tuple[BaseException | str, str] | None:
        error: object = getattr(asked.span, "error", None)
        if error:
            return str(read(read(error, "data"), "error") or read(error, "message")), "span"
        if asked.request.family == "custom_tool_call" and isinstance(
            asked.span, (NoOpSpan, type(None))
        ):
            self.run.warn(UNSEEN_FAILURE.format(asked.request.tool))
        return timed_out(asked, tool, result)

    def _asked_for(self, context: object, agent: Agent[Any], tool: Any) -> Asked:
        """The request that a tool begins for."""
        if not isinstance(context, ToolContext):
            families = serial_families(tool)
            for asked in self.asked:
                if asked.open and asked.request.family in families:
                    return asked
            return self.request(Request(tool.name, {}, None, "", None), agent, self._toolbox(agent))
        found = self._by_item.get(id(context.tool_call))
        if found is not None and found.open:
            return found
        for asked in self.asked:
            same_id = asked.request.id == (context.tool_call_id or None)
            if asked.open and same_id and asked.request.tool == context.tool_name:
                return asked
        # the model's request was not seen, or taken for one that the SDK skips
        request = Request(
            context.tool_name,
            context.tool_arguments,
            context.tool_call_id or None,
            "function_call",
            context.tool_call,
        )
        return self.request(request, agent, self._toolbox(agent))

    def _ended(self, context: object, agent: Agent[Any], tool: Any) -> Asked:
        """The request whose tool is done."""
        known = self._running.pop((id(context), id(tool)), None)
        if known is not None:
            return known[1]
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
        first.call.start()
        first.call.finish({"assistant": target.name})
        first.done = True
        for asked in ignored:  # the SDK takes the first and answers the others so
            asked.close("not_executed", origin="requested")

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
        self.latest, self.asked = [], []
        self._by_item, self._running, self._toolboxes = {}, {}, {}
        self._answered, self.within = set(), None
        self.run.end(status, output=output, error=error)

    def _toolbox(self, agent: Agent[Any]) -> Toolbox:
        known = self._toolboxes.get(id(agent))
        if known is None:
            known = self._toolboxes[id(agent)] = (agent, Toolbox(agent))
            for name, schema in known[1].schemas.items():
                self.run.offer(name, schema)
        return known[1]

    def _trouble(self, where: str, error: Exception) -> None:
        self.recorder.trouble(where, error, self.run.root)
