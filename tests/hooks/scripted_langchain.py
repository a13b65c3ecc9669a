"""LangChain agents whose model says what the test wrote down.

A turn is a text; a list of calls ``(tool, arguments or their raw text, id)``; or a whole message.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from hooks.contract import Mode
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool, tool
from langgraph.errors import GraphBubbleUp
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

import toolscore
from toolscore import Run, ToolCall
from toolscore_integrations.langchain import ToolscoreCallbackHandler

Turn: TypeAlias = "str | AIMessage | Sequence[Any]"
INPUT: dict[str, Any] = {"messages": [("user", "hi")]}


def say(turn: Turn) -> AIMessage:
    """The message of a turn, new each time: LangGraph writes ids into messages."""
    if isinstance(turn, AIMessage):
        return turn.model_copy(deep=True)
    if isinstance(turn, str):
        return AIMessage(turn)
    valid: list[Any] = []
    invalid: list[Any] = []
    for name, args, call_id in turn:
        if isinstance(args, str):
            try:
                args = json.loads(args)
            except ValueError as error:
                invalid.append({"name": name, "args": args, "id": call_id, "error": str(error)})
                continue
        valid.append({"name": name, "args": args, "id": call_id})
    return AIMessage("", tool_calls=valid, invalid_tool_calls=invalid)


class ScriptedModel(BaseChatModel):
    """Answers with its turns: which one, follows from the answers since the user spoke last.

    So runs at the same time may share the model.
    """

    turns: list[Any]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        number = 0
        for message in reversed(messages):
            if isinstance(message, HumanMessage):
                break
            number += isinstance(message, AIMessage)
        message = say(self.turns[min(number, len(self.turns) - 1)])
        return ChatResult(generations=[ChatGeneration(message=message)])


def model(*turns: Turn) -> ScriptedModel:
    """A model that says this."""
    return ScriptedModel(turns=list(turns))


def as_tools(tools: Sequence[Callable[..., Any] | BaseTool]) -> list[BaseTool]:
    """LangChain's tools of plain functions."""
    return [t if isinstance(t, BaseTool) else tool(t) for t in tools]


class GoOn(AgentMiddleware[Any, Any]):
    """Tells the model of a tool's error, instead of letting it end the run."""

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return handler(request)
        except GraphBubbleUp:  # a pause or a handoff
            raise
        except Exception as error:
            return refusal(request, f"Error: {error}")

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return await handler(request)
        except GraphBubbleUp:
            raise
        except Exception as error:
            return refusal(request, f"Error: {error}")


def refusal(request: Any, text: str) -> ToolMessage:
    """What a middleware answers in place of a tool."""
    return ToolMessage(text, tool_call_id=request.tool_call["id"], status="error")


def build(
    turns: Sequence[Turn],
    tools: Sequence[Callable[..., Any] | BaseTool],
    *,
    survives: bool = True,
    middleware: Sequence[Any] = (),
    **options: Any,
) -> Any:
    """An agent of ``create_agent``; ``survives``: a tool's error does not end its runs."""
    chain = [*middleware, *([GoOn()] if survives else [])]
    return create_agent(model(*turns), as_tools(tools), middleware=chain, **options)


def graph(
    turns: Sequence[Turn],
    tools: Sequence[Callable[..., Any] | BaseTool],
    *,
    retry: Any = None,
    node_options: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """A graph written by hand: the model in a node, one ``ToolNode`` for all calls."""
    bound = model(*turns)

    def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [bound.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("think", think)
    node = ToolNode(as_tools(tools), **(node_options or {}))
    builder.add_node("tools", node, retry_policy=retry)
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", tools_condition)
    builder.add_edge("tools", "think")
    return builder.compile(**options)


def play(
    agent: Any,
    mode: Mode = "sync",
    handler: ToolscoreCallbackHandler | None = None,
    given: Any = None,
    **config: Any,
) -> Any:
    """Run it once; the final state."""
    if handler is not None:
        config["callbacks"] = [handler]
    given = INPUT if given is None else given
    if mode == "sync":
        return agent.invoke(given, config)
    if mode == "async":
        return asyncio.run(agent.ainvoke(given, config))
    return list(agent.stream(given, config, stream_mode="values"))[-1]


def record(agent: Any, mode: Mode = "sync", given: Any = None, **config: Any) -> Run:
    """Watch it, run it once, and give the one run, also if it raises."""
    watched = toolscore.watch(agent)
    with suppress(Exception):
        play(watched, mode, given=given, **config)
    [run] = watched.runs
    return run


def brief(calls: Run | Iterable[ToolCall]) -> list[tuple[Any, ...]]:
    """(tool, args, status, origin, attempts) of each call."""
    chosen = calls.calls if isinstance(calls, Run) else calls
    return [
        (c.tool, c.args, c.status, c.metadata["origin"], c.metadata["attempts"]) for c in chosen
    ]
