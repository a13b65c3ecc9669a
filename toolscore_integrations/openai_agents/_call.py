"""A call that the model asked for: what is known of it, kept as it comes in."""

from __future__ import annotations

import json
import time
from typing import Any

from toolscore import Kind, Origin, Status, ToolCall
from toolscore._arguments import parse_arguments
from toolscore._open_call import describe
from toolscore._snapshot import fits, snapshot
from toolscore_integrations.openai_agents._items import Request

UNNAMED = "<unnamed>"
"""Stands for the empty tool name that a model may ask for."""


class Asked:
    """A call that the model asked for: what is known of it, and whether it was answered.

    Texts are kept as they are, since nothing can change them; anything else is copied at once.
    """

    # defaults of the class and not of a dataclass: nearly all calls keep most of them, and each
    # that is set costs every call of every run
    number: int = 0
    """Its place among the calls of the whole run, from 1."""
    cut: bool = False
    """Whether the arguments were cut."""
    status: Status | None = None
    started: float | None = None
    """By the clock of ``duration``."""
    timestamp: float | None = None
    duration: float | None = None
    attempts: int = 0
    result: object = None
    error: str | None = None
    error_type: str | None = None
    notes: dict[str, Any] | None = None
    """Whatever else goes to the metadata."""
    done: bool = False
    paused: bool = False
    """Whether a run inside it waits for a person: what it returns then is no result."""
    context: object = None
    """What the SDK began it with."""
    span: object = None
    failure: tuple[BaseException | str, str] | None = None
    """What a signal of failure said, and which one."""
    held: object = None
    """The result of a call that was cancelled: by itself or with the run is not known yet."""
    shown: str | None = None
    """What the model is shown of it."""

    def __init__(
        self,
        request: Request,
        limit: int,
        *,
        kind: Kind,
        origin: Origin,
        known: bool,
        step: int,
        agent: str,
        within: Asked | None,
        depth: int,
    ) -> None:
        self.request = request
        self.limit = limit
        """Bytes kept per value."""
        self.kind: Kind = kind
        self.origin: Origin = origin
        self.known = known
        """Whether the agent has such a tool."""
        self.step = step
        self.agent = agent
        self.within = within
        self.depth = depth
        self.args: Any = request.args
        """The text, or a copy of the mapping."""
        if type(self.args) is not str or len(self.args) * 5 > limit:
            self._copy_args()

    def _copy_args(self) -> None:
        parsed, kept = parse_arguments(self.request.args)
        self.args, args_cut = snapshot(parsed, self.limit)
        remarks, text_cut = snapshot(kept, self.limit)
        self.cut = args_cut or text_cut
        self.note(**remarks)

    @property
    def running(self) -> bool:
        """Whether the SDK began it and has not said that it ended."""
        return self.started is not None and not self.done

    @property
    def open(self) -> bool:
        """Whether nothing happened to it yet."""
        return self.started is None and not self.done

    def start(self) -> None:
        """The tool begins."""
        self.started = time.perf_counter()
        self.timestamp = self.timestamp or time.time()
        self.attempts += 1

    def finish(self, result: object) -> None:
        """The tool returned."""
        if type(result) is not str or len(result) * 4 > self.limit:
            result = self._copied(result)
        self.result = result
        self._stop("ok")

    def fail(self, error: BaseException | str, source: str, *, result: object = None) -> None:
        """The tool failed; ``result`` is what the model is shown instead."""
        self.error, self.error_type = describe(error, self.limit)
        self.result = self._copied(result)
        self.note(error_source=source)
        if self._is_malformed():
            self.origin = "invalid_json"
        self._stop("error")

    def close(self, status: Status, *, origin: Origin | None = None) -> None:
        """Any other end."""
        self._is_malformed()
        if origin is not None:
            self.origin = origin
        self._stop(status)

    def note(self, **metadata: Any) -> None:
        """Add metadata, plain values; the keys and their meaning stand in ``docs/metadata.md``."""
        self.notes = {**(self.notes or {}), **metadata}

    def settle(self, status: Status) -> None:
        """The run ended, and left it open: ``status`` is that of one that was running."""
        if self.started is not None:
            self.close(status)
        else:
            self.close("not_executed", origin="requested" if self.origin == "executed" else None)

    def _stop(self, status: Status) -> None:
        if self.started is not None:
            self.duration = time.perf_counter() - self.started
        self.status, self.done = status, True
        if self.cut:  # the whole text is not needed any more
            self.request = self.request._replace(args=None)
        self.failure = self.held = self.span = self.context = None

    def _copied(self, value: object) -> Any:
        copied, cut = snapshot(value, self.limit)
        if cut:
            self.note(truncated=True)
        return copied

    def _is_malformed(self) -> bool:
        """Whether the arguments are text that is no JSON object: then the tool never ran."""
        if not is_malformed(self.request.args):
            return False
        self.started = self.timestamp = None
        self.attempts = 0
        return True

    def to_call(self) -> ToolCall:
        """The finished record; sets ``cut``."""
        metadata: dict[str, Any] = {
            "key": f"c{self.number}",
            "parent": None if self.within is None else f"c{self.within.number}",
            "depth": self.depth,
            "attempts": self.attempts,
            "status": self.status,
            "is_error": self.status == "error",
            "id": self.request.id,
            "origin": self.origin,
            "kind": self.kind,
            "step": self.step,
            "agent": self.agent,
        }
        args = self.args
        if type(args) is str:
            text, (args, kept) = args, parse_arguments(args)
            metadata.update(kept)
            if not fits(text, self.limit):
                args, self.cut = snapshot(args, self.limit)
        if self.notes is not None:
            metadata.update(self.notes)
        if self.error is not None:
            metadata["error"] = self.error
            if self.error_type is not None:
                metadata["error_type"] = self.error_type
        call = ToolCall(str(self.request.tool or UNNAMED), args, self.result)
        call.timestamp, call.duration, call.metadata = self.timestamp, self.duration, metadata
        return call


def is_malformed(written: object) -> bool:
    """Whether arguments were written as text that is no JSON object; empty text means none."""
    if not isinstance(written, str) or not written:
        return False
    try:
        return not isinstance(json.loads(written), dict)
    except (ValueError, RecursionError):
        return True
