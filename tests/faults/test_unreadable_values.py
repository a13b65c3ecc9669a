"""What tools return, raise and are given may refuse to be read, or be far too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hooks.contract import Scenario
from hooks.drivers import DRIVERS, LANGCHAIN, LLAMA_INDEX, OPENAI_AGENTS, Driver

from toolscore import Recorder, Run

LIMIT = 65_536
EACH = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)


def one_call(tool: Callable[..., Any]) -> Scenario:
    """The model asks for the tool once, then it is done."""
    return Scenario("one call", [[("act", {}, "c1")], "done"], [], tools=lambda: [tool])


def record(driver: Driver, tool: Callable[..., Any]) -> Run:
    """Play it watched, and hold its outcome to that of an unwatched run."""
    scenario = one_call(tool)
    watched, outcome = driver.by_watch(scenario, "async")
    assert outcome == driver.run(driver.agent(scenario), "async")
    [run] = watched.runs
    return run


class EndlessError(Exception):
    """Has a lot to say."""

    def __str__(self) -> str:
        return "x" * (10 * LIMIT)


@EACH
def test_the_message_of_an_error_is_bounded(driver: Driver):
    """An exception that carries a whole document does not stay in memory for a hundred runs."""

    def act() -> str:
        """Fail."""
        raise EndlessError

    run = record(driver, act)

    [call] = run.calls
    assert (call.status, call.metadata["error_type"]) == ("error", "EndlessError")
    assert 0 < len(call.error or "") <= LIMIT


class Text(str):
    """A text with its own idea of equality."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    __hash__ = str.__hash__


@EACH
def test_a_text_that_cannot_be_compared_is_a_text(driver: Driver):
    """Only its characters count."""

    def act() -> str:
        """Give it."""
        return Text("found")

    run = record(driver, act)

    [call] = run.calls
    assert (run.complete, call.status, call.result) == (True, "ok", "found")


class Unreadable:
    """Raises when it is shown."""

    def __repr__(self) -> str:
        raise RuntimeError("repr")


@pytest.mark.parametrize("driver", [LANGCHAIN, LLAMA_INDEX], ids=lambda driver: driver.name)
def test_a_result_that_cannot_be_shown_to_the_model_is_a_failure(driver: Driver):
    """The tool returned, but the model is told of an error, and nothing else ever comes."""

    def act() -> object:
        """Give something that cannot be shown."""
        return Unreadable()

    run = record(driver, act)

    [call] = run.calls
    assert (call.status, call.is_error) == ("error", True)
    assert "repr" in (call.error or "")


class Broken(Mapping[str, Any]):
    """Arguments that cannot be read."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("iter")

    def __len__(self) -> int:
        return 1


class Elusive:
    """Not even its class can be had."""

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError("class")


@pytest.mark.parametrize("kind", [Broken, Elusive])
def test_a_call_whose_arguments_cannot_be_read_was_made_all_the_same(kind: type):
    """It is recorded, its arguments are named as unreadable, and the run says so."""
    recorder = Recorder()
    run = recorder.start_run()
    run.request("act", kind()).start()
    run.end()

    [(record, _)] = recorder.ended()
    [call] = record.calls
    assert call.tool == "act"
    assert "could not be read" in repr(call.args)
    assert not record.complete


@pytest.mark.parametrize("text", ["{" * (10 * LIMIT), "[" + "1," * (5 * LIMIT) + "1]"])
def test_arguments_that_are_no_json_object_are_bounded_as_text(text: str):
    """What is kept of them is cut, and the run says so."""
    recorder = Recorder()
    run = recorder.start_run()
    run.request("act", text)
    run.end()

    [(record, _)] = recorder.ended()
    [call] = record.calls
    assert 0 < len(call.metadata["raw_arguments"]) <= LIMIT
    assert not record.complete


@pytest.mark.parametrize("driver", [LANGCHAIN, OPENAI_AGENTS], ids=lambda driver: driver.name)
def test_broken_arguments_that_were_cut_make_the_run_incomplete(driver: Driver):
    """Whatever the model meant to send, it is not all there."""
    asked = ("act", '{"text": "' + "x" * (2 * LIMIT), "c1")

    def act(text: str) -> str:
        """Never runs."""
        return text

    scenario = Scenario("broken", [[asked], "done"], [], tools=lambda: [act])
    watched, _ = driver.by_watch(scenario, "async")

    [run] = watched.runs
    [call] = run.calls
    assert len(call.metadata["raw_arguments"]) <= LIMIT
    assert not run.complete


def test_a_name_that_is_no_text_becomes_one():
    """A hook may hand over what a provider sent; the run must not be lost for it."""
    recorder = Recorder()
    run = recorder.start_run()
    run.request(7, {})  # type: ignore[arg-type]  # what the annotation forbids
    run.end()

    [(record, _)] = recorder.ended()
    [call] = record.calls
    assert call.tool == "7"


def test_a_nested_run_keeps_no_more_calls_than_the_run_may_have():
    """What is cut from the run is not kept in a part of it either."""
    recorder = Recorder(max_calls=3)
    outer = recorder.start_run()
    inner = recorder.start_run(parent=outer.request("ask", {}))
    for _ in range(10):
        inner.request("act", {})

    assert len(inner.calls) <= 3
    outer.end()
    [(record, _)] = recorder.ended()
    assert (len(record.calls), record.dropped) == (3, 8)
