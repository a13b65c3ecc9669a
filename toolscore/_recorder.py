"""Collects what a hook sees, and turns it into scored runs."""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from typing_extensions import Unpack

from toolscore._capture_options import Capture, CaptureOptions, ExpectedFor
from toolscore._context import Place, here
from toolscore._ended import Ended, Scored
from toolscore._evaluate import score_run
from toolscore._expectation import gold_calls
from toolscore._guard import Troubles, calls_back, never_raise
from toolscore._open_call import OpenCall
from toolscore._open_run import OpenRun
from toolscore._result import EvaluationResult, not_scored
from toolscore._run import Run
from toolscore._saved_runs import Path, append_run

AgentT = TypeVar("AgentT")

MAX_OPEN_RUNS = 4096
NOTHING_YET = (
    "no run has ended: run the object that watch() returned (or pass this handler to the run), "
    "and read the score after it"
)
SWITCHED_OFF = "TOOLSCORE_DISABLED is set, so nothing is recorded: unset it and run again"


@dataclass(frozen=True)
class Attachment(Generic[AgentT]):
    """What a watcher returns: the agent to hand to the user, and how to stop.

    Attributes:
        agent: The same object, or the framework's own instrumented copy.
        detach: Stops recording; called once.
    """

    agent: AgentT
    detach: Callable[[], None]


class Watcher(Protocol):
    """An entry point of group ``toolscore.watchers``, named like the import root of the class."""

    def __call__(self, agent: Any, recorder: Recorder, /) -> Attachment[Any] | None:
        """None means "not mine, ask the next"."""


class Recorder:
    """Collects what a hook sees. Thread-safe; no method raises into the run.

    A hook calls ``start_run`` when the agent starts, records requests, attempts and outcomes on the
    ``OpenRun`` that it returns, and calls its ``end``; the score is there from then on. See
    ``docs/extend-framework.md``.

    Attributes:
        framework: Names the framework in the runs; a hook sets it once.
        disabled: True under ``TOOLSCORE_DISABLED=1``: hooks then attach nothing.
        derived: True for the recorder of ``expecting``, which belongs to its proxy alone: where a
            hook knows the bare agent object too, that one stays with the plain ``watch``.

    Example:
        >>> recorder = Recorder(["search"])
        >>> run = recorder.start_run("run-1", input="find it")
        >>> call = run.request("search", {"query": "python"})
        >>> call.start()
        >>> call.finish("3 pages")
        >>> run.end(output="done")
        >>> recorder.latest().score
        1.0
    """

    def __init__(
        self, expected: ExpectedFor | None = None, **options: Unpack[CaptureOptions]
    ) -> None:
        self.framework: str | None = None
        self.derived = False
        self.disabled = os.environ.get("TOOLSCORE_DISABLED", "") not in ("", "0")
        self.options = Capture.of(expected, options)
        self.lock = threading.RLock()
        self._open: OrderedDict[Hashable, OpenRun] = OrderedDict()
        self._ended: deque[Ended] = deque(maxlen=self.options.max_runs)
        # by the place that started the run
        self._last_here: weakref.WeakKeyDictionary[Place, Ended] = weakref.WeakKeyDictionary()
        self._troubles = Troubles()
        _recorders.add(self)

    @classmethod
    def of(cls, options: Capture, framework: str | None = None) -> Recorder:
        """An empty recorder with options that are checked already."""
        recorder = cls()
        recorder.framework = framework
        recorder.derived = True
        recorder.options = options
        recorder._ended = deque(maxlen=options.max_runs)
        return recorder

    def start_run(
        self,
        key: Hashable | None = None,
        *,
        input: Any = None,  # noqa: A002 - the word of the frameworks
        agent: str | None = None,
        thread_id: str | None = None,
        parent: OpenCall | OpenRun | None = None,
    ) -> OpenRun:
        """Open a run; ``key`` finds it again from another event.

        With ``parent`` it is a nested run (an agent as a tool): its calls become part of the run
        that ``parent`` belongs to, or of ``parent`` itself where no call of it encloses them.
        """
        run = OpenRun(self, key, input=input, agent=agent, thread_id=thread_id, parent=parent)
        self._register(run)
        return run

    @never_raise
    def _register(self, run: OpenRun) -> None:
        if self.disabled:
            return
        with self.lock:
            self._open[run.key] = run
            oldest = None
            if len(self._open) > MAX_OPEN_RUNS:
                _, oldest = self._open.popitem(last=False)
        if oldest is not None:
            oldest.warn(f"more than {MAX_OPEN_RUNS} runs were open at once; this one was closed")
            oldest.end("unfinished")

    def run(self, key: Hashable) -> OpenRun | None:
        """The open run of this key."""
        with self.lock:
            return self._open.get(key)

    def forget(self, run: OpenRun) -> None:
        """Drop a run from the open ones (the lock is held)."""
        if self._open.get(run.key) is run:  # a later run may have the same key
            del self._open[run.key]

    def close(self, run: OpenRun, build: Callable[[], Run]) -> None:
        """Take a run that has ended, keep it, and tell the sinks; for ``OpenRun.end``.

        It is scored here if there are sinks, or an expectation that is the user's function; else
        when it is read.
        """
        if self.disabled:
            return
        itself = weakref.ref(self)  # what it keeps must not keep it

        def score(record: Run) -> EvaluationResult:
            return cast("Recorder", itself()).score(record)  # who reads has it

        ended = Ended(build, score)
        with self.lock:
            self._ended.append(ended)
            for place in run.places:
                self._last_here[place] = ended
        for session in run.sessions:
            session.add(ended)
        options = self.options
        if options.expected or options.record is not None or options.on_run or options.on_score:
            self._tell_all(*ended.read())

    def _tell_all(self, record: Run, result: EvaluationResult) -> None:
        if self.options.record is not None:
            self._save(record, self.options.record)
        for told in self.options.on_run:
            self._tell(told, record)
        for sink in self.options.on_score:
            self._tell(sink, result)

    def ended(self) -> tuple[Scored, ...]:
        """The runs that have ended, each with its result, newest last."""
        with self.lock:
            kept = tuple(self._ended)
        return tuple(ended.read() for ended in kept)

    def latest(self) -> EvaluationResult:
        """The last result of this context, else of all, else one that says what to do."""
        with self.lock:
            ended = self._last_here.get(here())
            if ended is None and self._ended:
                ended = self._ended[-1]
        if ended is not None:
            return ended.read()[1]
        return not_scored(SWITCHED_OFF if self.disabled else NOTHING_YET)

    def score(self, run: Run, options: Capture | None = None) -> EvaluationResult:
        """Score a run against this recorder's expectation, or another's. Never raises."""
        chosen = options or self.options
        expected = chosen.expected
        try:
            # a copy each time: what is done to the calls in one result is not done to the next
            gold = gold_calls(chosen.gold if expected is None else expected(run.input))
            return score_run(gold, run, chosen.evaluate, redact=chosen.redact)
        except Exception as error:  # noqa: BLE001 - the expectation may be the user's function
            self._troubles.report("scoring", error, "the run is kept, its result is not_scored")
            return not_scored(f"scoring failed: {type(error).__name__}: {error}", run)

    def _save(self, run: Run, path: Path) -> None:
        try:
            append_run(run, path, self.options.redact)
        except Exception as error:  # noqa: BLE001 - a full disk must not stop the run
            consequence = "the run goes on, and is not in that file"
            self._troubles.report(f"record={os.fspath(path)}", error, consequence)

    def _tell(self, sink: Callable[[Any], object], value: object) -> None:
        try:
            sink(value)
        except Exception as error:  # noqa: BLE001 - a sink belongs to the user, the run must go on
            self._troubles.report(f"sink {calls_back(sink)}", error, "the run goes on")

    def trouble(self, where: str, error: Exception, run: OpenRun | None = None) -> None:
        """A hook failed in ``where``: log it once, and mark the run (or all that are open)."""
        self._troubles.report(where, error, "the run goes on, a call may be missing from the score")
        with self.lock:
            runs = list(self._open.values()) if run is None else [run]
        for marked in runs:
            marked.warn(f"{where} failed: {type(error).__name__}: {error}"[:500])

    _trouble = trouble

    def unlock(self) -> None:
        """Take new locks: a thread that held the old one does not exist after a fork."""
        self.lock = threading.RLock()
        for run in list(self._open.values()):
            run.lock = self.lock

    def __copy__(self) -> Recorder:
        """Itself: a copied agent keeps recording into the same record."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Recorder:
        """Itself: a copied agent keeps recording into the same record."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets an empty recorder: locks, open runs and sinks stay here."""
        return Recorder.of, (Capture(), self.framework)


_recorders: weakref.WeakSet[Recorder] = weakref.WeakSet()


def _unlock_after_fork() -> None:
    for recorder in list(_recorders):
        recorder.unlock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_after_fork)
