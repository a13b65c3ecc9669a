"""LlamaIndex agents whose model is its real OpenAI-compatible class, at the loopback provider."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hooks.contract import add, echo
from hooks.loopback import Loopback
from hooks.loopback_scenario import book
from llama_index.core.agent.workflow import FunctionAgent

import toolscore
from toolscore_integrations.llama_index import ToolscoreEventHandler

models = pytest.importorskip(
    "llama_index.llms.openai_like", reason="needs an older client than others: nox -s companions"
)


def model(server: Loopback, **options: Any) -> Any:
    return models.OpenAILike(
        model="scripted",
        api_base=server.url,
        api_key="none",
        is_chat_model=True,
        is_function_calling_model=True,
        # streams carry no numbers unless they are asked for
        additional_kwargs=options.pop("asks", {"stream_options": {"include_usage": True}}),
        **{"max_retries": 0, **options},
    )


def agent_of(llm: Any, *, streaming: bool, tools: Any = (book, add, echo)) -> FunctionAgent:
    return FunctionAgent(tools=list(tools), llm=llm, streaming=streaming)


def plain(server: Loopback, **options: Any) -> FunctionAgent:
    return agent_of(model(server, asks={}), streaming=False, **options)


def streamed(server: Loopback, **options: Any) -> FunctionAgent:
    return agent_of(model(server), streaming=True, **options)


def by_watch(agent: Any, play: Callable[[Any], Any], expected: Any = None) -> Any:
    """Run it watched; what has ``runs`` and ``score``."""
    watched = toolscore.watch(agent, expected)
    play(watched)
    return watched


def by_handler(agent: Any, play: Callable[[Any], Any], expected: Any = None) -> Any:
    """Run it in the block of a handler."""
    with ToolscoreEventHandler(expected) as handler:
        play(agent)
    return handler
