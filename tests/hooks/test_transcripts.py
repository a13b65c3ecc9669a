"""Transcripts and saved runs: the same in all three frameworks."""

from pathlib import Path
from typing import Any

import pytest
from agents import Agent, Runner, function_tool
from hooks.contract import SCENARIOS, Mode, Scenario
from hooks.drivers import DRIVERS, Driver
from langchain.agents import create_agent
from llama_index.core.agent.workflow import FunctionAgent

import toolscore
from toolscore import AgentTrace, evaluate, load_runs
from toolscore.agent_trace import recovered_from_error, trace_completed_with_answer
from toolscore_integrations.langchain.demo import ScriptedModel as LangChainModel
from toolscore_integrations.llama_index.demo import ScriptedModel as LlamaModel
from toolscore_integrations.openai_agents.demo import ScriptedModel as OpenAIModel

NAMED = {scenario.name: scenario for scenario in SCENARIOS}
EACH = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
WAYS = pytest.mark.parametrize("way", ["by_watch", "by_handler"])


def spoken(trace: AgentTrace) -> list[tuple[str, str, list[str]]]:
    """Role, content and called tools of each turn."""
    return [
        (turn.role.value, turn.content, [call.tool for call in turn.tool_calls])
        for turn in trace.turns
    ]


@EACH
@WAYS
@pytest.mark.parametrize("mode", ["sync", "async", "stream"])
def test_a_run_has_its_turns_in_order_with_the_answer_last(driver: Driver, way: str, mode: Mode):
    """What the user said, what the model asked for, what the tool said, and the answer."""
    recording, outcome = getattr(driver, way)(NAMED["one call"], mode)

    [run] = recording.runs
    assert spoken(run.transcript) == [
        ("user", "hi", []),
        ("assistant", "", ["add"]),
        ("tool", "3", []),
        ("assistant", outcome.answer, []),
    ]
    assert trace_completed_with_answer(run.transcript)
    assert run.transcript.turns[1].tool_calls[0] is run.calls[0]


SPOKEN = [
    ("system", "Be kind.", []),
    ("user", "find", []),
    ("assistant", "", ["search"]),
    ("tool", "3 pages about python", []),
    ("assistant", "Here they are.", []),
]
TURNS: list[Any] = [[("search", {"query": "python"})], "Here they are."]


def search(query: str) -> str:
    """Search the documentation."""
    return f"3 pages about {query}"


def test_the_system_speaks_first_in_langchain():
    """The prompt of ``create_agent`` is no input: the model alone hears it, at each turn."""
    agent = toolscore.watch(
        create_agent(LangChainModel(turns=TURNS), [search], system_prompt="Be kind.")
    )
    agent.invoke({"messages": [("user", "find")]})

    assert spoken(agent.runs[0].transcript) == SPOKEN


async def test_the_system_speaks_first_in_openai_agents():
    """The instructions of the agent, once for all turns."""
    agent = Agent(
        name="a",
        instructions="Be kind.",
        model=OpenAIModel(TURNS),
        tools=[function_tool(search)],
    )
    watched = toolscore.watch(agent)
    await Runner.run(watched, "find")

    assert spoken(watched.runs[0].transcript) == SPOKEN


async def test_the_system_speaks_first_in_llama_index():
    """The system prompt of the agent, once for all turns."""
    agent = FunctionAgent(tools=[search], llm=LlamaModel(turns=TURNS), system_prompt="Be kind.")
    watched = toolscore.watch(agent)
    await watched.run("find")

    assert spoken(watched.runs[0].transcript) == SPOKEN


@EACH
@WAYS
def test_a_failure_that_the_agent_gets_over_is_a_recovery(driver: Driver, way: str):
    """The failed call stands in its turn, and an answer follows."""
    recording, _ = getattr(driver, way)(NAMED["a tool raises and the run goes on"], "async")

    [run] = recording.runs
    assert recovered_from_error(run.transcript) is True


@EACH
@WAYS
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_recorded_run_scores_the_same_when_it_is_loaded(
    driver: Driver, way: str, scenario: Scenario, tmp_path: Path
):
    """The file holds all that is scored: the loaded run is equal, and so is its result."""
    path = tmp_path / "runs.jsonl"
    recording, _ = getattr(driver, way)(scenario, "async", expected=["add"], record=path)

    loaded = list(load_runs(path))
    assert loaded == list(recording.runs)
    assert [evaluate(["add"], run).to_dict() for run in loaded] == [
        result.to_dict() for result in recording.scores
    ]
