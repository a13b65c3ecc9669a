"""Whether a tool hit its own timeout: the SDK answers with a text and says nothing else."""

from __future__ import annotations

import time
from typing import Any

import agents.exceptions
import agents.tool
from agents.exceptions import AgentsException

from toolscore_integrations.openai_agents._asked import Asked

# versions from before tools had timeouts lack both
make_error: Any = getattr(agents.exceptions, "ToolTimeoutError", None)
make_text: Any = getattr(agents.tool, "default_tool_timeout_error_message", None)


def timed_out(asked: Asked, tool: Any, result: object) -> tuple[AgentsException, str] | None:
    """The timeout that a tool's result stands for, and how that is known.

    By the SDK's own text; with a ``timeout_error_function`` of the user's by the time that passed.
    """
    limit = getattr(tool, "timeout_seconds", None)
    if make_error is None or limit is None or asked.started is None:
        return None
    error: AgentsException = make_error(tool_name=tool.name, timeout_seconds=limit)
    if getattr(tool, "timeout_error_function", None) is None:
        text = make_text(tool_name=tool.name, timeout_seconds=limit)
        return (error, "timeout(message)") if result == text else None
    if time.perf_counter() - asked.started >= limit:
        return error, "timeout(inferred)"
    return None
