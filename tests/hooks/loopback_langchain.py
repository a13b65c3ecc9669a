"""LangChain agents with the real models of providers, pointed at the loopback provider."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from hooks.contract import add, echo
from hooks.loopback import Loopback
from hooks.loopback_scenario import book
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langchain_core.tools import BaseTool, tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

import toolscore
from toolscore_integrations.langchain import ToolscoreCallbackHandler

INPUT: dict[str, Any] = {"messages": [("user", "hi")]}
Agent: TypeAlias = Any
Play: TypeAlias = Callable[[Agent, dict[str, Any]], Any]
"""How an agent is run: with a config."""


def chat(server: Loopback, api: str, **options: Any) -> ChatOpenAI:
    return ChatOpenAI(
        model="scripted",
        base_url=server.url,
        api_key="none",
        use_responses_api=api == "responses",
        **{"max_retries": 0, "stream_usage": True, **options},
    )


def claude(server: Loopback) -> ChatAnthropic:
    """The real ``ChatAnthropic``; its client adds the version to the path itself."""
    return ChatAnthropic(
        model_name="scripted",
        base_url=server.url.removesuffix("/v1"),
        api_key="none",
        max_retries=0,
        max_tokens_to_sample=1000,
        timeout=None,
        stop=None,
    )


def tools() -> list[BaseTool]:
    return [tool(book), tool(add), tool(echo)]


def agent_of(model: BaseChatModel) -> Agent:
    return create_agent(model, tools())


def graph_of(model: BaseChatModel) -> Agent:
    """A graph written by hand, with the model and a ``ToolNode``."""
    bound = model.bind_tools(tools())

    def think(state: MessagesState) -> dict[str, list[AnyMessage]]:
        return {"messages": [bound.invoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("tools", ToolNode(tools()))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", tools_condition)
    graph.add_edge("tools", "think")
    return graph.compile()


def invoke(agent: Agent, config: dict[str, Any]) -> Any:
    return agent.invoke(INPUT, config)


def ainvoke(agent: Agent, config: dict[str, Any]) -> Any:
    return asyncio.run(agent.ainvoke(INPUT, config))


def stream(agent: Agent, config: dict[str, Any]) -> Any:
    """Token by token: the model's answers are streamed too."""
    return list(agent.stream(INPUT, config, stream_mode="messages"))


def astream(agent: Agent, config: dict[str, Any]) -> Any:
    async def read() -> list[Any]:
        return [chunk async for chunk in agent.astream(INPUT, config, stream_mode="messages")]

    return asyncio.run(read())


PLAYS: list[Play] = [invoke, ainvoke, stream, astream]
HEARD: list[Play] = PLAYS if sys.version_info >= (3, 11) else [invoke, stream]
"""How handlers are told of the model: before Python 3.11 asyncio's tasks cannot carry a context,
and LangGraph then calls (and never streams) the models of async nodes without its handlers."""


def by_watch(agent: Agent, play: Play, expected: Sequence[Any] | None = None) -> Any:
    """Run it watched; what has ``runs`` and ``score``."""
    watched = toolscore.watch(agent, expected)
    play(watched, {})
    return watched


def by_handler(agent: Agent, play: Play, expected: Sequence[Any] | None = None) -> Any:
    """Run it with the handler in its config."""
    handler = ToolscoreCallbackHandler(expected)
    play(agent, {"callbacks": [handler]})
    return handler
