"""The runs that are going on, and the tree of LangChain runs in each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from toolscore import Recorder
from toolscore._recorder import MAX_OPEN_RUNS
from toolscore._run import RunStatus
from toolscore_integrations.langchain._captured_run import CapturedRun
from toolscore_integrations.langchain._ending import close, status_of
from toolscore_integrations.langchain._evidence import Node
from toolscore_integrations.langchain._inputs import input_of

STRANDED = "the event loop was closed before the run ended"
LOOKED_AT = 64
"""How many of the oldest open runs are looked at when one starts: is their event loop closed?"""
MAX_STRAYS = 1024
MAX_ENDED = 4096
"""How many LangChain runs of one run are remembered after their end: what they started may still
begin."""
UNNAMED = ("LangGraph", "Runnable", "AgentExecutor")
"""How the names begin that LangChain gives to what has none."""


@dataclass(frozen=True)
class Caution:
    """What is known beforehand of every run."""

    text: str
    incomplete: bool
    """Whether a run that is seen lacks something."""


class OpenRuns:
    """Finds the captured run and the place of each event.

    A run starts with an event whose parent is unknown: that is the outermost thing that the handler
    was given to. It ends with the end of the same thing, and everything about it is dropped then.
    """

    def __init__(self, recorder: Recorder, caution: Caution | None = None) -> None:
        self.recorder = recorder
        self.caution = caution
        self.tools: Mapping[str, Mapping[str, Any]] = {}
        self.stopped = recorder.disabled
        # by the numbers of the UUIDs: Python's UUID hashes and compares in Python
        self._nodes: dict[int, Node] = {}
        self._runs: OrderedDict[int, CapturedRun] = OrderedDict()
        # what still went on when its run ended; what it starts is no run of its own
        self._strays: OrderedDict[int, None] = OrderedDict()

    def enter(
        self,
        run_id: UUID,
        parent_id: UUID | None,
        metadata: Mapping[str, Any] | None,
        inputs: object,
        name: str | None = None,
    ) -> Node | None:
        """Something starts; None if it is none of ours."""
        number, nodes = run_id.int, self._nodes
        if number in nodes:
            return None  # told twice: the handler is twice among the callbacks
        parent = None if parent_id is None else nodes.get(parent_id.int)
        known = metadata or {}
        if parent is not None:
            seen = parent.run
        elif parent_id is not None and parent_id.int in self._strays:
            self._stray(number)
            return None
        elif self.stopped:
            return None
        else:
            seen = self._open(run_id, known, inputs, name)
        nodes[number] = node = Node(seen, parent, known)
        seen.nodes[number] = None
        return node

    def find(self, run_id: UUID) -> Node | None:
        """The place of something that started earlier and has not ended."""
        node = self._nodes.get(run_id.int)
        return None if node is None or node.ended else node

    def leave(
        self,
        run_id: UUID,
        read: Callable[[Node, Any], None] | None = None,
        outcome: object = None,
        error: BaseException | None = None,
    ) -> None:
        """Something ended, with this outcome; with the outermost thing the run ends.

        What ``read`` raises marks the run, which still ends.
        """
        number, nodes = run_id.int, self._nodes
        node = nodes.get(number)
        if node is None:
            self._strays.pop(number, None)
            return
        if read is not None and not node.ended:
            try:
                read(node, outcome if error is None else error)
            except Exception as fault:  # noqa: BLE001 - it reads values of the user's
                self.recorder.trouble(f"reading {read.__name__}", fault, node.run.open)
        seen, node.ended = node.run, True
        if seen.root == number:
            self.end(seen, status_of(seen, error), outcome, error)
            return
        seen.ended.append(number)
        if len(seen.ended) > MAX_ENDED:
            oldest = seen.ended.popleft()
            nodes.pop(oldest, None)
            seen.nodes.pop(oldest, None)

    def end(
        self,
        seen: CapturedRun,
        status: RunStatus,
        outputs: object = None,
        error: BaseException | None = None,
    ) -> None:
        """Close a run and forget everything about it."""
        with self.recorder.lock:
            if seen.root is not None:
                self._runs.pop(seen.root, None)
            for number in list(seen.nodes):
                node = self._nodes.pop(number, None)
                if node is not None and not node.ended:
                    self._stray(number)
        self._attempt(seen, "reading the final state", lambda: seen.ended_with(outputs))
        self._attempt(seen, "reconciling a run", lambda: close(seen, status, outputs, error))
        # once more, for where it could not be reconciled
        seen.open.end(status, error=error or seen.exhausted)

    def _attempt(self, seen: CapturedRun, what: str, step: Callable[[], None]) -> None:
        """Do a step of an ending; the run is marked, and still ends, if that fails."""
        try:
            step()
        except Exception as error:  # noqa: BLE001 - it reads values of the user's
            self.recorder.trouble(what, error, seen.open)

    def _open(
        self, run_id: UUID, metadata: Mapping[str, Any], inputs: object, name: str | None
    ) -> CapturedRun:
        with self.recorder.lock:
            left = [run for run in islice(self._runs.values(), LOOKED_AT) if run.is_stranded]
            oldest = None
            if len(self._runs) >= MAX_OPEN_RUNS:
                _, oldest = self._runs.popitem(last=False)
        for stranded in left:
            stranded.open.warn(STRANDED)
            self.end(stranded, "unfinished")
        if oldest is not None and not oldest.is_stranded:
            oldest.open.warn(f"more than {MAX_OPEN_RUNS} runs were open; this one was closed")
            self.end(oldest, "unfinished")
        seen = self.start(run_id, metadata, inputs, name)
        with self.recorder.lock:
            self._runs[run_id.int] = seen
        return seen

    def start(
        self,
        run_id: UUID | None,
        metadata: Mapping[str, Any],
        inputs: object,
        name: str | None,
    ) -> CapturedRun:
        """Begin to capture a run."""
        thread = metadata.get("thread_id")
        named = name if name is not None and not name.startswith(UNNAMED) else None
        run = self.recorder.start_run(
            run_id,
            input=input_of(inputs),
            agent=metadata.get("lc_agent_name") or named,
            thread_id=None if thread is None else str(thread),
        )
        run.seen()
        if self.caution is not None:
            run.warn(self.caution.text, incomplete=self.caution.incomplete)
        seen = CapturedRun(run, None if run_id is None else run_id.int)
        for tool, schema in self.tools.items():
            run.offer(tool, schema)
            seen.offered.add(tool)
        return seen

    def _stray(self, number: int) -> None:
        self._strays[number] = None
        while len(self._strays) > MAX_STRAYS:
            self._strays.popitem(last=False)
