"""What the items of a model's response, and the items that answer them, say about tool calls.

Items are models of the provider's client in live runs, dictionaries where a model adapter or a
restored state made them. They are read field by field: their serialisers warn about shapes that are
newer than the installed client.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from openai.types.responses import ResponseFunctionToolCall

FUNCTION = "function_call"
CUSTOM = "custom_tool_call"
MCP = "mcp_call"
SHELL = "shell_call"

LOCAL = {
    "computer_call": ("action", "actions"),
    SHELL: ("action",),
    "local_shell_call": ("action",),
    "apply_patch_call": ("operation",),
}
"""Calls that the SDK runs in order, without a ``ToolContext``: the fields of their arguments."""

HOSTED = {
    "web_search_call": ("action",),
    "file_search_call": ("queries",),
    "code_interpreter_call": ("code",),
    "image_generation_call": ("action", "revised_prompt", "size", "quality"),
    "tool_search_call": ("arguments",),
}
"""Calls that the provider runs: the fields of their arguments."""

OUTPUTS = ("output", "results", "outputs", "result")


class Request(NamedTuple):
    """A call that a model asked for."""

    tool: str
    args: dict[str, Any] | str | None
    id: str | None
    family: str
    on_server: bool = False


def read(source: object, name: str) -> Any:
    """``source[name]`` for a mapping, ``source.name`` for anything else, or None."""
    if type(source) is dict or isinstance(source, Mapping):  # the first is much faster
        return source.get(name)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return getattr(source, name, None)


def request_of(item: object) -> Request | None:
    """The call that a response item asks for; None for messages, reasoning, lists of tools."""
    if type(item) is ResponseFunctionToolCall:  # nearly all are
        return Request(item.name, item.arguments, item.call_id or None, FUNCTION)
    family = read(item, "type")
    if family in (FUNCTION, MCP):
        args = read(item, "arguments")
        return Request(read(item, "name"), args, id_of(item), family, family == MCP)
    if family == CUSTOM:
        return Request(read(item, "name"), {"input": read(item, "input")}, id_of(item), family)
    fields = LOCAL.get(family) or HOSTED.get(family)
    if fields is None:
        return None
    name = cast("str", family).removesuffix("_call")
    return Request(name, _arguments(item, fields), id_of(item), family, family in HOSTED)


def _arguments(item: object, fields: Iterable[str]) -> dict[str, Any]:
    """The given fields of an item; one that is an object or a mapping gives its own fields."""
    found: dict[str, Any] = {}
    for field in fields:
        value = read(item, field)
        if value is None:
            continue
        inner = _fields(value)
        found.update({field: value} if inner is None else inner)
    return {name: value for name, value in found.items() if value is not None}


def _fields(value: object) -> dict[str, Any] | None:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    if hasattr(type(value), "model_fields"):
        extra = cast("dict[str, Any] | None", getattr(value, "__pydantic_extra__", None))
        return {**vars(value), **(extra or {})}
    return None


def id_of(item: object) -> str | None:
    """The provider's id of a call: what its answer refers to, else the item's own."""
    found = read(item, "call_id")
    if found is None:
        found = read(item, "id")
    return found if isinstance(found, str) and found else None


def hosted_outcome(item: object) -> tuple[Any, str | None]:
    """What a call that the provider ran gave back, and its error."""
    result = next((read(item, name) for name in OUTPUTS if read(item, name) is not None), None)
    error = read(item, "error")
    if error is not None:
        return result, str(read(error, "message") or read(error, "content") or error)
    status = read(item, "status")
    return result, f"the provider says: {status}" if status == "failed" else None


def text_of(response: object) -> str:
    """The text of the messages in a model's response."""
    parts: list[str] = []
    for item in read(response, "output") or ():
        if type(item) is not ResponseFunctionToolCall and read(item, "type") == "message":
            for part in read(item, "content") or ():
                text = read(part, "text") or read(part, "refusal")
                if isinstance(text, str):
                    parts.append(text)
    return "".join(parts)


def input_text(given: object) -> str:
    """The last user message of a run's input."""
    if isinstance(given, str):
        return given
    if not isinstance(given, list):
        return ""
    for item in reversed(cast("list[object]", given)):
        if read(item, "role") == "user":
            content = read(item, "content")
            if isinstance(content, str):
                return content
            parts = [read(part, "text") for part in content or ()]
            return "".join(part for part in parts if isinstance(part, str))
    return ""


def exit_codes(item: object) -> list[int]:
    """The exit codes in a shell's output item."""
    output = read(item, "output")
    if not isinstance(output, list):
        return []
    codes = [read(read(one, "outcome"), "exit_code") for one in cast("list[object]", output)]
    return [code for code in codes if isinstance(code, int)]
