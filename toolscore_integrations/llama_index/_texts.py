"""Inputs and answers of runs, as text and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from llama_index.core.agent.workflow import AgentOutput
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.workflow import StartEvent, StopEvent

from toolscore import OpenRun


def input_of(event: StartEvent | None) -> Any:
    """What a run was given: the user's text for agents, else the fields of its start event."""
    if event is None:
        return None
    fields = {**vars(event), **event.to_dict()}
    if "user_msg" not in fields:
        return fields
    return _plain(fields["user_msg"] or fields.get("chat_history"))


def text_of_user(given: object) -> str | None:
    """The user's own words in an input, for the transcript."""
    if isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        texts = [value for value in given.values() if isinstance(value, str)]  # pyright: ignore[reportUnknownVariableType]
        return texts[0] if len(texts) == 1 else None
    if isinstance(given, list):
        said = [m["content"] for m in given if m["role"] == "user"]  # pyright: ignore[reportUnknownVariableType]
        return said[-1] if said else None  # pyright: ignore[reportUnknownVariableType]
    return None


def answer_of(stop: object, run: OpenRun) -> str | None:
    """The final answer's text in what a run stopped with."""
    value: object = stop.result if type(stop) is StopEvent else stop
    if isinstance(value, AgentOutput):
        return value.response.content or ""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, StopEvent):
        value = {**vars(value), **value.to_dict()}
    return str(run.copy(value)[0])


def message_text(message: ChatMessage) -> str:
    """The text of a message, without its other blocks."""
    return message.content or ""


def hear_prompt(run: OpenRun, messages: object) -> None:
    """What the system says is the first message of what a model is asked."""
    asked = cast("Sequence[object]", messages if isinstance(messages, Sequence) else ())
    first = asked[0] if asked else None
    if isinstance(first, ChatMessage) and first.role is MessageRole.SYSTEM:
        run.message("system", message_text(first))


def _plain(given: object) -> Any:
    if isinstance(given, ChatMessage):
        return message_text(given)
    if isinstance(given, Sequence) and not isinstance(given, str):
        messages = [m for m in given if isinstance(m, ChatMessage)]  # pyright: ignore[reportUnknownVariableType]
        return [{"role": m.role.value, "content": message_text(m)} for m in messages]
    return given
