"""What LangChain's messages say: who asked for what, and what was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage, convert_to_messages

from toolscore import Usage
from toolscore_integrations.langchain._shapes import as_list, as_mapping, is_a

MAX_DEPTH = 6
T = TypeVar("T")


@dataclass(frozen=True)
class Asked:
    """One call that a message asks for, as it stands there (not copied)."""

    tool: str
    args: Any
    id: str | None
    text: str | None = None
    """The argument text, where it is not valid: then the call cannot be run."""
    error: str | None = None


def asked_by(message: AIMessage) -> list[Asked]:
    """The calls that a model asks for; LangChain loses the order between valid and invalid ones."""
    asked = [Asked(call["name"], call["args"], call["id"]) for call in message.tool_calls]
    if not message.invalid_tool_calls:
        return asked
    invalid = [
        Asked(
            bad["name"] or "",
            None,
            bad["id"],
            text=bad["args"] or "",
            error=bad["error"] or "the arguments are not a JSON object",
        )
        for bad in message.invalid_tool_calls
    ]
    return asked + invalid


def text_of(content: object) -> str:
    """The text in a message's content, blocks of other kinds left out."""
    if isinstance(content, str):
        return content
    blocks = as_list(content)
    if blocks is None:
        return "" if content is None else str(content)
    parts = [b if isinstance(b, str) else (as_mapping(b) or {}).get("text") for b in blocks]
    return "".join(part for part in parts if isinstance(part, str))


def messages_in(value: object) -> Sequence[BaseMessage]:
    """The messages in what a node takes or returns: a state, an update, a ``Command``, a list."""
    update = as_mapping(value)
    if update is not None and len(update) == 1:  # what nearly all nodes give: only messages
        listed = as_list(update.get("messages"))
        if listed is not None and all(is_a(message, BaseMessage) for message in listed):
            return cast("Sequence[BaseMessage]", listed)
    found: list[BaseMessage] = []
    _gather(value, found, 0)
    return found


def _gather(value: object, found: list[BaseMessage], depth: int) -> None:
    if is_a(value, BaseMessage):
        found.append(value)
        return
    if depth >= MAX_DEPTH or value is None or isinstance(value, (str, bytes, int, float)):
        return
    items = as_list(value)
    if items is None:
        mapping = as_mapping(value)
        if mapping is not None:
            spoken = _spoken(mapping)
            items = list(mapping.values()) if spoken is None else [spoken]
        elif is_command(value):
            items = [getattr(value, "update", None)]
        else:  # a state that is a model or a dataclass
            items = [getattr(value, "messages", None)]
    for item in items:
        _gather(item, found, depth + 1)


def _spoken(entry: Mapping[str, object]) -> BaseMessage | None:
    """A message in the form that OpenAI gives it: graphs may call a model without LangChain."""
    role = entry.get("role")
    if not isinstance(role, str) or "content" not in entry:
        return None
    try:
        return convert_to_messages([cast("dict[str, Any]", entry)])[0]
    except (ValueError, TypeError, KeyError, NotImplementedError):
        return None  # a mapping that only looks like one


def is_command(value: object) -> bool:
    """Whether this is a LangGraph ``Command`` (LangGraph may be absent)."""
    kind = type(value)  # its class tells; a message asked for an attribute searches for long
    return hasattr(kind, "goto") and hasattr(kind, "update") and hasattr(kind, "graph")


def own_message(output: object, call_id: str | None) -> ToolMessage | None:
    """The message with the result, in what a tool gave: it may be inside commands and lists."""
    if is_a(output, ToolMessage):
        return output
    if not (is_command(output) or as_list(output)):
        return None
    for message in messages_in(output):
        if is_a(message, ToolMessage) and call_id in (None, message.tool_call_id):
            return message
    return None


def usage_of(message: AIMessage) -> Usage | None:
    """The tokens of an answer, if they are known; a total cost of 0 marks a copy out of a cache."""
    usage = message.usage_metadata
    if usage is None:
        return None
    if cast("dict[str, Any]", usage).get("total_cost") == 0:
        return Usage()
    return Usage(1, usage["input_tokens"], usage["output_tokens"], usage["total_tokens"])


class Sighted(Generic[T]):
    """What was recorded of a message, found when the message comes along again.

    LangGraph gives most messages their id, in place, only after the node that made them has ended;
    until then the object itself is what is known. It is held as long as the run goes on.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._by_id: dict[str, T] = {}
        self._unnamed: dict[int, tuple[BaseMessage, T]] = {}

    def add(self, message: BaseMessage, record: T) -> None:
        """Remember the record of a message; the newest counts."""
        if message.id:
            self._by_id[message.id] = record
            _bound(self._by_id, self._most)
        else:
            self._unnamed[id(message)] = (message, record)
            _bound(self._unnamed, self._most)

    def find(self, message: BaseMessage) -> T | None:
        """The record of a message, if it was seen before."""
        if message.id and message.id in self._by_id:
            return self._by_id[message.id]
        held = self._unnamed.get(id(message))
        if held is not None:
            return held[1]
        if not message.id:
            return None
        for key, (earlier, record) in list(self._unnamed.items()):
            if earlier.id:
                self._by_id.setdefault(earlier.id, record)
                del self._unnamed[key]
        return self._by_id.get(message.id)


def _bound(records: dict[Any, Any], most: int) -> None:
    """Forget the oldest."""
    if len(records) > most:
        records.pop(next(iter(records)), None)
