"""Model spans: what was asked for in them, what was answered, which tools were on offer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore.adapters.otel._payload import Answer, answer_of
from toolscore.adapters.otel._span import Span
from toolscore.adapters.otel._value import decoded


@dataclass
class Request:
    """A call that a model asked for."""

    tool: str
    written: object
    id: str | None = None
    server: bool = False  # the provider runs it


@dataclass
class Turn:
    """What one model span says."""

    span: Span
    requests: list[Request] = field(default_factory=list[Request])
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    offered: set[str] = field(default_factory=set[str])
    outputs: set[str] = field(default_factory=set[str])  # tools that only carry the final answer


def turn_of(span: Span) -> Turn:
    """Read a span as a model's turn; empty where it holds nothing of the kind."""
    turn = Turn(span)
    _read_messages(turn, span.attributes)
    for event in span.events:
        _read_event(turn, event.name, event.attributes)
    for event in _list(span.attributes.get("events")):  # pydantic-ai's first format
        _read_event(turn, read_text(event, "event.name") or "", event)
    _read_numbered(turn, span.attributes)
    _read_vercel(turn, span.attributes)
    _read_blocks(turn, span.attributes)
    _read_offers(turn, span.attributes)
    return turn


def _read_messages(turn: Turn, source: object) -> None:
    """``gen_ai.output.messages`` and ``gen_ai.input.messages``: roles with parts."""
    for message in _list(read(source, "gen_ai.output.messages")):
        for part in _list(read(message, "parts")):
            kind = read_text(part, "type")
            if kind == "tool_call":
                _ask(turn, read(part, "name"), read(part, "arguments"), read(part, "id"))
            elif kind == "server_tool_call":
                inner = read(part, "server_tool_call")
                written = read_first(inner, "arguments", "input")
                _ask(turn, read(part, "name"), written, read(part, "id"), server=True)
            else:
                _read_response(turn, part)
    for message in _list(read(source, "gen_ai.input.messages")):
        for part in _list(read(message, "parts")):
            _read_response(turn, part)


def _read_response(turn: Turn, part: object) -> None:
    kind = read_text(part, "type")
    if kind == "tool_call_response":
        _answer(turn, read(part, "id"), read_first(part, "response", "result", "content"))
    elif kind == "server_tool_call_response":
        _answer(turn, read(part, "id"), read(part, "server_tool_call_response"))


def _read_event(turn: Turn, name: str, attributes: object) -> None:
    """Events of the older conventions: their body in attributes, in one of them, or as JSON."""
    body = decoded(read_first(attributes, "gen_ai.event.content", "event_body"))
    body = body if is_mapping(body) else attributes
    if name == "gen_ai.choice":
        message = decoded(read(body, "message"))
        _read_chat(turn, message if is_mapping(message) else body)
    elif name == "gen_ai.tool.message":
        _answer(turn, read(body, "id"), read(body, "content"))
    elif name == "gen_ai.content.completion":
        for message in _list(read(attributes, "gen_ai.completion")):
            _read_chat(turn, message)
    else:
        _read_messages(turn, attributes)


def _read_chat(turn: Turn, message: object) -> None:
    for call in _list(read(message, "tool_calls")):
        function = decoded(read(call, "function"))
        holder = function if is_mapping(function) else call
        _ask(turn, read(holder, "name"), read(holder, "arguments"), read(call, "id"))


_COMPLETION = re.compile(r"gen_ai\.completion\.(\d{1,6})\.tool_calls\.(\d{1,6})\.(\w+)$", re.ASCII)
_LLM_OUTPUT = re.compile(
    r"llm\.output_messages\.(\d{1,6})\.message\.tool_calls\.(\d{1,6})\."
    r"tool_call\.(?:function\.)?(\w+)$",
    re.ASCII,
)
_PROMPT = re.compile(r"gen_ai\.prompt\.(\d{1,6})()\.(\w+)$", re.ASCII)
_LLM_INPUT = re.compile(r"llm\.input_messages\.(\d{1,6})()\.message\.(\w+)$", re.ASCII)


def _read_numbered(turn: Turn, attributes: dict[str, Any]) -> None:
    """OpenLLMetry and OpenInference: one attribute for each field of each message."""
    for pattern in (_COMPLETION, _LLM_OUTPUT):
        for call in _numbered(pattern, attributes):
            _ask(turn, call.get("name"), call.get("arguments"), call.get("id"))
    for pattern in (_PROMPT, _LLM_INPUT):
        for message in _numbered(pattern, attributes):
            if message.get("role") == "tool":
                _answer(turn, message.get("tool_call_id"), message.get("content"), is_text=True)


def _numbered(pattern: re.Pattern[str], attributes: dict[str, Any]) -> list[dict[str, Any]]:
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for name, value in attributes.items():
        if match := pattern.match(name):
            place = int(match[1]), int(match[2] or 0)
            found.setdefault(place, {})[match[3]] = value
    return [found[place] for place in sorted(found)]


def _read_vercel(turn: Turn, attributes: dict[str, Any]) -> None:
    for call in _list(attributes.get("ai.response.toolCalls")):
        written = read_first(call, "input", "args")
        _ask(turn, read(call, "toolName"), written, read(call, "toolCallId"))
    for message in _list(attributes.get("ai.prompt.messages")):
        if read(message, "role") != "tool":
            continue
        for part in _list(read(message, "content")):
            output = read_first(part, "output", "result")
            kind = read_text(output, "type") or ""
            failed = kind.startswith("error-") or read(part, "isError") is True
            value = read(output, "value") if is_mapping(output) and "value" in output else output
            _answer(turn, read(part, "toolCallId"), value, is_text=True, failed=failed)


def _read_blocks(turn: Turn, attributes: dict[str, Any]) -> None:
    """A LlamaIndex answer as OpenInference writes it whole, where it did not number its calls."""
    if turn.requests or read_text(attributes, "openinference.span.kind") != "LLM":
        return
    for block in _list(read(read(decoded(attributes.get("output.value")), "message"), "blocks")):
        written = read(block, "tool_kwargs")
        _ask(turn, read(block, "tool_name"), written, read(block, "tool_call_id"))


def _read_offers(turn: Turn, attributes: dict[str, Any]) -> None:
    """The tools that the model could call, where the span says them."""
    tools = [*_list(attributes.get("gen_ai.tool.definitions"))]
    tools.extend(map(decoded, _list(attributes.get("ai.prompt.tools"))))
    for name, value in attributes.items():
        if _OFFER.match(name):
            tools.append(decoded(value) if name.startswith("llm.tools.") else {"name": value})
    parameters = decoded(attributes.get("model_request_parameters"))  # pydantic-ai
    tools.extend(_list(read(parameters, "function_tools")))
    for tool in tools:
        offered = read_text(tool, "name") or read_text(read(tool, "function"), "name")
        turn.offered.update(filter(None, [offered]))
    for tool in _list(read(parameters, "output_tools")):
        turn.outputs.update(filter(None, [read_text(tool, "name")]))


_OFFER = re.compile(
    r"llm\.(?:tools\.\d+\.tool\.json_schema|request\.functions\.\d+\.name)$", re.ASCII
)


def _ask(
    turn: Turn, tool: object, written: object, call_id: object, *, server: bool = False
) -> None:
    if isinstance(tool, str) and tool:
        given = call_id if isinstance(call_id, str) and call_id else None
        turn.requests.append(Request(tool, written, given, server))


def _answer(
    turn: Turn, call_id: object, content: object, *, is_text: bool = False, failed: bool = False
) -> None:
    if isinstance(call_id, str) and call_id and call_id not in turn.answers:
        answer = answer_of(content, is_text=is_text)
        if failed:
            answer.failed, answer.error = True, answer.error or str(answer.value)[:2000]
        turn.answers[call_id] = answer


def _list(value: object) -> Iterator[Any]:
    value = decoded(value)
    return iter(value if is_sequence(value) else ())
