"""``evaluate`` and ``load_trace`` on whatever is recognised, and which of its calls count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from adapters.otel_spans import WAYS, S, chat, otlp, sdk, texts, tool

import toolscore
from toolscore import evaluate

PYDANTIC = [
    {"kind": "response", "parts": [
        {"part_kind": "tool-call", "tool_name": "search", "args": {"q": "a"},
         "tool_call_id": "c"}]},
    {"kind": "request", "parts": [
        {"part_kind": "tool-return", "tool_name": "search", "content": 1, "tool_call_id": "c"}]},
]  # fmt: skip
CLAUDE = [
    {"type": "system", "subtype": "init"},
    {"type": "assistant", "parent_tool_use_id": None, "message": {"role": "assistant", "content": [
        {"type": "tool_use", "id": "c", "name": "search", "input": {"q": "a"}}]}},
    {"type": "user", "parent_tool_use_id": None, "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "c", "content": "1"}]}},
    {"type": "result", "subtype": "success"},
]  # fmt: skip
CREW = [{"tool_name": "search", "tool_args": {"q": "a"}, "result": "1"}]
SPANS = otlp(tool("search", '{"q": "a"}', "1", id="c"))
TRACES: dict[str, Any] = {
    "pydantic-ai": PYDANTIC, "Claude Agent SDK": CLAUDE, "CrewAI": CREW, "OTLP": SPANS,
}  # fmt: skip


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
def test_a_file_of_them_is_recognised(trace: Any, tmp_path: Path):
    """As JSON and as JSON lines."""
    whole, lines = tmp_path / "trace.json", tmp_path / "trace.jsonl"
    whole.write_text(json.dumps(trace))
    rows = trace if isinstance(trace, list) else [trace]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    gold = tmp_path / "gold.json"
    gold.write_text('[{"tool": "search", "args": {"q": "a"}}]')

    for path in (whole, lines):
        [call] = toolscore.load_trace(path)
        assert (call.tool, call.args, call.status) == ("search", {"q": "a"}, "ok")
        assert toolscore.evaluate_trace(gold, path).passed
    assert evaluate([{"tool": "search", "args": {"q": "a"}}], trace).passed


NESTED = otlp(
    chat(("c1", "ask", {}), end=1),
    tool("ask", id="c1", start=2, end=9, inside=[
        S("a", {"gen_ai.operation.name": "invoke_agent"}, 3, 8, inside=[
            tool("look", id="c2", start=4, end=5)])]),
)  # fmt: skip


def test_nested_calls_count_when_they_are_included(tmp_path: Path):
    """As in a captured run; from memory and from files."""
    gold, trace = tmp_path / "gold.json", tmp_path / "trace.json"
    gold.write_text('["ask"]')
    trace.write_text(json.dumps(NESTED))

    assert [call.tool for call in toolscore.load_trace(trace)] == ["ask", "look"]
    for result in (evaluate(["ask"], NESTED), toolscore.evaluate_trace(gold, trace)):
        assert [call.tool for call in result.trace_calls] == ["ask"]
        assert result.passed
    assert evaluate(["ask", "look"], NESTED, include=["nested"]).passed


def test_a_list_of_calls_counts_whole():
    """The caller chose them."""
    made = [toolscore.ToolCall("ask"), toolscore.ToolCall("look", metadata={"depth": 1})]
    assert len(evaluate(None, made).trace_calls) == 2


@pytest.mark.parametrize(
    "made",
    [
        [{"tool": "search", "args": {"q": "a"}}],
        [{"name": "search", "arguments": {"q": "a"}}],
        [{"tool": "search", "input": {"q": "a"}, "output": 1, "elapsed": 0.5}],
        [{"type": "tool_call", "name": "search", "args": {"q": "a"}, "id": "c"}],
        [{"id": "c", "type": "function",
          "function": {"name": "search", "arguments": '{"q": "a"}'}}],
        {"calls": [{"tool": "search", "args": {"q": "a"}}]},
        (toolscore.ToolCall("search", {"q": "a"}),),
    ],
    ids=["tool", "name", "custom", "langchain", "openai", "calls", "tuple"],
)  # fmt: skip
def test_calls_are_read_in_every_spelling(made: Any):
    """Ours, other people's, and those of APIs."""
    assert evaluate([{"tool": "search", "args": {"q": "a"}}], made).score == 1.0


def test_what_the_record_of_a_call_says_is_kept():
    """Results, failures and times of a list that is read as a trace."""
    made = [{"tool": "search", "args": {}, "output": [1], "elapsed": 0.5, "error": "boom"}]
    [call] = evaluate(["search"], made).trace_calls
    assert (call.result, call.duration, call.error) == ([1], 0.5, "boom")


@pytest.mark.parametrize(
    "actual", [3, "text", b"x", {}, {"a": 1}, object(), [1], [{"a": 1}]], ids=repr
)
def test_what_is_not_recognised_is_refused_with_what_would_be(actual: Any):
    """Not scored as a run without calls."""
    with pytest.raises(ValueError, match=r"actual"):
        evaluate(["a"], actual)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_spans_are_extracted_in_every_form(way: Any):
    """Tuples of an exporter, protobuf messages, dumps; by name and recognised."""
    spans = way(tool("search", '{"q": "a"}'))
    for source in (spans, tuple(spans) if isinstance(spans, list) else spans):
        [call] = toolscore.from_otel(source)
        assert (call["tool"], call["args"]) == ("search", {"q": "a"})
        assert way is texts or toolscore.auto_extract(source) == [call]
        assert way is texts or evaluate(["search"], source).passed


def test_spans_of_an_sdk_are_evaluated_as_they_are():
    """What an exporter in a test collected."""
    spans = sdk(
        tool("search", '{"q": "a"}'), tool("pay", result=None, status="ERROR", message="no")
    )
    result = evaluate([{"tool": "search", "args": {"q": "a"}}, "pay"], spans)
    assert result.score == 0.75
    assert [finding.kind for finding in result.findings] == ["failed"]
