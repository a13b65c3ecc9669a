"""Anthropic's and Google's formats, where versions, servers and logs differ."""

from __future__ import annotations

from typing import Any

import pytest
from adapters import traces

import toolscore
from toolscore import ToolCall
from toolscore.adapters import AnthropicAdapter, GeminiAdapter
from toolscore.adapters._formats import calls_of


def said(*blocks: Any, **fields: Any) -> dict[str, Any]:
    """A message of the model."""
    return {"role": "assistant", "content": list(blocks), **fields}


def told(*blocks: Any) -> dict[str, Any]:
    """A message with the results."""
    return {"role": "user", "content": list(blocks)}


def use(name: str = "f", call_id: str = "t1", **given: Any) -> dict[str, Any]:
    """A call."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result(content: Any = "x", call_id: str = "t1", **fields: Any) -> dict[str, Any]:
    """A result."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **fields}


def claude(*items: Any) -> list[ToolCall]:
    """The calls."""
    return AnthropicAdapter().parse(list(items))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("4C", "4C"),
        ([{"type": "text", "text": "4C"}], "4C"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image", "source": {"x": 1}}], [{"type": "image", "source": {"x": 1}}]),
        (None, None),
        ([], None),
    ],
)
def test_a_result_is_its_text_or_its_blocks(content: Any, expected: Any):
    """Without content the tool succeeded all the same."""
    [call] = claude(said(use()), told(result(content)))
    assert (call.status, call.result) == ("ok", expected)


def test_a_failure_keeps_what_is_more_than_its_text():
    """Here a screenshot of what went wrong."""
    image = {"type": "image", "source": {"x": 1}}
    blocks = [{"type": "text", "text": "gone"}, image]
    [call] = claude(said(use()), told(result(blocks, is_error=True)))
    assert (call.error, call.result) == ("gone", blocks)


def test_blocks_without_their_messages():
    """What ``response.content`` holds; those after a result are another turn."""
    calls = claude(use("a", "1"), use("b", "2"))
    assert [(c.tool, c.metadata["step"]) for c in calls] == [("a", 0), ("b", 0)]


def test_the_session_file_of_claude_code():
    """Each line an envelope with its time; a message may take several of them."""
    lines = [
        {"type": "summary", "summary": "x"},
        {
            "type": "assistant",
            "timestamp": "2026-01-01T00:00:00.500Z",
            "message": said(use("a", "1"), id="msg_1"),
        },
        {
            "type": "assistant",
            "timestamp": "2026-01-01T00:00:01Z",
            "message": said(use("b", "2"), id="msg_1"),
        },
        {"type": "user", "timestamp": "2026-01-01T00:00:02Z", "message": told(result("x", "1"))},
    ]
    calls = calls_of(lines)
    assert [(c.tool, c.status, c.timestamp, c.metadata["step"]) for c in calls] == [
        ("a", "ok", 1767225600.5, 0),
        ("b", None, 1767225601.0, 0),
    ]


def test_the_calls_of_an_agent_inside_a_tool_are_nested():
    """The session file says so; they are not the agent's own."""
    lines = [
        {"type": "assistant", "message": said(use("Task", "1"))},
        {"type": "assistant", "isSidechain": True, "message": said(use("Read", "2"))},
        {"type": "user", "isSidechain": True, "message": told(result("x", "2"))},
        {"type": "user", "isSidechain": False, "message": told(result("y", "1"))},
    ]
    calls = calls_of(lines)
    assert [(c.tool, c.result, c.metadata.get("depth", 0)) for c in calls] == [
        ("Task", "y", 0),
        ("Read", "x", 1),
    ]
    assert toolscore.evaluate(["Task"], lines).passed


def test_a_batch_of_requests_and_its_results():
    """Each in an envelope of its own."""
    request = {"custom_id": "1", "params": {"messages": [said(use("a")), told(result())]}}
    answer = {"custom_id": "1", "result": {"type": "succeeded", "message": said(use("b", "t2"))}}
    assert [c.tool for c in calls_of([request])] == ["a"]
    assert [c.tool for c in calls_of([answer])] == ["b"]


def test_a_result_without_its_call_is_said_to_be_left_out():
    """Results do not name the tool."""
    with pytest.warns(toolscore.ToolscoreWarning, match="1 tool result"):
        assert claude(told(result())) == []


@pytest.mark.parametrize(
    "trace", [None, 5, {}, [5], [{}], [said({"type": "tool_use", "id": "x", "input": {}})]]
)
def test_what_is_no_trace_of_anthropic(trace: Any):
    """A sentence says what was found."""
    with pytest.raises(ValueError, match=r"AnthropicAdapter|tool call"):
        AnthropicAdapter().parse(trace)


# -- Gemini


def model(*parts: Any) -> dict[str, Any]:
    """A content of the model."""
    return {"role": "model", "parts": list(parts)}


def asked(name: str = "f", **fields: Any) -> dict[str, Any]:
    """A part that asks for a call."""
    return {"functionCall": {"name": name, "args": {}, **fields}}


def answered(response: Any, name: str = "f", **fields: Any) -> dict[str, Any]:
    """A content with one answer."""
    part = {"functionResponse": {"name": name, "response": response, **fields}}
    return {"role": "user", "parts": [part]}


def gemini(*items: Any) -> list[ToolCall]:
    """The calls."""
    return GeminiAdapter().parse(list(items))


@pytest.mark.parametrize(
    ("response", "status", "result", "error"),
    [
        ({"output": [1]}, "ok", [1], None),
        ({"result": "x"}, "ok", {"result": "x"}, None),
        ({"output": 1, "note": 2}, "ok", {"output": 1, "note": 2}, None),
        ({"error": "gone"}, "error", None, "gone"),
        ({"error": {"message": "gone", "code": 5}}, "error", None, "gone"),
        ({"error": "gone", "hint": "y"}, "error", {"hint": "y"}, "gone"),
        ({"error": None, "output": 1}, "ok", {"error": None, "output": 1}, None),
        ({}, "ok", {}, None),
        (None, "ok", None, None),
    ],
)
def test_an_answer_is_an_output_or_an_error(
    response: Any, status: str, result: Any, error: str | None
):
    """As the API defines the two keys; else the whole of it is the result."""
    [call] = gemini(model(asked()), answered(response))
    assert (call.status, call.result, call.error) == (status, result, error)


def test_ids_decide_where_both_have_them():
    """And names where one has none."""
    calls = gemini(
        model(asked("a", id="1"), asked("a", id="2"), asked("b")),
        answered({"output": "two"}, "a", id="2"),
        answered({"output": "b"}, "b", id="unknown"),
        answered({"output": "one"}, "a"),
    )
    assert [c.result for c in calls] == ["one", "two", "b"]


def test_an_answer_without_its_question_is_a_call():
    """It names its function."""
    [call] = gemini(answered({"output": 1}, "f"))
    assert (call.tool, call.args, call.result) == ("f", {}, 1)


def chunk(*parts: Any, finish: str | None = None) -> dict[str, Any]:
    """One response of a stream."""
    return {"candidates": [{"content": model(*parts), "finishReason": finish}]}


def test_the_responses_of_a_stream_are_one_turn():
    """Until one says that it is the last."""
    calls = gemini(
        chunk({"text": "I"}),
        chunk(asked("a")),
        chunk(asked("b"), finish="STOP"),
        chunk(asked("c"), finish="STOP"),
    )
    assert [(c.tool, c.metadata["step"]) for c in calls] == [("a", 0), ("b", 0), ("c", 1)]


def test_of_several_candidates_the_first_counts():
    """An agent goes on with one of them."""
    candidates = [
        {"index": 1, "content": model(asked("b"))},
        {"index": 0, "content": model(asked("a"))},
    ]
    assert [c.tool for c in gemini({"candidates": candidates})] == ["a"]


def test_tools_that_google_runs():
    """Their parts have names of their own."""
    call = {"toolCall": {"id": "1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"q": "x"}}}
    answer = {"toolResponse": {"id": "1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"n": 1}}}
    [made] = gemini(model(call, answer))
    assert (made.tool, made.args, made.result, made.metadata["origin"]) == (
        "google_search_web",
        {"q": "x"},
        {"n": 1},
        "server",
    )


def test_an_interaction_that_was_blocked_is_a_run_without_calls():
    """Nothing came but the reason."""
    assert gemini({"promptFeedback": {"blockReason": "SAFETY"}}) == []
    assert calls_of({"candidates": [{"finishReason": "SAFETY"}]}) == []


@pytest.mark.parametrize("trace", [None, 5, {}, [5], [{}], [{"x": 1}], [model(asked(None))]])  # type: ignore[arg-type]
def test_what_is_no_trace_of_google(trace: Any):
    """A sentence says what was found."""
    with pytest.raises(ValueError, match=r"GeminiAdapter|tool call"):
        GeminiAdapter().parse(trace)


def test_spellings_may_be_mixed():
    """Dumps of the SDK and the API's own JSON."""
    both = [traces.GEMINI[1], {"role": "model", "parts": [{"function_call": {"name": "g"}}]}]
    assert [c.tool for c in gemini(*both)] == ["weather", "weather", "g"]
