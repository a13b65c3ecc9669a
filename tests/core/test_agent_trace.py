"""Agent traces: what the small functions measure, and the JSON form."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolscore import AgentFormatError, AgentTrace, AgentTurn, ToolCall, TurnRole
from toolscore.agent_trace import (
    per_tool,
    recovered_from_error,
    redundant_tool_calls,
    tool_call_count,
    tool_success_rate,
    trace_completed_with_answer,
    unique_tools_used,
)

MEASURES: list[Callable[[AgentTrace], object]] = [
    tool_call_count,
    tool_success_rate,
    unique_tools_used,
    redundant_tool_calls,
    trace_completed_with_answer,
    recovered_from_error,
]


def said(content: str, *calls: ToolCall) -> AgentTurn:
    return AgentTurn(TurnRole.ASSISTANT, content, calls)


def asking(*calls: ToolCall) -> AgentTrace:
    return AgentTrace((AgentTurn(TurnRole.USER, "go"), said("", *calls)))


def failed(tool: str = "a") -> ToolCall:
    return ToolCall(tool, {}, metadata={"error": "no"})


def test_an_empty_trace_has_nothing_to_measure():
    """No calls, the default rate, no answer, and no error to recover from."""
    assert [measure(AgentTrace()) for measure in MEASURES] == [0, 1.0, 0, 0, False, None]


def test_calls_are_counted_over_all_assistant_turns():
    """Two turns with two and one calls are three calls of two tools."""
    trace = AgentTrace((said("", ToolCall("a"), ToolCall("b")), said("", ToolCall("a"))))

    assert (tool_call_count(trace), unique_tools_used(trace)) == (3, 2)


@pytest.mark.parametrize("role", [TurnRole.USER, TurnRole.TOOL, TurnRole.SYSTEM])
def test_only_the_assistant_calls_tools(role: TurnRole):
    """What stands on a turn of anyone else was not asked for by the model."""
    trace = AgentTrace((AgentTurn(role, "", (failed(),)),))

    assert tool_call_count(trace) == 0
    assert recovered_from_error(trace) is None


@pytest.mark.parametrize(
    ("calls", "rate"),
    [
        ([ToolCall("a", result="x"), failed()], 0.5),
        ([ToolCall("a", result="x"), ToolCall("a")], 1.0),
        ([failed(), ToolCall("a", metadata={"status": "cancelled"})], 0.0),
        ([failed(), ToolCall("a", metadata={"status": "interrupted"})], 0.0),
        ([ToolCall("a", metadata={"status": "ok"}), failed()], 0.5),
        ([ToolCall("a", result="x", metadata={"is_error": True})], 0.0),
        ([ToolCall("a", result=0), ToolCall("a", result=""), failed()], 2 / 3),
    ],
)
def test_only_resolved_calls_are_in_the_success_rate(calls: list[ToolCall], rate: float):
    """A result is a success, an error a failure, whatever is unresolved neither."""
    assert tool_success_rate(asking(*calls)) == rate


def test_the_rate_of_nothing_resolved_is_the_default():
    """The user says what that means for them."""
    assert tool_success_rate(asking(ToolCall("a")), default=0.0) == 0.0


REPEATS: list[tuple[list[Any], int]] = [
    ([{"q": 1, "n": 2}, {"n": 2, "q": 1}, {"q": 1, "n": 2}], 2),
    ([{"q": 1}, {"q": 1.0}], 1),
    ([{"q": 1}, {"q": True}], 0),
    ([{"q": 2**53 + 1}, {"q": 2.0**53}], 0),
    ([{"q": "1"}, {"q": 1}], 0),
    ([{"q": math.nan}, {"q": math.nan}], 1),
    ([{}, None], 1),
    ([{"q": [{"a": [1]}]}, {"q": [{"a": [1]}]}], 1),
]


@pytest.mark.parametrize(("args", "redundant"), REPEATS)
def test_calls_are_redundant_beyond_the_first_of_equal_ones(args: list[Any], redundant: int):
    """Equal means equal as ``evaluate`` compares."""
    assert redundant_tool_calls(asking(*[ToolCall("a", item) for item in args])) == redundant
    assert redundant_tool_calls(asking(*[ToolCall(f"t{n}", a) for n, a in enumerate(args)])) == 0


def test_two_broken_argument_texts_are_not_the_same_call():
    """Both have ``{}`` for arguments, and were not the same."""
    calls = [ToolCall("a", {}, metadata={"raw_arguments": text}) for text in ("{", "[", "{")]

    assert redundant_tool_calls(asking(*calls)) == 1


@pytest.mark.parametrize(
    ("turns", "answered"),
    [
        ([said("Done.")], True),
        ([said("")], False),
        ([said("Done."), AgentTurn(TurnRole.TOOL, "data")], False),
        ([said("Done."), AgentTurn(TurnRole.USER, "Thanks")], False),
        ([said("I will search.", ToolCall("a"))], True),
    ],
)
def test_an_answer_is_the_last_turn_of_the_assistant(turns: list[AgentTurn], answered: bool):
    """As the seed defines it: role and content alone decide."""
    assert trace_completed_with_answer(AgentTrace(tuple(turns))) is answered


@pytest.mark.parametrize(
    ("turns", "recovered"),
    [
        ([said("", ToolCall("a", result="x")), said("Done.")], None),
        ([said("", failed()), said("Sorry.")], True),
        ([said("Trying.", failed())], False),
        ([said("", failed()), AgentTurn(TurnRole.TOOL, "no"), said("")], False),
        ([said("", failed()), said("Again.", failed())], False),
        ([said("", failed()), said("Again.", failed()), said("Done.")], True),
        ([said("", failed()), AgentTurn(TurnRole.USER, "and?")], False),
    ],
)
def test_recovery_is_an_answer_after_the_last_error(turns: list[AgentTurn], recovered: bool | None):
    """An answer beside the failing call, or before the last one, is none."""
    assert recovered_from_error(AgentTrace(tuple(turns))) is recovered


def test_each_measure_can_be_taken_of_each_tool_alone():
    """Tools come in the order of their first calls; turns stay what they are."""
    trace = AgentTrace(
        (
            said("", failed("b"), ToolCall("a", {"q": 1}, "x"), ToolCall("a", {"q": 1}, "y")),
            AgentTurn(TurnRole.TOOL, "no"),
            said("Done."),
        )
    )

    assert list(per_tool(trace, tool_call_count).items()) == [("b", 1), ("a", 2)]
    assert per_tool(trace, tool_success_rate) == {"b": 0.0, "a": 1.0}
    assert per_tool(trace, redundant_tool_calls) == {"b": 0, "a": 1}
    assert per_tool(trace, recovered_from_error) == {"b": True, "a": None}
    assert per_tool(trace, trace_completed_with_answer) == {"b": True, "a": True}


TEXTS = st.text(st.characters(), max_size=4)  # lone surrogates included
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
)
CALLS = st.builds(
    ToolCall,
    st.text("abc", min_size=1, max_size=2),
    st.none() | st.dictionaries(TEXTS, JSON, max_size=2),
    JSON,
    st.none() | st.floats(allow_nan=False),
    st.none() | st.floats(allow_nan=False),
    st.none() | st.floats(allow_nan=False),
    st.dictionaries(
        st.sampled_from(["error", "is_error", "status", "raw_arguments", "id", "step"]),
        JSON,
        max_size=2,
    ),
)
TRACES = st.builds(
    AgentTrace,
    st.lists(
        st.builds(
            AgentTurn, st.sampled_from(TurnRole), TEXTS, st.lists(CALLS, max_size=2).map(tuple)
        ),
        max_size=3,
    ).map(tuple),
)


@given(TRACES)
def test_json_gives_the_same_trace_back(trace: AgentTrace):
    """Equal turns, calls and measures; keys in order; strict JSON whatever stands inside."""
    text = trace.to_json()
    again = AgentTrace.from_json(text)

    json.loads(text, parse_constant=pytest.fail)
    assert again == trace
    for one, other in zip(trace.turns, again.turns, strict=True):
        for call, back in zip(one.tool_calls, other.tool_calls, strict=True):
            assert json.dumps(call.args) == json.dumps(back.args)  # the order of keys counts
    assert [measure(again) for measure in MEASURES] == [measure(trace) for measure in MEASURES]


def test_the_form_is_the_one_of_the_seed():
    """Roles are lower case, and a call has a name, arguments, a result and an error."""
    trace = AgentTrace(
        (
            AgentTurn(TurnRole.USER, "q"),
            said("", ToolCall("a", {"b": 1}, "r"), failed("c")),
            AgentTurn(TurnRole.SYSTEM, "s"),
        )
    )

    assert json.loads(trace.to_json()) == {
        "turns": [
            {"role": "user", "content": "q", "tool_calls": []},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"name": "a", "arguments": {"b": 1}, "result": "r", "error": None},
                    {"name": "c", "arguments": {}, "result": None, "error": "no"},
                ],
            },
            {"role": "system", "content": "s", "tool_calls": []},
        ]
    }


def test_a_number_that_is_none_is_said_to_be_none():
    """NaN has no place in JSON: it stands there by name, and comes back."""
    text = asking(ToolCall("a", {"x": math.nan})).to_json()

    assert '{"$float": "nan"}' in text
    [call] = AgentTrace.from_json(text).turns[1].tool_calls
    assert call.args is not None
    assert math.isnan(call.args["x"])


def test_a_credential_does_not_leave_in_a_trace():
    """The JSON is an export: what the security metric recognises is redacted."""
    key = "sk-" + "a1B2" * 12
    trace = AgentTrace(
        (AgentTurn(TurnRole.USER, f"use {key}"), said("", ToolCall("a", {"k": key})))
    )

    assert key not in trace.to_json()


def test_a_trace_written_by_others_is_read():
    """Arguments as text are read as a model's; missing contents and calls are none."""
    text = json.dumps(
        {
            "turns": [
                {"role": "user"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {"name": "a", "arguments": '{"x": 1}'},
                        {"name": "b", "arguments": "{", "result": None, "error": "bad"},
                    ],
                },
            ]
        }
    )

    first, second = AgentTrace.from_json(text).turns[1].tool_calls

    assert first == ToolCall("a", {"x": 1})
    assert second == ToolCall("b", {}, metadata={"error": "bad", "raw_arguments": "{"})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '{"turns": {}}',
        '{"turns": [1]}',
        '{"turns": [{}]}',
        '{"turns": [{"role": "wizard"}]}',
        '{"turns": [{"role": ["user"]}]}',
        '{"turns": [{"role": "user", "content": 3}]}',
        '{"turns": [{"role": "user", "tool_calls": 3}]}',
        '{"turns": [{"role": "user", "tool_calls": [3]}]}',
        '{"turns": [{"role": "user", "tool_calls": [{}]}]}',
        '{"turns": [{"role": "user", "tool_calls": [{"name": ""}]}]}',
        '{"turns": [{"role": "user", "tool_calls": [{"name": "a", "metadata": 3}]}]}',
        '{"turns": [{"role": "user", "tool_calls": [{"name": "a", "arguments": {"$int": 3}}]}]}',
        "[" * 100_000,
    ],
)
def test_what_is_no_trace_is_refused(text: str):
    """A format error that says what would be right."""
    with pytest.raises(AgentFormatError, match=r"would be right|writes it|needs a 'role'"):
        AgentTrace.from_json(text)


@given(JSON)
def test_any_json_is_a_trace_or_a_format_error(value: object):
    """Never another exception."""
    for text in (json.dumps(value), json.dumps({"turns": value}), json.dumps({"turns": [value]})):
        try:
            trace = AgentTrace.from_json(text)
        except AgentFormatError:
            continue
        assert AgentTrace.from_json(trace.to_json()) == trace
