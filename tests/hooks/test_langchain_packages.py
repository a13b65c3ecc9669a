"""Agents of other packages that are built on LangChain, through those packages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hooks.contract import add, echo
from hooks.scripted_langchain import INPUT, ScriptedModel, as_tools, brief, build, model
from langchain_classic.agents import AgentExecutor, create_react_agent, create_tool_calling_agent
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langgraph_supervisor import create_supervisor

import toolscore
from toolscore import Run
from toolscore_integrations.langchain import ToolscoreCallbackHandler

ASK: dict[str, Any] = {"input": "hi"}


def once(agent: Any, config: Any) -> None:
    agent.invoke(ASK, config)


def later(agent: Any, config: Any) -> None:
    asyncio.run(agent.ainvoke(ASK, config))


def streamed(agent: Any, config: Any) -> None:
    list(agent.stream(ASK, config))


PLAYS = pytest.mark.parametrize("play", [once, later, streamed])


def recorded(agent: Any, play: Callable[[Any, Any], None], way: str) -> Run:
    """Its one run."""
    recording: Any = toolscore.watch(agent) if way == "watch" else ToolscoreCallbackHandler()
    given = (recording, {}) if way == "watch" else (agent, {"callbacks": [recording]})
    with suppress(ValueError):
        play(*given)
    [run] = recording.runs
    return run


def executor(*turns: Any, **options: Any) -> AgentExecutor:
    """An agent that calls tools in the way of the model's provider."""
    tools = as_tools([add, echo])
    prompt = ChatPromptTemplate.from_messages(
        [("system", "help"), ("human", "{input}"), ("placeholder", "{agent_scratchpad}")]
    )
    agent = create_tool_calling_agent(model(*turns), tools, prompt)
    return AgentExecutor(agent=agent, tools=tools, **options)


@PLAYS
@pytest.mark.parametrize("way", ["watch", "handler"])
def test_an_agent_executor_has_its_calls_and_their_ids(play: Callable[[Any, Any], None], way: str):
    """It loses the ids on the way to its tools, and runs a tool of its own for an unknown name."""
    both = [("add", {"a": 1, "b": 2}, "c1"), ("echo", {"text": "x"}, "c2")]
    run = recorded(executor(both, [("nope", {"q": 1}, "c3")], "done"), play, way)

    assert brief(run) == [
        ("add", {"a": 1, "b": 2}, "ok", "executed", 1),
        ("echo", {"text": "x"}, "ok", "executed", 1),
        ("nope", {"q": 1}, "error", "unknown_tool", 0),
    ]
    assert [(c.metadata["id"], c.metadata["step"]) for c in run.calls] == [
        ("c1", 0),
        ("c2", 0),
        ("c3", 1),
    ]
    assert (run.status, run.output, run.complete) == ("ok", "done", True)


@PLAYS
def test_an_agent_executor_that_may_take_no_more_turns_ends_by_an_error(
    play: Callable[[Any, Any], None],
):
    """It raises nothing: only what it says in place of the model tells."""
    turns = [[("echo", {"text": str(turn)}, f"c{turn}")] for turn in range(3)]
    run = recorded(executor(*turns, max_iterations=2), play, "watch")
    assert [call.args for call in run.calls] == [{"text": "0"}, {"text": "1"}]
    assert run.status == "error"
    assert "Agent stopped due to" in (run.error or "")


class Talking(ScriptedModel):
    """Answers in text; the turn follows from what the prompt holds of earlier ones."""

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        turn = str(messages[-1].content).count("Observation:")
        message = AIMessage(self.turns[turn])
        return ChatResult(generations=[ChatGeneration(message=message)])


def reasoning(*turns: str, **options: Any) -> AgentExecutor:
    """An agent that reads its calls from the model's text."""
    tools = as_tools([echo])
    prompt = PromptTemplate.from_template("{tools} {tool_names}\n{input}\n{agent_scratchpad}")
    agent = create_react_agent(Talking(turns=list(turns)), tools, prompt)
    return AgentExecutor(agent=agent, tools=tools, **options)


@PLAYS
def test_calls_that_are_read_from_text_are_requests(play: Callable[[Any, Any], None]):
    """What the executor says to itself about an answer that it cannot read is no call of anyone."""
    agent = reasoning(
        "Thought: look\nAction: echo\nAction Input: hello",
        "I forgot the form",
        "Thought: look\nAction: nope\nAction Input: q",
        "Final Answer: done",
        handle_parsing_errors=True,
    )
    run = recorded(agent, play, "watch")
    scored = run.scored_calls()
    assert brief(scored) == [
        ("echo", {"input": "hello"}, "ok", "executed", 1),
        ("nope", {"input": "q"}, "error", "unknown_tool", 0),
    ]
    assert [call.metadata["step"] for call in scored] == [0, 2]
    assert [c.metadata["origin"] for c in run.calls if c not in scored] == ["framework"]
    assert (run.status, run.output) == ("ok", "done")


@PLAYS
def test_a_text_that_cannot_be_read_ends_the_run(play: Callable[[Any, Any], None]):
    """The calls before it stay."""
    agent = reasoning("Thought: look\nAction: echo\nAction Input: hello", "I forgot the form")
    run = recorded(agent, play, "watch")
    assert brief(run) == [("echo", {"input": "hello"}, "ok", "executed", 1)]
    assert (run.status, run.error_type) == ("error", "ValueError")


@pytest.mark.filterwarnings("ignore:create_react_agent has been moved:DeprecationWarning")
@pytest.mark.parametrize("mode", ["invoke", "ainvoke"])
def test_a_supervisor_hands_over_and_takes_back(mode: str):
    """The model asks for the first transfer; the second is written by the framework."""
    clerk = build(["never said", [("echo", {"text": "in"}, "c1")], "helped"], [echo], name="clerk")
    supervisor = create_supervisor([clerk], model=model([("transfer_to_clerk", {}, "c1")], "done"))
    agent = toolscore.watch(supervisor.compile(), ["transfer_to_clerk", "echo"])

    if mode == "invoke":
        agent.invoke(INPUT)
    else:
        asyncio.run(agent.ainvoke(INPUT))

    [run] = agent.runs
    there, call, back = run.calls
    assert (there.tool, there.status, there.metadata["kind"]) == (
        "transfer_to_clerk",
        "ok",
        "handoff",
    )
    assert brief([call]) == [("echo", {"text": "in"}, "ok", "executed", 1)]
    assert (call.metadata["depth"], call.metadata["agent"]) == (0, "clerk")
    assert (back.tool, back.metadata["origin"]) == ("transfer_back_to_supervisor", "framework")
    assert agent.score
    assert (run.status, run.output, run.complete) == ("ok", "done", True)


@pytest.mark.parametrize("mode", ["invoke", "ainvoke"])
def test_a_deep_agent_has_its_own_tools_and_those_of_its_helpers(mode: str):
    """Its ``task`` is an agent as a tool; files are tools like any other."""
    deepagents = pytest.importorskip("deepagents", reason="deepagents needs Python 3.11")
    helper = {
        "name": "helper",
        "description": "helps",
        "system_prompt": "help",
        "tools": as_tools([echo]),
        "model": model([("echo", {"text": "in"}, "s1")], "helped"),
    }
    turn = [
        ("write_file", {"file_path": "/a.txt", "content": "x"}, "c1"),
        ("task", {"description": "do it", "subagent_type": "helper"}, "c2"),
    ]
    made = deepagents.create_deep_agent(
        model=model(turn, "done"), tools=as_tools([add]), subagents=[helper]
    )
    agent = toolscore.watch(made, ["write_file", "task"])

    if mode == "invoke":
        agent.invoke(INPUT)
    else:
        asyncio.run(agent.ainvoke(INPUT))

    [run] = agent.runs
    write, task, inner = run.calls
    assert (write.tool, write.args, write.status) == (
        "write_file",
        {"file_path": "/a.txt", "content": "x"},
        "ok",
    )
    assert (task.result, task.metadata["kind"]) == ("helped", "agent")
    assert brief([inner]) == [("echo", {"text": "in"}, "ok", "executed", 1)]
    assert (inner.metadata["depth"], inner.metadata["agent"]) == (1, "helper")
    assert inner.metadata["parent"] == task.metadata["key"]
    assert {"write_file", "task", "add"} <= set(run.tools)
    assert agent.score
