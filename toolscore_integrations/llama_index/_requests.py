"""What the model asks for, read from its messages and from the framework's events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.llm import ToolSelection

from toolscore._arguments import parse_arguments
from toolscore_integrations.llama_index._read import read


class Request(NamedTuple):
    """One call that is asked for.

    Attributes:
        tool: The tool's name.
        args: Its arguments, as the framework passes them on.
        id: The provider's call id, or "".
        key: The framework's own id of the call; the same, where the provider gives one.
        raw: The argument text, where it is not exactly a JSON object.
    """

    tool: str
    args: Mapping[str, Any]
    id: str = ""
    key: str = ""
    raw: str | None = None


def requests_in(message: ChatMessage) -> list[Request]:
    """The calls in a message that nobody has interpreted yet; malformed arguments become ``{}``."""
    found: list[Request] = []
    for tool, given, id_ in _written(message):
        args, kept = parse_arguments(given)
        found.append(Request(tool, args, id_, id_, kept.get("raw_arguments")))
    return found


def requests_of(
    selections: Sequence[ToolSelection], message: ChatMessage, *, own_ids: bool
) -> list[Request]:
    """The calls that an agent took from a message.

    The framework repairs malformed arguments before anyone sees them; the text that the model wrote
    is still in the message. With ``own_ids`` the ids are the framework's invention.
    """
    if not selections:
        return []
    texts = [w for w in _written(message) if isinstance(w[1], str)]
    found: list[Request] = []
    for selection in selections:
        name, key, raw = selection.tool_name, selection.tool_id or "", None
        written = next((t for t in texts if (t[0], t[2]) == (name, key)), None) if texts else None
        if written is not None:
            texts.remove(written)
            raw = parse_arguments(written[1])[1].get("raw_arguments")
        found.append(Request(name, selection.tool_kwargs or {}, "" if own_ids else key, key, raw))
    return found


def _written(message: ChatMessage) -> list[tuple[str, object, str]]:
    """(tool, arguments, id) of each call in a message, wherever the integration keeps them."""
    blocks: list[tuple[str, object, str]] = [
        (b.tool_name, b.tool_kwargs, b.tool_call_id or "")
        for b in message.blocks
        if isinstance(b, ToolCallBlock)
    ]
    if blocks:
        return blocks
    given = cast("object", message.additional_kwargs.get("tool_calls"))
    if not isinstance(given, (list, tuple)):
        return []
    return [w for item in cast("Iterable[object]", given) if (w := _of_provider(item))]


def _of_provider(item: object) -> tuple[str, object, str] | None:
    """A call as the providers' clients write it, or as ``ToolSelection``."""
    if isinstance(item, ToolSelection):
        return item.tool_name, item.tool_kwargs, item.tool_id or ""
    function = read(item, "function")
    name = read(function, "name")
    if not isinstance(name, str):
        return None
    return name, read(function, "arguments"), str(read(item, "id") or "")
