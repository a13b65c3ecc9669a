"""What calls were answered with, as far as no hook says it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore import Origin
from toolscore_integrations.openai_agents._call import Asked
from toolscore_integrations.openai_agents._items import (
    LOCAL,
    exit_codes,
    hosted_outcome,
    id_of,
    read,
)

NOT_FOUND = "Tool {!r} not found."
"""What the SDK answers under ``RunConfig(tool_not_found_behavior="return_error_to_model")``."""


def outputs_of(items: list[Any], wanted: set[str | None]) -> dict[str | None, Any]:
    """The newest outputs of these calls, by id, in items of a run or of a model's input."""
    found: dict[str | None, Any] = {}
    if not wanted:
        return found
    for item in reversed(items):
        kind = read(item, "type")
        if isinstance(kind, str) and kind.endswith("_output"):
            identifier = id_of(item)
            if identifier in wanted:
                found.setdefault(identifier, item)
                if len(found) == len(wanted):
                    break
    return found


def served(asked: Asked, item: object, items: Iterable[object]) -> None:
    """A call that the provider ran: its outcome is in its item, or in one of the same response."""
    wanted = ("shell_call_output", asked.request.id)
    answers = (other for other in items if (read(other, "type"), read(other, "call_id")) == wanted)
    result, error = hosted_outcome(next(answers, item))
    if error is None:
        asked.finish(result)
    else:
        asked.fail(error, "provider", result=result)
    asked.attempts = 1
    asked.note(mcp_server=read(item, "server_label"))


def answer(asked: Asked, output: Any) -> None:
    """What the item that answers a call adds to what the hooks said of it."""
    text = read(output, "output")
    if isinstance(text, str):
        asked.shown = text
        if asked.open:
            _answered_without_running(asked, text)
    if asked.request.family not in LOCAL:
        return
    codes = exit_codes(output)
    if codes:
        asked.note(exit_codes=codes)
    if asked.status == "ok" and read(output, "status") == "failed":
        said = asked.shown or "the tool says: failed"
        asked.fail(said, "raw_item.status", result=said)


def _answered_without_running(asked: Asked, text: str) -> None:
    if asked.kind == "handoff":  # another handoff of the same turn was taken
        asked.close("not_executed", origin="requested")
        return
    unknown = not asked.known or text == NOT_FOUND.format(asked.request.tool)
    origin: Origin = "unknown_tool" if unknown else "rejected"
    asked.fail(text, "output", result=text)
    asked.origin = origin
