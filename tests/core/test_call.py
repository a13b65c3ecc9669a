"""``ToolCall``: the seed's class, line by line."""

from __future__ import annotations

from importlib.metadata import version

import pytest

import toolscore
from toolscore import Run, ToolCall


def test_args_none_and_args_empty_are_told_apart():
    """None means "do not check the arguments", ``{}`` "exactly none"."""
    assert ToolCall("a").args is None
    assert ToolCall("a", {}).args == {}


@pytest.mark.parametrize("tool", ["", None, 3, b"a"])
def test_a_call_needs_a_name(tool: object):
    """The message says what to type."""
    with pytest.raises(ValueError, match="write ToolCall"):
        ToolCall(tool)  # type: ignore[arg-type]


def test_args_must_be_a_dict():
    """A list of arguments has no names."""
    with pytest.raises(ValueError, match="must be a dict"):
        ToolCall("a", [1])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("metadata", "is_error", "status"),
    [
        ({}, False, None),
        ({"is_error": True}, True, "error"),
        ({"error": "x"}, True, "error"),
        ({"error": ""}, False, None),
        ({"is_error": False}, False, None),
        ({"status": "cancelled"}, False, "cancelled"),
        ({"status": "no such status", "error": "x"}, True, "error"),
        ({"status": 3}, False, None),
        ({"status": []}, False, None),
    ],
)
def test_failure_and_status_come_from_the_metadata(
    metadata: dict[str, object], is_error: bool, status: str | None
):
    """A call with no error information is not an error, and without a result it is unresolved."""
    call = ToolCall("a", metadata=dict(metadata))
    assert (call.is_error, call.status) == (is_error, status)


def test_a_result_makes_it_ok():
    """A falsy result is a result."""
    assert ToolCall("a", result=0).status == "ok"
    assert ToolCall("a", result=None).status is None


def test_the_names_of_the_agent_traces():
    """``name``, ``arguments`` and ``error`` beside ``tool``, ``args`` and ``metadata``."""
    call = ToolCall("a", {"x": 1}, metadata={"error": "no"})
    assert (call.name, call.arguments, call.error) == ("a", {"x": 1}, "no")
    assert ToolCall("a").arguments == {}
    assert ToolCall("a", {}, metadata={"raw_arguments": "{"}).arguments == "{"
    assert ToolCall("a").error is None


def test_calls_compare_by_value():
    """Two records of the same call are equal."""
    assert ToolCall("a", {"x": 1}) == ToolCall("a", {"x": 1})
    assert ToolCall("a", {"x": 1}) != ToolCall("a", {"x": 2})


def test_a_run_in_a_console_is_one_line():
    """The status and the calls by name; the rest is in its fields."""
    failed = ToolCall("pay", metadata={"status": "error"})
    run = Run((ToolCall("search", result="r"), failed), status="error")
    assert repr(run) == "<Run error, 2 calls: search, pay (error)>"
    assert repr(Run(())) == "<Run ok, 0 calls>"
    assert repr(Run((ToolCall("a"),) * 10)).endswith("a, a, ...>")


def test_the_version_is_that_of_the_distribution():
    """It stands in one place."""
    assert toolscore.__version__ == version("toolscore-integrations")
