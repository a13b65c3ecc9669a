"""LangGraph: results of real graphs with a scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import messages_to_dict

import toolscore
from toolscore import evaluate, from_langgraph
from toolscore_integrations.langchain.demo import ScriptedModel

TURNS: list[Any] = [[("search", {"query": "a"})], [("weather", {"city": "x"})], "done"]
EXPECTED = [{"tool": "search", "args": {"query": "a"}}, {"tool": "weather", "args": {"city": "x"}}]


def search(query: str) -> str:
    """Search."""
    return f"3 pages about {query}"


def weather(city: str) -> str:
    """The weather."""
    return f"18C in {city}"


def ways(state: Any) -> dict[str, Any]:
    return {
        "state": state,
        "messages": state["messages"],
        "messages_to_dict": messages_to_dict(state["messages"]),
        "model_dump": [message.model_dump() for message in state["messages"]],
    }


@pytest.mark.parametrize("way", ["state", "messages", "messages_to_dict", "model_dump"])
def test_a_run_scores_the_same_live_and_from_its_state(way: str):
    """Objects and dumps, read by the extractor, recognised, evaluated."""
    agent = toolscore.watch(
        create_agent(ScriptedModel(turns=TURNS), [search, weather]), expected=EXPECTED
    )
    source = ways(agent.invoke({"messages": [("user", "hi")]}))[way]

    first, second = from_langgraph(source)

    assert (first["tool"], first["result"], second["args"]) == (
        "search",
        "3 pages about a",
        {"city": "x"},
    )
    assert toolscore.auto_extract(source) == [first, second]
    assert evaluate(EXPECTED, source).score == agent.score.score == 1.0
