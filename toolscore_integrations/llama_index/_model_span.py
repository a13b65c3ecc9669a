"""A model that is asked, by an agent's step or by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    MessageRole,
)

from toolscore._guard import never_raise
from toolscore_integrations.llama_index._part import Part
from toolscore_integrations.llama_index._requests import requests_in
from toolscore_integrations.llama_index._run_span import RunSpan, TurnSpan
from toolscore_integrations.llama_index._script_span import PredictSpan, ScriptSpan
from toolscore_integrations.llama_index._span import Entry, Span, spans_from
from toolscore_integrations.llama_index._texts import hear_prompt, message_text
from toolscore_integrations.llama_index._usage import usage_in


class ModelSpan(Span):
    """A method of a model. Its events, not its span, say that a response is complete.

    Attributes:
        tells: Whether it told that it was asked; integrations may tell nothing.
        told: Whether it told its response. With a stream that comes after the end of the span.
    """

    tells = False
    told = False
    _half = False

    def __init__(self, at: Entry) -> None:
        super().__init__(at)
        self.model: BaseLLM = at.instance

    @property
    def streams(self) -> bool:  # type: ignore[override]
        """Whether its response comes when it has been read."""
        return self.tells and not self.told

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """The model is asked."""
        return cls(at) if isinstance(at.instance, BaseLLM) else None

    @never_raise
    def asked(self) -> None:
        """It tells that it was asked; an ``achat`` that calls ``chat`` tells of one turn twice."""
        self.tells = True
        outer = self.parent
        self._half = isinstance(outer, ModelSpan) and outer.model is self.model and outer.tells

    @never_raise
    def answered(
        self, response: ChatResponse | CompletionResponse | None, messages: Sequence[ChatMessage]
    ) -> None:
        """It tells its response."""
        if self._half or self.told or response is None:
            return
        self.told = True
        around = next((s for s in spans_from(self) if not isinstance(s, ModelSpan)), None)
        if isinstance(around, TurnSpan):
            around.told = True  # what it asks for, the step will say
            _count(self.part, response)
        elif isinstance(around, (ScriptSpan, PredictSpan, RunSpan)):
            self._record(around, response, messages)
        else:
            _count(self.part, response)

    def _record(
        self,
        around: Span,
        response: ChatResponse | CompletionResponse,
        messages: Sequence[ChatMessage],
    ) -> None:
        """A turn that code asked for; in a block that is not whole, only calls make it a run."""
        asked = requests_in(response.message) if isinstance(response, ChatResponse) else []
        part = around.part
        if isinstance(around, ScriptSpan) and (asked or around.whole):
            part = around.begun()
        _count(part, response)
        if part is None or not part.by_hand:
            return
        hear_prompt(part.run, messages)
        if isinstance(around, ScriptSpan):
            _hear_user(part, messages)
        if isinstance(response, ChatResponse):
            part.turn(message_text(response.message), asked, agent=None)
        else:
            part.turn(response.text, asked, agent=None)


def _count(part: Part | None, response: ChatResponse | CompletionResponse) -> None:
    additional = cast("object", response.additional_kwargs)  # pyright: ignore[reportUnknownMemberType]
    usage = None if part is None else usage_in(response.raw, additional)
    if part is not None and usage is not None:
        part.run.add_usage(usage)


def _hear_user(part: Part, messages: Sequence[ChatMessage]) -> None:
    """In a script the user's words are known from what the model was asked."""
    if messages and messages[-1].role is MessageRole.USER:
        part.run.message("user", message_text(messages[-1]))
