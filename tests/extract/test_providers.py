"""Responses of model providers: objects of their own SDKs, and the dumps of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from anthropic.types import Message
from google.genai.types import GenerateContentResponse
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

import toolscore
from toolscore import evaluate

COMPLETION = {
    "id": "x", "object": "chat.completion", "created": 1700000000, "model": "m",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": {
        "role": "assistant", "content": None, "refusal": None, "tool_calls": [
            {"id": "c1", "type": "function",
             "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}]}}],
}  # fmt: skip
RESPONSE = {
    "id": "r", "object": "response", "created_at": 1700000000.0, "model": "m",
    "status": "completed",
    "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None,
    "incomplete_details": None, "instructions": None, "metadata": {}, "output": [
        {"type": "function_call", "id": "f1", "call_id": "c1", "name": "weather",
         "arguments": '{"city": "Oslo"}', "status": "completed"}],
}  # fmt: skip
MESSAGE = {
    "id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
    "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}, "content": [
        {"type": "text", "text": "hm"},
        {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Oslo"}}],
}  # fmt: skip
CANDIDATES = {"candidates": [{"content": {"role": "model", "parts": [
    {"function_call": {"id": "c1", "name": "weather", "args": {"city": "Oslo"}}}]}}]}  # fmt: skip

MADE: dict[str, tuple[Callable[[Any], list[dict[str, Any]]], Any]] = {
    "chat completion": (toolscore.from_openai, ChatCompletion.model_validate(COMPLETION)),
    "chat completion, dump": (toolscore.from_openai, COMPLETION),
    "chat message": (toolscore.from_openai,
                     ChatCompletion.model_validate(COMPLETION).choices[0].message),
    "response": (toolscore.from_openai, Response.model_validate(RESPONSE)),
    "response, dump": (toolscore.from_openai, RESPONSE),
    "message": (toolscore.from_anthropic, Message.model_validate(MESSAGE)),
    "message, dump": (toolscore.from_anthropic, MESSAGE),
    "candidates": (toolscore.from_gemini, GenerateContentResponse.model_validate(CANDIDATES)),
    "candidates, dump": (toolscore.from_gemini, CANDIDATES),
    "candidates, camel case": (
        toolscore.from_gemini,
        GenerateContentResponse.model_validate(CANDIDATES).model_dump(by_alias=True)),
}  # fmt: skip


@pytest.mark.parametrize(("extract", "source"), MADE.values(), ids=MADE)
def test_an_extractor_reads_its_providers_responses(
    extract: Callable[[Any], list[dict[str, Any]]], source: Any
):
    """Name, arguments and id; nothing is known of a result."""
    [call] = extract(source)
    assert (call["tool"], call["args"], call["id"]) == ("weather", {"city": "Oslo"}, "c1")
    assert (call["result"], call["is_error"], call["error"]) == (None, False, None)


@pytest.mark.parametrize(("extract", "source"), MADE.values(), ids=MADE)
def test_any_of_them_is_recognised_and_can_be_evaluated(
    extract: Callable[[Any], list[dict[str, Any]]], source: Any
):
    """``auto_extract`` gives the same, and ``evaluate`` takes the response as it is."""
    assert toolscore.auto_extract(source) == extract(source)
    assert evaluate([{"tool": "weather", "args": {"city": "Oslo"}}], source).passed
    assert evaluate(["weather"], extract(source)).passed


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini", "langgraph", "otel"])
@pytest.mark.parametrize("source", [None, "text", 3, 1.5, True], ids=repr)
def test_what_is_no_trace_is_refused(name: str, source: Any):
    """By each extractor, with what it takes."""
    with pytest.raises(ValueError, match=r"dict or a list|None"):
        getattr(toolscore, f"from_{name}")(source)


@pytest.mark.parametrize(
    "source", [{}, {"a": 1}, [{"a": 1}], [1], "text", None, 3, object()], ids=repr
)
def test_what_is_not_recognised_is_refused(source: Any):
    """An error, not zero calls."""
    with pytest.raises(ValueError, match=r"."):
        toolscore.auto_extract(source)


def test_an_empty_list_is_a_run_without_calls():
    """In any format."""
    assert toolscore.auto_extract([]) == []


def test_our_own_runs_and_traces_are_taken_too():
    """A captured run, a transcript, calls."""
    call = toolscore.ToolCall("a", {"x": 1}, result=2)
    turn = toolscore.AgentTurn(toolscore.TurnRole.ASSISTANT, "", (call,))
    for source in (toolscore.Run((call,)), toolscore.AgentTrace((turn,)), [call]):
        [found] = toolscore.auto_extract(source)
        assert (found["tool"], found["args"], found["result"]) == ("a", {"x": 1}, 2)
