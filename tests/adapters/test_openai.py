"""OpenAI's formats, where servers, clients and logs differ."""

from __future__ import annotations

import json
from typing import Any

import pytest
from adapters import traces

import toolscore
from toolscore import ToolCall
from toolscore.adapters import OpenAIAdapter


def parse(trace: Any) -> list[ToolCall]:
    """The calls."""
    return OpenAIAdapter().parse(trace)


def asks(*tool_calls: Any, **fields: Any) -> dict[str, Any]:
    """A message that asks for calls."""
    return {"role": "assistant", "content": None, "tool_calls": list(tool_calls), **fields}


def call(name: str = "f", written: Any = "{}", call_id: Any = "c1") -> dict[str, Any]:
    """An entry of ``tool_calls``."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": written}}


def answers(call_id: Any = "c1", content: Any = "x", **fields: Any) -> dict[str, Any]:
    """A tool's message."""
    return {"role": "tool", "tool_call_id": call_id, "content": content, **fields}


@pytest.mark.parametrize(
    ("written", "args", "kept"),
    [
        ('{"a": 1}', {"a": 1}, None),
        ("", {}, None),
        (None, {}, None),
        ({"a": [1]}, {"a": [1]}, None),
        ('{"a": ', {}, '{"a": '),
        ("[1, 2]", {"value": [1, 2]}, "[1, 2]"),
        ([1, 2], {"value": [1, 2]}, None),
        ('"x"', {"value": "x"}, '"x"'),
        ("null", {"value": None}, "null"),
        ('{"a": 1, "a": 2}', {"a": 2}, '{"a": 1, "a": 2}'),
        ('{"a": 0.1234567890123456789}', {"a": 0.12345678901234568}, "0.1234567890123456789"),
        ("[" * 100_000, {}, "[[["),
    ],
)
def test_arguments_are_a_mapping_and_lose_nothing(written: Any, args: Any, kept: str | None):
    """What a mapping cannot hold exactly stays as text."""
    [made] = parse([asks(call(written=written))])
    assert made.args == args
    raw = made.metadata.get("raw_arguments")
    assert (raw is None) if kept is None else (kept in raw)


def test_an_id_that_comes_again_goes_to_the_oldest_open_call():
    """Servers number the calls of each turn from zero."""
    trace = [
        asks(call("a", call_id="call_0")),
        answers("call_0", "one"),
        asks(call("b", call_id="call_0"), call("c", call_id="call_0")),
        answers("call_0", "two"),
        answers("call_0", "three"),
    ]
    assert [(c.tool, c.result) for c in parse(trace)] == [
        ("a", "one"),
        ("b", "two"),
        ("c", "three"),
    ]


@pytest.mark.parametrize("call_id", ["", None])
def test_calls_without_ids_are_answered_in_order(call_id: Any):
    """By name where the answer has one."""
    trace = [
        asks(call("a", call_id=call_id), call("b", call_id=call_id)),
        answers(call_id, "B", name="b"),
        answers(call_id, "A"),
    ]
    assert [(c.tool, c.result) for c in parse(trace)] == [("a", "A"), ("b", "B")]


def test_an_answer_of_a_call_that_was_cut_off_is_a_call_if_it_names_its_tool():
    """A history that was shortened: it was made, with arguments that nobody knows."""
    [made] = parse([answers("old", "x", name="search"), {"role": "assistant", "content": "done"}])
    assert (made.tool, made.args, made.result, made.metadata["id"]) == ("search", {}, "x", "old")


def test_an_answer_that_names_no_tool_is_left_out_and_that_is_said():
    """Nothing is lost in silence, and no tool is made up."""
    with pytest.warns(toolscore.ToolscoreWarning, match="1 tool result"):
        assert parse([answers("old", "x")]) == []


def test_a_second_answer_to_one_call_is_no_second_call():
    """Histories that were merged have them."""
    with pytest.warns(toolscore.ToolscoreWarning, match="1 tool result"):
        [made] = parse([asks(call()), answers(content="x"), answers(content="y", name="f")])
    assert made.result == "x"


@pytest.mark.parametrize("mark", [{"status": "error"}, {"is_error": True}])
def test_a_failure_that_the_writer_marked(mark: dict[str, Any]):
    """The format has no word for it; some writers add one."""
    [made] = parse([asks(call()), answers(content="boom", **mark)])
    assert (made.status, made.error, made.result) == ("error", "boom", "boom")


def test_an_empty_answer_is_an_answer():
    """A tool that returns nothing ran all the same."""
    for content in ("", None, []):
        [made] = parse([asks(call()), answers(content=content)])
        assert made.status == "ok"


def test_a_call_nobody_answered_is_neither_done_nor_failed():
    """A saved response is judged by what was asked for."""
    [made] = parse([asks(call())])
    assert (made.status, made.is_error, made.result) == (None, False, None)


def test_a_legacy_call_beside_the_new_one_is_the_same_call():
    """Gateways fill in both."""
    legacy = {"name": "f", "arguments": "{}"}
    assert len(parse([asks(call(), function_call=legacy)])) == 1


def test_entries_of_tool_calls_alone():
    """What ``message.tool_calls`` holds; the schemas of tools are no calls."""
    schema = {"type": "function", "function": {"name": "f", "parameters": {}}}
    assert [c.tool for c in parse([call("a"), call("b")])] == ["a", "b"]
    assert parse([schema]) == []


def test_of_several_choices_the_first_counts():
    """An agent goes on with one of them."""
    choices = [
        {"index": 1, "message": asks(call("b"))},
        {"index": 0, "message": asks(call("a"))},
    ]
    assert [c.tool for c in parse({"choices": choices})] == ["a"]


def test_a_request_and_its_response_in_one_log_entry():
    """The history first, then the answer; each line of a log another conversation."""
    entry = {
        "custom_id": "1",
        "body": {"messages": [asks(call("a")), answers()]},
        "response": {"status_code": 200, "body": {"choices": [{"message": asks(call("b"))}]}},
        "error": None,
    }
    calls = parse([entry, entry])
    assert [c.tool for c in calls] == ["a", "b", "a", "b"]
    assert [c.metadata["step"] for c in calls] == [0, 1, 2, 3]


def test_the_time_of_a_response_is_that_of_its_calls():
    """In seconds."""
    assert [c.timestamp for c in parse(traces.CHAT_RESPONSE)] == [1767225600]


def test_streams_of_servers_that_number_all_calls_zero():
    """Their ids tell them apart; each comes whole."""
    stream = [
        traces.chunk(tool_calls=[{"index": 0, **call("a", '{"x": 1}', "i1")}]),
        traces.chunk(tool_calls=[{"index": 0, **call("b", '{"x": 2}', "i2")}]),
        traces.chunk("tool_calls"),
    ]
    assert [(c.tool, c.args) for c in parse(stream)] == [("a", {"x": 1}), ("b", {"x": 2})]


def test_streams_that_repeat_names_or_leave_out_numbers():
    """The pieces without a number go on with the last call."""
    stream = [
        traces.chunk(tool_calls=[call("weather", '{"x"', "i1")]),
        traces.chunk(tool_calls=[{"function": {"name": "weather", "arguments": ": 1}"}}]),
        traces.chunk("tool_calls"),
    ]
    assert [(c.tool, c.args) for c in parse(stream)] == [("weather", {"x": 1})]


def test_two_streams_after_another_are_two_turns():
    """Their calls have numbers that begin anew."""
    stream = [*traces.CHAT_STREAM, *traces.CHAT_STREAM]
    assert [(c.tool, c.metadata["step"]) for c in parse(stream)] == [
        ("find", 0),
        ("pay", 0),
        ("find", 1),
        ("pay", 1),
    ]


def test_a_stream_that_was_left_has_its_arguments_as_far_as_they_came():
    """The text says that they are not whole."""
    [find, _] = parse(traces.CHAT_STREAM[:3])
    assert (find.args, find.metadata["raw_arguments"]) == ({}, '{"q": ')


def test_a_custom_tool_in_a_stream():
    """Its input is text, never JSON."""
    first = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "sql", "input": "sel"}}
    more = {"index": 0, "type": "custom", "custom": {"input": "ect 1"}}
    stream = [traces.chunk(tool_calls=[first]), traces.chunk(tool_calls=[more])]
    assert [(c.tool, c.args) for c in parse(stream)] == [("sql", {"input": "select 1"})]


def item(name: str = "f", call_id: str = "c1", **fields: Any) -> dict[str, Any]:
    """A call among the items of the Responses API."""
    return {
        "type": "function_call",
        "call_id": call_id,
        "name": name,
        "arguments": "{}",
        **fields,
    }


@pytest.mark.parametrize("events", ["items", "the whole"])
def test_the_events_of_a_stream_of_responses(events: str):
    """The items as they are done; a program may have kept the last event only."""
    response = {"object": "response", "output": [item("a", "c1"), item("b", "c2")]}
    last = {"type": "response.completed", "response": response}
    stream = [
        {"type": "response.created", "response": {"object": "response", "output": []}},
        {"type": "response.function_call_arguments.delta", "delta": "{"},
        *[{"type": "response.output_item.done", "item": one} for one in response["output"]],
        last,
    ]
    calls = parse(stream if events == "items" else [last])
    assert [(c.tool, c.metadata["step"]) for c in calls] == [("a", 0), ("b", 0)]


def test_items_of_two_turns_are_two_steps():
    """Turns are not marked: what the model is told stands between them."""
    output = {"type": "function_call_output", "call_id": "c1", "output": "x"}
    calls = parse([item("a"), item("b", "c2"), output, item("c", "c3")])
    assert [c.metadata["step"] for c in calls] == [0, 0, 1]


@pytest.mark.parametrize(
    ("said", "status", "origin"),
    [
        ("An error occurred while running the tool. Please try again.", "error", None),
        ("An error occurred while running the tool. Please try again. Error: x", "error", None),
        ("Tool 'f' timed out after 3 seconds.", "error", None),
        ("Tool 'f' not found.", "error", "unknown_tool"),
        ("Tool execution was not approved.", "error", "rejected"),
        ("Error: anything else", "ok", None),
        ("Tool 'g' not found.", "ok", None),
    ],
)
def test_sentences_of_the_agents_sdk_are_failures(said: str, status: str, origin: str | None):
    """It writes them in the place of a result; nothing is guessed from other words."""
    [made] = parse([item(), {"type": "function_call_output", "call_id": "c1", "output": said}])
    assert (made.status, made.metadata.get("origin")) == (status, origin)
    assert made.error == (said if status == "error" else None)


def test_a_second_handoff_of_a_turn_was_not_made():
    """The SDK says so to the model."""
    said = "Multiple handoffs detected, ignoring this one."
    output = {"type": "function_call_output", "call_id": "c1", "output": said}
    [made] = parse([item("transfer_to_b"), output])
    assert (made.status, made.metadata["kind"]) == ("not_executed", "handoff")


@pytest.mark.parametrize("approved", [True, False, None])
def test_a_call_that_a_person_decides_on(approved: bool | None):
    """It waits; it is refused; or it runs, and is still one call."""
    request = {
        "type": "mcp_approval_request",
        "id": "ap_1",
        "name": "create",
        "arguments": '{"a": 1}',
        "server_label": "s",
    }
    decision = {"type": "mcp_approval_response", "approval_request_id": "ap_1", "approve": approved}
    done = {
        "type": "mcp_call",
        "id": "mcp_1",
        "approval_request_id": "ap_1",
        "name": "create",
        "arguments": '{"a": 1}',
        "output": "made",
    }
    trace = [request] if approved is None else [request, decision] + [done] * approved
    [made] = parse(trace)
    expected = {True: ("ok", "made"), False: ("error", None), None: ("interrupted", None)}
    assert (made.status, made.result) == expected[approved]
    assert made.args == {"a": 1}


def test_what_the_provider_ran_says_itself_how_it_ended():
    """Failed, done without its results in the answer, or still under way."""
    failed, done, running = parse(
        [
            {"type": "code_interpreter_call", "id": "1", "code": "1/0", "status": "failed"},
            {"type": "file_search_call", "id": "2", "queries": ["q"], "status": "completed"},
            {"type": "image_generation_call", "id": "3", "status": "generating"},
        ]
    )
    assert (failed.tool, failed.args, failed.status) == (
        "code_interpreter",
        {"code": "1/0"},
        "error",
    )
    assert (done.status, done.result, done.metadata["result_known"]) == ("ok", None, False)
    assert running.status is None
    assert {c.metadata["origin"] for c in (failed, done, running)} == {"server"}


def test_the_exit_codes_of_a_shell_are_kept():
    """Another code than 0 is no failure of the tool."""
    [shell] = [c for c in parse(traces.ITEMS) if c.tool == "shell"]
    assert (shell.status, shell.metadata["exit_codes"]) == ("ok", [2])


def test_items_of_kinds_that_are_newer_than_this_are_calls_of_the_provider():
    """Rather than nothing."""
    [made] = parse([{"type": "teleport_call", "id": "t", "action": {"to": "Oslo"}}])
    assert (made.tool, made.args, made.metadata["origin"]) == (
        "teleport",
        {"to": "Oslo"},
        "server",
    )


@pytest.mark.parametrize(
    "trace",
    [
        None,
        5,
        "text",
        {},
        [None],
        [5],
        ["x"],
        {"messages": 5},
        {"choices": 5},
        {"choices": [None]},
        [asks(None)],
        [asks({})],
        [asks(call(name=None))],
        [asks(call(name=5))],
        [{"role": "assistant", "tool_calls": 5}],
        [item(name=None)],
        {"unknown": []},
    ],
)
def test_what_is_no_such_trace_is_refused(trace: Any):
    """With a sentence that says what was found."""
    with pytest.raises(ValueError, match=r"OpenAIAdapter|tool call|tool_calls|choices"):
        parse(trace)


def test_a_model_that_asks_for_the_empty_name_asked_for_something():
    """The call has a name that says so."""
    [made] = parse([asks(call(name=""))])
    assert made.tool == "<unnamed>"


def test_a_trace_as_text_is_refused_with_what_to_type():
    """The text of a file is a common mistake."""
    with pytest.raises(ValueError, match=r"json\.loads"):
        parse(json.dumps(traces.CHAT))
