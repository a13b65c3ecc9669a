"""Traces of Google's Gemini API and Vertex AI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore._unpack import fields_of, unpack
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters._blocks import HOSTED
from toolscore.adapters._calls import Calls
from toolscore.adapters._content import text_of, texts_of
from toolscore.adapters._source import items_of, refuse

__all__ = ["GeminiAdapter"]

_MAX_WRAPPERS = 8
_NAMES = {
    "call": ("function_call", "functionCall"),
    "response": ("function_response", "functionResponse"),
    "code": ("executable_code", "executableCode"),
    "ran": ("code_execution_result", "codeExecutionResult"),
    "server_call": ("tool_call", "toolCall"),
    "server_response": ("tool_response", "toolResponse"),
}
_HISTORY = ("automatic_function_calling_history", "automaticFunctionCallingHistory")
_AROUND = ("request", "response", "body", "data", "history")


class GeminiAdapter(BaseAdapter):
    """Contents, candidates, parts: requests, responses, streams; both spellings; with ids or none.

    Without ids an answer goes to the oldest open call of its function. Of several candidates the
    first counts. A function's answer that has ``error`` failed, as the API defines it.

    Source:
        ``toolscore.adapters.GeminiAdapter`` of tool-scorer; the formats are those of the
        ``google-genai`` package.

    Example:
        >>> history = [
        ...     {"role": "model", "parts": [
        ...         {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}}]},
        ...     {"role": "user", "parts": [
        ...         {"functionResponse": {"name": "weather", "response": {"output": "4C"}}}]},
        ... ]
        >>> [call] = GeminiAdapter().parse(history)
        >>> call.tool, call.args, call.result
        ('weather', {'city': 'Oslo'}, '4C')
    """

    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls of contents, of a response, of a stream's chunks, or of bare parts.

        Raises:
            ValueError: this is no such trace, or a call in it has no function's name.
        """
        return self.read_items(items_of(trace_data, type(self).__name__))

    def read_items(self, items: Iterable[object]) -> list[ToolCall]:
        """The same from the items one by one."""
        reader = _Reader()
        for item in items:
            reader.read(item, 0)
        return reader.calls.finish()


class _Reader:
    def __init__(self) -> None:
        self.calls = Calls()
        self._speaking = False
        """Whether what comes next may still belong to the model's turn: chunks of a stream."""

    def read(self, item: object, depth: int) -> None:
        """A content, a part, a response, or something around those."""
        if is_sequence(item):
            self._all(item, depth)
            return
        # the SDK's response has its first candidate's parts under a name of their own, too
        is_response = is_sequence(read(item, "candidates"))
        told = not is_response and read_first(item, "parts", "role")
        if is_sequence(told) or isinstance(told, str):
            self._speaking = False
            self._content(item)
            self._speaking = False
        elif not self._container(item, depth) and not self._alone(item):
            raise refuse("GeminiAdapter", item, "contents, candidates or parts")

    def _container(self, item: object, depth: int) -> bool:
        found = False
        for names in (("contents",), _HISTORY):
            contents = read_first(item, *names)
            if contents is not None:
                found = True
                self._all(contents if is_sequence(contents) else [contents], depth)
        candidates = read(item, "candidates")
        if is_sequence(candidates):
            found = True
            self._candidate(candidates)
        for name in _AROUND:
            inner = read(item, name)
            if inner is not None and not isinstance(inner, (str, bytes, int, float)):
                found = True
                self._all([inner], depth)
        told = ("prompt_feedback", "promptFeedback", "usage_metadata", "usageMetadata", "error")
        return found or read_first(item, *told) is not None

    def _candidate(self, candidates: list[Any] | tuple[Any, ...]) -> None:
        first = next((one for one in candidates if not read(one, "index")), None)
        content = read(first, "content")
        if content is not None:
            self._content(content)
        if read_first(first, "finish_reason", "finishReason") is not None:
            self._speaking = False

    def _content(self, content: object) -> None:
        if not self._speaking and read(content, "role") not in ("user", "function"):
            self.calls.step += 1
            self._speaking = True
        parts = read(content, "parts")
        said = texts_of(parts) if self.calls.heard else None
        role = read(content, "role") or "model"
        if said or role == "model":
            self.calls.say(role, said)
        for part in parts if is_sequence(parts) else ():
            self._part(part)

    def _alone(self, item: object) -> bool:
        """A part, or a function's call, without a content around it."""
        known = [name for names in _NAMES.values() for name in names]
        if read_first(item, *known) is None:
            name, args = read(item, "name"), read(item, "args")
            if name is None or (args is not None and not is_mapping(args)):
                # texts, images and thoughts are parts that hold no call
                return any(read(item, key) is not None for key in _OTHER_PARTS)
            item = {"function_call": item}
        if not self._speaking:
            self.calls.step += 1
        self._speaking = True
        self._part(item)
        return True

    def _part(self, part: object) -> None:
        found = {kind: read_first(part, *names) for kind, names in _NAMES.items()}
        call, response = found["call"], found["response"]
        if call is not None:
            self.calls.ask(read(call, "name"), read(call, "args"), read(call, "id"))
        if response is not None:
            self._answer(response)
        self._code(found["code"], found["ran"])
        self._served(found["server_call"], found["server_response"])

    def _answer(self, response: object) -> None:
        self._speaking = False
        given = read(response, "response")
        fields = dict(given) if is_mapping(given) else fields_of(given) or {}
        error = fields.get("error")
        failed = error is not None
        result = given
        if list(fields) == ["output"]:
            result = fields["output"]
        elif failed:
            rest = {key: value for key, value in fields.items() if key != "error"}
            result = rest or None
        call = self.calls.answer(
            read(response, "id"),
            unpack(result),
            tool=read(response, "name"),
            failed=failed,
            error=text_of(error) if failed else None,
        )
        if call is not None and read(response, "parts"):
            call.metadata["artifact"] = unpack(read(response, "parts"))

    def _code(self, code: object, ran: object) -> None:
        """Code that Google runs itself."""
        if code is not None:
            args = {"code": read(code, "code"), "language": unpack(read(code, "language"))}
            self.calls.ask(
                "code_interpreter",
                {key: value for key, value in args.items() if value is not None},
                read(code, "id"),
                **HOSTED,
            )
        if ran is not None:
            outcome = unpack(read(ran, "outcome"))
            failed = outcome not in (None, 1, "OUTCOME_OK", "OUTCOME_UNSPECIFIED")
            output = read(ran, "output")
            self.calls.answer(
                read(ran, "id"),
                None if failed else unpack(output),
                tool="code_interpreter",
                failed=failed,
                error=text_of(output) or outcome,
            )

    def _served(self, call: object, response: object) -> None:
        """Other tools that Google runs itself."""
        for asked in () if call is None else (call,):
            kind = unpack(read_first(asked, "tool_type", "toolType"))
            name = kind.lower() if isinstance(kind, str) else read_text(asked, "name")
            self.calls.ask(name, read(asked, "args"), read(asked, "id"), **HOSTED)
        if response is not None:
            self.calls.answer(read(response, "id"), unpack(read(response, "response")))

    def _all(self, items: Iterable[object], depth: int) -> None:
        if depth >= _MAX_WRAPPERS:
            raise ValueError(
                f"GeminiAdapter found more than {_MAX_WRAPPERS} lists and objects around the "
                "contents: pass the contents alone."
            )
        for item in items:
            self.read(item, depth + 1)


_OTHER_PARTS = (
    *("text", "inline_data", "inlineData", "file_data", "fileData", "thought"),
    *("video_metadata", "videoMetadata", "thought_signature", "thoughtSignature"),
)
