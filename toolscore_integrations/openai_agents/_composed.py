"""The hooks object that ``Runner`` is given: our record first, then the user's own hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents import Agent, ModelResponse, RunHooks
from agents.lifecycle import RunHooksBase

from toolscore import Recorder
from toolscore_integrations.openai_agents._leg import Leg


async def nothing() -> None:
    """What a hook does that is not there."""


class ComposedHooks(RunHooks[Any]):
    """Tells the legs, then the user's own hooks (``inner``).

    The methods are plain functions that return what the SDK awaits: so the record is made at once,
    in the task that the tool itself runs in, and nothing that the user's hooks do can lose it.
    """

    inner: RunHooksBase[Any, Agent[Any]] | None
    recorder: Recorder | None = None
    """Whose object it is, where a user made it."""

    def _legs(self, context: Any, agent: Agent[Any]) -> Sequence[Leg]:
        """The legs that this event belongs to."""
        raise NotImplementedError

    def on_llm_start(
        self, context: Any, agent: Agent[Any], system_prompt: str | None, input_items: list[Any]
    ) -> Any:
        """The model is asked."""
        for leg in self._legs(context, agent):
            if system_prompt:
                leg.run.message("system", system_prompt)
            leg.llm_started(context, agent, input_items)
        if self.inner is None:
            return nothing()
        return self.inner.on_llm_start(context, agent, system_prompt, input_items)

    def on_llm_end(self, context: Any, agent: Agent[Any], response: ModelResponse) -> Any:
        """The model answered."""
        for leg in self._legs(context, agent):
            leg.llm_ended(agent, response)
        return nothing() if self.inner is None else self.inner.on_llm_end(context, agent, response)

    def on_agent_start(self, context: Any, agent: Any) -> Any:
        """An agent takes over."""
        return nothing() if self.inner is None else self.inner.on_agent_start(context, agent)

    def on_agent_end(self, context: Any, agent: Any, output: Any) -> Any:
        """The run has its final output."""
        return nothing() if self.inner is None else self.inner.on_agent_end(context, agent, output)

    def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> Any:
        """Another agent takes over."""
        for leg in self._legs(context, from_agent):
            leg.handed_off(to_agent)
        if self.inner is None:
            return nothing()
        return self.inner.on_handoff(context=context, from_agent=from_agent, to_agent=to_agent)

    def on_tool_start(self, context: Any, agent: Any, tool: Any) -> Any:
        """A tool begins."""
        for leg in self._legs(context, agent):
            leg.tool_started(context, agent, tool)
        return nothing() if self.inner is None else self.inner.on_tool_start(context, agent, tool)

    def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> Any:
        """A tool is done."""
        for leg in self._legs(context, agent):
            leg.tool_ended(context, agent, tool, result)
        if self.inner is None:
            return nothing()
        return self.inner.on_tool_end(context, agent, tool, result)


class LegHooks(ComposedHooks):
    """What a recorded run is given in place of the user's hooks, for this run alone."""

    def __init__(self, legs: Sequence[Leg], inner: RunHooksBase[Any, Agent[Any]] | None) -> None:
        self._own = tuple(legs)
        self.inner = inner

    def _legs(self, context: Any, agent: Agent[Any]) -> Sequence[Leg]:
        return self._own
