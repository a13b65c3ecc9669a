"""What the blocks of the docs take as given: scripted models, tools, an agent that ran."""

from __future__ import annotations

from typing import Any

from agents import function_tool
from langchain.agents import create_agent

import toolscore
from toolscore_integrations.langchain.demo import ScriptedModel
from toolscore_integrations.llama_index.demo import ScriptedModel as LlamaModel
from toolscore_integrations.openai_agents.demo import ScriptedModel as OpenAIModel

TURNS: list[Any] = [[("search", {"query": "python"})], "Here they are."]


def search(query: str) -> str:
    """Search the documentation."""
    return f"3 pages about {query}"


def namespace() -> dict[str, Any]:
    """New objects for each block."""
    model = ScriptedModel(turns=TURNS)
    agent = toolscore.watch(create_agent(model, [search]), expected=["search"])
    agent.invoke({"messages": [("user", "find python docs")]})
    return {
        "model": model,
        "tools": [search],
        "openai_model": OpenAIModel(TURNS),
        "openai_tools": [function_tool(search)],
        "llm": LlamaModel(turns=TURNS),
        "llama_tools": [search],
        "agent": agent,
    }
