"""What fails, is refused, cancelled or never heard of again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hooks.contract import MODES, KaboomError, Mode, add, echo, fail, flaky
from hooks.scripted_langchain import INPUT, brief, build, graph, play, record
from langchain_core.tools import StructuredTool, ToolException, tool
from langgraph.errors import GraphRecursionError
from langgraph.types import RetryPolicy

import toolscore
from toolscore_integrations.langchain import ToolscoreCallbackHandler


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("builder", [build, graph])
def test_a_tool_that_ends_the_run_is_an_error(builder: Any, mode: Mode):
    """There is no final state to read it from."""
    options = {"survives": False} if builder is build else {}
    agent = toolscore.watch(builder([[("fail", {"text": "no"}, "c1")], "done"], [fail], **options))
    with pytest.raises(KaboomError):
        play(agent, mode)
    [run] = agent.runs
    [call] = run.calls
    assert brief(run) == [("fail", {"text": "no"}, "error", "executed", 1)]
    assert (call.error, call.metadata["error_type"], call.result) == ("no", "KaboomError", None)
    assert call.metadata["error_source"] == "exception"
    assert (run.status, run.error, run.error_type, run.output) == (
        "error",
        "no",
        "KaboomError",
        None,
    )


def test_what_the_model_was_shown_of_an_error_is_kept():
    """The tool node writes a message of its own."""
    agent = graph(
        [[("fail", {"text": "no"}, "c1")], "done"],
        [fail],
        node_options={"handle_tool_errors": "sorry"},
    )
    [call] = record(agent).calls
    assert (call.status, call.metadata["model_visible_result"]) == ("error", "sorry")


def test_an_error_that_the_tool_itself_handles_is_an_error():
    """It ends through ``on_tool_end``: only the message's status tells."""

    def deny(path: str) -> str:
        """Deny."""
        raise ToolException(f"no {path}")

    denying = StructuredTool.from_function(deny, handle_tool_error=True)
    run = record(build([[("deny", {"path": "/etc"}, "c1")], "done"], [denying]))
    [call] = run.calls
    assert (call.status, call.result, call.error) == ("error", "no /etc", "no /etc")
    assert call.metadata["error_source"] == "tool_message"
    assert run.status == "ok"


def test_arguments_that_fail_validation_stay_as_the_model_sent_them():
    """Nothing is coerced, and nothing is filled in."""
    run = record(build([[("add", {"a": "one"}, "c1")], "done"], [add]))
    assert brief(run) == [("add", {"a": "one"}, "error", "executed", 1)]


def test_valid_arguments_are_recorded_before_coercion_and_without_defaults():
    """``args`` are what the model sent."""

    @tool
    def repeat(text: str, times: int = 2) -> str:
        """Repeat."""
        return text * times

    [call] = record(build([[("repeat", {"text": "a", "zzz": 1}, "c1")], "done"], [repeat])).calls
    assert (call.args, call.result) == ({"text": "a", "zzz": 1}, "aa")


@pytest.mark.parametrize("name", ["nope", ""])
def test_an_unknown_tool_is_an_error_without_an_attempt(name: str):
    """No tool event tells of it."""
    run = record(create_agent_of([[(name, {"q": 1}, "c1")], "done"]))
    [call] = run.calls
    assert (call.tool, call.args, call.status) == (name or "<unnamed>", {"q": 1}, "error")
    assert (call.metadata["origin"], call.metadata["attempts"]) == ("unknown_tool", 0)
    assert "is not a valid tool" in str(call.error)


def create_agent_of(turns: Any) -> Any:
    return build(turns, [echo], survives=False)


def test_malformed_json_beside_a_valid_call_keeps_its_text():
    """Both are recorded, the malformed one as an error that never ran."""
    turn = [("echo", {"text": "a"}, "c1"), ("echo", '{"text": ', "c2")]
    run = record(build([turn, "done"], [echo]))
    assert brief(run) == [
        ("echo", {"text": "a"}, "ok", "executed", 1),
        ("echo", {}, "error", "invalid_json", 0),
    ]
    assert run.calls[1].metadata["raw_arguments"] == '{"text": '


@pytest.mark.parametrize("mode", MODES)
def test_a_tool_that_starts_and_is_never_heard_of_again_is_unfinished(mode: Mode):
    """LangChain reports no end when the handler of the tool's errors raises itself."""

    def handle(error: ToolException) -> str:
        raise KaboomError("while handling")

    def deny(path: str) -> str:
        """Deny."""
        raise ToolException("no")

    denying = StructuredTool.from_function(deny, handle_tool_error=handle)
    handler = ToolscoreCallbackHandler()
    with pytest.raises(KaboomError):
        play(
            build([[("deny", {"path": "a"}, "c1")], "done"], [denying], survives=False),
            mode,
            handler,
        )
    [run] = handler.runs
    assert brief(run) == [("deny", {"path": "a"}, "unfinished", "executed", 1)]
    assert run.status == "error"


@pytest.mark.parametrize("mode", MODES)
def test_a_node_that_is_tried_again_runs_the_same_calls(mode: Mode):
    """One request is one call, however often LangGraph runs its node; siblings run again too."""
    turn = [("unsteady", {"text": "a"}, "c1"), ("echo", {"text": "b"}, "c2")]
    retry = RetryPolicy(initial_interval=0, jitter=False, retry_on=KaboomError)
    run = record(graph([turn, "done"], [flaky(1), echo], retry=retry), mode)
    assert [c.tool for c in run.calls] == ["unsteady", "echo"]
    assert [c.status for c in run.calls] == ["ok", "ok"]
    assert run.calls[0].metadata["attempts"] == 2
    assert (run.status, run.complete) == ("ok", True)


@tool
async def forever() -> str:
    """Never return."""
    await asyncio.Event().wait()
    return "never"


async def test_a_run_that_times_out_is_cancelled_with_its_calls():
    """``asyncio.wait_for`` cancels from outside."""
    agent = toolscore.watch(build([[("forever", {}, "c1")], "done"], [forever]))
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(agent.ainvoke(INPUT), 0.2)
    [run] = agent.runs
    assert brief(run) == [("forever", {}, "cancelled", "executed", 1)]
    assert run.status == "cancelled"


async def test_the_sibling_of_a_tool_that_raises_is_cancelled():
    """It did not fail: it was stopped."""
    started = asyncio.Event()

    @tool
    async def wait() -> str:
        """Wait for ever."""
        started.set()
        await asyncio.Event().wait()
        return "never"

    @tool
    async def burst() -> str:
        """Fail, once the other runs."""
        await started.wait()
        raise KaboomError("no")

    agent = toolscore.watch(
        build([[("wait", {}, "c1"), ("burst", {}, "c2")]], [wait, burst], survives=False)
    )
    with pytest.raises(KaboomError):
        await agent.ainvoke(INPUT)
    [run] = agent.runs
    assert [c.status for c in run.calls] == ["cancelled", "error"]
    assert run.status == "error"


def test_a_person_who_stops_a_tool_cancels_it():
    """KeyboardInterrupt goes through to the user's program."""

    @tool
    def slow() -> str:
        """Be stopped."""
        raise KeyboardInterrupt

    agent = toolscore.watch(build([[("slow", {}, "c1")], "done"], [slow], survives=False))
    with pytest.raises(KeyboardInterrupt):
        play(agent)
    [run] = agent.runs
    assert brief(run) == [("slow", {}, "cancelled", "executed", 1)]
    assert run.status == "cancelled"


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_stream_left_early_is_cancelled(mode: str):
    """What the model asked for and did not get is not executed; what ran is ok."""
    turns = [[("echo", {"text": "a"}, "c1")], [("echo", {"text": "b"}, "c2")], "done"]
    agent = toolscore.watch(build(turns, [echo]))
    if mode == "sync":
        stream = agent.stream(INPUT, stream_mode="updates")
        [next(stream) for _ in range(3)]
        stream.close()
    else:

        async def read() -> None:
            stream = agent.astream(INPUT, stream_mode="updates")
            for _ in range(3):
                await anext(stream)
            await stream.aclose()

        asyncio.run(read())
    [run] = agent.runs
    assert brief(run) == [
        ("echo", {"text": "a"}, "ok", "executed", 1),
        ("echo", {"text": "b"}, "not_executed", "requested", 0),
    ]
    assert (run.status, run.complete) == ("cancelled", True)


def test_a_run_that_takes_too_many_steps_is_an_error():
    """The framework's own limit; what ran stays recorded, what did not get to run too."""
    agent = toolscore.watch(build([[("echo", {"text": "a"}, "c1")]], [echo]))
    with pytest.raises(GraphRecursionError):
        play(agent, recursion_limit=5)
    [run] = agent.runs
    assert [c.status for c in run.calls] == ["ok", "ok", "not_executed"]
    assert (run.status, run.error_type) == ("error", "GraphRecursionError")


def test_a_result_that_cannot_be_shown_leaves_the_call_unfinished():
    """The tool ran, but neither success nor failure was reported."""

    class Unshowable:
        def __str__(self) -> str:
            raise KaboomError("no text")

        __repr__ = __str__

    @tool
    def make() -> Any:
        """Make something."""
        return Unshowable()

    run = record(create_agent_with(make))
    assert brief(run) == [("make", {}, "unfinished", "executed", 1)]


def create_agent_with(one: Any) -> Any:
    return build([[(one.name, {}, "c1")], "done"], [one], survives=False)
