"""What code does by hand: scripts that call model and tools, and ``predict_and_call``."""

from __future__ import annotations

import inspect
from typing import Any

from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.chat_engine.types import AgentChatResponse
from llama_index.core.types import BasePydanticProgram

from toolscore import Recorder
from toolscore_integrations.llama_index._offers import offer
from toolscore_integrations.llama_index._part import Part
from toolscore_integrations.llama_index._scope import Scope
from toolscore_integrations.llama_index._span import (
    Entry,
    Span,
    call_around,
    stopped_from_outside,
)

_NOTHING = inspect.signature(lambda: None).bind()


class ScriptSpan(Span):
    """All that code calls by hand in a ``with`` block, as one run that begins with the first call.

    Attributes:
        whole: Whether agents that are run in the block are parts of it, and not runs of their own.
    """

    def __init__(self, recorder: Recorder, *, whole: bool) -> None:
        super().__init__(Entry("", Scope(recorder, self), None, None, _NOTHING))
        self.whole = whole

    def begun(self) -> Part:
        """The run, which begins now if it has not yet."""
        if self.own_part is None:
            self.scope.recorder.framework = "llama_index"
            run = self.scope.recorder.start_run(agent=None)
            run.seen()
            self.own_part = Part(run, by_hand=True)
        return self.own_part

    def end(self, error: BaseException | None) -> None:
        """The block is left."""
        part, self.own_part = self.own_part, None
        if part is None:
            return
        if error is None:
            part.run.end("ok", output=part.answer)
        elif stopped_from_outside(error):
            part.run.end("cancelled")
        else:
            part.run.end("error", error=error)


class ProgramSpan(Span):
    """A program that fills a Pydantic model: its "tool" is the shape of the answer."""

    failed: Span | None = None
    """The tool that failed last: the framework may try it once more."""

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """Everything in it is structured output."""
        return cls(at) if isinstance(at.instance, BasePydanticProgram) else None


class PredictSpan(Span):
    """``predict_and_call``: the model is asked once, and the calls that it asks for are made."""

    failed: Span | None = None
    """The tool that failed last: the framework may try it once more."""

    def __init__(self, at: Entry, part: Part) -> None:
        super().__init__(at)
        self.own_part = part
        self.model = at.instance
        self.is_run = at.parent is None

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """A run of its own, unless it happens in one."""
        parent = at.parent
        if not isinstance(at.instance, BaseLLM) or isinstance(parent, ProgramSpan):
            return None
        if isinstance(parent, PredictSpan) and parent.model is at.instance:
            return None  # a model's own predict_and_call, which calls that of its base class
        around = None if parent is None else parent.begun()
        if around is None:
            said = at.bound.arguments.get("user_msg")
            text = None if said is None else said if isinstance(said, str) else str(said.content)
            run = at.scope.recorder.start_run(at.id, input=text, agent=type(at.instance).__name__)
            run.seen()
            if text is not None:
                run.message("user", text)
            part = Part(run, by_hand=True)
        else:
            inside = call_around(parent)
            steps = around.steps if inside is around.parent else None
            part = Part(around.run, by_hand=True, parent=inside, steps=steps)
        for tool in at.bound.arguments.get("tools") or ():
            offer(part, tool)
        return cls(at, part)

    def exit(self, result: Any) -> None:
        """The calls were made."""
        if self.is_run and self.own_part is not None:
            answer = result.response if isinstance(result, AgentChatResponse) else None
            self.own_part.run.end("ok", output=answer)

    def drop(self, error: BaseException | None) -> None:
        """It failed; for a tool that does not exist, by the ``KeyError`` of looking it up."""
        part = self.own_part
        if part is None:
            return
        if isinstance(error, KeyError) and error.args and error.args[0] not in part.offered:
            for call in part.asked_for(error.args[0])[:1]:
                call.fail(error, source="exception")
                call.note(origin="unknown_tool")
        if not self.is_run:
            return
        if stopped_from_outside(error):
            part.run.end("cancelled")
        else:
            part.run.end("error", error=error)
