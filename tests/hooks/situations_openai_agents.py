"""How the OpenAI Agents SDK plays the situations of the contract."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from agents import RunContextWrapper, Runner, function_tool
from agents.mcp import MCPServerStdio
from hooks import mcp_server
from hooks.contract import Mode, Scenario, echo
from hooks.contract_situations import SEARCH, Way, stopped_by_its_tool
from hooks.scripted_openai_agents import build, play, say
from openai.types.responses import ResponseFunctionWebSearch

SECONDS = 0.5
"""The timeout: long enough for the tool to begin, on any machine."""


def _plain(scenario: Scenario) -> Any:
    return build(deepcopy(scenario.turns), scenario.tools())


def _left(agent: Any, mode: Mode, **options: Any) -> Any:
    """The reader leaves; the run's task goes on to its end."""

    async def left() -> Any:
        result = Runner.run_streamed(agent, "hi", **options)
        async for event in result.stream_events():
            if getattr(event, "name", None) == "tool_output":
                break
        await result.run_loop_task
        return result

    return asyncio.run(left())


def _stopped(agent: Any, mode: Mode, **options: Any) -> Any:
    return asyncio.run(stopped_by_its_tool(Runner.run(agent, "hi", **options)))


def _impatient(scenario: Scenario) -> Any:
    [hang] = scenario.tools()
    made = function_tool(hang, timeout=SECONDS, timeout_behavior="raise_exception")
    return build(deepcopy(scenario.turns), [made])


def _limited(agent: Any, mode: Mode, **options: Any) -> Any:
    return play(agent, mode, max_turns=2, **options)


def _supervised(scenario: Scenario) -> Any:
    return build(deepcopy(scenario.turns), [function_tool(echo, needs_approval=True)])


def _decided(decide: str) -> Callable[..., Any]:
    def both(agent: Any, mode: Mode, **options: Any) -> Any:
        state = play(agent, mode, **options).to_state()
        [waiting] = state.get_interruptions()
        getattr(state, decide)(waiting)
        return play(agent, mode, state, **options)

    return both


def _with_helper(scenario: Scenario) -> Any:
    inner = build(deepcopy(scenario.inner), [echo], name="inner")
    helper = inner.as_tool(tool_name="helper", tool_description="Let another agent help.")
    return build(deepcopy(scenario.turns), [helper])


def _with_handoff(scenario: Scenario) -> Any:
    clerk = build(deepcopy(scenario.inner), [echo], name="clerk")
    return build(deepcopy(scenario.turns), name="first", handoffs=[clerk])


def _hosted(scenario: Scenario) -> Any:
    [answer] = scenario.turns
    return build([[ResponseFunctionWebSearch.model_validate(SEARCH), say(str(answer))]])


def _of_server(scenario: Scenario) -> Any:
    params: Any = {"command": sys.executable, "args": [mcp_server.__file__]}
    server = MCPServerStdio(params, client_session_timeout_seconds=30)
    return build(deepcopy(scenario.turns), mcp_servers=[server])


def _with_server(agent: Any, mode: Mode, **options: Any) -> Any:
    async def connected() -> Any:
        [server] = agent.mcp_servers
        async with server:
            return await Runner.run(agent, "hi", **options)

    return asyncio.run(connected())


def greet(context: RunContextWrapper[Any], text: str) -> str:
    """Greet, once the run is known."""
    assert context.usage is not None
    return f"hello {text}"


def _injected(scenario: Scenario) -> Any:
    return build(deepcopy(scenario.turns), [greet])


WAYS: Mapping[str, Way] = {
    "left": Way(_plain, _left),
    "stopped": Way(_plain, _stopped),
    "timeout": Way(_impatient, play),
    "limit": Way(_plain, _limited),
    "approve": Way(_supervised, _decided("approve")),
    "reject": Way(_supervised, _decided("reject")),
    "agent": Way(_with_helper, play),
    "handoff": Way(_with_handoff, play),
    "hosted": Way(_hosted, play),
    "mcp": Way(_of_server, _with_server),
    "injected": Way(_injected, play),
}
