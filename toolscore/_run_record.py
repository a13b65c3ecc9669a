"""A run as versioned, strict JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolscore._call import ToolCall
from toolscore._plain import plain, unplain
from toolscore._scoring.containers import is_mapping
from toolscore._scoring.secrets import REDACTED, Redactor
from toolscore._shown import text_of
from toolscore._turns import AgentTrace, AgentTurn, TurnRole

if TYPE_CHECKING:
    from toolscore._run import Run

VERSION = 1
_NAME = "toolscore.run"
_TEXTS = ("id", "status", "error", "error_type", "output", "agent", "framework", "thread_id")
_COUNTS = ("requests", "input_tokens", "output_tokens", "total_tokens")
REDACTED_ON_SAVING = (
    "values were redacted when this run was saved, so they cannot be compared any more"
)
_RUN_STATUSES = ("ok", "error", "interrupted", "cancelled", "unfinished")


def call_record(call: ToolCall, redactor: Redactor) -> dict[str, Any]:
    """One call, every field; ``status``, ``is_error`` and ``error`` follow from ``metadata``."""
    return {
        "tool": redactor.text(text_of(call.tool)),
        "args": plain(call.args, redactor),
        "result": plain(call.result, redactor),
        "status": call.status,
        "is_error": call.is_error,
        "error": None if call.error is None else redactor.text(call.error),
        "timestamp": plain(call.timestamp),
        "duration": plain(call.duration),
        "cost": plain(call.cost),
        "metadata": plain(call.metadata, redactor),
    }


def run_record(run: Run, redactor: Redactor) -> dict[str, Any]:
    """``Run.to_dict``: a turn names a call of the run by its place in ``calls``."""
    place = {id(call): number for number, call in enumerate(run.calls)}
    return {
        "schema": _NAME,
        "schema_version": VERSION,
        **{name: plain(getattr(run, name), redactor) for name in _TEXTS},
        "input": plain(run.input, redactor),
        "calls": [call_record(call, redactor) for call in run.calls],
        "transcript": [
            {
                "role": turn.role.value,
                "content": redactor.text(text_of(turn.content)),
                "tool_calls": [
                    place[id(call)] if id(call) in place else call_record(call, redactor)
                    for call in turn.tool_calls
                ],
            }
            for turn in run.transcript.turns
        ],
        "usage": None if run.usage is None else {n: plain(getattr(run.usage, n)) for n in _COUNTS},
        "started": plain(run.started),
        "duration": plain(run.duration),
        "complete": run.complete,
        "warnings": [redactor.text(text_of(warning)) for warning in run.warnings],
        "tools": plain(run.tools, redactor),
        "signals": plain(run.signals),
        "dropped": plain(run.dropped),
    }


def run_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """What ``Run`` is made of, read from ``run_record``; ValueError for anything else."""
    if not is_mapping(data) or data.get("schema") != _NAME:
        raise ValueError(
            f"Not the record of a run: a mapping with 'schema': {_NAME!r} would be right, as "
            "Run.to_dict() writes it."
        )
    if data.get("schema_version") != VERSION:
        raise ValueError(
            f"This record has schema_version {data.get('schema_version')!r}, and this version of "
            f"toolscore reads {VERSION}: update toolscore-integrations."
        )
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ValueError(
            f"The record of a run is damaged ({type(error).__name__}: {error}): write it again "
            "with Run.to_dict()."
        ) from error


def _read(data: Mapping[str, Any]) -> dict[str, Any]:
    from toolscore._run import Usage  # _run reads this module

    if data["status"] not in _RUN_STATUSES:
        raise ValueError(f"unknown status {data['status']!r}")
    calls = tuple(_call(item) for item in data["calls"])
    turns = [
        AgentTurn(
            TurnRole(turn["role"]),
            turn["content"],
            tuple(calls[c] if isinstance(c, int) else _call(c) for c in turn["tool_calls"]),
        )
        for turn in data["transcript"]
    ]
    warnings = tuple(data["warnings"])
    redacted = any(REDACTED in json.dumps([c["args"], c["result"]]) for c in data["calls"])
    if redacted and REDACTED_ON_SAVING not in warnings:
        warnings += (REDACTED_ON_SAVING,)
    return {
        **{name: unplain(data[name]) for name in _TEXTS},
        "input": unplain(data["input"]),
        "calls": calls,
        "transcript": AgentTrace(tuple(turns)),
        "usage": None if data["usage"] is None else Usage(**data["usage"]),
        "started": unplain(data["started"]),
        "duration": unplain(data["duration"]),
        "complete": bool(data["complete"]) and not redacted,
        "warnings": warnings,
        "tools": unplain(data["tools"]),
        "signals": dict(data["signals"]),
        "dropped": int(data["dropped"]),
    }


def _call(item: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        item["tool"],
        unplain(item["args"]),
        unplain(item["result"]),
        unplain(item["timestamp"]),
        unplain(item["duration"]),
        unplain(item["cost"]),
        unplain(item["metadata"]),
    )
