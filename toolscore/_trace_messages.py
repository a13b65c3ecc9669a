"""An agent trace from messages."""

from __future__ import annotations

from typing import Any

from toolscore._errors import AgentFormatError
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
