"""CrewAI: what its outputs hold, dumped by CrewAI 1.15; ``test_crewai_live.py`` runs it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import toolscore
from toolscore import evaluate, from_crewai

CALLING = [
    {"role": "system", "content": "You are r."},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "c1", "type": "function",
         "function": {"name": "search", "arguments": '{"query": "a"}'}},
        {"id": "c2", "type": "function",
         "function": {"name": "weather", "arguments": '{"city": "x"}'}}]},
    {"role": "tool", "content": "3 hits", "tool_call_id": "c1", "name": "search"},
    {"role": "tool", "content": "Error executing tool: no such city", "tool_call_id": "c2",
     "name": "weather"},
    {"role": "assistant", "content": "done"},
]  # fmt: skip
WRITING = [
    {"role": "user", "content": "Use this format: Action: ... Action Input: ... Begin!"},
    {"role": "assistant",
     "content": 'Thought: t\nAction: search\nAction Input: {"query": "a"}\nObservation: 3 hits'},
    {"role": "user", "content": "Analyze the tool result."},
    {"role": "assistant",
     "content": 'Thought: t\nAction: weather\nAction Input: {"city": "x"}\nObservation: \nI tried'},
    {"role": "assistant", "content": "Thought: I now know\nFinal Answer: done"},
]  # fmt: skip
FAILURE = {
    "tool_name": "weather", "tool_args": {"city": "x"}, "agent_role": "r",
    "failure": {"message": "no such city", "reason": "exception", "code": "ValueError"},
}  # fmt: skip


def task(messages: list[Any]) -> dict[str, Any]:
    return {
        "description": "d", "raw": "done", "agent": "r", "messages": messages,
        "tool_failures": [FAILURE],
    }  # fmt: skip


@pytest.mark.parametrize("messages", [CALLING, WRITING], ids=["calling", "writing"])
@pytest.mark.parametrize("whole", [True, False], ids=["crew", "task"])
def test_an_output_gives_the_calls_of_its_tasks(messages: list[Any], whole: bool):
    """Of models that call functions, and of those that write; both say what failed."""
    source = {"raw": "done", "tasks_output": [task(messages)]} if whole else task(messages)

    search, weather = from_crewai(source)

    assert (search["tool"], search["args"], search["result"]) == (
        "search",
        {"query": "a"},
        "3 hits",
    )
    assert (weather["tool"], weather["args"]) == ("weather", {"city": "x"})
    assert (weather["error"], weather["metadata"]["error_type"]) == ("no such city", "ValueError")
    assert (search["is_error"], search["metadata"]["agent"]) == (False, "r")
    assert toolscore.auto_extract(source) == [search, weather]
    assert not evaluate(["search", "weather"], source).passed


def test_tool_results_of_an_agent_are_calls():
    """What ``agent.tools_results`` holds; also as objects, with arguments as text."""
    plain = [{"tool_name": "search", "tool_args": {"q": "a"}, "result": "3 hits"}]
    objects = [SimpleNamespace(tool_name="search", tool_args='{"q": "a"}', result="3 hits")]
    for source in (
        plain,
        objects,
        {"tools_results": plain},
        SimpleNamespace(tools_results=objects),
    ):
        [call] = from_crewai(source)
        assert (call["tool"], call["args"], call["result"]) == ("search", {"q": "a"}, "3 hits")
    assert from_crewai([]) == from_crewai({"tools_results": []}) == []


def test_events_are_calls_from_their_begin_to_their_end():
    """A result, a failure, a cached answer, and one whose end was never seen."""

    def event(kind: str, tool: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, "tool_name": tool, "tool_args": {"x": 1}, **more}

    times = {
        "started_at": "2026-01-01T00:00:00+00:00",
        "finished_at": "2026-01-01T00:00:01.5+00:00",
    }
    calls = from_crewai([
        event("tool_usage_started", "a"),
        event("tool_usage_finished", "a", output="3 hits", **times),
        event("tool_usage_started", "b"),
        event("tool_usage_error", "b", error="boom"),
        event("tool_usage_finished", "c", output="old", from_cache=True),
        event("tool_usage_finished", "e", output="no", failure={"message": "declined"}),
        event("tool_usage_started", "d"),
        {"type": "llm_call_completed"},
    ])  # fmt: skip
    assert [(c["tool"], c["metadata"]["status"], c["result"], c["error"]) for c in calls] == [
        ("a", "ok", "3 hits", None), ("b", "error", None, "boom"), ("c", "ok", "old", None),
        ("e", "error", "no", "declined"), ("d", "unfinished", None, None),
    ]  # fmt: skip
    assert (calls[0]["duration"], calls[2]["metadata"]["origin"]) == (1.5, "synthesized")


@pytest.mark.parametrize("source", [None, 3, "text", {}, [{"a": 1}], object()], ids=repr)
def test_what_is_not_of_crewai_is_refused(source: Any):
    """Not read as a run without calls."""
    with pytest.raises(ValueError, match=r"from_crewai"):
        from_crewai(source)
