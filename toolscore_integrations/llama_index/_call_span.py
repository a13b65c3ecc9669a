"""A tool call: the agent's step that makes it, and the tools that run."""

from __future__ import annotations

import inspect
from inspect import BoundArguments
from typing import Any, cast

from llama_index.core.agent.workflow import ToolCall, ToolCallResult
from llama_index.core.tools import BaseTool, FunctionTool
from llama_index.core.tools.types import BaseToolAsyncAdapter
from workflows.runtime.types.results import (  # pyright: ignore[reportMissingTypeStubs]
    WaitingForEvent,
)

from toolscore import OpenCall
from toolscore_integrations.llama_index._part import Asked, Part
from toolscore_integrations.llama_index._requests import Request
from toolscore_integrations.llama_index._run_span import RunSpan
from toolscore_integrations.llama_index._script_span import PredictSpan, ProgramSpan
from toolscore_integrations.llama_index._span import Entry, Span, call_around, stopped_from_outside
from toolscore_integrations.llama_index._tool_arguments import arguments_of
from toolscore_integrations.llama_index._tool_output import record_output

UNSEEN_CODE = (
    "functions that the code of a CodeActAgent calls are plain Python: no event tells of them, "
    "so they are missing from the calls"
)


class CallSpan(Span):
    """The step ``call_tool`` of an agent: one call that its model asked for."""

    attempts = 0
    waits = False
    mcp = False
    """Whether the tool is that of an MCP server."""

    def __init__(self, at: Entry, run: RunSpan, asked: Asked) -> None:
        super().__init__(at)
        self.run = run
        self.asked = asked
        self.own_call = self.call = asked.call

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """Find the request that is carried out now; the tool may yet be unknown."""
        parent = at.parent
        event = at.bound.arguments.get("ev")
        if not isinstance(event, ToolCall) or not isinstance(parent, RunSpan):
            return None
        args = cast("dict[str, Any]", event.tool_kwargs)  # pyright: ignore[reportUnknownMemberType]
        request = Request(event.tool_name, args, event.tool_id, event.tool_id)
        asked = parent.agent_part.begun(request, handoffs=parent.hands_off)
        if parent.runs_code:
            parent.agent_part.run.warn(UNSEEN_CODE)
        return cls(at, parent, asked)

    def exit(self, result: Any) -> None:
        """The call is answered; without an answer, it waits or was cut off."""
        call = self.call
        if not isinstance(result, ToolCallResult):
            if self.waits:
                self.run.agent_part.wait(self.asked)
                call.close("interrupted")
            elif not call.ended:
                call.close("cancelled")
            return
        output = result.tool_output
        if not self.attempts:
            self._answered_without_running(output.is_error, output.exception)
        text = record_output(call, output, mcp=self.mcp)
        self.run.agent_part.run.message("tool", text)

    def _answered_without_running(self, is_error: bool, exception: Exception | None) -> None:
        if exception is not None:
            self.call.start()  # the arguments did not fit the tool's own signature
        elif not is_error:
            self.call.note(origin="synthesized")
        elif self.call.tool in self.run.agent_part.offered:
            self.call.note(origin="rejected")
        else:
            self.call.note(origin="unknown_tool")

    def drop(self, error: BaseException | None) -> None:
        """The step itself failed, which tools cannot make it do."""
        end_badly(self.call, error)


class ToolSpan(Span):
    """A tool that runs: for the agent's step around it, for another tool, or called by code."""

    halves = 0
    args: dict[str, Any] | None = None

    def __init__(self, at: Entry, call: OpenCall, *, owner: bool) -> None:
        super().__init__(at)
        self.own_call = self.call = call
        self.tool: BaseTool = at.instance
        self.owner = owner
        """Whether the call's outcome is this span's; else it is the one of the span around it."""
        self.bound = at.bound

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """Sort out which call this is: one call may show as three spans."""
        tool, parent = at.instance, at.parent
        if not isinstance(tool, BaseTool) or parent is None:
            return None
        if isinstance(parent, CallSpan) and tool.metadata.name == parent.asked.tool:
            parent.attempts += 1
            parent.call.start()
            parent.mcp = _is_of_a_server(tool)
            if parent.mcp:
                parent.call.note(kind="mcp")
            return cls(at, parent.call, owner=False)
        if isinstance(parent, ToolSpan) and parent.contains(tool, at.bound):
            parent.halves += 1
            if parent.halves > 1:
                parent.call.start()  # a tool that tries itself again
            return cls(at, parent.call, owner=False)
        part = parent.begun()
        if part is None:
            return None
        args = part.run.copy(arguments_of(tool, at.bound))[0]
        span = cls(at, _call_by_code(part, parent, tool, at.bound, args), owner=True)
        span.args = args
        return span

    def contains(self, tool: BaseTool, bound: BoundArguments) -> bool:
        """Whether a span of ``tool`` is only the inner half of this one, and not a second call."""
        if isinstance(self.tool, BaseToolAsyncAdapter) and self.tool.base_tool is tool:
            return True
        if tool is not self.tool:
            return False
        if self.args is None:
            self.args = self.call.run.copy(arguments_of(tool, self.bound))[0]
        inner: dict[str, Any] = self.call.run.copy(arguments_of(tool, bound))[0]
        return inner == self.args

    def is_tried_again(self, tool: BaseTool, bound: BoundArguments, args: dict[str, Any]) -> bool:
        """Whether this call, made with one argument by position, is now made with it by name."""
        if tool is not self.tool or self.args is None or len(args) != 1:
            return False
        if isinstance(tool, FunctionTool) and not (self.bound.args and not bound.args):
            return False  # newer versions of the framework know which way a function takes it
        return list(self.args.values()) == list(args.values())

    def exit(self, result: Any) -> None:
        """The tool returned. For an agent's call this stops the clock; the step has the outcome."""
        if self.owner:
            record_output(self.call, result)
        elif isinstance(self.parent, CallSpan):
            self.call.close("ok")

    def drop(self, error: BaseException | None) -> None:
        """The tool raised, waits for a person, or was cut off."""
        if isinstance(error, WaitingForEvent):
            if isinstance(self.parent, CallSpan):
                self.parent.waits = True
            self.call.close("interrupted")
        elif self.owner or isinstance(self.parent, CallSpan):
            end_badly(self.call, error)
            if stopped_from_outside(error) and runs_in_a_thread(self.tool):
                self.call.note(may_have_completed=True)
            if isinstance(self.parent, (PredictSpan, ProgramSpan)):
                self.parent.failed = self


def _call_by_code(
    part: Part, parent: Span, tool: BaseTool, bound: BoundArguments, args: dict[str, Any]
) -> OpenCall:
    """The call of a tool that no agent's step makes."""
    predict = isinstance(parent, PredictSpan)
    program = isinstance(parent, ProgramSpan)
    if isinstance(parent, (PredictSpan, ProgramSpan)):
        failed, parent.failed = parent.failed, None
        if isinstance(failed, ToolSpan) and failed.is_tried_again(tool, bound, args):
            failed.call.start()
            return failed.call
    name, inside = tool.metadata.get_name(), call_around(parent)
    if part.by_hand and not program and inside is part.parent:
        call = part.begun_by_hand(name, args, in_order=predict)
        if call is not None:
            return call
    call = part.run.request(
        name,
        args,
        parent=inside,
        origin="structured_output" if program else "executed" if predict else "code",
    )
    call.start()
    return call


def _is_of_a_server(tool: BaseTool) -> bool:
    """Whether ``llama-index-tools-mcp`` made this tool."""
    if not isinstance(tool, FunctionTool):
        return False
    module = getattr(cast("Any", tool.real_fn), "__module__", None)
    return isinstance(module, str) and module.startswith("llama_index.tools.mcp")


def end_badly(call: OpenCall, error: BaseException | None) -> None:
    """Close a call that an exception ended."""
    if stopped_from_outside(error) or error is None:
        call.close("cancelled")
    else:
        call.fail(error, source="exception")


def runs_in_a_thread(tool: BaseTool) -> bool:
    """Whether cancelling the call leaves the tool's body running."""
    if isinstance(tool, FunctionTool):
        return not inspect.iscoroutinefunction(cast("Any", tool.real_fn))
    return isinstance(tool, BaseToolAsyncAdapter)
