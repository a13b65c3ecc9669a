"""What a call that never ran was answered with."""

from __future__ import annotations

from typing import Any

from toolscore import Origin
from toolscore_integrations.openai_agents._asked import Asked
from toolscore_integrations.openai_agents._items import id_of, read

NOT_FOUND = "Tool {!r} not found."
"""What the SDK answers under ``RunConfig(tool_not_found_behavior="return_error_to_model")``."""


def outputs_of(items: list[Any], wanted: set[str | None]) -> dict[str | None, Any]:
    """The newest outputs of these calls, by id, in items of a run or of a model's input."""
    found: dict[str | None, Any] = {}
    for item in reversed(items):
        kind = read(item, "type")
        if isinstance(kind, str) and kind.endswith("_output"):
            identifier = id_of(item)
            if identifier in wanted:
                found.setdefault(identifier, item)
                if len(found) == len(wanted):
                    break
    return found


def answer(asked: Asked, text: str, source: str = "output") -> None:
    """A call was answered without being run."""
    if asked.kind == "handoff":  # another handoff of the same turn was taken
        asked.close("not_executed", origin="requested")
        return
    unknown = not asked.known or text == NOT_FOUND.format(asked.request.tool)
    origin: Origin = "unknown_tool" if unknown else "rejected"
    asked.fail(text, source, result=text)
    asked.call.note(origin=origin)
