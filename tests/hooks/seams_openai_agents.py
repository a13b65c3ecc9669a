"""Whether the OpenAI Agents SDK is wrapped, and the short run that tests of it make."""

from __future__ import annotations

from typing import Any

import wrapt
from agents import Runner
from agents.util import _error_tracing

NAMES = ("run", "run_sync", "run_streamed")
TURNS: list[Any] = [[("echo", {"text": "a"}, "c1")], "done"]
MADE = [("echo", {"text": "a"}, "ok", "a")]


def echo(text: str) -> str:
    """Say it back."""
    return text


def methods() -> list[Any]:
    """What we wrap, as it is now."""
    return [vars(Runner)[name] for name in NAMES] + [_error_tracing.attach_error_to_current_span]


def wrapped() -> bool:
    """Whether ours is in place of the SDK's; by type, since wrappers equal what they wrap."""
    found = {isinstance(method, wrapt.FunctionWrapper) for method in methods()}
    [answer] = found
    return answer
