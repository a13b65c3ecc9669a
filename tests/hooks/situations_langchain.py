"""How LangChain and LangGraph play the situations of the contract."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Annotated, Any

from hooks import mcp_server
from hooks.contract import Mode, Scenario, echo
from hooks.contract_situations import SEARCH, Way, stopped_by_its_tool
from hooks.scripted_langchain import INPUT, build, play
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState
from langgraph.types import Command, interrupt
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SECONDS = 0.5
"""The timeout: long enough for the tool to begin, on any machine."""


def _built(**options: Any) -> Callable[[Scenario], Any]:
    def built(scenario: Scenario) -> Any:
        return build(deepcopy(scenario.turns), scenario.tools(), **options)

    return built


def _in_config(**config: Any) -> Callable[..., Any]:
    def played(agent: Any, mode: Mode, handler: Any = None) -> Any:
        return play(agent, mode, handler, **config)

    return played


def _retried(scenario: Scenario) -> Any:
    retry = ToolRetryMiddleware(max_retries=2, initial_delay=0, jitter=False)
    return _built(middleware=[retry], survives=False)(scenario)


def _left(agent: Any, mode: Mode, handler: Any = None) -> Any:
    """Left by closing the generator, as ``break`` does once nothing refers to it any more."""
    config = {"callbacks": [handler]} if handler is not None else {}
    updates = agent.stream(INPUT, config, stream_mode="updates")
    for update in updates:
        if "tools" in update:
            updates.close()


def _stopped(agent: Any, mode: Mode, handler: Any = None) -> Any:
    config = {"callbacks": [handler]} if handler is not None else {}
    return asyncio.run(stopped_by_its_tool(agent.ainvoke(INPUT, config)))


def _impatient(scenario: Scenario) -> Any:
    agent = _built()(scenario)
    agent.step_timeout = SECONDS
    return agent


def _supervised(scenario: Scenario) -> Any:
    person = HumanInTheLoopMiddleware(interrupt_on={"echo": True})
    return _built(middleware=[person], checkpointer=InMemorySaver())(scenario)


def _resumed(resume: Any) -> Callable[..., Any]:
    def both(agent: Any, mode: Mode, handler: Any = None) -> Any:
        thread = {"thread_id": "1"}
        play(agent, mode, handler, configurable=thread)
        return play(agent, mode, handler, given=Command(resume=resume), configurable=thread)

    return both


def _decided(**decision: Any) -> Callable[..., Any]:
    return _resumed({"decisions": [decision]})


@tool
def confirm(text: str) -> str:
    """Ask whether it may."""
    return f"{text}: {interrupt('may it?')}"


def _asking(scenario: Scenario) -> Any:
    return build(deepcopy(scenario.turns), [confirm], checkpointer=InMemorySaver())


def _with_helper(scenario: Scenario) -> Any:
    inner = build(deepcopy(scenario.inner), [echo])

    @tool
    def helper(input: str) -> str:  # noqa: A002 - the name in all frameworks
        """Let another agent help."""
        state = inner.invoke({"messages": [("user", input)]})
        return str(state["messages"][-1].content)

    return build(deepcopy(scenario.turns), [helper])


def _with_handoff(scenario: Scenario) -> Any:
    @tool
    def transfer_to_clerk() -> Any:
        """Hand over to the clerk."""
        return Command(graph=Command.PARENT, goto="clerk")

    builder = StateGraph(MessagesState)
    first = build(deepcopy(scenario.turns), [transfer_to_clerk])
    builder.add_node("first", first, destinations=("clerk",))
    builder.add_node("clerk", build(deepcopy(scenario.inner), [echo]))
    builder.add_edge(START, "first")
    return builder.compile()


def _hosted(scenario: Scenario) -> Any:
    [answer] = scenario.turns
    return build([AIMessage([SEARCH, {"type": "text", "text": answer}])], [echo])


def _of_server(scenario: Scenario) -> Any:
    """The tool as an MCP client makes it: a schema of plain JSON, and a session for each call."""
    server = StdioServerParameters(command=sys.executable, args=[mcp_server.__file__])

    async def read(**arguments: Any) -> Any:
        async with stdio_client(server) as pipes, ClientSession(*pipes) as session:
            await session.initialize()
            answer = await session.call_tool("read", arguments)
        return "".join(part.text for part in answer.content)

    schema = {
        "type": "object",
        "properties": {"path": {"type": "string"}},
        "required": ["path"],
    }
    made = StructuredTool(
        name="read", description="Read a file.", args_schema=schema, coroutine=read
    )
    return build(deepcopy(scenario.turns), [made])


@tool
def greet(text: str, state: Annotated[dict[str, Any], InjectedState]) -> str:
    """Greet, once the conversation is known."""
    assert state["messages"]
    return f"hello {text}"


def _injected(scenario: Scenario) -> Any:
    return build(deepcopy(scenario.turns), [greet])


WAYS: Mapping[str, Way] = {
    "retry": Way(_retried, play),
    "left": Way(_built(), _left),
    "stopped": Way(_built(), _stopped),
    "timeout": Way(_impatient, play),
    # a turn of the model and its tools are two steps of the graph
    "limit": Way(_built(), _in_config(recursion_limit=4)),
    "approve": Way(_supervised, _decided(type="approve")),
    "edit": Way(
        _supervised, _decided(type="edit", edited_action={"name": "echo", "args": {"text": "b"}})
    ),
    "reject": Way(_supervised, _decided(type="reject", message="no")),
    "asks": Way(_asking, _resumed("yes")),
    "agent": Way(_with_helper, play),
    "handoff": Way(_with_handoff, play),
    "hosted": Way(_hosted, play),
    "mcp": Way(_of_server, play),
    "injected": Way(_injected, play),
}
