"""Tools that the provider runs itself: they are only visible inside the answer's content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage

from toolscore._arguments import parse_arguments
from toolscore_integrations.langchain._shapes import as_list, as_mapping

_OPENAI = {
    # type of the block: name of the tool, where its arguments are, where its result is
    "web_search_call": ("web_search", "action", "results"),
    "file_search_call": ("file_search", "queries", "results"),
    "code_interpreter_call": ("code_interpreter", "code", "outputs"),
    "image_generation_call": ("image_generation", "revised_prompt", "result"),
    "computer_call": ("computer_use", "action", "output"),
}


@dataclass
class ServerCall:
    """One call that a provider made; nothing in it is copied."""

    tool: str
    args: dict[str, Any]
    id: str | None
    result: Any = None
    failed: bool = False
    settled: bool = False
    """Whether its end was seen."""


def server_calls(message: AIMessage) -> list[ServerCall]:
    """The provider-side calls in a model's answer, read from the raw blocks of each provider.

    LangChain's own normal form (``content_blocks``) knows them only when the message names its
    provider, and hides an image generation.
    """
    blocks = as_list(message.content) or ()
    older = as_list(message.additional_kwargs.get("tool_outputs")) or ()  # early Responses API
    found: list[ServerCall] = []
    for entry in (*blocks, *older):
        block = as_mapping(entry)
        if block is not None:
            _read(block, found)
    return found


def _read(block: Mapping[str, Any], found: list[ServerCall]) -> None:
    kind = block.get("type")
    if not isinstance(kind, str):
        return
    inner = as_mapping(block.get("value"))
    if kind == "non_standard" and inner is not None:
        _read(inner, found)
    elif kind in ("server_tool_call", "server_tool_use"):
        args = block.get("args", block.get("input"))
        hidden = (as_mapping(block.get("extras")) or {}).get("tool_name")
        found.append(_call(hidden or block.get("name"), args, block.get("id")))
    elif kind == "mcp_tool_use":
        found.append(_call(block.get("name"), block.get("input"), block.get("id")))
    elif kind == "mcp_call":
        call = _call(block.get("name"), block.get("arguments"), block.get("id"))
        _settle(call, block.get("output"), failed=block.get("error") is not None)
        if call.failed:
            call.result = block["error"]
        found.append(call)
    elif kind == "executable_code":
        args = {"code": block.get("executable_code"), "language": block.get("language")}
        found.append(_call("code_interpreter", args, block.get("id")))
    elif kind in _OPENAI:
        found.append(_openai(kind, block))
    elif kind == "code_execution_result":
        _finish(found, block.get("tool_call_id"), block.get(kind), block.get("outcome", 1) != 1)
    elif kind == "server_tool_result":
        failed = block.get("status") == "error"
        _finish(found, block.get("tool_call_id"), block.get("output"), failed)
    elif kind.endswith("_tool_result"):
        result = block.get("content")
        failed = bool(block.get("is_error")) or _says_error(result)
        _finish(found, block.get("tool_use_id"), result, failed)


def _call(name: object, args: object, call_id: object) -> ServerCall:
    plain = parse_arguments(args)[0]
    return ServerCall(str(name or "unknown"), plain, call_id if isinstance(call_id, str) else None)


def _openai(kind: str, block: Mapping[str, Any]) -> ServerCall:
    name, where, result = _OPENAI[kind]
    given = block.get(where)
    args = {} if given is None else {where: given}
    if where == "action":
        args = {k: v for k, v in (as_mapping(given) or {}).items() if k != "sources"}
    call = _call(name, args, block.get("id"))
    if block.get("status") in (None, "completed", "failed", "incomplete"):
        _settle(call, block.get(result), failed=block.get("status") in ("failed", "incomplete"))
    return call


def _settle(call: ServerCall, result: object, *, failed: bool) -> None:
    call.result, call.failed, call.settled = result, failed, True


def _finish(found: list[ServerCall], call_id: object, result: object, failed: bool) -> None:
    for call in reversed(found):
        if not call.settled and (call.id or "") == (call_id or ""):
            _settle(call, result, failed=failed)
            return


def _says_error(result: object) -> bool:
    kind = (as_mapping(result) or {}).get("type")
    return isinstance(kind, str) and kind.endswith("_error")
