"""The open spans of the process, and what they mean to whom."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from inspect import BoundArguments
from weakref import WeakValueDictionary

from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
)
from llama_index.core.tools import BaseTool
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent

from toolscore_integrations.llama_index._call_span import CallSpan, ToolSpan, runs_in_a_thread
from toolscore_integrations.llama_index._model_span import ModelSpan
from toolscore_integrations.llama_index._offers import OfferSpan
from toolscore_integrations.llama_index._run_span import RunSpan, TurnSpan
from toolscore_integrations.llama_index._scope import Scope, scopes
from toolscore_integrations.llama_index._script_span import PredictSpan, ProgramSpan, ScriptSpan
from toolscore_integrations.llama_index._span import Entry, Span
from toolscore_integrations.llama_index._versions import THREADS_FORGET

ANSWERS = (LLMChatEndEvent, LLMCompletionEndEvent)
TOLD = {LLMChatStartEvent, LLMCompletionStartEvent, *ANSWERS}
"""What models tell; a stream tells of much else, token by token."""
FORGOT = (
    "a tool or agent ran in the thread of the synchronous tool {tool}, which with this version of "
    "llama-index-core does not know its run: upgrade, or make {tool} asynchronous"
)
MAX_OPEN = 20_000
MAX_STREAMS = 1_000
UUID = 37
"""What a span's id ends in: a hyphen and a UUID; before that stand the class and the method."""

KINDS: dict[str, tuple[type[Span], ...]] = {
    "run": (RunSpan,),
    "run_agent_step": (TurnSpan,),
    "call_tool": (CallSpan,),
    "call": (ToolSpan,),
    "acall": (ToolSpan, ProgramSpan),
    "__call__": (ToolSpan, ProgramSpan),
    "stream_call": (ProgramSpan,),
    "astream_call": (ProgramSpan,),
    "predict_and_call": (PredictSpan,),
    "apredict_and_call": (PredictSpan,),
    "_prepare_chat_with_tools": (OfferSpan,),
    "chat": (ModelSpan,),
    "achat": (ModelSpan,),
    "stream_chat": (ModelSpan,),
    "astream_chat": (ModelSpan,),
    "complete": (ModelSpan,),
    "acomplete": (ModelSpan,),
    "stream_complete": (ModelSpan,),
    "astream_complete": (ModelSpan,),
}


RUNS = (RunSpan, PredictSpan)
"""What is a run of its own in a block that is not one run as a whole."""


class Table:
    """Spans by their ids. A span that means nothing stands for the one around it.

    Attributes:
        installed: Scopes that hold for the whole process.
        handlers: Scopes of handlers, by their ``id``: they hold while the handler is on the
            dispatcher.
    """

    def __init__(self) -> None:
        self.installed: tuple[Scope, ...] = ()
        # weak: each handler holds its own, and a sink of the user's may lead back to the handler
        self.handlers: WeakValueDictionary[int, Scope] = WeakValueDictionary()
        self._open: dict[str, tuple[Span, ...]] = {}
        self._roots: dict[str, Span] = {}
        self._streams: OrderedDict[str, tuple[Span, ...]] = OrderedDict()

    @property
    def busy(self) -> bool:
        """Whether a run is going on."""
        return bool(self._roots)

    @property
    def size(self) -> int:
        """How many spans and streams are kept."""
        return len(self._open) + len(self._streams)

    def enter(
        self, id_: str, bound: BoundArguments, instance: object, parent_id: str | None
    ) -> None:
        """A span begins."""
        around = () if parent_id is None else self._open.get(parent_id, ())
        here = scopes.get()
        if here:
            here = tuple(scope for scope in here if not scope.left_elsewhere)
        if not around and not here and not self.installed and not self.handlers:
            if self._roots and parent_id is None:
                self._stray(id_, instance)
            return
        kinds = KINDS.get(id_[:-UUID].rpartition(".")[2])
        if kinds is None:  # says nothing: it stands for what is around it
            if around:
                self._keep(id_, around)
            return
        spans: list[Span] = []
        for scope, parent in self._listening(here, around):
            span = _entered(kinds, scope, parent, id_, instance, bound) or parent
            if span is not None:
                spans.append(span)
        if spans:
            self._keep(id_, tuple(spans))

    def _listening(
        self, here: tuple[Scope, ...], around: tuple[Span, ...]
    ) -> list[tuple[Scope, Span | None]]:
        """Who listens here, each recorder once, with its own span around this one."""
        everywhere = self.installed
        if len(around) == 1 and not everywhere and not self.handlers:
            scope = around[0].scope
            if not here or (len(here) == 1 and here[0].recorder is scope.recorder):
                return [(here[0] if here else scope, around[0])]
        if self.handlers:
            on = get_dispatcher().event_handlers
            everywhere += tuple(self.handlers[id(h)] for h in on if id(h) in self.handlers)
        found: dict[int, tuple[Scope, Span | None]] = {
            id(s.recorder): (s, s.script) for s in (*everywhere, *here)
        }
        for span in around:
            key = id(span.scope.recorder)
            scope = found[key][0] if key in found else span.scope
            found[key] = (scope, span)
        return list(found.values())

    def _keep(self, id_: str, spans: tuple[Span, ...]) -> None:
        if len(self._open) >= MAX_OPEN:
            for span in spans:
                if span.part is not None:
                    span.part.run.warn(f"more than {MAX_OPEN} spans were open at once")
            return
        self._open[id_] = spans
        for span in spans:
            if span.id == id_ and span.parent is None:
                self._roots[id_] = span
            else:
                span.root.inner.add(id_)

    def exit(self, id_: str, result: object) -> None:
        """A span ended well."""
        spans = self._open.pop(id_, None)
        if spans is None:
            return
        streams = False
        for span in spans:
            if span.id == id_:
                span.left(result)
                streams = streams or (isinstance(span, ModelSpan) and span.tells and not span.told)
        if not streams:
            self._forget(id_, spans)
            return
        self._streams[id_] = spans  # its response comes when it has been read
        if len(self._streams) > MAX_STREAMS:
            self._streams.popitem(last=False)

    def drop(self, id_: str, error: BaseException | None) -> None:
        """A span ended by an exception."""
        spans = self._open.pop(id_, None)
        if spans is None:
            return
        for span in spans:
            if span.id == id_:
                span.dropped(error)
        self._forget(id_, spans)

    def _forget(self, id_: str, spans: tuple[Span, ...]) -> None:
        for span in spans:
            if span.id == id_ and span.parent is None:
                self.clear(span)
            else:
                span.root.inner.discard(id_)

    def clear(self, root: Span) -> None:
        """Drop a run, and what is open in it: no end of that is of interest any more."""
        if root.parent is not None:
            return
        self._roots.pop(root.id, None)
        self._open.pop(root.id, None)
        for id_ in list(root.inner):
            self._open.pop(id_, None)
            self._streams.pop(id_, None)

    def event(self, event: BaseEvent) -> None:
        """Something happened; only what models tell is of interest."""
        id_, kind = event.span_id, type(event)
        if id_ is None or kind not in TOLD:
            return
        if kind is LLMChatStartEvent or kind is LLMCompletionStartEvent:
            for span in self._open.get(id_, ()):
                if isinstance(span, ModelSpan) and span.id == id_:
                    span.asked()
        elif isinstance(event, ANSWERS):
            spans = self._open.get(id_) or self._streams.pop(id_, ())
            if id_ not in self._open:
                self._forget(id_, spans)
            messages = event.messages if isinstance(event, LLMChatEndEvent) else []
            for span in spans:
                if isinstance(span, ModelSpan) and span.id == id_:
                    span.answered(event.response, messages)

    def _stray(self, id_: str, instance: object) -> None:
        """A tool or an agent that runs where nothing tells of which run.

        That happens in a thread which was started without the run's context. If it is a tool of an
        agent that runs now, that run may lack this call. If it is the thread of a synchronous tool,
        the run of that tool lacks it.
        """
        kinds = KINDS.get(id_[:-UUID].rpartition(".")[2], ())[:1]
        thread = threading.current_thread()
        if kinds not in ((ToolSpan,), (RunSpan,), (PredictSpan,)) or (
            thread is threading.main_thread()
        ):
            return
        if THREADS_FORGET and thread.name.startswith("asyncio_"):
            for span in [s for spans in list(self._open.values()) for s in spans]:
                if isinstance(span, ToolSpan) and runs_in_a_thread(span.tool):
                    span.call.run.warn(FORGOT.format(tool=span.call.tool))
        elif isinstance(instance, BaseTool) and not _in_a_loop():
            for root in list(self._roots.values()):
                if isinstance(root, RunSpan):
                    root.hear_of_stray(instance)


def _entered(
    kinds: tuple[type[Span], ...],
    scope: Scope,
    parent: Span | None,
    id_: str,
    instance: object,
    bound: BoundArguments,
) -> Span | None:
    for kind in kinds:
        apart = isinstance(parent, ScriptSpan) and not parent.whole and issubclass(kind, RUNS)
        at = Entry(id_, scope, None if apart else parent, instance, bound)
        span = (at.parent or scope).begin(kind, at)
        if span is not None:
            return span
    return None


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


table = Table()
