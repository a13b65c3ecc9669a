"""LlamaIndex agents whose model answers from a script; nothing of the framework is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, MessageRole
from llama_index.core.llms.mock import MockFunctionCallingLLM
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


def scripted(*turns: Any) -> MockFunctionCallingLLM:
    """The framework's own mock model, with a script."""
    return MockFunctionCallingLLM(response_generator=answer_to(turns))


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
