"""LangChain's messages, as objects and as each of its dumps writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolscore._read import read, read_list, read_text
from toolscore._scoring.containers import is_list, is_mapping
from toolscore._unpack import unpack
from toolscore.adapters._actions import NO_SUCH_TOOL
from toolscore.adapters._blocks import Blocks
from toolscore.adapters._calls import Calls, arguments_of
from toolscore.adapters._chat import Chat
from toolscore.adapters._content import blocks_of, text_of, texts_of
from toolscore.adapters._responses import Items

_KINDS = {
    "human": "human",
    "ai": "ai",
    "system": "system",
    "tool": "tool",
    "function": "function",
    "chat": "chat",
    "remove": "system",
}
_FORM = (
    "Returning structured response: ",
    "Error: Failed to parse structured output for tool ",
    "Error: Model incorrectly returned multiple structured responses",
)
"""What ``create_agent`` answers itself where the "tool" is the form of the final answer."""


class Spoken:
    """Reads messages one by one; one that comes again, as states repeat them, counts once."""

    def __init__(self, calls: Calls, chat: Chat) -> None:
        self._calls = calls
        self._chat = chat
        self._blocks, self._items = Blocks(calls), Items(calls)
        self._seen: set[str] = set()
        self._chunks: str | None = None
        self._invalid: dict[str, tuple[object, int, Any]] = {}
        """By id: calls whose arguments are no JSON, which were not answered yet."""

    def message(self, kind: str, message: object) -> None:
        """One message."""
        message_id = read_text(message, "id")
        if kind == "chunk" and read_list(message, "tool_call_chunks"):
            self._chunk(message, message_id)
            return
        self._chat.end_stream()
        if message_id is not None:
            if message_id in self._seen:
                return
            self._seen.add(message_id)
        if kind == "ai" or (kind == "chunk" and read_list(message, "tool_calls")):
            self._ai(message)
        elif kind == "tool":
            self._tool(message)
        elif kind in ("human", "system"):
            self._calls.say(kind, read(message, "content"))
        elif kind == "function":
            self._calls.answer(None, unpack(read(message, "content")), tool=read(message, "name"))

    def end(self) -> None:
        """Calls that could not be read, beside others, were not run: the turn's first has them."""
        self._chat.end_stream()
        for entry, _, first in self._invalid.values():
            first.metadata.setdefault("invalid_tool_calls", []).append(unpack(entry))

    def _chunk(self, message: object, message_id: str | None) -> None:
        if message_id != self._chunks:
            self._chat.end_stream()
        self._chunks = message_id
        if message_id is not None:
            self._seen.add(message_id)
        for fragment in read_list(message, "tool_call_chunks"):
            self._chat.fragment(fragment, fragment)

    def _ai(self, message: object) -> None:
        self._calls.step += 1
        if self._calls.heard:
            self._calls.say("assistant", texts_of(read(message, "content")))
        before = len(self._calls.made)
        for call in read_list(message, "tool_calls"):
            function = read(call, "function")
            if function is not None:
                self._chat.tool_call(call)
            else:
                self._calls.ask(read(call, "name"), read(call, "args"), read(call, "id"))
        invalid = read_list(message, "invalid_tool_calls")
        more = read(message, "additional_kwargs")
        if len(self._calls.made) == before and not invalid:
            self._older(more)
        asked = self._calls.made[before:]
        for block in (*blocks_of(message), *read_list(more, "tool_outputs")):
            self._block(block, asks=not asked and not invalid)
        for entry in invalid:
            self._not_json(entry, asked)

    def _older(self, more: object) -> None:
        """Messages of before LangChain had calls of its own carry OpenAI's."""
        for call in read_list(more, "tool_calls"):
            self._chat.tool_call(call)
        legacy = read(more, "function_call")
        if legacy is not None and not read_list(more, "tool_calls"):
            self._calls.ask(read(legacy, "name"), read(legacy, "arguments"))

    def _block(self, block: object, *, asks: bool) -> None:
        inner = read(block, "value") if read(block, "type") == "non_standard" else None
        block = inner if is_mapping(inner) else block
        if not self._items.served(block):
            self._blocks.block(block, asks=asks)

    def _not_json(self, entry: object, asked: list[Any]) -> None:
        """A call that cannot be run. Alone it is what the turn asked for; beside others, who knows.

        An agent that goes on answers it, and then it counts.
        """
        call_id = read_text(entry, "id")
        if asked and call_id is not None:
            self._invalid[call_id] = entry, self._calls.step, asked[0]
        elif not asked:
            self._refused(entry, self._calls.step)
        else:
            asked[0].metadata.setdefault("invalid_tool_calls", []).append(unpack(entry))

    def _refused(self, entry: object, step: int) -> None:
        args, kept = arguments_of(read(entry, "args"))
        call = self._calls.ask(
            read_text(entry, "name") or "",
            args,
            read(entry, "id"),
            step=step,
            status="error",
            is_error=True,
            origin="invalid_json",
            **kept,
        )
        said = read_text(entry, "error")
        call.metadata["error"] = said or "the arguments are not a JSON object"

    def _tool(self, message: object) -> None:
        call_id, content = read(message, "tool_call_id"), read(message, "content")
        failed = read(message, "status") == "error"
        text = said = text_of(content)
        if isinstance(call_id, str) and call_id in self._invalid:
            entry, step, _ = self._invalid.pop(call_id)
            self._refused(entry, step)
            failed, said = True, read_text(entry, "error") or text
        call = self._calls.answer(
            call_id,
            unpack(content),
            tool=read(message, "name"),
            failed=failed,
            error=said if failed else None,
        )
        if call is None:
            return
        artifact = read(message, "artifact")
        if artifact is not None:
            call.metadata["artifact"] = unpack(artifact)
        if failed and NO_SUCH_TOOL in (text or ""):
            call.metadata["origin"] = "unknown_tool"
        elif not failed and (text or "").startswith(_FORM):
            call.metadata["origin"] = "structured_output"


def opened(item: object) -> tuple[str | None, object]:
    """The kind of a message (None: it is none), and what holds its fields.

    Raises:
        ValueError: LangChain could not dump it, and wrote that instead.
    """
    kwargs, path = read(item, "kwargs"), read(item, "id")
    if read(item, "lc") is not None and is_list(path):
        if read(item, "type") == "not_implemented":
            raise ValueError(
                f"LangChain could not dump {str(path[-1:])[:80]}, and nothing of it is left in "
                "this trace: dump the messages with messages_to_dict."
            )
        name = str(path[-1]) if path else ""
        return _kind(name), kwargs
    kind, data = read(item, "type"), read(item, "data")
    if isinstance(kind, str) and is_mapping(data) and _kind(kind) is not None:
        return _kind(kind), data
    if isinstance(kind, str) and _has_content(item):
        return _kind(kind), item
    return None, item


def _has_content(item: object) -> bool:
    return "content" in item if isinstance(item, Mapping) else hasattr(item, "content")


def _kind(name: str) -> str | None:
    if name == "AIMessageChunk":
        return "chunk"
    name = name.removesuffix("Chunk")
    if name.endswith("Message"):
        name = name.removesuffix("Message").lower()
    return _KINDS.get(name)
