"""OpenAI agents whose model is the real ``openai`` client, pointed at the loopback provider."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import openai
import pytest
from agents import (
    Agent,
    Model,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunHooks,
    Runner,
    Tool,
    function_tool,
)
from hooks.contract import add, echo
from hooks.loopback import Loopback
from hooks.loopback_scenario import book

import toolscore
from toolscore_integrations.openai_agents import ToolscoreRunHooks

Hooks: TypeAlias = "RunHooks[Any] | None"
Play: TypeAlias = Callable[[Any, Hooks], Any]
"""How an agent is run: with the hooks."""


def model_of(server: Loopback, api: str, name: str = "scripted", max_retries: int = 0) -> Model:
    """The SDK's own model of this API."""
    client = openai.AsyncOpenAI(base_url=server.url, api_key="none", max_retries=max_retries)
    if api == "responses":
        return OpenAIResponsesModel(name, client)
    return OpenAIChatCompletionsModel(name, client)


def tools() -> list[Tool]:
    return [function_tool(book, strict_mode=False), function_tool(add), function_tool(echo)]


def agent_of(model: Model, **options: Any) -> Agent[Any]:
    """An agent with the scenario's tools; its streams tell their usage."""
    settings = ModelSettings(include_usage=True)
    return Agent(
        **{"name": "clerk", "model": model, "tools": tools(), "model_settings": settings, **options}
    )


def run(agent: Any, hooks: Hooks) -> Any:
    return asyncio.run(Runner.run(agent, "hi", hooks=hooks))


def run_sync(agent: Any, hooks: Hooks) -> Any:
    # run_sync keeps the thread's default loop open for its next call; this one is closed here
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        return Runner.run_sync(agent, "hi", hooks=hooks)
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def run_streamed(agent: Any, hooks: Hooks) -> Any:
    async def read() -> list[Any]:
        result = Runner.run_streamed(agent, "hi", hooks=hooks)
        return [event async for event in result.stream_events()]

    return asyncio.run(read())


def by_watch(agent: Any, play: Play, expected: Sequence[Any] | None = None) -> Any:
    """Run it watched; what has ``runs`` and ``score``."""
    watched = toolscore.watch(agent, expected)
    play(watched, None)
    return watched


def by_hooks(agent: Any, play: Play, expected: Sequence[Any] | None = None) -> Any:
    """Run it with our hooks."""
    hooks = ToolscoreRunHooks(expected)
    play(agent, hooks)
    return hooks


APIS = pytest.mark.parametrize("api", ["chat", "responses"])
ATTACH = pytest.mark.parametrize("attach", [by_watch, by_hooks])
PLAYS = pytest.mark.parametrize("play", [run, run_sync, run_streamed])
