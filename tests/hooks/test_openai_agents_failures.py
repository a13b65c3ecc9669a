"""OpenAI Agents: tools that fail, and runs that end badly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from agents import (
    RunConfig,
    UserError,
    function_tool,
    set_trace_processors,
    set_tracing_disabled,
)
from agents.tool import FunctionTool
from hooks.scripted_openai_agents import WAYS, build, outline

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])
tracing = pytest.mark.parametrize("off", [True, False], ids=["tracing off", "tracing on"])

POLITE = "An error occurred while running the tool. Please try again."


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    """Tracing is on, as it is by default, but nothing is exported."""
    set_trace_processors([])
    set_tracing_disabled(False)
    yield
    set_tracing_disabled(True)


class KaboomError(Exception):
    """What these tools raise."""


def echo(text: str) -> str:
    """Say it back."""
    return text


def fail(text: str) -> str:
    """Fail."""
    raise KaboomError(text)


@ways
@modes
@tracing
def test_a_tool_that_raises(way: Any, mode: str, off: bool) -> None:
    """The model is shown a polite sentence; the record has the exception, tracing on or off."""
    recorded = way(build([[("fail", {"text": "bad x"}, "c1")], "done"], [fail]))

    recorded.play(mode, run_config=RunConfig(tracing_disabled=off))

    [made] = recorded.run.calls
    assert (made.status, made.error, made.metadata["error_type"]) == (
        "error",
        "bad x",
        "KaboomError",
    )
    assert (made.metadata["is_error"], made.metadata["error_source"]) == (True, "exception")
    assert made.metadata["attempts"] == 1
    assert "error" in made.result
    assert recorded.run.status == "ok"


@ways
@tracing
def test_an_error_function_of_the_users(way: Any, off: bool) -> None:
    """The call failed, whatever the model is told instead; that text is the result."""
    tool = function_tool(fail, failure_error_function=lambda *_: "sorry")
    recorded = way(build([[("fail", {"text": "bad x"}, "c1")], "done"], [tool]))

    recorded.play(run_config=RunConfig(tracing_disabled=off))

    [made] = recorded.run.calls
    assert (made.status, made.error, made.result) == ("error", "bad x", "sorry")


@ways
@tracing
@pytest.mark.parametrize("text", [POLITE, "Error: disk full"])
def test_a_result_that_reads_like_an_error_is_a_result(way: Any, off: bool, text: str) -> None:
    """Nothing is guessed from words."""
    recorded = way(build([[("echo", {"text": text}, "c1")], "done"], [echo]))

    recorded.play(run_config=RunConfig(tracing_disabled=off))

    assert outline(recorded.run) == [("echo", {"text": text}, "ok", text)]


@ways
@modes
def test_a_tool_that_the_run_dies_of(way: Any, mode: str) -> None:
    """The call has the tool's error, the run the SDK's; what went before is kept."""
    turns = [[("echo", {"text": "a"}, "c1")], [("fail", {"text": "bad x"}, "c2")]]
    recorded = way(build(turns, [echo, fail], survives=False))

    with pytest.raises(UserError) as raised:
        recorded.play(mode)

    assert isinstance(raised.value.__cause__, KaboomError)
    run = recorded.run
    assert outline(run) == [
        ("echo", {"text": "a"}, "ok", "a"),
        ("fail", {"text": "bad x"}, "error", "bad x"),
    ]
    assert (run.status, run.error_type, run.error) == ("error", "UserError", str(raised.value))


@ways
@modes
@pytest.mark.parametrize("text", ['{"text": "a', "[1, 2]", "nonsense"])
def test_arguments_that_are_no_json_object(way: Any, mode: str, text: str) -> None:
    """The tool did not run; the text is kept."""
    recorded = way(build([[("echo", text, "c1")], "done"], [echo]))

    recorded.play(mode)

    [made] = recorded.run.calls
    assert (made.status, made.metadata["origin"], made.metadata["attempts"]) == (
        "error",
        "invalid_json",
        0,
    )
    assert made.metadata["raw_arguments"] == text
    assert made.duration is None
    assert made.error


@ways
@pytest.mark.parametrize("args", [{"text": 1}, {}, {"txt": "a"}])
def test_arguments_that_do_not_fit(way: Any, args: dict[str, Any]) -> None:
    """Validation is a part of the tool: the call failed, its arguments are what the model sent."""
    recorded = way(build([[("echo", args, "c1")], "done"], [echo]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.args, made.status, made.metadata["origin"]) == (args, "error", "executed")


@ways
def test_a_tool_of_the_users_that_takes_any_text(way: Any) -> None:
    """Text that is no JSON is no error where the tool accepts it."""

    async def shout(context: Any, text: str) -> str:
        return text.upper()

    tool = FunctionTool("shout", "Shout.", {"type": "object", "properties": {}}, shout)
    recorded = way(build([[("shout", "hey", "c1")], "done"], [tool]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.result, made.metadata["attempts"]) == ("ok", "HEY", 1)
    assert made.metadata["raw_arguments"] == "hey"


@ways
def test_a_retry_by_the_model(way: Any) -> None:
    """Two requests are two calls: one failed, one did not."""
    left = [1]

    def unsteady(text: str) -> str:
        """Work the second time."""
        if left[0]:
            left[0] -= 1
            raise KaboomError("not yet")
        return text

    turns = [[("unsteady", {"text": "a"}, "c1")], [("unsteady", {"text": "a"}, "c2")], "done"]
    recorded = way(build(turns, [unsteady]))

    recorded.play()

    assert [(c.status, c.metadata["attempts"]) for c in recorded.run.calls] == [
        ("error", 1),
        ("ok", 1),
    ]


@ways
def test_a_tool_that_cancels_itself(way: Any) -> None:
    """If the run goes on it was no cancellation from outside: the call failed."""

    async def give_up() -> str:
        """Raise what cancellation raises."""
        raise asyncio.CancelledError("given up")

    recorded = way(build([[("give_up", {}, "c1")], "done"], [give_up]))

    try:
        recorded.play()
    except asyncio.CancelledError:  # older versions let it end the run
        assert [made.status for made in recorded.run.calls] == ["cancelled"]
        assert recorded.run.status == "cancelled"
        return
    [made] = recorded.run.calls
    assert (made.status, made.metadata["error_type"]) == ("error", "CancelledError")
    assert recorded.run.status == "ok"
