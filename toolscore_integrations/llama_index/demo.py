"""The demo's travel agent, as a LlamaIndex ``FunctionAgent`` with a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, cast

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
from llama_index.core.llms import ChatResponse, CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection

from toolscore import EvaluationResult, watch
from toolscore._demo import Scenario


class ScriptedModel(CustomLLM, FunctionCallingLLM):
    """Answers with the turns of a script, one after the other."""

    turns: list[Any]

    @property
    def metadata(self) -> LLMMetadata:
        """It calls functions."""
        return LLMMetadata(is_function_calling_model=True, is_chat_model=True)

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The script is a chat."""
        raise NotImplementedError

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        """The script is a chat."""
        raise NotImplementedError

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """The next turn."""
        number = sum(message.role == MessageRole.ASSISTANT for message in messages)
        turn = self.turns[number]
        if isinstance(turn, str):
            answer = ChatMessage(role=MessageRole.ASSISTANT, content=turn)
            return ChatResponse(message=answer, delta=turn)
        calls = [
            ToolCallBlock(tool_call_id=f"call_{number}_{index}", tool_name=tool, tool_kwargs=args)
            for index, (tool, args) in enumerate(turn)
        ]
        return ChatResponse(message=ChatMessage(role=MessageRole.ASSISTANT, blocks=list(calls)))

    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        """The next turn, in one piece."""

        async def pieces() -> AsyncIterator[ChatResponse]:
            yield await self.achat(messages, **kwargs)

        return pieces()

    def _prepare_chat_with_tools(
        self,
        tools: Any,
        user_msg: Any = None,
        chat_history: Any = None,
        verbose: bool = False,
        allow_parallel_tool_calls: bool = False,
        tool_required: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        return {"messages": list(chat_history or [])}

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **kwargs: Any
    ) -> list[ToolSelection]:
        """The calls of a turn."""
        return [
            ToolSelection(
                tool_id=block.tool_call_id or "",
                tool_name=block.tool_name,
                tool_kwargs=cast("dict[str, Any]", block.tool_kwargs),
            )
            for block in response.message.blocks
            if isinstance(block, ToolCallBlock)
        ]


def play(
    scenario: Scenario, tools: Sequence[Callable[..., str]], expected: Sequence[Any]
) -> EvaluationResult:
    """Watch the agent, run it once, and give its score."""
    model = ScriptedModel(turns=list(scenario.turns))
    agent = watch(FunctionAgent(llm=model, tools=list(tools)), expected=expected)

    async def main() -> None:
        await agent.run("Book me a flight to Oslo on Friday.")

    asyncio.run(main())
    return agent.score
