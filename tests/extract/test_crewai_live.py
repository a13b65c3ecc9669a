"""CrewAI itself, where it is installed: it needs an environment of its own (``nox -s crewai``)."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from toolscore import from_crewai

if importlib.util.find_spec("crewai") is None:
    pytest.skip("crewai is not installed: nox -s crewai", allow_module_level=True)

from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from crewai.tools import tool


class ScriptedModel(BaseLLM):
    """Gives these turns; calls functions when a turn is a list."""

    turns: list[Any]
    calling: bool

    def call(self, messages: Any, *args: Any, **options: Any) -> Any:
        return self.turns.pop(0)

    def supports_function_calling(self) -> bool:
        return self.calling

    def supports_stop_words(self) -> bool:
        return False

    def get_context_window_size(self) -> int:
        return 100_000


@tool("search")
def search(query: str) -> str:
    """Search."""
    return "3 hits"


@tool("weather")
def weather(city: str) -> str:
    """The weather."""
    raise ValueError("no such city")


def request(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


CALLING = [
    [request("c1", "search", '{"query": "a"}'), request("c2", "weather", '{"city": "x"}')],
    "done",
]
WRITING = [
    'Thought: t\nAction: search\nAction Input: {"query": "a"}',
    'Thought: t\nAction: weather\nAction Input: {"city": "x"}',
    "Thought: I now know\nFinal Answer: done",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("turns", [CALLING, WRITING], ids=["calling", "writing"])
def test_a_crew_gives_its_calls(turns: list[Any], monkeypatch: pytest.MonkeyPatch):
    """Both ways in which CrewAI lets models use tools; the tool that raised has failed."""
    for name in ("CREWAI_DISABLE_TELEMETRY", "CREWAI_DISABLE_TRACKING", "OTEL_SDK_DISABLED"):
        monkeypatch.setenv(name, "true")
    monkeypatch.setenv("CREWAI_TRACING_ENABLED", "false")
    model = ScriptedModel(model="scripted", turns=list(turns), calling=turns is CALLING)
    agent = Agent(role="r", goal="g", backstory="b", llm=model, tools=[search, weather], max_iter=5)
    task = Task(description="d", expected_output="e", agent=agent)

    output = Crew(agents=[agent], tasks=[task]).kickoff()

    for source in (output, output.tasks_output[0], output.model_dump(mode="json")):
        ok, failed = from_crewai(source)
        assert (ok["tool"], ok["args"], ok["result"]) == ("search", {"query": "a"}, "3 hits")
        assert (failed["tool"], failed["args"], failed["error"]) == (
            "weather",
            {"city": "x"},
            "no such city",
        )
