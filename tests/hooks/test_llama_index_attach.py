"""How recording LlamaIndex is attached and detached."""

# without postponed annotations: the framework reads those of the tools as they are
import copy
import gc
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from hooks.scripted_llama_index import build, run
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.tools import ToolOutput
from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step

import toolscore
from toolscore import UnwatchableAgentError
from toolscore_integrations.llama_index import ToolscoreEventHandler
from toolscore_integrations.llama_index._table import table


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


ADD = [("add", {"a": 1, "b": 2}, "c1")]


def handlers() -> int:
    root = get_dispatcher()
    return len(root.span_handlers) + len(root.event_handlers)


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """After each test the dispatcher is as before, and no span is kept."""
    gc.collect()
    before = handlers()
    yield
    gc.collect()
    assert handlers() == before
    assert not table.busy
    assert table.size == 0


def test_unwatch_gives_the_agent_back():
    """What was recorded stays readable; what comes after is not recorded."""
    bare = build([ADD, "done"], [add])
    agent = toolscore.watch(bare, expected=["add"])
    run(agent)

    assert agent.unwatch() is bare
    run(bare)
    run(agent)

    assert len(agent.runs) == 1
    assert agent.score


async def test_unwatch_while_a_run_goes_on_lets_it_be_recorded():
    """It began while it was watched."""
    agent = toolscore.watch(build([ADD, "done"], [add]))

    handler = agent.run("hi")
    agent.unwatch()
    await handler

    assert [c.status for c in agent.runs[0].calls] == ["ok"]


def test_watching_twice_gives_two_complete_records():
    """Another expectation is another record; neither call is counted twice."""
    agent = toolscore.watch(build([ADD, "done"], [add]), expected=["add"])
    other = toolscore.watch(agent, expected=[])

    run(other)

    assert (len(agent.runs), len(other.runs)) == (0, 1)
    assert [c.metadata["attempts"] for c in other.runs[0].calls] == [1]
    assert not other.score


def test_the_proxy_is_the_agent_in_every_other_way():
    """Class, attributes, assignment, membership in a team."""
    bare = build([ADD, "done"], [add], name="A", description="a")
    agent = toolscore.watch(bare)

    assert isinstance(agent, FunctionAgent)
    assert agent.name == "A"
    agent.description = "b"
    assert bare.description == "b"
    team = AgentWorkflow(agents=[agent], root_agent="A")
    assert str(run(team)) == "done"
    assert agent.runs == ()


def test_a_watched_member_of_a_team_says_once_what_to_watch(caplog: pytest.LogCaptureFixture):
    """The team takes its steps, so that nothing of it is recorded; the team itself can be."""
    member = toolscore.watch(build([ADD, "done"], [add], name="A", description="a"))
    bare = AgentWorkflow(agents=[member], root_agent="A")
    team = toolscore.watch(bare, expected=["add"])

    for _ in range(2):
        assert str(run(team)) == "done"

    assert (member.runs, member.score.basis) == ((), "not_scored")
    assert [len(recorded.calls) for recorded in team.runs] == [1, 1]
    [said] = [r.getMessage() for r in caplog.records if r.name == "toolscore"]
    assert "agent A is a member" in said
    assert "watch the AgentWorkflow instead" in said

    caplog.clear()
    run(member)
    member.unwatch()
    run(team)
    assert [len(recorded.calls) for recorded in member.runs] == [1]
    assert not [r for r in caplog.records if r.name == "toolscore"]


def test_copies_are_agents_that_nobody_watches():
    """Copying and pickling behave as those of the agent."""
    agent = toolscore.watch(build(["done"], [add]))
    assert type(copy.copy(agent)) is FunctionAgent
    assert type(copy.deepcopy(toolscore.watch(Plain()))) is Plain
    assert type(pickle.loads(pickle.dumps(toolscore.watch(Plain())))) is Plain


class Plain(Workflow):
    """A workflow that can be copied."""

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]

    @step
    async def go(self, ev: StartEvent) -> StopEvent:
        """Stop."""
        return StopEvent(result="x")


def test_what_is_not_a_workflow_is_refused():
    """A class instead of an object, or something else of the framework's."""
    with pytest.raises(UnwatchableAgentError, match="is a class: pass an object of it"):
        toolscore.watch(FunctionAgent)
    with pytest.raises(UnwatchableAgentError):
        toolscore.watch(ToolOutput(tool_name="t", content="x", raw_input={}, raw_output=1))


def test_a_disabled_watch_records_nothing(monkeypatch: pytest.MonkeyPatch):
    """``TOOLSCORE_DISABLED=1`` puts nothing on the dispatcher."""
    monkeypatch.setenv("TOOLSCORE_DISABLED", "1")
    before = handlers()
    agent = toolscore.watch(build([ADD, "done"], [add]), expected=["add"])
    with ToolscoreEventHandler(expected=["add"]).install() as handler:
        assert handlers() == before
        assert str(run(agent)) == "done"

    assert (agent.runs, handler.runs) == ((), ())
    assert "TOOLSCORE_DISABLED" in str(agent.score)


def test_install_records_every_run_of_the_process_until_uninstall():
    """In any context; twice is once."""
    handler = ToolscoreEventHandler(expected=["add"]).install().install()
    run(build([ADD, "done"], [add]))
    handler.uninstall()
    handler.uninstall()
    run(build([ADD, "done"], [add]))

    [recorded] = handler.runs
    assert [(c.tool, c.metadata["attempts"]) for c in recorded.calls] == [("add", 1)]
    assert handler.score


def test_a_handler_on_the_dispatcher_records_as_well():
    """The framework's own way to attach a handler, and with a block around it still once."""
    root = get_dispatcher()
    before = list(root.event_handlers)
    handler = ToolscoreEventHandler(expected=["add"])
    root.add_event_handler(handler)
    try:
        run(build([ADD, "done"], [add]))
        with handler:
            run(build([ADD, "done"], [add]))
    finally:
        root.event_handlers = [h for h in root.event_handlers if h is not handler]
    run(build([ADD, "done"], [add]))

    assert [[c.tool for c in r.calls] for r in handler.runs] == [["add"], ["add"]]
    assert len(before) == len(root.event_handlers) - 1  # ours, while the handler lives


def test_a_block_ends_with_its_context():
    """What runs after it is not recorded; the block may be used again."""
    handler = ToolscoreEventHandler()
    with handler:
        run(build([ADD, "done"], [add]))
    run(build([ADD, "done"], [add]))
    with handler, handler.session() as session:
        run(build([ADD, "done"], [add]))

    assert len(handler.runs) == 2
    assert len(session.runs) == 1
