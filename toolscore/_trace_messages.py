"""An agent trace from messages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from toolscore._call import ToolCall
from toolscore._errors import AgentFormatError
from toolscore._plain import NO_NAMES, plain
from toolscore._read import read
from toolscore._scoring.containers import is_mapping, is_sequence, kind_of
from toolscore._turns import AgentTrace, AgentTurn, TurnRole
from toolscore.adapters._calls import Calls
from toolscore.adapters._chat import Chat
from toolscore.adapters._content import text_of

_ALIASES = {"developer": TurnRole.SYSTEM, "function": TurnRole.TOOL}


def parse_openai_style_trace(messages: Any) -> AgentTrace:
    """A trace from a list of OpenAI chat messages.

    Forgiving where writers differ (no content, arguments as an object, no ``type``, no id), strict
    where something would be lost: each message needs a role, each call the name of its function. A
    tool's message stays a turn of its own, and is the result of the call that it answers.
    Arguments that are no JSON object, or hold more digits than a float does, keep their text in
    ``metadata["raw_arguments"]``.

    Args:
        messages: Dicts with ``role`` (user, assistant, tool, system; ``developer`` is system,
            ``function`` is tool), ``content`` and ``tool_calls``.

    Raises:
        AgentFormatError: this is no such list; the message says which entry is wrong.

    Source:
        ``parse_openai_style_trace`` of kanros-agent, "Agent traces".

    Example:
        >>> trace = parse_openai_style_trace(
        ...     [
        ...         {"role": "user", "content": "ping"},
        ...         {
        ...             "role": "assistant",
        ...             "content": None,
        ...             "tool_calls": [{"function": {"name": "pong", "arguments": "{}"}}],
        ...         },
        ...     ]
        ... )
        >>> [turn.role.value for turn in trace.turns], trace.turns[1].tool_calls[0].tool
        (['user', 'assistant'], 'pong')
    """
    if not is_sequence(messages):
        raise AgentFormatError(
            f"A list of messages would be right, not {kind_of(messages).__name__}: pass "
            '[{"role": "user", "content": "..."}, ...]. For other formats there is '
            "AgentTrace.from_messages()."
        )
    calls = Calls()
    chat = Chat(calls)
    said: list[tuple[TurnRole, str, int]] = []
    for number, message in enumerate(messages):
        try:
            role = _role(message)
            chat.message(message)
            said.append((role, text_of(read(message, "content")) or "", len(calls.made)))
        except ValueError as error:  # noqa: PERF203 - it says which message is wrong
            raise AgentFormatError(f"Message {number}: {error}") from error
    turns: list[AgentTurn] = []
    first = 0
    for role, content, last in said:
        asked = calls.made[first:last] if role is TurnRole.ASSISTANT else ()
        turns.append(AgentTurn(role, content, tuple(asked)))
        first = last
    return AgentTrace(tuple(turns))


def messages_of(trace: AgentTrace) -> list[dict[str, Any]]:
    """``AgentTrace.to_messages``."""
    messages: list[dict[str, Any]] = []
    waiting: list[tuple[str, ToolCall]] = []
    number = 0
    for turn in trace.turns:
        message: dict[str, Any] = {"role": turn.role.value, "content": NO_NAMES.text(turn.content)}
        if turn.role is TurnRole.ASSISTANT and turn.tool_calls:
            asked: list[dict[str, Any]] = []
            message["tool_calls"] = asked
            for call in turn.tool_calls:
                call_id = call.metadata.get("id")
                call_id = call_id if isinstance(call_id, str) and call_id else f"call_{number}"
                number += 1
                waiting.append((call_id, call))
                asked.append(_asked(call_id, call))
        elif turn.role is TurnRole.TOOL and waiting:
            call_id, call = waiting.pop(_answered(turn.content, waiting))
            message["tool_call_id"] = call_id
            if call.is_error:
                message["status"] = "error"
        messages.append(message)
    return messages


def _asked(call_id: str, call: ToolCall) -> dict[str, Any]:
    raw = call.metadata.get("raw_arguments")
    written = raw if isinstance(raw, str) else _written(call.args or {})
    function = {"name": NO_NAMES.text(call.tool), "arguments": NO_NAMES.text(written)}
    return {"id": call_id, "type": "function", "function": function}


def _written(args: dict[str, Any]) -> str:
    try:
        return json.dumps(args, allow_nan=False)
    except (TypeError, ValueError, RecursionError):  # what JSON has no form for says so
        return json.dumps(plain(args))


def _answered(content: str, waiting: Sequence[tuple[str, ToolCall]]) -> int:
    """Which of the calls that wait a tool's turn answers: one with this answer, else the first."""
    for place, (_, call) in enumerate(waiting):
        if content in (call.result, call.error):
            return place
    return 0


def _role(message: object) -> TurnRole:
    if not is_mapping(message):
        raise AgentFormatError(
            f"an object with a role would be right, not {kind_of(message).__name__}."
        )
    written: Any = message.get("role")
    try:
        return _ALIASES.get(written) or TurnRole(written)
    except (ValueError, TypeError):
        roles = ", ".join([*(role.value for role in TurnRole), *_ALIASES])
        raise AgentFormatError(
            f"its role is {written!r}, and one of {roles} would be right."
            if "role" in message
            else f"it has no role: add one of {roles}."
        ) from None
