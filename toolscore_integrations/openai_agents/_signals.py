"""Signals of failure that no hook of the SDK carries.

Two functions of the SDK are wrapped for them, for the reasons that ``note_failure`` and
``note_mcp`` give. Tried on openai-agents 0.8.0 and 0.24.0; where one is missing, the run says so.
"""

from __future__ import annotations

import sys
from typing import Any, cast

import wrapt
from agents.tracing import get_current_span

from toolscore._guard import log
from toolscore_integrations.openai_agents._place import places
from toolscore_integrations.openai_agents._seam import Seam

try:
    from agents.util import _error_tracing
except ImportError:  # moved: failures are then seen in spans only, and the run says so
    _error_tracing = None  # type: ignore[assignment]
try:
    from agents.mcp import MCPUtil
except ImportError:  # the mcp package needs a newer Python
    MCPUtil = None  # type: ignore[assignment,misc]


def note_failure(wrapped: Any, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The SDK marks the current span as failed: so is the call that the span was opened for.

    It does so for every function tool that raises, tracing on or off, while the exception is being
    handled; what the model and the hooks are shown is a polite sentence.
    """
    try:
        span = get_current_span()
        error = sys.exc_info()[1]
        for place in places().values():
            if place.asked is None or span is None or place.span is not span or not error:
                continue
            if place.asked.failure is None and place.asked.running:
                place.asked.failure = error, "exception"
    except Exception:  # noqa: BLE001 - the user's run matters more than our record
        log.debug("could not note a failure", exc_info=True)
    return wrapped(*args, **kwargs)


def note_mcp(wrapped: Any, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A tool of an MCP server runs: let the server's answer be seen, for its ``isError``."""
    inside = [place for place in places().values() if place.asked is not None]
    if not inside or not (args or "server" in kwargs):
        return wrapped(*args, **kwargs)
    if args:
        args = (_Server(args[0]), *args[1:])
    else:
        kwargs = {**kwargs, "server": _Server(kwargs["server"])}
    return wrapped(*args, **kwargs)


class _Server(wrapt.ObjectProxy):  # type: ignore[type-arg]
    """An MCP server for the time of one call; the server itself is left as it is."""

    async def call_tool(self, *args: Any, **kwargs: Any) -> Any:
        """Call the tool, and note what the SDK drops from the server's answer."""
        server = cast("Any", self).__wrapped__
        answer: Any = await server.call_tool(*args, **kwargs)
        try:
            _note_answer(answer, server.name)
        except Exception:  # noqa: BLE001 - as above
            log.debug("could not read an MCP answer", exc_info=True)
        return answer


def _note_answer(answer: Any, server: str) -> None:
    failed = getattr(answer, "isError", None) or getattr(answer, "is_error", None)
    texts = [getattr(part, "text", None) for part in getattr(answer, "content", ())]
    message = "\n".join(text for text in texts if isinstance(text, str))
    for place in places().values():
        if place.asked is None:
            continue
        place.asked.kind = "mcp"
        place.asked.note(mcp_server=server)
        if failed:
            place.asked.failure = message or "the MCP server answered with isError", "mcp.isError"


probe = Seam(_error_tracing, "attach_error_to_current_span", note_failure)
mcp = Seam(MCPUtil, "invoke_mcp_tool", note_mcp)
