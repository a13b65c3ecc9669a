"""An agent trace as JSON text, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from toolscore._arguments import parse_arguments
from toolscore._call import ToolCall
from toolscore._errors import AgentFormatError
from toolscore._plain import NO_NAMES, plain, unplain
from toolscore._scoring.containers import is_dict, is_list
from toolscore._turns import AgentTrace, AgentTurn, TurnRole

_MEASURES = ("timestamp", "duration", "cost")


def written(trace: AgentTrace) -> str:
    """``AgentTrace.to_json``."""
    turns = [
        {
            "role": turn.role.value,
            "content": NO_NAMES.text(turn.content),
            "tool_calls": [_written_call(call) for call in turn.tool_calls],
        }
        for turn in trace.turns
    ]
    return json.dumps({"turns": turns}, allow_nan=False)


def _written_call(call: ToolCall) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": NO_NAMES.text(call.tool),
        "arguments": plain(call.args),
        "result": plain(call.result),
        "error": None if call.error is None else NO_NAMES.text(call.error),
    }
    if "raw_arguments" in call.metadata:
        # the seed's reader wants the text here that the model wrote
        record["args"] = record["arguments"]
        record["arguments"] = plain(call.metadata["raw_arguments"])
    for name in _MEASURES:
        if getattr(call, name) is not None:
            record[name] = plain(getattr(call, name))
    if call.metadata and (call.error is None or call.metadata != {"error": call.error}):
        record["metadata"] = plain(call.metadata)
    return record


def read_back(text: str) -> tuple[AgentTurn, ...]:
    """The turns that ``written`` wrote; AgentFormatError for anything else."""
    try:
        data: object = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise AgentFormatError(
            f"Not the JSON of an agent trace ({type(error).__name__}: {error}): "
            "AgentTrace.to_json() writes it."
        ) from error
    if not is_dict(data) or not is_list(turns := data.get("turns")):
        raise AgentFormatError(
            "Not an agent trace: an object with a list under 'turns' would be right, as "
            "AgentTrace.to_json() writes it."
        )
    return tuple([_turn(turn, number) for number, turn in enumerate(turns)])


def _turn(turn: Any, number: int) -> AgentTurn:
    try:
        return AgentTurn(
            TurnRole(turn["role"]),
            _text(turn.get("content") or ""),
            tuple([_call(item) for item in turn.get("tool_calls") or ()]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AgentFormatError(
            f"Turn {number} of the agent trace cannot be read ({type(error).__name__}: {error}): "
            "it needs a 'role' (user, assistant, tool or system), and may have 'content' (text) "
            "and 'tool_calls' (a list of objects with 'name' and 'arguments')."
        ) from error


def _text(content: object) -> str:
    if not isinstance(content, str):
        raise TypeError(f"a text would be right, not {type(content).__name__}")
    return content


def _call(item: Mapping[str, Any]) -> ToolCall:
    arguments, message = unplain(item.get("arguments")), item.get("error")
    metadata: dict[str, Any] = {} if message is None else {"error": message}
    args = arguments
    if "args" in item:
        args = unplain(item["args"])
    elif arguments is not None and not isinstance(arguments, dict):
        args, left = parse_arguments(arguments)
        metadata |= left
    if "metadata" in item:
        metadata = cast("dict[str, Any]", unplain(item["metadata"]))
    if not is_dict(metadata):
        raise TypeError("metadata is no object")
    measures = {name: unplain(item.get(name)) for name in _MEASURES}
    return ToolCall(item["name"], args, unplain(item.get("result")), metadata=metadata, **measures)
