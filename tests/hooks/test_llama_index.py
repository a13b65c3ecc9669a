"""LlamaIndex agents under ``watch``: what one run records."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
import gc

import pytest
from hooks.scripted_llama_index import build, run, stream
from llama_index.core.agent.workflow import FunctionAgent
from workflows.errors import WorkflowTimeoutError
from workflows.handler import WorkflowHandler

import toolscore
from toolscore import ToolCall, TurnRole


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def crash(x: int) -> int:
    """Fail."""
    raise ValueError(f"bad {x}")


async def slow(seconds: float) -> str:
    """Take a while."""
    await asyncio.sleep(seconds)
    return "slept"


def facts(call: ToolCall) -> tuple[object, ...]:
    return call.tool, call.args, call.metadata["id"], call.status, call.result


ADD = [("add", {"a": 1, "b": 2}, "c1")]


@pytest.mark.parametrize("streaming", [True, False])
def test_one_call_is_recorded_and_scored(streaming: bool):
    """One request of the model becomes one call, with the arguments that it sent."""
    expected = [{"tool": "add", "args": {"a": 1, "b": 2}}]
    agent = toolscore.watch(build([ADD, "done"], [add], streaming=streaming), expected=expected)

    output = run(agent)

    [recorded] = agent.runs
    [call] = recorded.calls
    assert facts(call) == ("add", {"a": 1, "b": 2}, "c1", "ok", 3)
    assert (call.metadata["attempts"], call.metadata["origin"]) == (1, "executed")
    assert (call.metadata["step"], call.metadata["depth"]) == (0, 0)
    assert call.duration is not None
    assert call.timestamp is not None
    assert (recorded.status, recorded.complete, recorded.warnings) == ("ok", True, ())
    assert (recorded.input, recorded.output, str(output)) == ("hi", "done", "done")
    assert (recorded.agent, recorded.framework) == ("Agent", "llama_index")
    assert agent.score


def test_a_run_without_a_call_is_seen():
    """A run that called nothing is a run with no calls, not an unseen one."""
    agent = toolscore.watch(build(["done"], [add]), expected=[])

    run(agent)

    [recorded] = agent.runs
    assert (recorded.calls, recorded.complete) == ((), True)
    assert agent.score.score == 1.0


def test_parallel_calls_keep_the_order_of_their_requests():
    """Calls of one turn share its step; their order is that of the request, not of the ends."""
    turn = [("slow", {"seconds": s}, f"p{i}") for i, s in enumerate([0.05, 0.03, 0.0])]
    agent = toolscore.watch(build([turn, ADD, "done"], [slow, add]))

    run(agent)

    calls = agent.runs[0].calls
    assert [c.metadata["id"] for c in calls] == ["p0", "p1", "p2", "c1"]
    assert [c.metadata["step"] for c in calls] == [0, 0, 0, 1]
    assert (calls[0].duration or 0) > (calls[2].duration or 0)


@pytest.mark.parametrize("ids", [("same", "same"), ("", "")])
def test_calls_with_equal_or_empty_ids_are_two_calls(ids: tuple[str, str]):
    """An id is never a key."""
    turn = [("add", {"a": 1, "b": 1}, ids[0]), ("add", {"a": 2, "b": 2}, ids[1])]
    agent = toolscore.watch(build([turn, "done"], [add]))

    run(agent)

    first, second = agent.runs[0].calls
    assert (first.result, second.result) == (2, 4)
    assert {first.metadata["id"], second.metadata["id"]} == {ids[0] or None}
    assert first.metadata["key"] != second.metadata["key"]


def test_a_failing_tool_is_an_error_that_the_run_survives():
    """The framework tells the model of the error; the record keeps the exception."""
    agent = toolscore.watch(build([[("crash", {"x": 9}, "c1")], "sorry"], [crash]))

    run(agent)

    [recorded] = agent.runs
    [call] = recorded.calls
    assert facts(call) == ("crash", {"x": 9}, "c1", "error", None)
    assert (call.error, call.metadata["error_type"]) == ("bad 9", "ValueError")
    assert (recorded.status, recorded.output) == ("ok", "sorry")


def test_an_unknown_tool_is_a_failed_call_that_never_ran():
    """No tool ran, but the model asked."""
    agent = toolscore.watch(build([[("nope", {"q": 1}, "c1")], "done"], [add]))

    run(agent)

    [call] = agent.runs[0].calls
    assert (call.tool, call.args, call.status) == ("nope", {"q": 1}, "error")
    assert (call.metadata["origin"], call.metadata["attempts"]) == ("unknown_tool", 0)
    assert call.duration is None


def test_too_many_turns_leave_requests_that_were_not_executed():
    """The run fails; the request that nobody carried out is a call that was not executed."""
    agent = toolscore.watch(build([ADD, ADD, ADD], [add]), expected=["add"])

    with pytest.raises(Exception, match="Max iterations"):
        run(agent, max_iterations=2)

    [recorded] = agent.runs
    assert [c.status for c in recorded.calls] == ["ok", "not_executed"]
    assert [c.metadata["origin"] for c in recorded.calls] == ["executed", "requested"]
    assert (recorded.status, recorded.error_type) == ("error", "WorkflowRuntimeError")


@pytest.mark.skipif(
    "early_stopping_method" not in FunctionAgent.model_fields, reason="older agents only fail"
)
@pytest.mark.filterwarnings("ignore:is_running called:DeprecationWarning")
def test_an_early_answer_leaves_requests_too():
    """With early stopping the same run ends well, with an answer that no step of the agent gave."""
    answers = iter([ADD, ADD, "done"])  # the last question holds none of the answers before it
    agent = toolscore.watch(build([lambda: next(answers)], [add], early_stopping_method="generate"))

    run(agent, max_iterations=2)

    [recorded] = agent.runs
    assert [c.status for c in recorded.calls] == ["ok", "not_executed"]
    assert (recorded.status, recorded.output) == ("ok", "done")
    assert recorded.transcript.turns[-1].content == "done"


def test_a_failing_model_ends_the_run_and_keeps_its_calls():
    """What was done before stays done."""
    agent = toolscore.watch(build([ADD, ConnectionError("down")], [add]))

    with pytest.raises(Exception, match="down"):
        run(agent)

    [recorded] = agent.runs
    assert [facts(c) for c in recorded.calls] == [("add", {"a": 1, "b": 2}, "c1", "ok", 3)]
    assert (recorded.status, recorded.error_type) == ("error", "ConnectionError")


def test_a_timeout_cancels_the_call_that_runs():
    """The framework's timeout is an error of the run; the call did not end by itself."""
    agent = toolscore.watch(build([[("slow", {"seconds": 30}, "c1")], "done"], [slow], timeout=0.1))

    with pytest.raises(WorkflowTimeoutError):
        run(agent)

    [recorded] = agent.runs
    [call] = recorded.calls
    assert (call.status, call.metadata["attempts"]) == ("cancelled", 1)
    assert "may_have_completed" not in call.metadata
    assert (recorded.status, recorded.error_type) == ("error", "WorkflowTimeoutError")


def test_the_transcript_holds_what_was_said():
    """User, assistant with its calls, tool, assistant."""
    agent = toolscore.watch(build([ADD, "done"], [add]))

    run(agent)

    user, asks, tool, answer = agent.runs[0].transcript.turns
    assert (user.role, user.content) == (TurnRole.USER, "hi")
    assert [c.tool for c in asks.tool_calls] == ["add"]
    assert (tool.role, tool.content) == (TurnRole.TOOL, "3")
    assert (answer.role, answer.content, tuple(answer.tool_calls)) == (
        TurnRole.ASSISTANT,
        "done",
        (),
    )


def test_the_schemas_of_the_tools_are_recorded():
    """Unknown and mistyped arguments can be told by them."""
    agent = toolscore.watch(build(["done"], [add]))

    run(agent)

    schema = agent.runs[0].tools["add"]
    assert set(schema["properties"]) == {"a", "b"}
    assert schema["required"] == ["a", "b"]


def test_the_user_gets_what_the_framework_returns():
    """``run`` returns the framework's own handler, with every event still in it."""
    bare, watched = build([ADD, "done"], [add]), toolscore.watch(build([ADD, "done"], [add]))

    plain, plain_events = stream(bare)
    output, events = stream(watched)

    assert [type(e) for e in events] == [type(e) for e in plain_events]
    assert (str(output), type(output)) == (str(plain), type(plain))
    assert isinstance(watched, FunctionAgent)
    assert len(watched.runs[0].calls) == 1


async def test_run_returns_the_genuine_handler():
    """Nothing is wrapped around it: it is awaited, streamed and cancelled as ever."""
    agent = toolscore.watch(build([ADD, "done"], [add]))

    handler = agent.run("hi")

    assert type(handler) is WorkflowHandler
    assert str(await handler) == "done"
    assert agent.score.basis == "behaviour"


@pytest.mark.filterwarnings("ignore:coroutine 'BasicRuntime:RuntimeWarning")
def test_run_outside_a_loop_raises_what_the_framework_raises():
    """Watching does not make an asynchronous agent a synchronous one."""
    agent = toolscore.watch(build(["done"], [add]))

    with pytest.raises(RuntimeError, match="no running event loop"):
        agent.run("hi")
    gc.collect()  # the framework leaves a coroutine behind, whose warning belongs to this test
    assert agent.runs == ()
