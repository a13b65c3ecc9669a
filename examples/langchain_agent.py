"""A LangChain agent, watched: the score after each run.

Run it: python examples/langchain_agent.py. It needs no key, since its model is scripted; put your
own in its place (``init_chat_model("...")``), and nothing else changes.
"""

from langchain.agents import create_agent
from langchain_core.tools import tool

import toolscore
from toolscore_integrations.langchain.demo import ScriptedModel


@tool
def search(query: str) -> str:
    """Search the documentation."""
    return f"3 pages about {query}"


@tool
def open_page(number: int) -> str:
    """Open a page that the search found."""
    return f"page {number}"


def main() -> None:
    model = ScriptedModel(
        turns=[
            [("search", {"query": "python"})],
            [("open_page", {"number": 2})],
            "It is on page 2.",
        ]
    )
    agent = toolscore.watch(
        create_agent(model, [search, open_page]),
        expected=["search", {"tool": "open_page", "args": {"number": 1}}],
    )

    agent.invoke({"messages": [("user", "where are the docs of python?")]})

    print(agent.score)
    print(agent.score.diff())


if __name__ == "__main__":
    main()
