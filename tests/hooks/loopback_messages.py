"""Anthropic's Messages, as the API writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hooks.loopback_reply import Asked, Reply, event, pieces


def answered(request: Mapping[str, Any]) -> int:
    """How many turns the model has had since the user's last message.

    The results of tools come as messages of the user, too.
    """
    turns = 0
    for message in request["messages"]:
        if message["role"] == "assistant":
            turns += 1
        elif not _is_results(message["content"]):
            turns = 0
    return turns


def _is_results(content: Any) -> bool:
    return isinstance(content, list) and all(part["type"] == "tool_result" for part in content)


def plain(reply: Reply) -> dict[str, Any]:
    """A whole ``message``."""
    given, made = reply.tokens
    return {
        **_head(reply),
        "content": [_whole(part) for part in reply.parts],
        "stop_reason": _stop_reason(reply),
        "usage": {"input_tokens": given, "output_tokens": made},
    }


def _whole(part: str | Asked | dict[str, Any]) -> dict[str, Any]:
    if isinstance(part, str):
        return {**_block(part), "text": part}
    if isinstance(part, Asked):
        return {**_block(part), "input": json.loads(part.arguments)}
    return part


def events(reply: Reply) -> Iterator[bytes]:
    """The events of a stream: one block after the other, as the API does it."""
    given, made = reply.tokens
    begun = {**_head(reply), "usage": {"input_tokens": given, "output_tokens": 1}}
    yield _say("message_start", message=begun)
    yield _say("ping")
    for index, part in enumerate(reply.parts):
        yield _say("content_block_start", index=index, content_block=_block(part))
        for delta in _deltas(part):
            yield _say("content_block_delta", index=index, delta=delta)
        yield _say("content_block_stop", index=index)
    stopped = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
    counted = {"input_tokens": given, "output_tokens": made}
    yield _say("message_delta", delta=stopped, usage=counted)
    yield _say("message_stop")


def _say(kind: str, **data: Any) -> bytes:
    return event({"type": kind, **data}, name=kind)


def _block(part: str | Asked | dict[str, Any]) -> dict[str, Any]:
    """A block without what comes in pieces."""
    if isinstance(part, str):
        return {"type": "text", "text": "", "citations": None}
    if isinstance(part, Asked):
        return {"type": "tool_use", "id": part.id, "name": part.tool, "input": {}}
    return part


def _deltas(part: str | Asked | dict[str, Any]) -> Iterator[dict[str, Any]]:
    if isinstance(part, str):
        yield from ({"type": "text_delta", "text": piece} for piece in pieces(part))
    elif isinstance(part, Asked):
        yield {"type": "input_json_delta", "partial_json": ""}
        for piece in pieces(part.arguments):
            yield {"type": "input_json_delta", "partial_json": piece}


def _head(reply: Reply) -> dict[str, Any]:
    return {
        "id": f"msg_{reply.name}",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _stop_reason(reply: Reply) -> str:
    return "tool_use" if reply.calls else "end_turn"
