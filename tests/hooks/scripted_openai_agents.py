"""Agents of the OpenAI Agents SDK whose model says what the test wrote down.

A turn is a text; a list of calls ``(tool, arguments or their raw text, id)``, in which an item of
the provider may stand as it is; or an exception, which the model raises.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import agents
import pytest
from agents import Agent, RunConfig, Runner, function_tool
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.tool import FunctionTool
from agents.usage import Usage
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseUsage,
)
from openai.types.responses.response_usage import InputTokensDetails, OutputTokensDetails

import toolscore
from toolscore_integrations.openai_agents import ToolscoreRunHooks

Turn: TypeAlias = "str | Exception | Sequence[Any]"


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip where this version of the SDK lacks a name, or a field of its ``RunConfig``."""
    there = {*dir(agents), *dir(agents.exceptions), *RunConfig.__dataclass_fields__}
    missing = [name for name in names if name not in there]
    return pytest.mark.skipif(bool(missing), reason=f"openai-agents without {missing}")


def call(tool: str, args: dict[str, Any] | str, name: str) -> ResponseFunctionToolCall:
    """A request of the model."""
    text = args if isinstance(args, str) else json.dumps(args)
    return ResponseFunctionToolCall(
        type="function_call", name=tool, arguments=text, call_id=name, id="fc_" + name
    )


def say(text: str) -> ResponseOutputMessage:
    """A message of the model."""
    part = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id="m", type="message", role="assistant", status="completed", content=[part]
    )


class ScriptedModel(Model):
    """Answers with its turns, one after the other.

    ``by_input``: which turn it is follows from the answered calls in the input, so that runs at the
    same time may share the model.
    """

    def __init__(self, turns: Sequence[Turn], *, by_input: bool = False) -> None:
        self.turns = list(turns)
        self.asked: list[Any] = []
        self._by_input = by_input

    def _items(self, given: Any) -> list[Any]:
        number = self._answered(given) if self._by_input else len(self.asked)
        if not self._by_input:
            self.asked.append(given)
        turn = self.turns[number]
        if isinstance(turn, Exception):
            raise turn
        if isinstance(turn, str):
            return [say(turn)]
        return [call(*item) if isinstance(item, tuple) else item for item in turn]

    def _answered(self, given: Any) -> int:
        items = [] if isinstance(given, str) else given
        left = sum(item.get("type") == "function_call_output" for item in items)
        for number, turn in enumerate(self.turns):
            if left <= 0:
                return number
            left -= len(turn)
        return len(self.turns) - 1

    async def get_response(self, *args: Any, **kwargs: Any) -> Any:
        return ModelResponse(
            output=self._items(_given(args, kwargs)), usage=usage(), response_id=None
        )

    async def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        response = Response(
            id="r",
            created_at=time.time(),
            model="scripted",
            object="response",
            output=self._items(_given(args, kwargs)),
            tool_choice="auto",
            tools=[],
            parallel_tool_calls=True,
            usage=ResponseUsage(
                input_tokens=7,
                output_tokens=3,
                total_tokens=10,
                input_tokens_details=InputTokensDetails(cached_tokens=0, cache_write_tokens=0),
                output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
            ),
        )
        yield ResponseCompletedEvent(
            type="response.completed", sequence_number=0, response=response
        )


def _given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The input: some versions pass it by name, some by position."""
    return kwargs["input"] if "input" in kwargs else args[1]


def usage() -> Usage:
    """The tokens of one response."""
    return Usage(requests=1, input_tokens=7, output_tokens=3, total_tokens=10)


def build(
    turns: Sequence[Turn],
    tools: Sequence[Any] = (),
    *,
    survives: bool = True,
    name: str = "clerk",
    by_input: bool = False,
    **options: Any,
) -> Agent[Any]:
    """An agent; functions become tools, whose errors the run survives or not."""
    strict = {} if survives else {"failure_error_function": None}
    made = [
        function_tool(tool, **strict)
        if callable(tool) and not isinstance(tool, FunctionTool)
        else tool
        for tool in tools
    ]
    model = ScriptedModel(turns, by_input=by_input)
    return Agent(name=name, model=model, tools=made, **options)


def play(agent: Any, mode: str = "sync", text: Any = "hi", **options: Any) -> Any:
    """Run an agent in one of the three ways; what its run gives back."""
    if mode == "sync":
        return _sync(agent, text, options)
    if mode == "async":
        return asyncio.run(Runner.run(agent, text, **options))
    return asyncio.run(_stream(agent, text, options))


def _sync(agent: Any, text: Any, options: dict[str, Any]) -> Any:
    loop = asyncio.new_event_loop()  # else the SDK makes one, and leaves it open
    asyncio.set_event_loop(loop)
    try:
        return Runner.run_sync(agent, text, **options)
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def _stream(agent: Any, text: Any, options: dict[str, Any]) -> Any:
    result = Runner.run_streamed(agent, text, **options)
    async for _ in result.stream_events():
        pass
    return result


@dataclass
class Recorded:
    """An agent that is recorded, by ``watch`` or by hooks, and how to run it."""

    recording: Any
    agent: Any
    hooks: Any = None

    def play(self, mode: str = "sync", text: Any = "hi", **options: Any) -> Any:
        """Run it."""
        return play(self.agent, mode, text, hooks=self.hooks, **options)

    @property
    def run(self) -> toolscore.Run:
        """Its only run."""
        [run] = self.recording.runs
        return run


def by_watch(agent: Any, *args: Any, inner: Any = None, **options: Any) -> Recorded:
    """``toolscore.watch``; the user's hooks are given to the run."""
    watched = toolscore.watch(agent, *args, **options)
    return Recorded(watched, watched, inner)


def by_hooks(agent: Any, *args: Any, inner: Any = None, **options: Any) -> Recorded:
    """``ToolscoreRunHooks``, around the user's hooks."""
    hooks = ToolscoreRunHooks(*args, inner=inner, **options)
    return Recorded(hooks, agent, hooks)


WAYS: list[Callable[..., Recorded]] = [by_watch, by_hooks]


def outline(run: toolscore.Run) -> list[tuple[str, dict[str, Any], str, Any]]:
    """Tool, arguments, status and result or error of each call."""
    return [
        (c.tool, c.args or {}, c.status or "", c.error if c.status == "error" else c.result)
        for c in run.calls
    ]
