"""The outcome of a tool call, from what the framework makes of it."""

from __future__ import annotations

from typing import cast

from llama_index.core.tools import ToolOutput

from toolscore import OpenCall
from toolscore_integrations.llama_index._read import read

SHORT = 4096


def record_output(call: OpenCall, output: object, *, mcp: bool = False) -> str:
    """Put a tool's output into its call; gives the text that the model is shown.

    A ``ToolOutput`` may say that it is an error. A server's own error (``mcp``) is not among the
    errors that the framework knows.
    """
    if not isinstance(output, ToolOutput):
        call.finish(output)
        return ""
    text = output.content
    _record(call, output, text, mcp)
    return text


def _record(call: OpenCall, output: ToolOutput, text: str, mcp: bool) -> None:
    if output.is_error:
        exception = output.exception
        error: Exception | str = text if exception is None else exception
        source = "tool_output" if exception is None else "exception"
        call.fail(error, source=source)
        if exception is not None and text not in (str(exception), ""):
            call.note(model_visible_result=text)
        return
    if mcp and (read(output.raw_output, "isError") or read(output.raw_output, "is_error")):
        call.fail(_server_text(output.raw_output) or text, source="mcp")
        call.note(model_visible_result=text)
        return
    call.finish(output.raw_output)
    if not _says(text, output.raw_output):
        call.note(model_visible_result=text)


def _server_text(result: object) -> str:
    parts: object = read(result, "content")
    texts = [read(part, "text") for part in cast("list[object]", parts or [])]
    return "\n".join(text for text in texts if isinstance(text, str))


def _says(text: str, raw: object) -> bool:
    """Whether the text that the model is shown is the result itself, written out."""
    if isinstance(raw, str):
        return text == str.__str__(raw)  # its class may compare as it likes
    if raw is None or isinstance(raw, (int, float)):
        return text == str(raw)
    if isinstance(raw, (dict, list, tuple)):
        # writing a long result out once more would cost more than the note is worth
        return len(text) > SHORT or text == str(raw)  # pyright: ignore[reportUnknownArgumentType]
    return False
