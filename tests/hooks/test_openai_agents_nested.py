"""OpenAI Agents: handoffs, agents as tools, and runs inside tools and guardrails."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import (
    GuardrailFunctionOutput,
    RunConfig,
    Runner,
    UserError,
    input_guardrail,
)
from hooks.scripted_openai_agents import WAYS, build, by_watch, outline

import toolscore
from toolscore_integrations.openai_agents import ToolscoreRunHooks

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def echo(text: str) -> str:
    """Say it back."""
    return text


class KaboomError(Exception):
    """What these tools raise."""


def nested(run: toolscore.Run) -> list[tuple[str, str, int, str | None, Any]]:
    """Tool, status, depth, the tool of the parent call, and result of each call."""
    by_key = {c.metadata["key"]: c.tool for c in run.calls}
    return [
        (c.tool, c.status or "", c.metadata["depth"], by_key.get(c.metadata["parent"]), c.result)
        for c in run.calls
    ]


@ways
@modes
def test_agents_as_tools_whose_calls_share_an_id(way: Any, mode: str) -> None:
    """Each inner call belongs to its own outer call, whatever ids the providers reuse."""
    one = build([[("echo", {"text": "1"}, "s1")], "one"], [echo], name="One")
    two = build([[("echo", {"text": "2"}, "s1")], "two"], [echo], name="Two")
    turn = [("ask_one", {"input": "x"}, "o1"), ("ask_two", {"input": "y"}, "o2")]
    tools = [one.as_tool("ask_one", "Ask."), two.as_tool("ask_two", "Ask.")]
    recorded = way(build([turn, "done"], tools), ["ask_one", "ask_two"])

    recorded.play(mode)

    run = recorded.run
    assert sorted(nested(run)) == [
        ("ask_one", "ok", 0, None, "one"),
        ("ask_two", "ok", 0, None, "two"),
        ("echo", "ok", 1, "ask_one", "1"),
        ("echo", "ok", 1, "ask_two", "2"),
    ]
    assert [c.metadata["kind"] for c in run.calls[:2]] == ["agent", "agent"]
    assert run.usage == toolscore.Usage(6, 42, 18, 60)
    assert recorded.recording.score


@ways
@pytest.mark.parametrize("inside", ["run", "run_streamed", "thread"])
def test_a_run_inside_a_tool(way: Any, inside: str) -> None:
    """Its calls are part of the outer run, below the call that made it."""
    inner = build([[("add", {"a": 1, "b": 2}, "i1")], "three"], [add], name="inner")

    async def delegate() -> str:
        """Ask another agent."""
        if inside == "run":
            return str((await Runner.run(inner, "go")).final_output)
        result = Runner.run_streamed(inner, "go")
        async for _ in result.stream_events():
            pass
        return str(result.final_output)

    def delegate_in_thread() -> str:
        """Ask another agent from the tool's own thread."""
        return str(asyncio.run(Runner.run(inner, "go")).final_output)

    tool = delegate_in_thread if inside == "thread" else delegate
    recorded = way(build([[(tool.__name__, {}, "o1")], "done"], [tool]))

    recorded.play()

    assert nested(recorded.run) == [
        (tool.__name__, "ok", 0, None, "three"),
        ("add", "ok", 1, tool.__name__, 3),
    ]
    assert len(recorded.recording.runs) == 1


@ways
@modes
def test_three_deep(way: Any, mode: str) -> None:
    """Depth and parent follow the nesting."""
    third = build([[("add", {"a": 1, "b": 2}, "x")], "3"], [add], name="third")
    middle = build([[("ask_third", {"input": ""}, "x")], "2"], [third.as_tool("ask_third", "Ask.")])
    outer = build(
        [[("ask_middle", {"input": ""}, "x")], "1"], [middle.as_tool("ask_middle", "Ask.")]
    )
    recorded = way(outer)

    recorded.play(mode)

    assert nested(recorded.run) == [
        ("ask_middle", "ok", 0, None, "2"),
        ("ask_third", "ok", 1, "ask_middle", "3"),
        ("add", "ok", 2, "ask_third", 3),
    ]


@ways
def test_a_failure_inside_does_not_mark_the_outer_call(way: Any) -> None:
    """The inner tool failed, its agent recovered: the outer call is ok."""

    def fail() -> str:
        """Fail."""
        raise KaboomError("inner")

    inner = build([[("fail", {}, "i1")], "recovered"], [fail], name="inner")
    recorded = way(build([[("ask", {"input": ""}, "o1")], "done"], [inner.as_tool("ask", "Ask.")]))

    recorded.play()

    assert [(c.tool, c.status, c.error) for c in recorded.run.calls] == [
        ("ask", "ok", None),
        ("fail", "error", "inner"),
    ]


@ways
def test_an_agent_as_a_tool_that_fails(way: Any) -> None:
    """The outer call failed for what the inner run raised; the outer run goes on."""
    inner = build([KaboomError("model down")], name="inner")
    recorded = way(build([[("ask", {"input": ""}, "o1")], "done"], [inner.as_tool("ask", "Ask.")]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.error) == ("error", "model down")
    assert recorded.run.status == "ok"


@ways
def test_a_run_inside_a_guardrail_is_not_a_call_of_the_agent(way: Any) -> None:
    """What a guardrail's own agent calls is in the run, at depth 1, and below no call."""
    judge = build([[("echo", {"text": "fine"}, "g1")], "fine"], [echo], name="judge")

    @input_guardrail
    async def ask(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        await Runner.run(judge, given)
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=False)

    turns = [[("add", {"a": 1, "b": 1}, "c1")], "done"]
    recorded = way(build(turns, [add], input_guardrails=[ask]), ["add"])

    recorded.play()

    assert sorted(nested(recorded.run)) == [
        ("add", "ok", 0, None, 2),
        ("echo", "ok", 1, None, "fine"),
    ]
    assert recorded.recording.score


def test_a_watched_agent_inside_another_watched_agent() -> None:
    """The inner one has a run of its own, and is part of the outer one's."""
    inner = build([[("echo", {"text": "x"}, "i1")], "inner done"], [echo], name="inner")
    outer = build([[("ask", {"input": ""}, "o1")], "done"], [inner.as_tool("ask", "Ask.")])
    watched_inner = toolscore.watch(inner, ["echo"])
    recorded = by_watch(outer, ["ask"])

    recorded.play()

    assert [c.tool for c in recorded.run.calls] == ["ask", "echo"]
    [own] = watched_inner.runs
    assert outline(own) == [("echo", {"text": "x"}, "ok", "x")]
    assert watched_inner.score
    assert recorded.recording.score


def test_the_same_hooks_in_an_agent_as_a_tool() -> None:
    """Hooks that the user passes inwards too record each call once."""
    hooks = ToolscoreRunHooks()
    inner = build([[("echo", {"text": "x"}, "i1")], "inner"], [echo], name="inner")
    outer = build(
        [[("ask", {"input": ""}, "o1")], "done"], [inner.as_tool("ask", "Ask.", hooks=hooks)]
    )

    asyncio.run(Runner.run(outer, "hi", hooks=hooks))

    [run] = hooks.runs
    assert nested(run) == [("ask", "ok", 0, None, "inner"), ("echo", "ok", 1, "ask", "x")]


@ways
def test_a_nested_run_whose_tool_ends_it(way: Any) -> None:
    """Inner call and outer call failed; so did the run."""

    def fail() -> str:
        """Fail."""
        raise KaboomError("inner")

    inner = build([[("fail", {}, "i1")]], [fail], survives=False, name="inner")
    ask = inner.as_tool("ask", "Ask.", failure_error_function=None)
    recorded = way(build([[("ask", {"input": ""}, "o1")]], [ask]))

    with pytest.raises(UserError):
        recorded.play(run_config=RunConfig(tracing_disabled=True))

    assert [(c.tool, c.status) for c in recorded.run.calls] == [("ask", "error"), ("fail", "error")]
    assert recorded.run.calls[1].error == "inner"
