"""OpenAI's Responses API: items of answers and of inputs, and what wraps them."""

from __future__ import annotations

import json
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore._unpack import fields_of, unpack
from toolscore.adapters._calls import Calls, settle
from toolscore.adapters._content import content_of, text_of

LOCAL = {
    "computer_call": ("action", "actions"),
    "shell_call": ("action",),
    "local_shell_call": ("action",),
    "apply_patch_call": ("operation",),
}
"""Calls that the client runs, besides functions: the fields that are their arguments."""

HOSTED = {
    "web_search_call": ("action",),
    "file_search_call": ("queries",),
    "code_interpreter_call": ("code",),
    "image_generation_call": ("action", "revised_prompt", "size", "quality"),
    "tool_search_call": ("arguments",),
    "program": ("code",),
}
"""Calls that the provider runs."""

_RESULTS = ("output", "results", "outputs", "result", "tools")
_WRAPPED = frozenset({"function_call_output", "custom_tool_call_output"})
_FAILURE = "An error occurred while running the tool. Please try again."
_NOT_JSON = "An error occurred while parsing tool arguments. Please try again with valid JSON."
_NOT_APPROVED = "Tool execution was not approved."
_SECOND_HANDOFF = "Multiple handoffs detected, ignoring this one."
"""Sentences that the OpenAI Agents SDK writes itself, in the place of a result."""


class Items:
    """Reads items one by one."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._answering = False
        self._told = 0
        """How many items of the response that is being streamed have come."""
        self._approvals: dict[str, ToolCall] = {}

    def item(self, item: object) -> None:
        """One item, also in the wrapping that the OpenAI Agents SDK gives it."""
        raw = read(item, "raw_item")
        given, item = item, item if raw is None else raw
        kind = read(item, "type")
        if not isinstance(kind, str) or kind == "message":
            self._message(item)
        elif kind == "mcp_approval_response":
            self._decided(item)
        elif kind.endswith("_output"):
            self._answering = False
            self._answer(item, kind, given)
        elif kind in ("reasoning", "item_reference") or not _asks(kind):
            pass
        else:
            if not self._answering:
                self._calls.step += 1
            self._answering = True
            self._ask(item, kind, handoff=read(given, "type") == "handoff_call_item")

    def served(self, item: object) -> bool:
        """A call that the provider ran, inside a message of another format; False if it is none."""
        kind = read(item, "type")
        if kind != "mcp_call" and not (isinstance(kind, str) and kind in HOSTED):
            return False
        self._ask(item, kind, handoff=False)
        return True

    def event(self, event: object, kind: str) -> None:
        """One event of a stream: the items as they are done, or all of them at the end."""
        if kind == "response.output_item.done":
            self._told += 1
            self.item(read(event, "item"))
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            if not self._told:
                self.response(read(event, "response"))
            self.turn_ends()
            self._told = 0

    def response(self, response: object) -> None:
        """All items of one answer."""
        self.turn_ends()
        output = read(response, "output")
        for item in output if is_sequence(output) else ():
            self.item(item)
        self.turn_ends()

    def turn_ends(self) -> None:
        """What follows belongs to another turn of the model."""
        self._answering = False

    def _message(self, item: object) -> None:
        role, content = read(item, "role"), read(item, "content")
        if role == "assistant":
            self._calls.say(role, content)
        else:
            self._answering = False
            self._calls.say(role, content)

    def _ask(self, item: object, kind: str, *, handoff: bool) -> None:
        if kind == "function_call":
            call = self._calls.ask(read(item, "name"), read(item, "arguments"), _id_of(item))
            if handoff:
                call.metadata["kind"] = "handoff"
        elif kind == "custom_tool_call":
            self._calls.ask(read(item, "name"), {"input": read(item, "input")}, _id_of(item))
        elif kind in ("mcp_call", "mcp_approval_request"):
            self._mcp(item, waits=kind == "mcp_approval_request")
        else:
            on_server = kind not in LOCAL and read(item, "execution") != "client"
            fields = LOCAL.get(kind) or HOSTED.get(kind, ("arguments", "args", "action", "input"))
            name = read_text(item, "name") or kind.removesuffix("_call")
            call = self._calls.ask(name, _arguments(item, fields), _id_of(item))
            if on_server:
                _hosted(call, item)

    def _mcp(self, item: object, *, waits: bool) -> None:
        call = self._approvals.pop(read_text(item, "approval_request_id") or "", None)
        if call is None:
            call = self._calls.ask(read(item, "name"), read(item, "arguments"), _id_of(item))
        if waits:
            call.metadata.update(origin="server", kind="hosted", status="interrupted")
            self._approvals[read_text(item, "id") or ""] = call
        else:
            _hosted(call, item)

    def _decided(self, item: object) -> None:
        call = self._approvals.get(read_text(item, "approval_request_id") or "")
        if call is None:
            return
        if read(item, "approve") is False:
            settle(call, failed=True, error=text_of(read(item, "reason")))
            call.metadata["origin"] = "rejected"
        else:
            del call.metadata["status"]

    def _answer(self, item: object, kind: str, given: object) -> None:
        output = read_first(item, *_RESULTS)
        failed = read(item, "status") == "failed"
        call = self._calls.answer(
            _id_of(item),
            content_of(output) if kind in _WRAPPED else unpack(output),
            tool=read(item, "name"),
            failed=failed,
            error=(text_of(output) or "the tool says: failed") if failed else None,
        )
        if call is None:
            return
        if read(given, "type") == "handoff_output_item":
            call.metadata["kind"] = "handoff"
        codes = _exit_codes(output)
        if codes:
            call.metadata["exit_codes"] = codes
        if kind == "function_call_output" and isinstance(call.result, str):
            _read_sentence(call, call.result)


def _asks(kind: str) -> bool:
    """Whether items of this type ask for a call; types that are newer than this file too."""
    return kind in HOSTED or kind == "mcp_approval_request" or kind.endswith("_call")


def _arguments(item: object, fields: tuple[str, ...]) -> dict[str, Any]:
    """The given fields of an item; one that is an object gives its own fields."""
    found: dict[str, Any] = {}
    for field in fields:
        value = read(item, field)
        if value is None:
            continue
        inner = value if is_mapping(value) else fields_of(value)
        found.update({field: value} if inner is None else inner)
    return {name: value for name, value in found.items() if value is not None}


def _id_of(item: object) -> str | None:
    """What an answer refers to, else the item's own id."""
    return read_text(item, "call_id", "id")


def _hosted(call: ToolCall, item: object) -> None:
    """How a call ended that the provider ran: the item itself says it."""
    call.metadata.update(origin="server", kind="hosted")
    result, error = read_first(item, *_RESULTS), read(item, "error")
    status = read(item, "status")
    call.result = unpack(result)
    if error is not None or status == "failed":
        settle(call, failed=True, error=text_of(error) or f"the provider says: {status}")
    elif result is not None or status == "completed":
        settle(call, failed=False)
        if result is None:  # answers hold the results of searches only where they were asked for
            call.metadata["result_known"] = False
    else:
        call.metadata.pop("status", None)


def _exit_codes(output: object) -> list[int]:
    outcomes = [read(one, "outcome") for one in output] if is_sequence(output) else []
    codes = [read(outcome, "exit_code") for outcome in outcomes]
    return [code for code in codes if isinstance(code, int)]


def _read_sentence(call: ToolCall, text: str) -> None:
    """What the OpenAI Agents SDK wrote in the place of a result: nothing else tells a failure."""
    if text.startswith((_FAILURE, _NOT_JSON, f"Tool '{call.tool}' timed out after ")):
        settle(call, failed=True, error=text)
        call.metadata["error_source"] = "output"
        if text.startswith(_NOT_JSON):  # up to openai-agents 0.8, at least
            call.metadata["origin"] = "invalid_json"
    elif text in (_NOT_APPROVED, f"Tool {call.tool!r} not found."):
        settle(call, failed=True, error=text)
        origin = "rejected" if text == _NOT_APPROVED else "unknown_tool"
        call.metadata.update(origin=origin, error_source="output")
    elif text == _SECOND_HANDOFF:
        call.metadata.update(status="not_executed", origin="requested", kind="handoff")
        call.result = None
    elif text.startswith('{"assistant": '):
        _read_handoff(call, text)


def _read_handoff(call: ToolCall, text: str) -> None:
    """The SDK answers a handoff with the name of the agent that goes on."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return
    named = call.metadata.get("kind") == "handoff" or call.tool.startswith("transfer_to_")
    if named and list(answer) == ["assistant"]:
        call.metadata["kind"] = "handoff"
        call.result = answer
