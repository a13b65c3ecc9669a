"""CPU that watching adds per tool call, against the same agent unwatched, paired in one run."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
from collections.abc import Callable
from typing import Any

os.environ["LANGSMITH_TRACING"] = "false"
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

import toolscore
from benchmarks.harness import Variant, paired, report
from benchmarks.peers import openinference

TURNS, PARALLEL = 3, 10
CALLS = TURNS * PARALLEL
SCRIPT: list[Any] = [
    [("echo", {"text": f"{turn}.{n}", "times": n}) for n in range(PARALLEL)]
    for turn in range(TURNS)
]
SCRIPT.append("done")


def echo(text: str, times: int) -> str:
    """Say it back."""
    return text * min(times, 1)


def langchain(*, sync: bool = False) -> tuple[Any, Callable[[Any], Variant]]:
    """A graph that asks for ten calls a turn."""
    from langchain.agents import create_agent

    from toolscore_integrations.langchain.demo import ScriptedModel

    start = {"messages": [("user", "go")]}

    def runner(agent: Any) -> Variant:
        async def once() -> None:
            if sync:
                agent.invoke(start)
            else:
                await agent.ainvoke(start)

        return once

    return create_agent(ScriptedModel(turns=SCRIPT), [echo]), runner


def openai_agents() -> tuple[Any, Callable[[Any], Variant]]:
    """An agent of the SDK; its model starts the script anew with each run."""
    from agents import Agent, Runner, function_tool

    from toolscore_integrations.openai_agents.demo import ScriptedModel

    def runner(agent: Any) -> Variant:
        async def once() -> None:
            await Runner.run(agent, "go")

        return once

    model = ScriptedModel(itertools.cycle(SCRIPT))
    return Agent(name="bench", model=model, tools=[function_tool(echo)]), runner


def llama_index() -> tuple[Any, Callable[[Any], Variant]]:
    """A ``FunctionAgent``."""
    from llama_index.core.agent.workflow import FunctionAgent

    from toolscore_integrations.llama_index.demo import ScriptedModel

    def runner(agent: Any) -> Variant:
        async def once() -> None:
            await agent.run("go")

        return once

    return FunctionAgent(llm=ScriptedModel(turns=SCRIPT), tools=[echo], timeout=None), runner


FRAMEWORKS: dict[str, Callable[[], tuple[Any, Callable[[Any], Variant]]]] = {
    "langchain": langchain,
    "langchain-sync": lambda: langchain(sync=True),
    "openai-agents": openai_agents,
    "llama-index": llama_index,
}


async def measure(name: str, rounds: int) -> None:
    """All variants of one framework, and whether what was watched was right."""
    build = FRAMEWORKS[name]
    plain, runner = build()
    again, again_runner = build()
    agent, watched_runner = build()
    watched = toolscore.watch(agent, expected=["echo"] * CALLS, order="any")
    variants = {
        "none": runner(plain),
        "none_again": again_runner(again),
        "watched": watched_runner(watched),
    }
    around = {}
    peer = openinference(name)
    if peer is not None:
        another, another_runner = build()
        variants["openinference"], around["openinference"] = another_runner(another), peer
    figures = await paired(variants, base="none", rounds=rounds, per_round=CALLS, around=around)
    captured = {len(run.calls) for run in watched.runs}
    for figure in figures:
        report(framework=name, unit="tool call", **figure)
    if captured != {CALLS} or not watched.score:
        raise SystemExit(f"{name}: {captured} calls were recorded in a run of {CALLS}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frameworks", nargs="*", metavar="FRAMEWORK", help=", ".join(FRAMEWORKS))
    parser.add_argument("--rounds", type=int, default=40)
    chosen = parser.parse_args()
    for name in chosen.frameworks or FRAMEWORKS:
        asyncio.run(measure(name, chosen.rounds))


if __name__ == "__main__":
    main()
