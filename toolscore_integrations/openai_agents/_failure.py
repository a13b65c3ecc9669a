"""Whether a tool failed that the SDK says has ended."""

from __future__ import annotations

import time
from typing import Any

import agents.exceptions
import agents.tool
from agents.exceptions import AgentsException
from agents.tracing.spans import NoOpSpan

from toolscore import OpenRun
from toolscore_integrations.openai_agents._call import Asked
from toolscore_integrations.openai_agents._items import CUSTOM, read

UNSEEN = (
    "tracing is off, and then the SDK does not say whether a custom tool failed: {} may have failed"
)

# versions from before tools had timeouts lack both
make_error: Any = getattr(agents.exceptions, "ToolTimeoutError", None)
make_text: Any = getattr(agents.tool, "default_tool_timeout_error_message", None)


def failure_of(
    asked: Asked, tool: Any, result: object, run: OpenRun
) -> tuple[BaseException | str, str] | None:
    """What a tool that gave back ``result`` failed of, and which signal said so."""
    if asked.failure is not None:
        return asked.failure
    span = asked.span
    if span is not None and type(span) is not NoOpSpan:
        error: object = getattr(span, "error", None)
        if error:
            return str(read(read(error, "data"), "error") or read(error, "message")), "span"
    elif asked.request.family == CUSTOM:
        run.warn(UNSEEN.format(asked.request.tool))
    limit = getattr(tool, "timeout_seconds", None)
    return None if limit is None else _timed_out(asked, tool, limit, result)


def _timed_out(
    asked: Asked, tool: Any, limit: float, result: object
) -> tuple[AgentsException, str] | None:
    """The timeout that a result stands for: the SDK answers with a text and says nothing else.

    Known by the SDK's own text; with a ``timeout_error_function`` of the user's by the time that
    passed.
    """
    if make_error is None or asked.started is None:
        return None
    error: AgentsException = make_error(tool_name=tool.name, timeout_seconds=limit)
    if getattr(tool, "timeout_error_function", None) is None:
        text = make_text(tool_name=tool.name, timeout_seconds=limit)
        return (error, "timeout(message)") if result == text else None
    if time.perf_counter() - asked.started >= limit:
        return error, "timeout(inferred)"
    return None
