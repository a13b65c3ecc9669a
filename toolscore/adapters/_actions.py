"""What LangChain's ``AgentExecutor`` writes: actions, and what was observed after them."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_first
from toolscore._scoring.containers import is_dict, is_sequence
from toolscore._unpack import unpack
from toolscore.adapters._calls import Calls, arguments_of
from toolscore.adapters._content import text_of

FINAL_ANSWER = "Final Answer"
"""How agents that write JSON end their run: it has the form of an action, and is none."""

NO_SUCH_TOOL = "is not a valid tool, try one of ["
"""What LangChain answers to the name of a tool that there is not."""


class Actions:
    """Reads actions one by one."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._announced: deque[ToolCall] = deque()
        self._turn: object = None

    def announce(self, action: object) -> None:
        """An action of a stream, which shows it a second time with what was observed."""
        call = self.action(action)
        if call is not None:
            self._announced.append(call)

    def action(self, action: object) -> ToolCall | None:
        """An action; None for the one that ends the run."""
        tool = read_first(action, "tool", "action")
        if tool == FINAL_ANSWER:
            return None
        turn = _turn_of(action)
        if turn is None or turn != self._turn:
            self._calls.step += 1
        self._turn = turn
        args, kept = _arguments(read_first(action, "tool_input", "action_input"))
        call_id = read_first(action, "tool_call_id", "id")
        log = read(action, "log")
        if not isinstance(call_id, str):  # the dump's own name for the class is no id
            call_id = None
        return self._calls.ask(
            tool, args, call_id, log=log if isinstance(log, str) and log else None, **kept
        )

    def observed(self, action: object, observation: object) -> None:
        """An action, and what came of it."""
        first = self._announced[0] if self._announced else None
        if first is not None and first.tool == read_first(action, "tool", "action"):
            call: ToolCall | None = self._announced.popleft()
        else:
            call = self.action(action)
        if call is None:
            return
        result = unpack(observation)
        unknown = isinstance(result, str) and NO_SUCH_TOOL in result
        self._calls.close(call, result, failed=unknown, error=text_of(result) if unknown else None)
        if unknown:
            call.metadata["origin"] = "unknown_tool"


def is_action(item: object) -> bool:
    """Whether this is an action, of any age."""
    return (read(item, "tool") is not None and read(item, "tool_input") is not None) or (
        read(item, "action") is not None and read(item, "action_input") is not None
    )


def _arguments(written: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """A lone text is the input of a tool that takes one, even where it reads like a number."""
    if not isinstance(written, str):
        return arguments_of(written)
    try:
        is_object = is_dict(json.loads(written))
    except (ValueError, RecursionError):
        is_object = False
    return arguments_of(written) if is_object else ({"input": written}, {})


def _turn_of(action: object) -> object:
    """What the actions of one model's turn have in common: the calls that its message asks for."""
    log = read(action, "message_log")
    message = log[-1] if is_sequence(log) and log else None
    message = read_first(message, "kwargs", "data") or message
    asked = read(message, "tool_calls")
    if not is_sequence(asked):
        return None
    ids = [read(call, "id") for call in asked]
    named = all(isinstance(one, str) and one for one in ids)
    return tuple(ids) if named and ids else None
