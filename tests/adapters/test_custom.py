"""One's own format: lenient in words, strict in what it leaves out."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from toolscore import ToolCall
from toolscore.adapters import BaseAdapter, CustomAdapter
from toolscore.adapters._formats import calls_of


def one(**fields: Any) -> ToolCall:
    """The only call of a trace with these fields."""
    [call] = CustomAdapter().parse([fields])
    return call


@pytest.mark.parametrize("name", ["tool", "name", "function", "tool_name"])
@pytest.mark.parametrize("args", ["args", "arguments", "input", "tool_kwargs"])
def test_the_words_for_the_tool_and_its_arguments(name: str, args: str):
    """Each with each."""
    call = one(**{name: "f", args: {"x": 1}})
    assert (call.tool, call.args) == ("f", {"x": 1})


@pytest.mark.parametrize(
    ("fields", "args"),
    [
        ({"args": {}, "input": {"x": 1}}, {}),
        ({"args": None, "arguments": {"x": 1}}, {"x": 1}),
        ({"args": '{"x": 1}'}, {"x": 1}),
        ({"args": "text"}, {}),
        ({"args": [1]}, {"value": [1]}),
        ({"args": 0}, {"value": 0}),
        ({"args": False}, {"value": False}),
        ({}, {}),
    ],
)
def test_the_first_arguments_that_are_there_count(fields: Any, args: dict[str, Any]):
    """An empty object says that there were none."""
    assert one(tool="f", **fields).args == args


def test_text_that_is_no_json_is_kept():
    """It is what the model wrote."""
    assert one(tool="f", args="text").metadata["raw_arguments"] == "text"


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        ({"result": 0, "output": 1}, 0),
        ({"result": None, "output": ""}, ""),
        ({"output": False}, False),
        ({}, None),
    ],
)
def test_results_that_are_nothing_much_are_results(fields: Any, result: Any):
    """0, "" and False are values."""
    assert one(tool="f", **fields).result == result


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"error": "boom"}, "error", "boom"),
        ({"error": True}, "error", None),
        ({"error": {"message": "boom", "code": 1}}, "error", "boom"),
        ({"is_error": True}, "error", None),
        ({"is_error": True, "error": "boom"}, "error", "boom"),
        ({"status": "failed"}, "error", None),
        ({"status": "error", "error": "boom"}, "error", "boom"),
        ({"status": "cancelled"}, "cancelled", None),
        ({"status": "success"}, "ok", None),
        ({"error": "", "result": 1}, "ok", None),
        ({"error": None, "result": 1}, "ok", None),
        ({"error": [], "result": 1}, "ok", None),
        ({"error": False, "result": 1}, "ok", None),
        ({"status": "weird"}, None, None),
        ({}, None, None),
    ],
)
def test_how_a_call_ended(fields: Any, status: str | None, error: str | None):
    """Empty errors are none; without a word about it nothing is claimed."""
    call = one(tool="f", **fields)
    assert (call.status, call.error) == (status, error)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (0, 0),
        (1767225600.25, 1767225600.25),
        ("2026-01-01T00:00:00Z", 1767225600.0),
        ("2026-01-01T01:00:00+01:00", 1767225600.0),
        ("2026-01-01T00:00:00.123456789Z", 1767225600.123456),
        ("2026-01-01 00:00:00", 1767225600.0),
        (datetime(2026, 1, 1, tzinfo=timezone.utc), 1767225600.0),
    ],
)
def test_times(written: Any, seconds: float):
    """Unix time, or ISO 8601 in each of its spellings."""
    assert one(tool="f", timestamp=written).timestamp == seconds
    assert one(tool="f", time=written).timestamp == seconds


@pytest.mark.parametrize("value", [True, "noon", float("nan"), float("inf"), 10**400, [1], {}])
def test_measures_that_are_no_numbers_are_kept_as_they_are(value: Any):
    """They would spoil every sum."""
    call = one(tool="f", timestamp=value, duration=value, cost=value)
    assert (call.timestamp, call.duration, call.cost) == (None, None, None)
    assert set(call.metadata) == {"timestamp", "duration", "cost"}


def test_everything_else_is_metadata():
    """What stands under that name goes first."""
    call = one(tool="f", id="c1", agent="a", step=3, metadata={"step": 4, "x": [1]})
    assert call.metadata == {"id": "c1", "agent": "a", "step": 4, "x": [1]}


def test_calls_of_llama_index():
    """A dump of an agent's output loses the results, and says so; a result's own does not."""
    lost = {"tool_name": "f", "tool_kwargs": {"x": 1}, "tool_id": "c1"}
    output = {"content": "boom", "raw_output": "boom", "is_error": True, "tool_name": "f"}
    first, second = CustomAdapter().parse({"tool_calls": [lost, {**lost, "tool_output": output}]})
    assert (first.args, first.status, first.metadata) == (
        {"x": 1},
        None,
        {"id": "c1", "result_known": False},
    )
    assert (second.status, second.error, second.result) == ("error", "boom", "boom")


def test_one_call_and_lists_of_all_kinds():
    """Under a name, bare, or alone."""
    call = {"tool": "f"}
    for trace in ({"calls": [call]}, {"tool_calls": [call]}, [call], call, [{"calls": [call]}]):
        assert [c.tool for c in CustomAdapter().parse(trace)] == ["f"]
        assert [c.tool for c in calls_of(trace)] == ["f"]
    assert CustomAdapter().parse({"calls": []}) == CustomAdapter().parse([]) == []


@pytest.mark.parametrize(
    ("trace", "says"),
    [
        (None, "no trace"),
        ("f(x)", "str"),
        ({}, "empty object"),
        ({"calls": "f(x)"}, "str"),
        ({"calls": {"tool": "f"}}, "dict"),
        (["f"], "Item 0.*str"),
        ([{"tool": "f"}, {"kind": "llm"}], "Item 1.*kind"),
        ([{"tool": "f"}, None], "Item 1.*NoneType"),
        ([{"tool": 5}], "int|tool"),
        ([{"tool": ["f"]}], "tool|NoneType"),
    ],
)
def test_nothing_is_left_out_in_silence(trace: Any, says: str):
    """An item that is no call is an error, and it is named."""
    with pytest.raises(ValueError, match=says):
        CustomAdapter().parse(trace)


def test_the_base_refuses_what_cannot_hold_a_trace():
    """The validator that adapters of one's own call first."""

    class Mine(BaseAdapter):
        def parse(self, trace_data: Any) -> list[ToolCall]:
            self._validate_trace_data(trace_data)
            return []

    assert Mine().parse({}) == Mine().parse([]) == []
    for bad in (None, "text", 5, (1, 2)):
        with pytest.raises(ValueError, match="Mine"):
            Mine().parse(bad)


def test_the_base_has_to_be_given_a_parser():
    """It is abstract."""
    with pytest.raises(TypeError):
        BaseAdapter()  # type: ignore[abstract]
