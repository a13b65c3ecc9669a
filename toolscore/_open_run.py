"""A run in progress."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from toolscore._arguments import parse_arguments
from toolscore._call import Kind, Origin, Status, ToolCall
from toolscore._context import starting_places
from toolscore._evidence import Draft, Evidence
from toolscore._guard import never_raise
from toolscore._open_call import OpenCall, describe
from toolscore._run import Run, RunStatus, Usage
from toolscore._session import open_sessions
from toolscore._snapshot import fits, snapshot
from toolscore._transcript import Transcript
from toolscore._turns import AgentTrace

if TYPE_CHECKING:
    from toolscore._recorder import Recorder


UNNAMED = "<unnamed>"
"""Stands for the empty tool name that a model may ask for."""


class OpenRun:
    """A run in progress. Thread-safe; no method raises.

    A nested run (``parent`` given) is a part of the run that its parent call belongs to: its calls
    are recorded there, with ``depth`` and ``parent``, and its end closes only its own calls. A run
    as ``parent`` means: inside that run, but in none of its calls (a guardrail that asks an agent).
    """

    def __init__(
        self,
        recorder: Recorder,
        key: Hashable | None,
        *,
        input: Any,  # noqa: A002 - the word of the frameworks
        agent: str | None,
        thread_id: str | None,
        parent: OpenCall | OpenRun | None,
    ) -> None:
        self.recorder = recorder
        self.id = uuid.uuid4().hex
        self.key: Hashable = self.id if key is None else key
        self.lock: threading.RLock = recorder.lock
        self.agent = agent
        self.parent = parent if isinstance(parent, OpenCall) else None
        outer = parent.run if isinstance(parent, OpenCall) else parent
        self.root: OpenRun = self if outer is None else outer.root
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.ended = False
        self.signals: dict[str, bool] = {}
        self.thread_id = thread_id
        self.started, self._clock = time.time(), time.perf_counter()
        self.places = () if parent is not None else starting_places()
        self.sessions = () if parent is not None else open_sessions(recorder)
        self._calls: list[OpenCall] = []
        self._nested: list[OpenRun] = []
        self._merged: list[ToolCall] | None = None
        self.evidence: Evidence | None = None
        """Set by a hook that keeps what it sees of the calls itself, in place of ``request``."""
        self._numbers = 0
        self._dropped = 0
        self._seen = False
        self._complete = True
        self._warnings: dict[str, None] = {}
        self._tools: dict[str, Mapping[str, Any]] = {}
        self._transcript = Transcript()
        self._usage: Usage | None = None
        self._input = self.snapshot(input, "input")
        if parent is not None:
            self.root._nested.append(self)

    # -- what was seen

    def request(
        self,
        tool: str,
        args: Mapping[str, Any] | str | None,
        *,
        id: str | None = None,  # noqa: A002 - the word of the providers
        step: int | None = None,
        kind: Kind = "function",
        agent: str | None = None,
        parent: OpenCall | None = None,
        origin: Origin = "executed",
    ) -> OpenCall:
        """The model asked for a call; ``args`` is copied at once.

        Text is parsed; what is not exactly a JSON object is kept in ``raw_arguments``. ``step`` is
        the index of the model turn that asked: calls of one step have no order among themselves.
        """
        metadata: dict[str, Any] = {"id": id, "origin": origin, "kind": kind, "step": step}
        metadata["agent"] = self.agent if agent is None else agent
        call = self._request(tool, args, metadata, parent or self.parent)
        # a request that could not be recorded has been reported; the hook still needs its call
        return call or OpenCall(self.root, UNNAMED, {}, metadata, None, number=0)

    @never_raise
    def _request(
        self, tool: str, args: object, metadata: dict[str, Any], parent: OpenCall | None
    ) -> OpenCall:
        root, name = self.root, str(tool or UNNAMED)
        try:
            parsed, kept = parse_arguments(args)
        except Exception:  # noqa: BLE001 - a mapping of the user's; the call was made all the same
            parsed, kept = {"value": args}, {}
        if kept:
            metadata.update(self.snapshot(kept, f"arguments of {name}"))
        limit, cut = self.recorder.options.max_value_bytes, False
        if type(args) is str and fits(args, limit):
            copied = parsed  # nobody else has it, and nothing of it would be cut
        else:
            copied, cut = snapshot(parsed, limit)
        if cut:
            self._say_cut(f"arguments of {name}")
        with self.lock:
            root._seen = True
            root._numbers += 1
            call = OpenCall(root, name, copied, metadata, parent, number=root._numbers)
            call.depth = max(call.depth, self.depth)
            if len(root._calls) < self.recorder.options.max_calls:
                root._calls.append(call)
                if root is not self:
                    self._calls.append(call)
            else:
                root._dropped += 1
        return call

    def call(self, id: str | None, key: Hashable | None = None) -> OpenCall | None:  # noqa: A002
        """The first call of this id, or of this key, that has not ended."""
        with self.lock:
            for call in self._calls:
                if not call.ended and (call.key == key if key is not None else call.id == id):
                    return call
        return None

    @property
    def calls(self) -> tuple[OpenCall, ...]:
        """The calls recorded so far, in request order."""
        with self.lock:
            return tuple(self._calls)

    @never_raise
    def set_calls(self, calls: Iterable[ToolCall]) -> None:
        """Replace what was recorded by calls that are already merged.

        For a hook that reconciles its evidence at the end of the run. Their values must be copies
        already (``snapshot``), and their metadata complete.
        """
        merged = list(calls)
        limit = self.recorder.options.max_calls
        with self.lock:
            self._seen = self._seen or bool(merged)
            self._merged, self._dropped = merged[:limit], max(len(merged) - limit, 0)

    @never_raise
    def drop(self, calls: int) -> None:
        """Say that a hook let go of so many calls itself, which ``max_calls`` would have cut."""
        with self.lock:
            self._dropped += calls

    @never_raise
    def seen(self) -> None:
        """Say that an event of this run arrived, even if it holds nothing to record."""
        self.root._seen = True

    @never_raise
    def offer(self, tool: str, schema: Mapping[str, Any]) -> None:
        """A tool the model could call, and the JSON schema of its arguments."""
        if tool not in self.root._tools:
            copied = self.copy(schema)[0]
            with self.lock:
                self.root._tools.setdefault(tool, copied)

    @never_raise
    def message(self, role: str, content: str, *, step: int | None = None) -> None:
        """Add a turn to the transcript; an assistant's turn with ``step`` gets the calls of it."""
        text = str(snapshot(content, self.recorder.options.max_value_bytes)[0])
        with self.lock:
            self.root._seen = True
            self._transcript.add(role, text, step)

    @never_raise
    def add_usage(self, usage: Usage) -> None:
        """Add one model response's tokens."""
        root = self.root
        with self.lock:
            root._usage = usage if root._usage is None else root._usage + usage

    @never_raise
    def warn(self, message: str, *, incomplete: bool = True) -> None:
        """Say what could not be seen."""
        root = self.root
        with self.lock:
            root._warnings.setdefault(message)
            root._complete = root._complete and not incomplete

    # -- its end

    @never_raise
    def end(
        self,
        status: RunStatus = "ok",
        *,
        output: str | None = None,
        error: BaseException | str | None = None,
    ) -> None:
        """Close the run; its record and score are made when they are read. Idempotent.

        What is open then is closed: a call that was started is ``unfinished`` (``cancelled`` with
        the run), one that never was is ``not_executed``.
        """
        with self.lock:
            self.recorder.forget(self)
        build = self._end(status, output, error)
        if build is not None:
            self.recorder.close(self, build)

    def _end(
        self, status: RunStatus, output: str | None, error: BaseException | str | None
    ) -> Callable[[], Run] | None:
        limit = self.recorder.options.max_value_bytes
        message, kind = (None, None) if error is None else describe(error, limit)
        text = None if output is None else str(self.copy(output)[0])
        duration = time.perf_counter() - self._clock
        with self.lock:
            if self.ended:
                return None
            self.ended = True
            running: Status = "cancelled" if status == "cancelled" else "unfinished"
            for call in self._calls:
                call.settle(running if call.running else "not_executed")
            if self.root is not self:
                return None
            for part in self._nested:
                part.ended = True
                self.recorder.forget(part)
            calls = self._merged if self._merged is not None else [c.to_call() for c in self._calls]
            if self.evidence is not None:
                self.evidence.close(status)
                self._dropped += self.evidence.dropped
            if self._dropped:
                limit = self.recorder.options.max_calls
                self._warnings.setdefault(
                    f"{self._dropped} calls beyond max_calls={limit} were cut"
                )
            record = Run(
                calls=tuple(calls),
                id=self.id,
                status=status,
                error=message,
                error_type=kind,
                input=self._input,
                output=text,
                agent=self.agent,
                framework=self.recorder.framework,
                thread_id=self.thread_id,
                transcript=AgentTrace() if self.evidence else self._transcript.build(calls),
                usage=self._usage,
                started=self.started,
                duration=duration,
                complete=self._complete and not self._dropped,
                warnings=tuple(self._warnings),
                tools=self._tools,
                signals={"events": self._seen, **self.signals},
                dropped=self._dropped,
            )
            if self.evidence is None:
                return lambda: record
            return Draft(record, self.evidence, self._transcript).finish

    # -- copies

    def copy(self, value: object) -> tuple[Any, bool]:
        """A bounded copy, and whether it was cut."""
        return snapshot(value, self.recorder.options.max_value_bytes)

    def snapshot(self, value: object, what: str | None) -> Any:
        """A bounded copy; if it was cut, the run says so, since it cannot be compared any more."""
        copied, cut = self.copy(value)
        if cut and what is not None:
            self._say_cut(what)
        return copied

    def _say_cut(self, what: str) -> None:
        limit = self.recorder.options.max_value_bytes
        self.warn(f"{what} were cut at max_value_bytes={limit}", incomplete=what != "input")

    def _trouble(self, where: str, error: Exception) -> None:
        self.recorder.trouble(where, error, self.root)
