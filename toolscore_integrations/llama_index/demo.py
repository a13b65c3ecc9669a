"""The demo's travel agent, as a LlamaIndex ``FunctionAgent`` with a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM

from toolscore import EvaluationResult, watch
from toolscore._demo import Scenario


def scripted(turns: Sequence[Any]) -> MockFunctionCallingLLM:
    """A model that answers with the turns of a script, one after the other."""

    def answer(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        number = sum(message.role == MessageRole.ASSISTANT for message in messages)
        turn = turns[number]
        if isinstance(turn, str):
            return ChatMessage(role=MessageRole.ASSISTANT, content=turn)
        calls = [
            ToolCallBlock(
                tool_call_id=f"call_{number}_{index}", tool_name=tool, tool_kwargs=arguments
            )
            for index, (tool, arguments) in enumerate(turn)
        ]
        return ChatMessage(role=MessageRole.ASSISTANT, blocks=list(calls))

    return MockFunctionCallingLLM(response_generator=answer)


def play(
    scenario: Scenario, tools: Sequence[Callable[..., str]], expected: Sequence[Any]
) -> EvaluationResult:
    """Watch the agent, run it once, and give its score."""
    agent = watch(FunctionAgent(llm=scripted(scenario.turns), tools=list(tools)), expected=expected)

    async def main() -> None:
        await agent.run("Book me a flight to Oslo on Friday.")

    asyncio.run(main())
    return agent.score
