"""Tool spans: which spans they are, in each convention, and what they say of the call."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

from toolscore._read import read, read_text
from toolscore._scoring.canonical import canonical_arguments
from toolscore._scoring.containers import is_sequence
from toolscore.adapters.otel._payload import (
    Answer,
    Arguments,
    answer_of,
    arguments_of,
    fields_of_text,
)
from toolscore.adapters.otel._span import Span
from toolscore.adapters.otel._value import decoded

_KIND = {
    "gen_ai.operation.name": "execute_tool",
    "openinference.span.kind": "TOOL",
    "traceloop.span.kind": "tool",
    "langfuse.observation.type": "tool",
    "ai.operationId": "ai.toolCall",
    "mcp.method.name": "tools/call",
}
"""What says that a span is a tool's: the convention, an instrumentation's own, a service's."""

_NAME = ("gen_ai.tool.name", "ai.toolCall.name", "tool.name", "tool_call.function.name")
_ID = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.input",  # Sentry
    "tool_arguments",  # pydantic-ai before its third format
    "ai.toolCall.args",
    "gcp.vertex.agent.tool_call_args",
    "tool_call.function.arguments",
    "langfuse.observation.input",
)
_WRAPPED_ARGUMENTS = ("traceloop.entity.input", "input.value")
_RESULT = (
    "gen_ai.tool.call.result",
    "gen_ai.tool.output",
    "tool_response",
    "ai.toolCall.result",
    "gcp.vertex.agent.tool_response",
    "langfuse.observation.output",
    "traceloop.entity.output",
    "output.value",
)
_MERGED = "(merged tools)"
"""Google's ADK adds a span of this name after parallel calls; each of them has its own."""

_TITLE = re.compile(r"(?:MCP send )?(?:execute_tool|tools/call|running tool:?|ai\.toolCall)\s+")


@dataclass
class Attempt:
    """One execution of a tool, as its span says it."""

    span: Span
    tool: str
    arguments: Arguments
    answer: Answer
    id: str | None = None
    mcp: bool = False
    handoff: bool = False
    wrapper: bool = False  # of an execution: the span says what was asked for, not how it went
    runs: int = 1
    twins: list[Attempt] = field(default_factory=list["Attempt"])  # the same call, seen again
    owner: Attempt | None = None  # whose twin this is
    retry: Attempt | None = None  # the last execution, where there were several

    @property
    def final(self) -> Attempt:
        """The execution that decided how the call ended."""
        return self.retry or self

    @cached_property
    def key(self) -> Hashable:
        """The arguments, to compare by."""
        return canonical_arguments(self.arguments.args)


def attempt_of(span: Span) -> Attempt | None:
    """The execution that this span is; None for every other span."""
    handoff = _handoff(span)
    tool = handoff or _tool_name(span)
    if tool is None:
        return _workflow_step(span)
    arguments = Arguments() if handoff else _arguments(span)
    answer = _answer(span)
    if span.text("gen_ai.tool.status", "tool.status") == "error":
        answer.failed = True
    return Attempt(
        span,
        tool,
        arguments,
        answer,
        span.text(*_ID) or arguments.id or answer.id,
        mcp=span.attributes.get("mcp.method.name") == _KIND["mcp.method.name"],
        handoff=handoff is not None,
    )


def _tool_name(span: Span) -> str | None:
    told = {name: span.text(name) for name in _KIND}
    if not any(told[name] == value for name, value in _KIND.items()):
        # pydantic-ai of old writes the tool's name and nothing that says what the span is
        old = span.text("gen_ai.tool.name") and not told["gen_ai.operation.name"]
        vercel = span.text("ai.toolCall.name")
        if not (old or vercel) or told["mcp.method.name"]:
            return None
    if told["mcp.method.name"] not in (None, _KIND["mcp.method.name"]):
        return None  # a prompt, or the list of tools
    name = span.text(*_NAME)
    if name is None and told["traceloop.span.kind"]:
        name = span.text("traceloop.entity.name")
    if name is None:
        name = _TITLE.sub("", span.name, count=1).removesuffix(".tool").strip() or "unnamed_tool"
    return None if name == _MERGED else name


def _handoff(span: Span) -> str | None:
    """The name of the tool that hands over: the Agents SDK's own, made from the agent's name."""
    target = None
    if span.text("traceloop.span.kind") == "handoff":
        target = span.text("gen_ai.handoff.to_agent")
        if target is None:
            return "handoff"  # to an agent that the span does not name
    elif span.text("openinference.span.kind") == "TOOL" and not span.text(*_NAME):
        _, to, target = span.name.partition("handoff to ")
        target = target if to else None
    return None if target is None else "transfer_to_" + re.sub(r"\W", "_", target).lower()


def _workflow_step(span: Span) -> Attempt | None:
    """LlamaIndex's step around a tool's execution: it alone has the id, and unknown tools.

    OpenInference writes the step's event as text, ``ToolCall(tool_name=..., tool_kwargs=...)``.
    """
    if not span.name.endswith(".call_tool"):
        return None
    event = read_text(decoded(span.attributes.get("input.value")), "ev") or ""
    fields = fields_of_text(event) if event.startswith("ToolCall(") else {}
    tool = read_text(fields, "tool_name")
    if tool is None:
        return None
    arguments = arguments_of(fields.get("tool_kwargs"))
    return Attempt(span, tool, arguments, Answer(), read_text(fields, "tool_id"), wrapper=True)


def _arguments(span: Span) -> Arguments:
    for names, wrapped in ((_ARGUMENTS, False), (_WRAPPED_ARGUMENTS, True)):
        for name in names:
            if (written := span.attributes.get(name)) is not None:
                return arguments_of(written, wrapped=wrapped)
    for event in span.events:  # Strands: the call is a message to the tool
        if event.name == "gen_ai.tool.message":
            return arguments_of(event.attributes.get("content"))
        for part in _parts(event.attributes.get("gen_ai.input.messages"), "tool_call"):
            return arguments_of(read(part, "arguments"))
    return Arguments()


def _answer(span: Span) -> Answer:
    for name in _RESULT:
        if (written := span.attributes.get(name)) is not None:
            plain = name == "output.value" and span.text("output.mime_type") == "text/plain"
            return answer_of(written, is_text=plain)
    for event in span.events:
        if event.name == "gen_ai.choice" and "message" in event.attributes:
            return answer_of(event.attributes["message"])
        outputs = event.attributes.get("gen_ai.output.messages")
        for part in _parts(outputs, "tool_call_response"):
            return answer_of(read(part, "response"))
    return Answer()


def _parts(messages: object, kind: str) -> list[object]:
    messages = decoded(messages)
    return [
        part
        for message in (messages if is_sequence(messages) else ())
        for part in (decoded(read(message, "parts")) or ())
        if read_text(part, "type") == kind
    ]
