"""What a run, a node or a tool is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
)

from toolscore_integrations.langchain._messages import text_of
from toolscore_integrations.langchain._shapes import as_list, as_mapping

PLAIN: frozenset[type] = frozenset({str, int, float, bool, type(None), list, dict})
"""What arguments are made of, as models write them."""


def input_of(inputs: object) -> object:
    """What the run was given, as far as it is a conversation.

    Of a state with messages only they are kept: what else is in it (clients, tokens, documents)
    belongs to the host, and may be secret or huge.
    """
    state = as_mapping(inputs)
    if state is not None and "messages" in state:
        return {"messages": state["messages"]}
    return inputs


def heard_in(inputs: object) -> list[tuple[str, str]]:
    """What the user and the system said, after the last answer of a model."""
    state = as_mapping(inputs)
    given = inputs if state is None else state.get("messages", state.get("input"))
    spoken = [given] if isinstance(given, (str, BaseMessage)) else as_list(given)
    if spoken is None:
        return []
    try:
        messages = convert_to_messages(cast("list[Any]", spoken))
    except (ValueError, TypeError, NotImplementedError):
        return []  # an input that is no conversation
    heard: list[tuple[str, str]] = []
    for message in messages:
        if isinstance(message, AIMessage):
            heard.clear()
        elif isinstance(message, (HumanMessage, SystemMessage)):
            role = "user" if isinstance(message, HumanMessage) else "system"
            heard.append((role, text_of(message.content)))
    return heard


def prompt_in(messages: object) -> str | None:
    """What the system says, where it is the first of what a model is asked."""
    asked = as_list(messages)
    if asked and isinstance(asked[0], SystemMessage):
        return text_of(asked[0].content)
    return None


def without_injected(args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without what the framework put in: older versions show it to handlers."""
    if PLAIN.issuperset(map(type, args.values())):
        return cast("dict[str, Any]", args)
    return {
        name: value
        for name, value in args.items()
        if not type(value).__module__.startswith(("langgraph.", "langchain_core.", "langchain."))
    }


def calls_in(inputs: object) -> list[Mapping[str, Any]]:
    """The calls in the input of a node that is sent them, as ``create_agent`` does."""
    given = as_mapping(inputs)
    if given is not None:
        call = given.get("tool_call")
        return [call] if given.get("__type") == "tool_call_with_context" and call else []
    items = (as_mapping(item) for item in as_list(inputs) or ())
    return [item for item in items if item is not None and item.get("type") == "tool_call"]


def is_structured(update: object) -> bool:
    """Whether a node's update holds the final answer in its structured form."""
    for part in as_list(update) or [update]:
        state = as_mapping(part) or as_mapping(getattr(part, "update", None)) or {}
        if state.get("structured_response") is not None:
            return True
    return False


def unanswered(messages: list[BaseMessage]) -> AIMessage | None:
    """The last answer of a model, if it waits: it asks for calls, and nobody has spoken since."""
    answered: set[str] = set()
    for message in reversed(messages):
        if isinstance(message, ToolMessage):
            answered.add(message.tool_call_id)
        elif isinstance(message, AIMessage):
            waits = any(call["id"] not in answered for call in message.tool_calls)
            return message if waits else None
        elif isinstance(message, HumanMessage):
            return None
    return None
