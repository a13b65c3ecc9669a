"""Extractors of formats that have an adapter: the same calls, as dicts."""

from __future__ import annotations

from typing import Any

from toolscore.adapters._formats import calls_of
from toolscore.adapters._plain import as_dicts


def from_openai(source: Any) -> list[dict[str, Any]]:
    """The calls in OpenAI's responses and messages: Chat Completions and Responses.

    Args:
        source: A response of the ``openai`` package, a message, a list of messages, or their dumps.

    Returns:
        Dicts with ``tool``, ``args``, ``result``, ``is_error``, ``error``, ``id`` and more, in the
        order of the requests. ``evaluate`` takes them as they are.

    Raises:
        ValueError: this is nothing of OpenAI's, or a call in it has no tool's name.

    Source:
        ``toolscore.from_openai`` of tool-scorer.

    Example:
        >>> message = {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function",
        ...     "function": {"name": "search", "arguments": '{"q": "a"}'}}]}
        >>> [call] = from_openai(message)
        >>> call["tool"], call["args"], call["id"]
        ('search', {'q': 'a'}, 'c1')
    """
    return as_dicts(calls_of(source, "openai"))


def from_anthropic(source: Any) -> list[dict[str, Any]]:
    """The calls in Anthropic's responses and messages; see ``from_openai``.

    Raises:
        ValueError: this is nothing of Anthropic's, or a call in it has no tool's name.

    Source:
        ``toolscore.from_anthropic`` of tool-scorer.

    Example:
        >>> block = {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "a"}}
        >>> [call] = from_anthropic({"role": "assistant", "content": [block]})
        >>> call["tool"], call["args"]
        ('search', {'q': 'a'})
    """
    return as_dicts(calls_of(source, "anthropic"))


def from_gemini(source: Any) -> list[dict[str, Any]]:
    """The calls in Gemini's responses and contents; see ``from_openai``.

    Raises:
        ValueError: this is nothing of Gemini's, or a call in it has no function's name.

    Source:
        ``toolscore.from_gemini`` of tool-scorer.

    Example:
        >>> part = {"functionCall": {"name": "search", "args": {"q": "a"}}}
        >>> [call] = from_gemini({"candidates": [{"content": {"parts": [part]}}]})
        >>> call["tool"], call["args"]
        ('search', {'q': 'a'})
    """
    return as_dicts(calls_of(source, "gemini"))


def from_langgraph(source: Any) -> list[dict[str, Any]]:
    """The calls in a LangGraph state, in LangChain's messages and results; see ``from_openai``.

    Raises:
        ValueError: this is nothing of LangChain's, or a call in it has no tool's name.

    Source:
        ``toolscore.from_langgraph`` of tool-scorer.

    Example:
        >>> asked = {"type": "tool_call", "id": "c1", "name": "search", "args": {"q": "a"}}
        >>> message = {"type": "ai", "content": "", "tool_calls": [asked]}
        >>> [call] = from_langgraph({"messages": [message]})
        >>> call["tool"], call["args"]
        ('search', {'q': 'a'})
    """
    return as_dicts(calls_of(source, "langchain"))


def from_otel(source: Any) -> list[dict[str, Any]]:
    """The calls in OpenTelemetry spans: OTLP JSON, SDK spans, dumps; see ``from_openai``.

    Raises:
        ValueError: this holds no spans.

    Source:
        ``toolscore.from_otel`` of tool-scorer.

    Example:
        >>> span = {"name": "execute_tool search", "attributes": {
        ...     "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search"}}
        >>> [call["tool"] for call in from_otel([span])]
        ['search']
    """
    return as_dicts(calls_of(source, "otel"))
