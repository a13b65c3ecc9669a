"""OpenAI's Chat Completions: messages, answers, and the chunks of a stream."""

from __future__ import annotations

from typing import Any

from toolscore._read import read, read_text
from toolscore._scoring.containers import is_sequence, kind_of
from toolscore.adapters._calls import Calls
from toolscore.adapters._content import content_of, shown, text_of


class Chat:
    """Reads messages one by one."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._stream: dict[Any, _Fragment] = {}
        self._words: list[str] = []

    def message(self, message: object) -> None:
        """One message of a history."""
        self.end_stream()
        role, tool_calls = read(message, "role"), read(message, "tool_calls")
        if role in ("tool", "function"):
            self._answer(message)
            return
        if role != "assistant" and tool_calls is None:
            self._calls.say(role, read(message, "content"))
            return
        self._calls.step += 1
        self._calls.say("assistant", read(message, "content"))
        if tool_calls is not None and not is_sequence(tool_calls):
            raise ValueError(
                f"tool_calls is {kind_of(tool_calls).__name__}, where a list would be right: "
                "pass the message as the API gave it."
            )
        for tool_call in tool_calls or ():
            self.tool_call(tool_call)
        legacy = read(message, "function_call")
        if legacy is not None and not tool_calls:  # gateways fill in both for one call
            self._calls.ask(read(legacy, "name"), read(legacy, "arguments"))

    def choices(self, choices: object) -> None:
        """The answers of one response, of which an agent goes on with the first."""
        if not is_sequence(choices):
            raise ValueError(
                f"choices is {kind_of(choices).__name__}, where a list would be right: pass the "
                "response as the API gave it."
            )
        first = next((choice for choice in choices if not read(choice, "index")), None)
        if first is None and choices:
            raise ValueError("choices holds null: pass the response as the API gave it.")
        delta = read(first, "delta")
        if delta is not None:
            self._chunk(delta)
            if read(first, "finish_reason") is not None:
                self.end_stream()
        elif read(first, "message") is not None:
            self.message(read(first, "message"))

    def end_stream(self) -> None:
        """Make calls of the fragments that came so far; chunks that follow begin another turn."""
        words, self._words = "".join(self._words), []
        if not self._stream:
            if words:
                self._calls.say("assistant", words, apart=True)
            return
        fragments, self._stream = self._stream, {}
        self._calls.step += 1
        self._calls.say("assistant", words)
        for fragment in fragments.values():
            fragment.ask(self._calls)

    def tool_call(self, tool_call: object) -> None:
        """One entry of a message's ``tool_calls``."""
        call_id = read(tool_call, "id")
        custom = read(tool_call, "custom")
        if custom is not None:
            self._calls.ask(read(custom, "name"), {"input": read(custom, "input")}, call_id)
            return
        function = read(tool_call, "function")
        if function is None or isinstance(function, str):  # flat, as some gateways store it
            name = function if isinstance(function, str) else read(tool_call, "name")
            written = read(tool_call, "arguments")
            self._calls.ask(name, read(tool_call, "args") if written is None else written, call_id)
            return
        self._calls.ask(read(function, "name"), read(function, "arguments"), call_id)

    def _answer(self, message: object) -> None:
        content = read(message, "content")
        # the format has no mark for a failure; some who write it do
        failed = read(message, "status") == "error" or read(message, "is_error") is True
        self._calls.answer(
            read(message, "tool_call_id"),
            content_of(content),
            tool=read(message, "name"),
            failed=failed,
            error=text_of(content) if failed else None,
        )

    def _chunk(self, delta: object) -> None:
        word = read(delta, "content")
        if isinstance(word, str) and word and self._calls.heard:
            self._words.append(word)
        legacy = read(delta, "function_call")
        if legacy is not None:
            self._stream.setdefault("function_call", _Fragment()).add(None, legacy)
        fragments = read(delta, "tool_calls")
        for fragment in fragments if is_sequence(fragments) else ():
            custom = read(fragment, "custom")
            self.fragment(fragment, custom or read(fragment, "function"), custom=bool(custom))

    def fragment(self, fragment: object, function: object, *, custom: bool = False) -> None:
        """A part of a call: ``fragment`` says which call's, ``function`` what it adds."""
        index, call_id = read(fragment, "index"), read_text(fragment, "id")
        key: Any = index if isinstance(index, (int, str)) else ("id", call_id)
        if index is None and call_id is None and self._stream:
            key = next(reversed(self._stream))  # without a number: it goes on with the last
        known = self._stream.get(key)
        if known is not None and call_id and known.id not in (None, call_id):
            # some servers number every call 0, and tell them apart by their ids
            self._stream[len(self._stream), known.id] = self._stream.pop(key)
            known = None
        if known is None:
            known = self._stream[key] = _Fragment()
        known.add(call_id, function)
        known.custom = known.custom or custom


class _Fragment:
    """A call of which a stream has told a part."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.custom = False
        self._names: list[str] = []
        self._written: list[Any] = []

    def add(self, call_id: str | None, function: object) -> None:
        """What one chunk says of it."""
        self.id = self.id or call_id
        name = read_text(function, "name")
        if name and self._names != [name]:  # some servers repeat the name in each chunk
            self._names.append(name)
        for field in ("arguments", "input", "args"):
            written = read(function, field)
            if written not in (None, ""):
                self._written.append(written)

    def ask(self, calls: Calls) -> None:
        """The call, as far as it was told."""
        written: Any = self._written[0] if len(self._written) == 1 else None
        if len(self._written) > 1:
            written = "".join(shown(part) for part in self._written)
        name = "".join(self._names) or None
        calls.ask(name, {"input": written or ""} if self.custom else written, self.id)
