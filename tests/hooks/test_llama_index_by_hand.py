"""What code calls by hand with LlamaIndex: tools, models, ``predict_and_call``, workflows."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio

import pytest
from hooks.scripted_llama_index import build, run, scripted
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step
from pydantic import BaseModel
from workflows.retry_policy import ConstantDelayRetryPolicy

import toolscore
from toolscore_integrations.llama_index import ToolscoreEventHandler


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# a name that the oldest version has too
pytestmark = pytest.mark.filterwarnings("ignore:ConstantDelayRetryPolicy:DeprecationWarning")

ADD = [("add", {"a": 1, "b": 2}, "c1")]
tool = FunctionTool.from_defaults(add)


def test_tools_that_code_calls_are_one_run_of_the_block():
    """Positional arguments get their names; a direct call is one call, though it is two spans."""
    with ToolscoreEventHandler(expected=["add", "add"]) as handler:
        tool(1, b=2)
        tool.call(3, 4)
        assert handler.runs == ()

    [recorded] = handler.runs
    assert [(c.tool, c.args, c.result) for c in recorded.calls] == [
        ("add", {"a": 1, "b": 2}, 3),
        ("add", {"a": 3, "b": 4}, 7),
    ]
    assert {(c.metadata["origin"], c.metadata["attempts"]) for c in recorded.calls} == {("code", 1)}
    assert handler.score


async def test_an_asynchronous_tool_called_by_code_that_fails():
    """The exception is the caller's, and in the record."""

    async def crash(x: int) -> int:
        """Fail."""
        raise ValueError("bad")

    with ToolscoreEventHandler() as handler, pytest.raises(ValueError, match="bad"):
        await FunctionTool.from_defaults(crash).acall(x=1)

    [recorded] = handler.runs
    [call] = recorded.calls
    assert (call.status, call.error, call.metadata["error_type"]) == ("error", "bad", "ValueError")
    assert recorded.status == "ok"


def test_an_exception_that_leaves_the_block_is_the_end_of_its_run():
    """The user's exception passes; the run did not end well."""
    handler = ToolscoreEventHandler()

    def block() -> None:
        with handler:
            tool(1, 2)
            raise KeyError("mine")

    with pytest.raises(KeyError):
        block()

    assert (handler.runs[0].status, handler.runs[0].error_type) == ("error", "KeyError")


def test_a_script_that_asks_a_model_and_calls_the_tools_is_one_run():
    """The calls are those that the model asked for; what nobody made was not executed."""
    llm = scripted([*ADD, ("add", {"a": 5, "b": 5}, "c2")], "it is 3")

    with toolscore.session(expected=["add"]) as script:
        answer = llm.chat_with_tools([tool], user_msg="1 + 2?")
        [first, _] = llm.get_tool_calls_from_response(answer)
        tool(**first.tool_kwargs)
        llm.chat_with_tools([tool], chat_history=[answer.message])

    [recorded] = script.runs
    assert [(c.metadata["id"], c.status, c.metadata["origin"]) for c in recorded.calls] == [
        ("c1", "ok", "executed"),
        ("c2", "not_executed", "requested"),
    ]
    assert [t.content for t in recorded.transcript.turns] == ["1 + 2?", "", "it is 3"]
    assert (recorded.framework, recorded.output) == ("llama_index", "it is 3")
    assert set(recorded.tools["add"]["properties"]) == {"a", "b"}


def test_a_script_that_raises_did_not_end_well():
    """Nor does an exception that was being handled before count as the script's."""

    def script() -> None:
        with toolscore.session() as mine:
            sessions.append(mine)
            tool(1, 2)
            raise KeyError("mine")

    sessions: list[toolscore.Session] = []
    try:
        script()
    except KeyError:
        with toolscore.session() as calm:
            tool(1, 2)

    assert [s.runs[0].status for s in (*sessions, calm)] == ["error", "ok"]


def test_an_agent_in_a_session_is_a_part_of_its_one_run():
    """``toolscore.session`` is one run, whatever is in it."""
    with toolscore.session(expected=["add", "add"]) as script:
        run(build([ADD, "done"], [add]))
        tool(1, 2)

    [recorded] = script.runs
    assert [c.metadata["origin"] for c in recorded.calls] == ["executed", "code"]


def test_a_model_that_is_asked_in_a_block_makes_no_run():
    """Without a tool there is nothing to score, and the agent's run stays the last."""
    with ToolscoreEventHandler(expected=["add"]) as handler:
        run(build([ADD, "done"], [add]))
        scripted("a text").complete("say something")

    [recorded] = handler.runs
    assert recorded.agent == "Agent"
    assert handler.score


def test_predict_and_call_is_a_run_with_one_call():
    """The ids come from the model's message, since the framework drops them."""
    with ToolscoreEventHandler(expected=[{"tool": "add", "args": {"a": 1, "b": 2}}]) as handler:
        scripted(ADD).predict_and_call([tool], user_msg="1 + 2?")

    [recorded] = handler.runs
    [call] = recorded.calls
    assert (call.args, call.result, call.metadata["id"]) == ({"a": 1, "b": 2}, 3, "c1")
    assert (call.metadata["origin"], call.metadata["attempts"]) == ("executed", 1)
    assert (recorded.input, recorded.output) == ("1 + 2?", "3")
    assert handler.score


async def test_predict_and_call_of_an_unknown_tool_fails_as_ever():
    """The framework's ``KeyError`` is the user's; the request is a failed call that never ran."""
    with ToolscoreEventHandler() as handler, pytest.raises(KeyError, match="nope"):
        await scripted([("nope", {"q": 1}, "c1")]).apredict_and_call([tool], user_msg="?")

    [recorded] = handler.runs
    [call] = recorded.calls
    assert (call.tool, call.status, call.metadata["origin"]) == ("nope", "error", "unknown_tool")
    assert call.metadata["attempts"] == 0
    assert recorded.status == "error"


def test_a_workflow_that_calls_tools_by_hand_is_scored_on_them():
    """There is no request of a model, so that the calls of code are the ones that count."""

    class Flow(Workflow):
        @step
        async def go(self, ev: StartEvent) -> StopEvent:
            """Call by hand, in all ways."""
            tool(1, 2)
            await tool.acall(a=3, b=4)
            return StopEvent(result="did it")

    flow = toolscore.watch(Flow(), expected=["add", "add"])

    async def main() -> None:
        await flow.run()

    asyncio.run(main())

    [recorded] = flow.runs
    assert [(c.args, c.metadata["origin"]) for c in recorded.calls] == [
        ({"a": 1, "b": 2}, "code"),
        ({"a": 3, "b": 4}, "code"),
    ]
    assert flow.score


def test_a_step_that_is_tried_again_makes_its_calls_again():
    """Each call by code is a call: nobody asked for one and the same."""
    failures = [ValueError("1"), ValueError("2")]

    def flaky() -> str:
        """Fail twice."""
        if failures:
            raise failures.pop()
        return "ok"

    class Flow(Workflow):
        @step(retry_policy=ConstantDelayRetryPolicy(delay=0, maximum_attempts=5))
        async def go(self, ev: StartEvent) -> StopEvent:
            """Call a tool that may fail."""
            return StopEvent(result=(await FunctionTool.from_defaults(flaky).acall()).content)

    flow = toolscore.watch(Flow())

    async def main() -> None:
        await flow.run()

    asyncio.run(main())

    assert [c.status for c in flow.runs[0].calls] == ["error", "error", "ok"]


def test_structured_output_is_not_a_tool_call():
    """The "tool" of a program is the shape of its answer; it stays in the record, unscored."""

    class Song(BaseModel):
        """A song."""

        title: str

    llm = scripted([("Song", {"title": "Hey"}, "s1")])
    with ToolscoreEventHandler(expected=["add"]) as handler:
        tool(1, 2)
        song = llm.as_structured_llm(Song).complete("a song")
    assert song.raw.title == "Hey"

    [recorded] = handler.runs
    assert [(c.tool, c.metadata["origin"]) for c in recorded.calls] == [
        ("add", "code"),
        ("Song", "structured_output"),
    ]
