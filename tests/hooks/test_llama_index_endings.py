"""How LlamaIndex runs end: cancelled, timed out, waiting for a person, left, resumed."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
import threading

import pytest
from hooks.scripted_llama_index import build
from llama_index.core.agent.workflow import ToolCallResult
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent
from workflows.context.serializers import PickleSerializer
from workflows.errors import WorkflowCancelledByUser, WorkflowTimeoutError

import toolscore


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


ADD = [("add", {"a": 1, "b": 2}, "c1")]


def sleeper() -> tuple[asyncio.Event, object]:
    """A tool that never ends by itself, and what is set when it has begun."""
    begun = asyncio.Event()

    async def sleep() -> str:
        """Sleep."""
        begun.set()
        await asyncio.Event().wait()
        return "unreached"

    return begun, sleep


async def ask(ctx: Context, question: str) -> str:
    """Ask a person."""
    answer = await ctx.wait_for_event(
        HumanResponseEvent,
        waiter_id=question,
        waiter_event=InputRequiredEvent(prefix=question),
        requirements={"to": question},
    )
    return str(answer.response)


ASK = [("ask", {"question": "sure?"}, "q1")]


async def test_a_run_that_is_cancelled_by_the_user_is_cancelled():
    """``cancel_run`` in the middle of the second call: the first stays done."""
    begun, sleep = sleeper()
    agent = toolscore.watch(build([ADD, [("sleep", {}, "c2")], "done"], [add, sleep]))

    handler = agent.run("hi")
    await begun.wait()
    await handler.cancel_run()
    with pytest.raises(WorkflowCancelledByUser):
        await handler

    [recorded] = agent.runs
    assert [(c.tool, c.status) for c in recorded.calls] == [("add", "ok"), ("sleep", "cancelled")]
    assert recorded.status == "cancelled"
    assert not agent.score


@pytest.mark.filterwarnings("ignore:WorkflowHandler.cancel:DeprecationWarning")
async def test_a_handler_that_is_cancelled_hard_ends_its_run():
    """The deprecated ``cancel`` leaves nothing open either."""
    begun, sleep = sleeper()
    agent = toolscore.watch(build([[("sleep", {}, "c1")], "done"], [sleep]))

    handler = agent.run("hi")
    await begun.wait()
    handler.cancel()
    with pytest.raises(asyncio.CancelledError):
        await handler
    for _ in range(10):
        await asyncio.sleep(0)

    [recorded] = agent.runs
    assert ([c.status for c in recorded.calls], recorded.status) == (["cancelled"], "cancelled")


def test_a_loop_that_is_closed_cancels_the_run():
    """``asyncio.run`` ends while the agent works: nobody awaited it."""
    begun, sleep = sleeper()
    agent = toolscore.watch(build([[("sleep", {}, "c1")], "done"], [sleep]))

    async def main() -> None:
        agent.run("hi")
        await begun.wait()

    asyncio.run(main())

    [recorded] = agent.runs
    assert ([c.status for c in recorded.calls], recorded.status) == (["cancelled"], "cancelled")


@pytest.mark.filterwarnings("ignore:WorkflowHandler.cancel:DeprecationWarning")
async def test_a_run_that_is_cancelled_before_it_began_was_not_seen():
    """No event tells of it, so it is not scored, and says why."""
    agent = toolscore.watch(build([ADD, "done"], [add]), expected=["add"])

    handler = agent.run("hi")
    handler.cancel()
    with pytest.raises(asyncio.CancelledError):
        await handler
    await asyncio.sleep(0)

    [recorded] = agent.runs
    assert (recorded.status, recorded.complete, recorded.signals["events"]) == (
        "cancelled",
        False,
        False,
    )
    assert agent.score.basis == "not_scored"


async def test_a_synchronous_tool_may_go_on_after_its_run_was_cancelled():
    """A thread cannot be stopped: the record says that the tool may have done its work."""
    begun, release = threading.Event(), threading.Event()

    def work() -> str:
        """Work in a thread."""
        begun.set()
        release.wait(5)
        return "finished"

    agent = toolscore.watch(build([[("work", {}, "c1")], "done"], [work]))

    handler = agent.run("hi")
    await asyncio.to_thread(begun.wait, 5)
    await handler.cancel_run()
    release.set()

    [call] = agent.runs[0].calls
    assert (call.status, call.metadata["may_have_completed"]) == ("cancelled", True)


def test_a_synchronous_tool_may_go_on_after_its_run_timed_out():
    """The run fails; the thread does its work all the same, later."""
    release = threading.Event()

    def work() -> str:
        """Work in a thread."""
        release.wait(5)
        return "finished"

    agent = toolscore.watch(build([[("work", {}, "c1")], "done"], [work], timeout=0.3))

    async def main() -> None:
        try:
            await agent.run("hi")
        finally:
            release.set()

    with pytest.raises(WorkflowTimeoutError):
        asyncio.run(main())

    [recorded] = agent.runs
    [call] = recorded.calls
    assert (call.status, call.metadata["may_have_completed"]) == ("cancelled", True)
    assert (recorded.status, recorded.error_type) == ("error", "WorkflowTimeoutError")


async def test_a_stream_that_is_left_early_leaves_the_run_alone():
    """The run goes on without a reader; it is recorded when it ends."""
    agent = toolscore.watch(build([ADD, "done"], [add]), expected=["add"])

    handler = agent.run("hi")
    async for _ in handler.stream_events():
        break
    assert str(await handler) == "done"

    assert agent.score
    assert [c.status for c in agent.runs[0].calls] == ["ok"]


async def test_a_person_is_asked_within_one_call():
    """The framework runs the tool again when the answer comes: still one call, tried twice."""
    agent = toolscore.watch(build([ASK, "done"], [ask]), expected=["ask"])

    handler = agent.run("hi")
    async for event in handler.stream_events():
        if isinstance(event, InputRequiredEvent):
            handler.ctx.send_event(HumanResponseEvent(response="yes", to="sure?"))
    await handler

    [recorded] = agent.runs
    [call] = recorded.calls
    assert (call.tool, call.status, call.result) == ("ask", "ok", "yes")
    assert call.metadata["attempts"] == 2
    assert (recorded.status, recorded.complete) == ("ok", True)
    assert agent.score


async def test_a_pause_and_its_resumption_are_two_runs_and_one_session():
    """The first run waits, the second finishes its call; a session scores them as one."""
    turns = [[*ADD, *ASK], "done"]
    agent = toolscore.watch(build(turns, [add, ask]), expected=["add", "ask"])

    with agent.session() as session:
        handler = agent.run("hi")
        waited_for: set[type] = set()  # the other tool may run in a thread: it must have ended too
        async for event in handler.stream_events():
            waited_for.add(type(event))
            if waited_for >= {InputRequiredEvent, ToolCallResult}:
                break
        saved = handler.ctx.to_dict(serializer=PickleSerializer())
        await handler.cancel_run()

        context = Context.from_dict(agent, saved, serializer=PickleSerializer())
        handler = agent.run(ctx=context)
        handler.ctx.send_event(HumanResponseEvent(response="yes", to="sure?"))
        await handler

    first, second = session.runs
    assert (first.status, second.status) == ("interrupted", "ok")
    assert {c.tool: c.status for c in first.calls} == {"add": "ok", "ask": "interrupted"}
    assert [(c.status, c.result) for c in second.calls if c.tool == "ask"] == [("ok", "yes")]
    asked = [c for c in session.calls if c.tool == "ask"]
    assert [(c.status, c.result) for c in asked] == [("ok", "yes")]
    assert session.result.run is not None
    assert session.result.run.status == "ok"


async def test_a_context_that_is_used_again_brings_no_old_calls():
    """The framework's own output lists the calls of the failed run before; the record does not."""
    first = iter([ADD, ConnectionError("down")])
    answers = iter([[("add", {"a": 3, "b": 4}, "c2")], "done"])
    agent = toolscore.watch(
        build([lambda: next(first, None) or next(answers)], [add]), expected=["add"]
    )
    context = Context(agent.toolscore.original, serializer=PickleSerializer())

    with pytest.raises(ConnectionError):
        await agent.run("hi", ctx=context)
    await agent.run("again", ctx=context)

    one, two = agent.runs
    assert [c.metadata["id"] for c in one.calls] == ["c1"]
    assert [c.metadata["id"] for c in two.calls] == ["c2"]


async def test_a_request_that_is_cancelled_cancels_its_run():
    """What ``wait_for`` and web servers do: the task that awaits the agent is cancelled."""
    begun, sleep = sleeper()
    agent = toolscore.watch(build([[("sleep", {}, "c1")], "done"], [sleep]))

    async def request() -> None:
        await agent.run("hi")

    task = asyncio.create_task(request())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for _ in range(10):
        await asyncio.sleep(0)

    [recorded] = agent.runs
    assert ([c.status for c in recorded.calls], recorded.status) == (["cancelled"], "cancelled")
