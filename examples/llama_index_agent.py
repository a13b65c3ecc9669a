"""A LlamaIndex agent, watched: the score after each run.

Run it: python examples/llama_index_agent.py. It needs no key, since its model is scripted; put your
own in its place, and nothing else changes.
"""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent

import toolscore
from toolscore_integrations.llama_index.demo import ScriptedModel


def search(query: str) -> str:
    """Search the documentation."""
    return f"3 pages about {query}"


async def main() -> None:
    both = [("search", {"query": "python"}), ("search", {"query": "snakes"})]
    llm = ScriptedModel(turns=[both, "Found."])
    agent = toolscore.watch(
        FunctionAgent(llm=llm, tools=[search]),
        expected=[{"tool": "search", "args": {"query": "python"}}],
    )

    await agent.run("where are the docs of python?")

    print(agent.score)  # one call more than was asked for
    print(agent.score.diff())


if __name__ == "__main__":
    asyncio.run(main())
