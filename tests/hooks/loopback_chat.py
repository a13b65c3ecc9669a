"""Chat Completions, as the API writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hooks.loopback_reply import CREATED, Reply, event, interleaved, pieces


def answered(request: Mapping[str, Any]) -> int:
    """How many turns the model has had since the user's last message."""
    turns = 0
    for message in request["messages"]:
        turns = 0 if message["role"] == "user" else turns + (message["role"] == "assistant")
    return turns


def plain(reply: Reply) -> dict[str, Any]:
    """A whole ``chat.completion``."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": reply.text,
        "refusal": None,
        "annotations": [],
    }
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.tool, "arguments": call.arguments},
            }
            for call in reply.calls
        ]
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": _finish_reason(reply),
    }
    return {**_head(reply, "chat.completion"), "choices": [choice], "usage": _usage(reply)}


def events(reply: Reply) -> Iterator[bytes]:
    """The chunks of a stream: calls in parallel, their arguments in turns, told apart by index."""
    with_usage = (reply.request.get("stream_options") or {}).get("include_usage")
    head = _head(reply, "chat.completion.chunk")
    if with_usage:
        head["usage"] = None

    def chunk(delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return event({**head, "choices": [choice]})

    yield chunk(
        {"role": "assistant", "content": None if reply.text is None else "", "refusal": None}
    )
    for piece in pieces(reply.text or ""):
        yield chunk({"content": piece})
    for index, call in enumerate(reply.calls):
        function = {"name": call.tool, "arguments": ""}
        begun = {"index": index, "id": call.id, "type": "function", "function": function}
        yield chunk({"tool_calls": [begun]})
    for index, piece in interleaved(reply.calls):
        yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _finish_reason(reply))
    if with_usage:
        yield event({**head, "choices": [], "usage": _usage(reply)})
    yield event("[DONE]")


def _head(reply: Reply, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{reply.name}",
        "object": kind,
        "created": CREATED,
        "model": reply.model,
        "service_tier": "default",
        "system_fingerprint": "fp_loopback",
    }


def _finish_reason(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def _usage(reply: Reply) -> dict[str, Any]:
    given, made = reply.tokens
    return {
        "prompt_tokens": given,
        "completion_tokens": made,
        "total_tokens": given + made,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }
