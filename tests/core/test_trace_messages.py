"""Agent traces from OpenAI's chat messages."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolscore import AgentFormatError, AgentTrace, AgentTurn, ToolCall, TurnRole
from toolscore.agent_trace import (
    parse_openai_style_trace,
    tool_success_rate,
    trace_completed_with_answer,
)


def asking(name: object, arguments: object, **more: Any) -> dict[str, Any]:
    """An assistant's message with one call."""
    call = {"function": {"name": name, "arguments": arguments}, **more}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def test_a_whole_conversation_becomes_its_turns():
    """Every message is a turn; a result is at its call, and its message stays a turn."""
    trace = parse_openai_style_trace(
        [
            {"role": "developer", "content": "Be kind."},
            {"role": "user", "content": [{"type": "text", "text": "Tokyo?"}]},
            asking("weather", '{"city": "Tokyo"}', id="c1", type="function"),
            {"role": "tool", "tool_call_id": "c1", "content": "18C"},
            {"role": "assistant", "content": "18C in Tokyo."},
        ]
    )

    assert [(turn.role, turn.content) for turn in trace.turns] == [
        (TurnRole.SYSTEM, "Be kind."),
        (TurnRole.USER, "Tokyo?"),
        (TurnRole.ASSISTANT, ""),
        (TurnRole.TOOL, "18C"),
        (TurnRole.ASSISTANT, "18C in Tokyo."),
    ]
    [call] = trace.turns[2].tool_calls
    assert (call.name, call.arguments, call.result, call.error) == (
        "weather",
        {"city": "Tokyo"},
        "18C",
        None,
    )
    assert call.metadata["id"] == "c1"
    assert trace_completed_with_answer(trace)


def test_a_call_without_a_result_is_unresolved():
    """A snapshot in the middle: neither a success nor a failure."""
    trace = parse_openai_style_trace([asking("a", "{}"), asking("b", "{}")])

    assert [call.status for turn in trace.turns for call in turn.tool_calls] == [None, None]
    assert tool_success_rate(trace, default=0.25) == 0.25


def test_results_find_their_calls_by_id_in_any_order():
    """Tools that run side by side end as they like."""
    both = asking("a", "{}", id="1")
    both["tool_calls"] += asking("a", "{}", id="2")["tool_calls"]
    trace = parse_openai_style_trace(
        [
            both,
            {"role": "tool", "tool_call_id": "2", "content": "second"},
            {"role": "function", "tool_call_id": "1", "content": "first"},
        ]
    )

    assert [call.result for call in trace.turns[0].tool_calls] == ["first", "second"]


def test_a_result_without_its_call_stays_a_turn():
    """The transcript may have been cut at its head; a tool's turn has no calls of its own."""
    trace = parse_openai_style_trace(
        [{"role": "tool", "tool_call_id": "1", "name": "a", "content": "x"}]
    )

    [turn] = trace.turns
    assert (turn.role, turn.content, turn.tool_calls) == (TurnRole.TOOL, "x", ())


@pytest.mark.parametrize(
    ("written", "args", "raw"),
    [
        ({"a": 1}, {"a": 1}, None),
        (None, {}, None),
        ("", {}, None),
        ('{"a": ', {}, '{"a": '),
        ("[1]", {"value": [1]}, "[1]"),
        ('{"z": 1, "a": 2}', {"z": 1, "a": 2}, None),
        (
            '{"n": 123456789012345678901234567890}',
            {"n": 123456789012345678901234567890},
            None,
        ),
        (
            '{"x": 0.1000000000000000055511151231257827}',
            {"x": 0.1},
            '{"x": 0.1000000000000000055511151231257827}',
        ),
    ],
)
def test_arguments_keep_every_digit_and_the_order_of_keys(written: object, args: Any, raw: object):
    """What a dict cannot hold stays as text."""
    [turn] = parse_openai_style_trace([asking("a", written)]).turns
    [call] = turn.tool_calls

    assert list((call.args or {}).items()) == list(args.items())
    assert call.metadata.get("raw_arguments") == raw


REFUSED: list[tuple[Any, str]] = [
    ("hello", "A list of messages"),
    (None, "A list of messages"),
    ({"messages": []}, "A list of messages"),
    ([1], "Message 0: an object with a role"),
    ([{"role": "user"}, {"content": "x"}], "Message 1: it has no role"),
    ([{"role": "wizard"}], "its role is 'wizard'"),
    ([{"role": None}], "its role is None"),
    ([{"role": ["user"]}], "its role is"),
    ([asking(None, "{}")], "Message 0: .*names its tool"),
    ([asking(3, "{}")], "Message 0: .*names its tool"),
    ([{"role": "assistant", "tool_calls": [{}]}], "Message 0: .*names its tool"),
    ([{"role": "assistant", "tool_calls": [None]}], "Message 0: .*names its tool"),
    ([{"role": "assistant", "tool_calls": 3}], "Message 0: tool_calls"),
]


@pytest.mark.parametrize(("messages", "words"), REFUSED)
def test_what_is_required_is_required(messages: object, words: str):
    """A format error names the message; nothing is skipped."""
    with pytest.raises(AgentFormatError, match=words):
        parse_openai_style_trace(messages)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
CALLS = st.fixed_dictionaries(
    {},
    optional={
        "id": JSON,
        "type": JSON,
        "function": JSON
        | st.fixed_dictionaries(
            {}, optional={"name": JSON, "arguments": JSON | st.just('{"a": 1}')}
        ),
    },
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant", "tool", "system", "function"]) | JSON,
        "content": JSON,
        "tool_calls": JSON | st.lists(CALLS, max_size=2),
        "tool_call_id": JSON,
        "function_call": JSON,
        "name": JSON,
    },
)


@given(JSON | st.lists(MESSAGES | JSON, max_size=4))
def test_any_json_is_a_trace_or_a_format_error(messages: Any):
    """Never another exception; the input stays as it is, and the trace survives its JSON."""
    before = copy.deepcopy(messages)
    try:
        trace = parse_openai_style_trace(messages)
    except AgentFormatError:
        return
    finally:
        assert repr(messages) == repr(before)
    assert len(trace.turns) == len(messages)
    again = AgentTrace.from_json(trace.to_json())
    assert again.to_json() == trace.to_json()


IDS = st.text("abc123", min_size=1, max_size=4)
ARGS = st.dictionaries(st.text("xy$", min_size=1, max_size=2), st.integers() | st.text(max_size=4))


@st.composite
def conversations(draw: st.DrawFn) -> AgentTrace:
    """A user, some turns with calls and their answers in any order, and an answer."""
    turns = [AgentTurn(TurnRole.SYSTEM, draw(st.text(max_size=4))), AgentTurn(TurnRole.USER, "go")]
    ids = draw(st.lists(IDS, unique=True, max_size=4))
    for step, call_id in enumerate(ids):
        failed = draw(st.booleans())
        answer = f"answer to {call_id}"
        metadata = {"id": call_id, "step": step, "is_error": failed}
        metadata |= {"status": "error", "error": answer} if failed else {"status": "ok"}
        call = ToolCall(draw(st.sampled_from("ab")), draw(ARGS), answer, metadata=metadata)
        turns += [AgentTurn(TurnRole.ASSISTANT, draw(st.text(max_size=4)), (call,))]
        turns += [AgentTurn(TurnRole.TOOL, answer)]
    return AgentTrace((*turns, AgentTurn(TurnRole.ASSISTANT, "done")))


@given(conversations())
def test_a_trace_becomes_messages_and_the_same_trace_again(trace: AgentTrace):
    """Roles, contents, calls, arguments, answers and failures: both ways, nothing is lost."""
    assert parse_openai_style_trace(trace.to_messages()) == trace


def test_answers_find_their_calls_again_in_any_order():
    """By what they say; calls that have no id get one."""
    calls = ToolCall("a", {}, "first"), ToolCall("b", {}, "second")
    asked = AgentTurn(TurnRole.ASSISTANT, "", calls)
    answers = [AgentTurn(TurnRole.TOOL, text) for text in ("second", "first")]

    messages = AgentTrace((asked, *answers)).to_messages()
    [turn, *_] = parse_openai_style_trace(messages).turns

    assert [message.get("tool_call_id") for message in messages] == [None, "call_1", "call_0"]
    assert [call.result for call in turn.tool_calls] == ["first", "second"]


@given(JSON | st.lists(MESSAGES | JSON, max_size=4))
def test_whatever_was_read_can_be_written(messages: Any):
    """And read again, with the same roles and calls."""
    try:
        trace = parse_openai_style_trace(messages)
    except AgentFormatError:
        return
    again = parse_openai_style_trace(trace.to_messages())
    assert [turn.role for turn in again.turns] == [turn.role for turn in trace.turns]
    assert [len(turn.tool_calls) for turn in again.turns] == [
        len(turn.tool_calls) for turn in trace.turns
    ]


def test_the_calls_are_the_one_type_of_the_project():
    """They can be scored as they are."""
    [turn] = parse_openai_style_trace([asking("a", "{}")]).turns

    assert turn.tool_calls == (ToolCall("a", {}, metadata={"step": 0}),)
