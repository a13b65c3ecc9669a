"""Responses, as the API writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any, TypeAlias

from hooks.loopback_reply import CREATED, Asked, Reply, event, pieces

Say: TypeAlias = Callable[..., bytes]
"""Writes one event, with the next number."""


def answered(request: Mapping[str, Any]) -> int:
    """How many turns the model has had since the user's last message.

    Several calls of one turn are several items, one after the other.
    """
    items = request["input"]
    turns, inside = 0, False
    for item in [] if isinstance(items, str) else items:
        if item.get("role") == "user":
            turns, inside = 0, False
            continue
        by_model = (
            item.get("role", "assistant") == "assistant"
            and item.get("type") != "function_call_output"
        )
        turns += by_model and not inside
        inside = by_model
    return turns


def plain(reply: Reply) -> dict[str, Any]:
    """A whole ``response``."""
    return _response(reply, "completed", _output(reply))


def events(reply: Reply) -> Iterator[bytes]:
    """The events of a stream: one output item after the other, as the API does it."""
    numbers = count()

    def say(kind: str, **data: Any) -> bytes:
        return event({"type": kind, "sequence_number": next(numbers), **data}, name=kind)

    yield say("response.created", response=_response(reply, "in_progress", []))
    yield say("response.in_progress", response=_response(reply, "in_progress", []))
    output = _output(reply)
    for index, item in enumerate(output):
        told = TOLD.get(item["type"], _other_events)
        yield from told(item, index, say)
        yield say("response.output_item.done", output_index=index, item=item)
    yield say("response.completed", response=_response(reply, "completed", output))


def _message_events(item: dict[str, Any], index: int, say: Say) -> Iterator[bytes]:
    at = {"item_id": item["id"], "output_index": index, "content_index": 0}
    [part] = item["content"]
    begun = {**item, "status": "in_progress", "content": []}
    yield say("response.output_item.added", output_index=index, item=begun)
    yield say("response.content_part.added", **at, part={**part, "text": ""})
    for piece in pieces(part["text"]):
        yield say("response.output_text.delta", **at, delta=piece, logprobs=[])
    yield say("response.output_text.done", **at, text=part["text"], logprobs=[])
    yield say("response.content_part.done", **at, part=part)


def _call_events(item: dict[str, Any], index: int, say: Say) -> Iterator[bytes]:
    at = {"item_id": item["id"], "output_index": index}
    begun = {**item, "status": "in_progress", "arguments": ""}
    yield say("response.output_item.added", output_index=index, item=begun)
    for piece in pieces(item["arguments"]):
        yield say("response.function_call_arguments.delta", **at, delta=piece)
    done = {"name": item["name"], "arguments": item["arguments"]}  # older clients need the name
    yield say("response.function_call_arguments.done", **at, **done)


def _other_events(item: dict[str, Any], index: int, say: Say) -> Iterator[bytes]:
    yield say("response.output_item.added", output_index=index, item=item)


TOLD = {"message": _message_events, "function_call": _call_events}


def _output(reply: Reply) -> list[dict[str, Any]]:
    return [_item(part, f"{reply.name}{index}") for index, part in enumerate(reply.parts)]


def _item(part: str | Asked | dict[str, Any], name: str) -> dict[str, Any]:
    if isinstance(part, dict):
        return part
    if isinstance(part, str):
        text = {"type": "output_text", "text": part, "annotations": [], "logprobs": []}
        message = {"type": "message", "status": "completed", "role": "assistant"}
        return {"id": f"msg_{name}", **message, "content": [text]}
    return {
        "id": f"fc_{name}",
        "type": "function_call",
        "status": "completed",
        "call_id": part.id,
        "name": part.tool,
        "arguments": part.arguments,
    }


def _response(reply: Reply, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    asked = reply.request
    given, made = reply.tokens
    usage = {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": made,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": given + made,
    }
    return {
        "id": f"resp_{reply.name}",
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": asked.get("instructions"),
        "max_output_tokens": None,
        "metadata": {},
        "model": reply.model,
        "output": output,
        "parallel_tool_calls": asked.get("parallel_tool_calls", True),
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "service_tier": "default",
        "store": asked.get("store", True),
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": asked.get("tool_choice", "auto"),
        "tools": asked.get("tools", []),
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": usage if status == "completed" else None,
        "user": None,
    }
