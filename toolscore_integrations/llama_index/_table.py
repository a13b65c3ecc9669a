"""The open spans of the process, and what they mean to whom."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from inspect import BoundArguments

from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
)
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent

from toolscore._guard import report
from toolscore_integrations.llama_index._call_span import CallSpan, ToolSpan
from toolscore_integrations.llama_index._model_span import ModelSpan
from toolscore_integrations.llama_index._offers import OfferSpan
from toolscore_integrations.llama_index._run_span import RunSpan, TurnSpan
from toolscore_integrations.llama_index._scope import Scope, scopes
from toolscore_integrations.llama_index._script_span import PredictSpan, ProgramSpan, ScriptSpan
from toolscore_integrations.llama_index._span import Entry, Span
from toolscore_integrations.llama_index._stray import hear_of_stray

ANSWERS = (LLMChatEndEvent, LLMCompletionEndEvent)
TOLD = {LLMChatStartEvent, LLMCompletionStartEvent, *ANSWERS}
"""What models tell; a stream tells of much else, token by token."""
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
        settle: Called when a run has ended: it may have been the last.
    """

    def __init__(self) -> None:
        self.installed: tuple[Scope, ...] = ()
        # weak: each handler holds its own, and a sink of the user's may lead back to the handler
        self.handlers: dict[int, weakref.ref[Scope]] = {}
        self._open: dict[str, tuple[Span, ...]] = {}
        self._roots: dict[str, Span] = {}
        self._streams: OrderedDict[str, tuple[Span, ...]] = OrderedDict()
        self.settle: Callable[[], None] = lambda: None

    @property
    def busy(self) -> bool:
        """Whether a run is going on."""
        return bool(self._roots)

    @property
    def size(self) -> int:
        """How many spans and streams are kept."""
        return len(self._open) + len(self._streams)

    def enter(
        self,
        id_: str,
        bound_args: BoundArguments,
        instance: object = None,
        parent_id: str | None = None,
        tags: object = None,
        **kwargs: object,
    ) -> None:
        """A span begins. The tags are not kept: they hold the whole input as text."""
        around = () if parent_id is None else self._open.get(parent_id, ())
        kinds = KINDS.get(id_[id_.rfind(".") + 1 : -UUID])
        if len(self._open) >= MAX_OPEN:
            self._make_room(around)
        if kinds is None:  # says nothing: it stands for what is around it
            if around:
                self._open[id_] = around
            return
        here = scopes.get()
        if not around and not here and not self.installed and not self.handlers:
            if self._roots and parent_id is None:
                hear_of_stray(kinds, instance, self._roots, self._open)
            return
        if len(around) == 1 and len(here) < 2 and not self.installed and not self.handlers:
            parent = around[0]
            scope = here[0] if here else parent.scope
            if scope.recorder is parent.scope.recorder and not scope.left_elsewhere:
                # nearly always: one recorder, whose run goes on
                span = _entered(kinds, scope, parent, id_, instance, bound_args)
                if span is None:
                    self._open[id_] = around
                else:
                    self._keep(id_, (span,))
                return
        here = tuple(scope for scope in here if not scope.left_elsewhere)
        spans = [
            span
            for scope, parent in self._listening(here, around)
            if (span := _entered(kinds, scope, parent, id_, instance, bound_args) or parent)
        ]
        if spans:
            self._keep(id_, tuple(spans))

    def _listening(
        self, here: tuple[Scope, ...], around: tuple[Span, ...]
    ) -> list[tuple[Scope, Span | None]]:
        """Who hears of a span that begins here, each with what is around it."""
        everywhere = self.installed
        if self.handlers:
            held = [self.handlers.get(id(h)) for h in get_dispatcher().event_handlers]
            everywhere += tuple(scope for ref in held if ref and (scope := ref()))
        found: dict[int, tuple[Scope, Span | None]] = {
            id(s.recorder): (s, s.script) for s in (*everywhere, *here)
        }
        for span in around:
            key = id(span.scope.recorder)
            scope = found[key][0] if key in found else span.scope
            found[key] = (scope, span)
        return list(found.values())

    def _keep(self, id_: str, spans: tuple[Span, ...]) -> None:
        self._open[id_] = spans
        for span in spans:
            if span.id == id_:
                if span.parent is None:
                    self._roots[id_] = span
                else:
                    span.root.inner.add(id_)

    def _make_room(self, spans: tuple[Span, ...]) -> None:
        """Let the oldest span go: its end may not be seen, or was never going to be."""
        for span in spans:
            if span.part is not None:
                span.part.run.warn(f"more than {MAX_OPEN} spans were open at once")
        self._open.pop(next(iter(self._open)))

    def exit(
        self,
        id_: str,
        bound_args: object,
        instance: object = None,
        result: object = None,
        **kwargs: object,
    ) -> None:
        """A span ended well."""
        spans = self._open.pop(id_, None)
        if spans is None or (len(spans) == 1 and spans[0].id != id_):
            return  # the latter stood for what is around it
        streams = False
        for span in spans:
            if span.id == id_:
                try:
                    span.exit(result)
                except Exception as error:  # noqa: BLE001 - the user's run goes on
                    report(span, f"{type(span).__qualname__}.exit", error)
                streams = streams or span.streams
        if not streams:
            self._forget(id_, spans)
            return
        self._streams[id_] = spans  # its response comes when it has been read
        if len(self._streams) > MAX_STREAMS:
            self._streams.popitem(last=False)

    def drop(
        self,
        id_: str,
        bound_args: object,
        instance: object = None,
        err: BaseException | None = None,
        **kwargs: object,
    ) -> None:
        """A span ended by an exception."""
        spans = self._open.pop(id_, None)
        if spans is None:
            return
        for span in spans:
            if span.id == id_:
                try:
                    span.drop(err)
                except Exception as ours:  # noqa: BLE001 - the user's run goes on
                    report(span, f"{type(span).__qualname__}.drop", ours)
        self._forget(id_, spans)

    def _forget(self, id_: str, spans: tuple[Span, ...]) -> None:
        for span in spans:
            if span.parent is None and span.id == id_:
                self.clear(span)
                self.settle()
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

    def abandon(self, root: Span) -> None:
        """The same where ends will not be seen: of what says nothing in it, too."""
        self.clear(root)
        for id_, spans in list(self._open.items()):
            if all(span.root is root for span in spans):
                self._open.pop(id_, None)

    def event(self, event: BaseEvent, **kwargs: object) -> None:
        """Something happened; only what models tell is of interest."""
        kind = type(event)
        if kind not in TOLD:
            return
        id_ = event.span_id
        if id_ is None:
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


def _entered(
    kinds: tuple[type[Span], ...],
    scope: Scope,
    parent: Span | None,
    id_: str,
    instance: object,
    bound: BoundArguments,
) -> Span | None:
    around = parent
    if isinstance(parent, ScriptSpan) and not parent.whole and kinds[0] in RUNS:
        around = None
    at = Entry(id_, scope, around, instance, bound)
    kind = kinds[0]
    try:
        for kind in kinds:
            span = kind.enter(at)
            if span is not None:
                return span
    except Exception as error:  # noqa: BLE001 - the user's run goes on
        report(around or scope, f"{kind.__qualname__}.enter", error)
    return None


table = Table()
