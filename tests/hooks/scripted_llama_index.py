"""LlamaIndex agents whose model answers from a script; nothing of the framework is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    CustomLLM,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.llms.utils import parse_partial_json
from llama_index.core.workflow import Workflow


def answer_to(turns: Sequence[Any]) -> Callable[..., ChatMessage]:
    """What the model says: turn n after n answers to the last thing that the user said.

    A turn is a text, calls as ``(tool, arguments or their text, id)``, an exception to raise, or a
    function that gives any of these.
    """

    def answer(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        answers = 0
        for message in reversed(messages):
            if message.role == MessageRole.USER:
                break
            answers += message.role == MessageRole.ASSISTANT
        turn = turns[min(answers, len(turns) - 1)]
        if callable(turn):
            turn = turn()
        if isinstance(turn, Exception):
            raise turn
        if isinstance(turn, str):
            return ChatMessage(role="assistant", content=turn)
        blocks = [
            ToolCallBlock(tool_name=tool, tool_kwargs=args, tool_call_id=id_)
            for tool, args, id_ in turn
        ]
        return ChatMessage(role="assistant", blocks=blocks)

    return answer


class ScriptedLLM(CustomLLM, FunctionCallingLLM):
    """A model of a provider, as integrations write them: it tells events, and repairs arguments."""

    answer: Callable[..., ChatMessage]
    counts: dict[str, int] | None = None
    """The tokens of each response."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_function_calling_model=True, is_chat_model=True)

    def _respond(self, messages: Sequence[ChatMessage]) -> ChatResponse:
        message = self.answer(messages)
        raw = {"usage": self.counts} if self.counts else None
        return ChatResponse(message=message, delta=message.content or "", raw=raw)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        response = self._respond([ChatMessage(role="user", content=prompt)])
        return CompletionResponse(text=response.message.content or "", raw=response.raw)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
        def words() -> Iterator[CompletionResponse]:
            yield self.complete(prompt)

        return words()

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **_: Any) -> ChatResponse:
        return self._respond(messages)

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self.chat(messages, **kwargs)

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **_: Any) -> Any:
        def words() -> Iterator[ChatResponse]:
            yield self._respond(messages)

        return words()

    @llm_chat_callback()
    async def astream_chat(self, messages: Sequence[ChatMessage], **_: Any) -> Any:
        async def words() -> AsyncIterator[ChatResponse]:
            yield self._respond(messages)

        return words()

    def _prepare_chat_with_tools(
        self,
        tools: Sequence[Any],
        user_msg: Any = None,
        chat_history: list[ChatMessage] | None = None,
        **_: Any,
    ) -> dict[str, Any]:
        if isinstance(user_msg, str):
            user_msg = ChatMessage(role="user", content=user_msg)
        return {"messages": [*(chat_history or []), *([user_msg] if user_msg else [])]}

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **_: Any
    ) -> list[ToolSelection]:
        return [
            ToolSelection(
                tool_id=block.tool_call_id or "",
                tool_name=block.tool_name,
                tool_kwargs=parse_partial_json(block.tool_kwargs)
                if isinstance(block.tool_kwargs, str)
                else block.tool_kwargs,
            )
            for block in response.message.blocks
            if isinstance(block, ToolCallBlock)
        ]


def scripted(*turns: Any, **options: Any) -> ScriptedLLM:
    """A model with a script."""
    return ScriptedLLM(answer=answer_to(turns), **options)


def build(
    turns: Sequence[Any], tools: Sequence[Any], *, streaming: bool = True, **options: Any
) -> FunctionAgent:
    """An agent with these tools and a scripted model."""
    llm = scripted(*turns)
    return FunctionAgent(tools=list(tools), llm=llm, streaming=streaming, **options)


def run(agent: Workflow, text: str = "hi", **options: Any) -> Any:
    """Run an agent from a script without a loop, as ``asyncio.run`` does; what it answers."""

    async def main() -> Any:
        return await agent.run(user_msg=text, **options)

    return asyncio.run(main())


def stream(agent: Workflow, text: str = "hi", **options: Any) -> tuple[Any, list[Any]]:
    """Run an agent and read all of its events; the answer and the events."""

    async def main() -> tuple[Any, list[Any]]:
        handler = agent.run(user_msg=text, **options)
        events = [event async for event in handler.stream_events()]
        return await handler, events

    return asyncio.run(main())
