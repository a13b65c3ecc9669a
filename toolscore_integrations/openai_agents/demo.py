"""The demo's travel agent, as an OpenAI ``Agent`` with a scripted model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from toolscore import EvaluationResult, watch
from toolscore._demo import Scenario


class ScriptedModel(Model):
    """Answers with the turns of a script, one after the other."""

    def __init__(self, turns: Iterable[Any]) -> None:
        self.turns = iter(turns)

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """The next turn."""
        turn = next(self.turns)
        output = [_text(turn)] if isinstance(turn, str) else [_call(*asked) for asked in turn]
        return ModelResponse(output=list(output), usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        """The demo does not stream."""
        raise NotImplementedError


def _text(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id="message", type="message", role="assistant", status="completed", content=[content]
    )


_ids = iter(range(10**9))


def _call(tool: str, arguments: dict[str, Any]) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call",
        name=tool,
        call_id=f"call_{next(_ids)}",
        arguments=json.dumps(arguments),
    )


def play(
    scenario: Scenario, tools: Sequence[Callable[..., str]], expected: Sequence[Any]
) -> EvaluationResult:
    """Watch the agent, run it once, and give its score."""
    agent = watch(
        Agent(
            name="travel agent",
            model=ScriptedModel(scenario.turns),
            tools=[function_tool(tool) for tool in tools],
        ),
        expected=expected,
    )
    Runner.run_sync(
        agent,
        "Book me a flight to Oslo on Friday.",
        run_config=RunConfig(tracing_disabled=True),
    )
    return agent.score
