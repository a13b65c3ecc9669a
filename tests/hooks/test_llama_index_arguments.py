"""What LlamaIndex calls hold: arguments as the model sent them, results, kinds."""

# without postponed annotations: the framework reads those of the tools as they are

from hooks.scripted_llama_index import build, run, scripted
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context

import toolscore
from toolscore import ToolCall


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def facts(call: ToolCall) -> tuple[object, ...]:
    return call.tool, call.args, call.metadata["id"], call.status, call.result


ADD = [("add", {"a": 1, "b": 2}, "c1")]


def test_wrong_arguments_are_recorded_as_the_model_sent_them():
    """The tool could not be called with them: an error, with the arguments as requested."""
    agent = toolscore.watch(build([[("add", {"a": 1, "z": 2}, "c1")], "done"], [add]))

    run(agent)

    [call] = agent.runs[0].calls
    assert (call.args, call.status) == ({"a": 1, "z": 2}, "error")
    assert call.metadata["error_type"] == "TypeError"


def test_malformed_arguments_keep_their_text():
    """The framework repairs them and runs the tool; what the model wrote stays beside that."""
    agent = toolscore.watch(build([[("add", '{"a": 1, "b": 2', "c1")], "done"], [add]))

    run(agent)

    [call] = agent.runs[0].calls
    assert (call.args, call.result) == ({"a": 1, "b": 2}, 3)
    assert call.metadata["raw_arguments"] == '{"a": 1, "b": 2'


def test_well_formed_text_leaves_no_raw_arguments():
    """JSON text that says the same as the arguments is not worth keeping."""
    agent = toolscore.watch(build([[("add", '{"a": 1, "b": 2}', "c1")], "done"], [add]))

    run(agent)

    assert "raw_arguments" not in agent.runs[0].calls[0].metadata


def test_an_injected_context_is_not_an_argument():
    """The workflow's context is the host's, not the model's."""

    async def remember(ctx: Context, text: str) -> str:
        """Keep a text."""
        await ctx.store.set("text", text)
        return "kept"

    agent = toolscore.watch(build([[("remember", {"text": "a"}, "c1")], "done"], [remember]))

    run(agent)

    [call] = agent.runs[0].calls
    assert (call.args, call.result) == ({"text": "a"}, "kept")


def test_partial_parameters_stay_secret():
    """What the host adds to a call is not the model's, and often a secret."""

    def fetch(url: str, token: str) -> str:
        """Fetch."""
        return "page"

    tool = FunctionTool.from_defaults(fetch, partial_params={"token": "hunter2"})
    agent = toolscore.watch(build([[("fetch", {"url": "u"}, "c1")], "done"], [tool]))

    run(agent)

    assert agent.runs[0].calls[0].args == {"url": "u"}
    assert "hunter2" not in repr(agent.runs[0])


def test_arguments_are_those_requested_even_if_the_tool_changes_them():
    """A snapshot is taken before the tool runs."""

    def clear(items: list[int]) -> int:
        """Empty the list."""
        items.clear()
        return 0

    agent = toolscore.watch(build([[("clear", {"items": [1, 2]}, "c1")], "done"], [clear]))

    run(agent)

    assert agent.runs[0].calls[0].args == {"items": [1, 2]}


def test_a_direct_return_keeps_its_result_and_is_the_answer():
    """The framework's own output drops the result; the record does not."""
    tool = FunctionTool.from_defaults(add, return_direct=True)
    agent = toolscore.watch(build([ADD, "unreached"], [tool]))

    run(agent)

    [recorded] = agent.runs
    assert (recorded.calls[0].result, recorded.output) == (3, "3")
    assert recorded.transcript.turns[-1].content == "3"


def test_a_handoff_is_a_call_of_its_kind():
    """It stays in the record, in order; it is scored when the expectation names it."""
    a = FunctionAgent(
        name="A",
        description="a",
        tools=[add],
        can_handoff_to=["B"],
        llm=scripted(ADD, [("handoff", {"to_agent": "B", "reason": "r"}, "h1")], "A done"),
    )
    # B sees A's two answers, so that its first is the third
    b = FunctionAgent(
        name="B",
        description="b",
        tools=[add],
        llm=scripted("", "", [("add", {"a": 3, "b": 4}, "c2")], "B done"),
    )
    flow = AgentWorkflow(agents=[a, b], root_agent="A")
    agent = toolscore.watch(flow, expected=["add", "add"])

    run(agent)

    [recorded] = agent.runs
    assert [(c.tool, c.metadata["kind"], c.metadata["agent"]) for c in recorded.calls] == [
        ("add", "function", "A"),
        ("handoff", "handoff", "A"),
        ("add", "function", "B"),
    ]
    assert recorded.output == "B done"
    assert agent.score
