"""An OpenAI agent with a handoff, watched: the score after each run.

Run it: python examples/openai_agent.py. It needs no key, since its models are scripted; leave
``model=`` out to use your own, and nothing else changes.
"""

from agents import Agent, RunConfig, Runner, function_tool

import toolscore
from toolscore_integrations.openai_agents.demo import ScriptedModel


@function_tool
def search(query: str) -> str:
    """Search the documentation."""
    return f"3 pages about {query}"


@function_tool
def refund(order: str) -> str:
    """Give the money back."""
    raise TimeoutError(f"the payment service did not answer for {order}")


def main() -> None:
    billing = Agent(
        name="billing",
        model=ScriptedModel([[("refund", {"order": "A 17"})], "I could not refund it."]),
        tools=[refund],
    )
    desk = Agent(
        name="desk",
        model=ScriptedModel([[("search", {"query": "refunds"})], [("transfer_to_billing", {})]]),
        tools=[search],
        handoffs=[billing],
    )
    watched = toolscore.watch(
        desk,
        expected=["search", "transfer_to_billing", {"tool": "refund", "args": {"order": "A 17"}}],
    )

    Runner.run_sync(watched, "my money back", run_config=RunConfig(tracing_disabled=True))

    print(watched.score)  # the refund was asked for, and failed: the SDK shows it as an answer
    print(watched.score.diff())


if __name__ == "__main__":
    main()
