"""A call in progress."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolscore._call import Origin, Status, ToolCall
from toolscore._guard import never_raise
from toolscore._snapshot import snapshot

if TYPE_CHECKING:
    from toolscore._open_run import OpenRun


class OpenCall:
    """A call in progress: one request of the model, however often it is tried.

    No method raises. ``run`` is the run that it belongs to, ``key`` its name within that run.
    """

    __slots__ = (
        "_args",
        "_attempts",
        "_duration",
        "_error",
        "_error_type",
        "_metadata",
        "_result",
        "_started",
        "_status",
        "_timestamp",
        "_tool",
        "depth",
        "ended",
        "key",
        "number",
        "parent",
        "run",
    )

    def __init__(
        self,
        run: OpenRun,
        tool: str,
        args: dict[str, Any],
        metadata: dict[str, Any],
        parent: OpenCall | None,
        *,
        number: int,
    ) -> None:
        self.run = run
        self.number = number
        self.key = f"c{number}"
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.ended = False
        self._tool = tool
        self._args = args
        self._metadata = metadata
        self._result: Any = None
        self._attempts = 0
        self._status: Status | None = None
        self._error: str | None = None
        self._error_type: str | None = None
        self._timestamp: float | None = None
        self._started: float | None = None
        self._duration: float | None = None

    @property
    def id(self) -> str | None:
        """The provider's call id; never unique."""
        given: str | None = self._metadata["id"]
        return given

    @property
    def tool(self) -> str:
        """The tool's name."""
        return self._tool

    @property
    def args(self) -> dict[str, Any]:
        """The arguments as they are recorded; not to be changed."""
        return self._args

    @property
    def running(self) -> bool:
        """Whether an attempt began and has not ended."""
        return self._started is not None

    @never_raise
    def start(self, args: Mapping[str, Any] | None = None, *, tool: str | None = None) -> None:
        """An attempt begins (again); ``args`` and ``tool`` where they differ from the request."""
        copied = (
            None
            if args is None
            else self.run.snapshot(args, "arguments of " + (tool or self._tool))
        )
        with self.run.lock:
            if copied is not None and copied != self._args:
                self._metadata.setdefault("requested_args", self._args)
                self._args = copied
            if tool is not None and tool != self._tool:
                self._metadata.setdefault("requested_tool", self._tool)
                self._tool = tool
            self._attempts += 1
            self._status = None
            self.ended = False
            self._timestamp = self._timestamp or time.time()
            self._started = time.perf_counter()

    @never_raise
    def finish(self, result: Any) -> None:
        """The attempt returned."""
        copied = self._copy_result(result)
        with self.run.lock:
            self._stop("ok")
            self._result, self._error, self._error_type = copied, None, None
            # what an earlier attempt left behind does not describe this one
            self._metadata.pop("error_source", None)

    @never_raise
    def fail(
        self, error: BaseException | str, *, result: Any = None, source: str | None = None
    ) -> None:
        """The attempt failed, or the call was answered with an error without running.

        ``result`` is what the model was shown instead, ``source`` the signal that said so.
        """
        message, kind = describe(error, self.run.recorder.options.max_value_bytes)
        copied = self._copy_result(result)
        with self.run.lock:
            self._stop("error")
            self._result, self._error, self._error_type = copied, message, kind
            if source is not None:
                self._metadata["error_source"] = source

    @never_raise
    def close(self, status: Status, *, origin: Origin | None = None) -> None:
        """Any other end."""
        with self.run.lock:
            self._stop(status)
            if origin is not None:
                self._metadata["origin"] = origin

    @never_raise
    def note(self, /, **metadata: Any) -> None:
        """Add metadata; the keys and their meaning stand in ``docs/metadata.md``."""
        copied = {name: self.run.snapshot(value, None) for name, value in metadata.items()}
        with self.run.lock:
            self._metadata.update(copied)

    def settle(self, status: Status) -> None:
        """Close what the end of the run found open (the run's lock is held)."""
        if not self.ended:
            self._stop(status)
            if status == "not_executed" and self._metadata["origin"] == "executed":
                self._metadata["origin"] = "requested"

    def to_call(self) -> ToolCall:
        """The finished record (the run's lock is held)."""
        metadata = {
            "key": self.key,
            "parent": None if self.parent is None else self.parent.key,
            "depth": self.depth,
            "attempts": self._attempts,
            "status": self._status,
            "is_error": self._status == "error",
            **self._metadata,
        }
        if self._error is not None:
            metadata["error"] = self._error
        if self._error_type is not None:
            metadata["error_type"] = self._error_type
        return ToolCall(
            self._tool, self._args, self._result, self._timestamp, self._duration, metadata=metadata
        )

    def _stop(self, status: Status) -> None:
        now = time.perf_counter()
        if self._started is not None:
            self._duration = (self._duration or 0.0) + now - self._started
            self._started = None
        self._status = status
        self.ended = True

    def _copy_result(self, result: object) -> Any:
        copied, cut = snapshot(result, self.run.recorder.options.max_value_bytes)
        if cut:
            self._metadata["truncated"] = True
        return copied

    def _trouble(self, where: str, error: Exception) -> None:
        self.run.recorder.trouble(where, error, self.run)


def describe(error: BaseException | str, limit: int) -> tuple[str, str | None]:
    """The message and class name of an error; a message that cannot be read is said to be so."""
    kind = None if isinstance(error, str) else type(error).__name__
    try:
        text = str(error) or kind or ""
    except Exception as unreadable:  # noqa: BLE001 - __str__ is the user's code
        text = f"<{kind} whose message raised {type(unreadable).__name__}>"
    message: str = snapshot(text, limit)[0]
    return message, kind
