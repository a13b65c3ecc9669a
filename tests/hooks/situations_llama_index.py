"""How LlamaIndex plays the situations of the contract."""

# without postponed annotations: the framework reads those of the tools as they are
import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hooks import mcp_server
from hooks.contract import Mode, Scenario, echo
from hooks.contract_situations import Way, stopped_by_its_tool
from hooks.scripted_llama_index import build, run, scripted, stream
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ToolCallResult
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent
from workflows.context.serializers import PickleSerializer

SECONDS = 0.5
"""The timeout: long enough for the tool to begin, on any machine."""
HANDOFF = {"to_agent": "clerk", "reason": "it is theirs"}
"""What the framework's own tool ``handoff`` takes."""


def play(agent: Any, mode: Mode, **options: Any) -> Any:
    """Run it once; with ``stream`` all of its events are read."""
    return stream(agent, **options)[0] if mode == "stream" else run(agent, **options)


def _built(**options: Any) -> Callable[[Scenario], Any]:
    return lambda scenario: build(scenario.turns, scenario.tools(), **options)


def _left(agent: Any, mode: Mode) -> Any:
    async def main() -> Any:
        handler = agent.run(user_msg="hi")
        async for event in handler.stream_events():
            if isinstance(event, ToolCallResult):
                break
        return await handler

    return asyncio.run(main())


def _stopped(agent: Any, mode: Mode) -> Any:
    async def main() -> Any:
        return await agent.run(user_msg="hi")

    return asyncio.run(stopped_by_its_tool(main()))


def _at_two_turns(agent: Any, mode: Mode) -> Any:
    return play(agent, mode, max_iterations=2)


async def confirm(ctx: Context, text: str) -> str:
    """Ask whether it may."""
    answer = await ctx.wait_for_event(
        HumanResponseEvent,
        waiter_id=text,
        waiter_event=InputRequiredEvent(prefix="may it?"),
        requirements={"about": text},
    )
    return f"{text}: {answer.response}"


def _paused_and_resumed(agent: Any, mode: Mode) -> Any:
    """The context is saved while the tool waits, and another run goes on from there."""

    async def main() -> Any:
        handler = agent.run(user_msg="hi")
        async for event in handler.stream_events():
            if isinstance(event, InputRequiredEvent):
                break
        saved = handler.ctx.to_dict(serializer=PickleSerializer())
        await handler.cancel_run()
        context = Context.from_dict(agent, saved, serializer=PickleSerializer())
        handler = agent.run(ctx=context)
        handler.ctx.send_event(HumanResponseEvent(response="yes", about="a"))
        return await handler

    return asyncio.run(main())


def _with_helper(scenario: Scenario) -> Any:
    inner = build(scenario.inner, [echo], name="Inner")

    async def helper(input: str) -> str:  # noqa: A002 - the name in all frameworks
        """Let another agent help."""
        return str(await inner.run(user_msg=input))

    return build(scenario.turns, [helper])


def _with_handoff(scenario: Scenario) -> Any:
    """The clerk's model sees the answer that handed over, so that its own turns come after it."""
    first = FunctionAgent(
        name="first",
        description="hands over",
        tools=[],
        can_handoff_to=["clerk"],
        llm=scripted([("handoff", HANDOFF, "c1")]),
    )
    clerk = FunctionAgent(
        name="clerk", description="does it", tools=[echo], llm=scripted("", *scenario.inner)
    )
    return AgentWorkflow(agents=[first, clerk], root_agent="first")


def _of_server(scenario: Scenario) -> Any:
    mcp = pytest.importorskip("llama_index.tools.mcp")
    client = mcp.BasicMCPClient(sys.executable, args=[mcp_server.__file__])
    return build(scenario.turns, mcp.McpToolSpec(client).to_tool_list())


async def greet(ctx: Context, text: str) -> str:
    """Greet, in the run's own context."""
    await ctx.store.set("greeted", text)
    return f"hello {text}"


WAYS = {
    "left": Way(_built(), _left),
    "stopped": Way(_built(), _stopped),
    "timeout": Way(_built(timeout=SECONDS), play),
    "limit": Way(_built(), _at_two_turns),
    "asks": Way(lambda scenario: build(scenario.turns, [confirm]), _paused_and_resumed),
    "agent": Way(_with_helper, play),
    "handoff": Way(_with_handoff, play),
    "mcp": Way(_of_server, play),
    "injected": Way(lambda scenario: build(scenario.turns, [greet]), play),
}
