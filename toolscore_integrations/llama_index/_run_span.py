"""The run of an agent, an ``AgentWorkflow`` or a workflow, and the turns of its model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from llama_index.core.agent.workflow import (
    AgentOutput,
    AgentWorkflow,
    BaseWorkflowAgent,
    CodeActAgent,
    ReActAgent,
)
from llama_index.core.tools import BaseTool
from llama_index.core.workflow import Workflow

from toolscore import RunStatus
from toolscore._guard import never_raise
from toolscore_integrations.llama_index._offers import offer
from toolscore_integrations.llama_index._part import Part
from toolscore_integrations.llama_index._requests import requests_of
from toolscore_integrations.llama_index._span import (
    Entry,
    Span,
    call_around,
    stopped_from_outside,
)
from toolscore_integrations.llama_index._texts import (
    answer_of,
    hear_prompt,
    input_of,
    text_of_user,
)
from toolscore_integrations.llama_index._usage import usage_in
from toolscore_integrations.llama_index._versions import too_old


class RunSpan(Span):
    """One run of a workflow.

    It is a run of its own, unless it happens in another one: then it is a part of that. Within a
    tool call it is a nested run (an agent as a tool); within a step it adds turns to the workflow.
    """

    def __init__(self, at: Entry, part: Part) -> None:
        super().__init__(at)
        self.own_part = self.agent_part = part
        self.workflow: Workflow = at.instance
        self.ended = False
        workflow = self.workflow
        self.hands_off = isinstance(workflow, AgentWorkflow) and len(workflow.agents) > 1
        """Whether ``handoff`` is the framework's own tool here."""
        self.runs_code = isinstance(workflow, CodeActAgent) and any(tools_of(workflow))
        """Whether code of the model's may call functions that nobody sees."""
        self._invents_ids: dict[str, bool] = {}

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """Open the run, or the part of the run around it."""
        instance, parent = at.instance, at.parent
        if not isinstance(instance, Workflow):
            return None
        agent = name_of(instance)
        given = input_of(at.bound.arguments.get("start_event"))
        around, call = None if parent is None else parent.begun(), call_around(parent)
        by_hand = not isinstance(instance, (BaseWorkflowAgent, AgentWorkflow))
        if call is not None and not by_hand:
            call.note(kind="agent")
        if call is not None or around is None:
            run = at.scope.recorder.start_run(at.id, input=given, agent=agent, parent=call)
            part = Part(run, by_hand=by_hand)
        else:
            part = Part(around.run, by_hand=by_hand, parent=around.parent, steps=around.steps)
        part.run.seen()
        problem = too_old()
        if problem is not None:
            part.run.warn(problem)
        said = text_of_user(given)
        if said is not None:
            part.run.message("user", said)
        for tool in tools_of(instance):
            offer(part, tool)
        at.scope.run = span = cls(at, part)
        return span

    def exit(self, result: Any) -> None:
        """It stopped; with None only where the user cancelled it."""
        if result is None:
            self._end("cancelled")
            return
        run, answer = self.agent_part.run, answer_of(result, self.agent_part.run)
        if answer and answer != self.agent_part.answer:
            run.message("assistant", answer)  # no model turn: a tool's or a workflow's own words
        self._end("ok", output=answer)

    def drop(self, error: BaseException | None) -> None:
        """It failed, ran out of time or turns, or was cancelled."""
        if stopped_from_outside(error):
            self._end("cancelled")
        else:
            self._end("error", error=error)

    def abandon(self, why: str) -> None:
        """Its end was not seen, and will not be."""
        self.agent_part.run.warn(why)
        self._end("unfinished")

    def _end(
        self, status: RunStatus, *, output: str | None = None, error: BaseException | None = None
    ) -> None:
        if self.ended:
            return
        self.ended = True
        run = self.agent_part.run
        if status == "cancelled" and self.agent_part.waits:
            status = "interrupted"  # what is cancelled is the waiting; a later run may go on
        if self.parent is None or call_around(self.parent) is not None:
            run.end(status, output=output, error=error)  # else the run around it goes on

    @never_raise
    def hear_of_stray(self, tool: BaseTool) -> None:
        """A tool was called where nothing tells of which run; perhaps of this one."""
        if any(own is tool for own in tools_of(self.workflow)):
            self.agent_part.run.warn(
                f"{tool.metadata.name} was called in a thread that knows of no run; if that was "
                "for this run, start the thread with contextvars.copy_context().run"
            )

    def invents_ids(self, agent: str) -> bool:
        """Whether this agent makes up the ids of its calls, since its model writes none."""
        known = self._invents_ids.get(agent)
        if known is None:
            team = self.workflow.agents if isinstance(self.workflow, AgentWorkflow) else {}
            acting = team.get(agent, self.workflow)
            known = self._invents_ids[agent] = isinstance(acting, (ReActAgent, CodeActAgent))
        return known


class TurnSpan(Span):
    """The step in which an agent asks its model."""

    told = False
    """Whether an event of the model told its response, and with that its tokens."""

    def __init__(self, at: Entry, run: RunSpan) -> None:
        super().__init__(at)
        self.run = run
        hear_prompt(run.agent_part.run, getattr(at.bound.arguments.get("ev"), "input", None))

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """A turn of the agent whose run this is."""
        return cls(at, at.parent) if isinstance(at.parent, RunSpan) else None

    def exit(self, result: Any) -> None:
        """The model answered. What it asks for is copied now: the framework adds to this object."""
        if not isinstance(result, AgentOutput):
            return
        run, agent, message = self.run, result.current_agent_name, result.response
        part, selections = run.agent_part, result.tool_calls
        asked = requests_of(selections, message, own_ids=run.invents_ids(agent))
        part.turn(message.content or "", asked, agent=agent, handoffs=run.hands_off)
        # integrations that tell no events still return the raw response
        if not self.told and result.raw is not None:
            usage = usage_in(result.raw)
            if usage is not None:
                part.run.add_usage(usage)


def name_of(workflow: Workflow) -> str:
    """The name of an agent; the class of any other workflow."""
    return workflow.name if isinstance(workflow, BaseWorkflowAgent) else type(workflow).__name__


def tools_of(workflow: Workflow) -> Iterator[Any]:
    """The tools that a workflow's agents were built with."""
    agents = workflow.agents.values() if isinstance(workflow, AgentWorkflow) else [workflow]
    for agent in agents:
        if isinstance(agent, BaseWorkflowAgent):
            yield from cast("list[Any]", agent.tools) or ()  # pyright: ignore[reportUnknownMemberType]
