"""OpenAI Agents SDK: results of real runs with a scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from agents import Agent, Runner, function_tool

import toolscore
from toolscore import evaluate, from_openai_agents
from toolscore_integrations.openai_agents.demo import ScriptedModel


@function_tool
def search(query: str) -> str:
    """Search."""
    return f"3 pages about {query}"


@function_tool
def weather(city: str) -> str:
    """The weather."""
    raise ValueError("no such city")


def agent(*turns: Any, name: str = "helper", **options: Any) -> Agent[Any]:
    return Agent(name=name, model=ScriptedModel(list(turns)), **options)


async def test_a_result_gives_the_calls_of_its_run():
    """Results, the acting agent, the turn; the SDK's own sentence for a failure is a failure."""
    made = agent(
        [("search", {"query": "a"}), ("weather", {"city": "x"})], "done", tools=[search, weather]
    )
    result = await Runner.run(made, "hi")

    ok, failed = from_openai_agents(result)

    assert (ok["tool"], ok["args"], ok["result"]) == ("search", {"query": "a"}, "3 pages about a")
    assert (ok["metadata"]["agent"], ok["metadata"]["step"], failed["metadata"]["step"]) == (
        "helper",
        0,
        0,
    )
    assert (failed["tool"], failed["is_error"]) == ("weather", True)


@pytest.mark.parametrize("way", ["result", "new_items", "to_input_list"])
async def test_every_form_of_a_result_scores_the_same(way: str):
    """The result itself, its items, the input of the next run."""
    result = await Runner.run(agent([("search", {"query": "a"})], "done", tools=[search]), "hi")
    source = {
        "result": result, "new_items": result.new_items, "to_input_list": result.to_input_list(),
    }[way]  # fmt: skip

    [call] = from_openai_agents(source)

    assert (call["tool"], call["result"]) == ("search", "3 pages about a")
    assert toolscore.auto_extract(source) == [call]
    assert evaluate([{"tool": "search", "args": {"query": "a"}}], source).score == 1.0


async def test_a_run_scores_the_same_live_and_from_its_result():
    """What the watched run saw, and what the result kept of it."""
    watched = toolscore.watch(
        agent([("search", {"query": "a"})], [("search", {"query": "b"})], "done", tools=[search]),
        expected=[{"tool": "search", "args": {"query": "a"}}],
    )
    result = await Runner.run(watched, "hi")
    again = evaluate([{"tool": "search", "args": {"query": "a"}}], result)
    assert again.score == watched.score.score < 1.0


async def test_a_handoff_counts_when_it_is_expected():
    """As in a captured run."""
    other = agent([("search", {"query": "b"})], "done", name="other", tools=[search])
    result = await Runner.run(agent([("transfer_to_other", {})], handoffs=[other]), "hi")

    handoff, call = from_openai_agents(result)

    assert (handoff["metadata"]["kind"], call["metadata"]["agent"]) == ("handoff", "other")
    assert evaluate(["search"], result).passed
    assert evaluate(["transfer_to_other", "search"], result).passed


async def test_a_call_that_waits_for_approval_is_interrupted_and_there_once():
    """It is among the interruptions, not among the answers."""

    @function_tool(needs_approval=True)
    def pay(n: int) -> str:
        """Pay."""
        return "paid"

    result = await Runner.run(agent([("pay", {"n": 1})], tools=[pay]), "hi")

    [call] = from_openai_agents(result)
    assert (call["tool"], call["args"], call["metadata"]["status"]) == (
        "pay",
        {"n": 1},
        "interrupted",
    )


async def test_the_input_of_a_run_is_not_its_own():
    """The calls of an earlier run that it was given as its history."""
    first = await Runner.run(agent([("search", {"query": "a"})], "done", tools=[search]), "hi")
    second = await Runner.run(agent("bye", tools=[search]), first.to_input_list())
    assert from_openai_agents(second) == []


OLD = {
    "new_items": [
        {"type": "tool_call_item", "agent": {"name": "helper"}, "raw_item": {
            "type": "function_call", "call_id": "k1", "name": "search",
            "arguments": '{"q":"z"}', "id": "fc", "status": "completed"}},
        {"type": "tool_call_output_item", "output": "3 hits", "raw_item": {
            "type": "function_call_output", "call_id": "k1", "output": "3 hits"}},
        {"type": "message_output_item", "raw_item": {
            "type": "message", "role": "assistant", "content": []}}]}  # fmt: skip


def test_a_dump_of_a_result_is_read():
    """Plain dicts."""
    [call] = from_openai_agents(OLD)
    assert (call["tool"], call["args"], call["result"]) == ("search", {"q": "z"}, "3 hits")
    assert call["metadata"]["agent"] == "helper"


@pytest.mark.parametrize("source", [None, 3, "text", {}, {"a": 1}, object()], ids=repr)
def test_what_is_not_of_the_sdk_is_refused(source: Any):
    """Not read as a run without calls."""
    with pytest.raises(ValueError, match=r"from_openai_agents"):
        from_openai_agents(source)
