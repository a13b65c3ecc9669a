"""Whatever is given to an adapter, it gives calls or raises ValueError, and changes nothing."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from adapters import traces
from adapters.mutations import json_values, mutated
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolscore import ToolCall
from toolscore.adapters._formats import FORMATS, calls_of

pytestmark = pytest.mark.filterwarnings("ignore::toolscore.ToolscoreWarning")


def check_calls(trace: Any, name: str) -> None:
    """Calls, or ValueError."""
    try:
        calls = calls_of(trace, name)
    except ValueError:
        calls = []
    for call in calls:
        assert type(call) is ToolCall
        assert isinstance(call.tool, str)
        assert call.tool
        assert isinstance(call.args, dict)
        for value in (call.timestamp, call.duration, call.cost):
            assert value is None or isinstance(value, (int, float))


def check(trace: Any, name: str) -> None:
    """The same, and the trace stays as it is."""
    before = repr(trace)  # NaN is not equal to itself
    check_calls(trace, name)
    assert repr(trace) == before


@given(json_values(), st.sampled_from(FORMATS))
@settings(max_examples=150, deadline=None)
def test_any_json(trace: Any, name: str):
    """JSON with the keys that the formats use, in any arrangement."""
    check(trace, name)


@given(st.data(), st.sampled_from(sorted(traces.ALL)), st.booleans())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_real_trace_with_changes(data: st.DataObject, name: str, auto: bool):
    """Each node may be missing, be another value, or stand twice."""
    format_name, trace = traces.ALL[name]
    check(data.draw(mutated(trace)), "auto" if auto else format_name)


@given(st.data(), st.sampled_from(sorted(traces.ALL)), st.sampled_from(FORMATS))
@settings(max_examples=60, deadline=None)
def test_a_trace_given_to_the_wrong_adapter(data: st.DataObject, name: str, other: str):
    """Somebody names the wrong format."""
    check(data.draw(mutated(traces.ALL[name][1])), other)


class Hostile:
    """An object of which nothing can be read."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "__dict__", "__deepcopy__", "__reduce_ex__"):
            return super().__getattribute__(name)
        raise RuntimeError("no")

    def __repr__(self) -> str:
        return "Hostile()"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "made",
    [
        lambda: Hostile(),
        lambda: [Hostile()],
        lambda: {"messages": [Hostile()]},
        lambda: [{"role": "assistant", "tool_calls": [Hostile()]}],
        lambda: [{"role": "assistant", "tool_calls": [{"function": {"name": Hostile()}}]}],
        lambda: [{"tool": "a", "args": {"x": Hostile()}, "result": Hostile(), "error": Hostile()}],
        lambda: [{"tool": "a", "args": Hostile(), "timestamp": Hostile()}],
        lambda: object,
        lambda: [object()],
        lambda: {1: 2, None: 3, (1, 2): [4]},
        lambda: [{"role": ["assistant"], "type": {}, "content": 5}],
    ],
)
def test_objects_that_cannot_be_read(name: str, made: Any):
    """Their properties raise what they like."""
    check_calls(made(), name)


def nested(levels: int, key: str) -> Any:
    """Something inside of itself, so to speak."""
    value: Any = []
    for _ in range(levels):
        value = {key: value} if key else [value]
    return value


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("key", ["", "messages", "data", "response", "content", "parts", "args"])
def test_nesting_without_end(name: str, key: str):
    """Deeper than the interpreter's stack, everywhere that a reader may go down."""
    deep = nested(20_000, key)
    for trace in (
        deep,
        [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": deep}}]}],
        [{"tool": "f", "args": {"x": deep}, "result": deep, "error": deep}],
        [{"role": "user", "content": deep, "parts": deep}],
    ):
        check_calls(trace, name)


def test_a_value_that_holds_itself():
    """Objects can; the copy does, too."""
    args: dict[str, Any] = {"x": 1}
    args["self"] = args
    [call] = calls_of([{"tool": "f", "args": args}])
    assert call.args is not None
    assert call.args["self"] is call.args
    assert call.args is not args


def chat(count: int) -> list[Any]:
    """That many calls, all answered in the end, all with one id."""
    function = {"name": "f", "arguments": "{}"}
    asked = [{"id": "c", "type": "function", "function": function} for _ in range(count)]
    answers = [{"role": "tool", "tool_call_id": "c", "content": "x"} for _ in range(count)]
    return [{"role": "assistant", "tool_calls": asked}, *answers]


def rpc(count: int) -> list[Any]:
    """That many requests with one id, then as many answers that are for something else."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "f"}}
    return [call] * count + [{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}] * count


def parts(count: int) -> list[Any]:
    """That many functions without ids, answered in the order."""
    asked = [{"functionCall": {"name": "f", "args": {}}}] * count
    answers = [{"functionResponse": {"name": "f", "response": {"output": 1}}}] * count
    return [{"role": "model", "parts": asked}, {"role": "user", "parts": answers}]


def pieces(count: int) -> list[Any]:
    """One call in that many pieces."""
    first = {"index": 0, "id": "c", "function": {"name": "f", "arguments": '{"x": "'}}
    more = {"index": 0, "function": {"arguments": "y"}}
    return [traces.chunk(tool_calls=[first])] + [traces.chunk(tool_calls=[more])] * count


@pytest.mark.parametrize("make", [chat, rpc, parts, pieces])
def test_the_work_grows_with_the_trace_and_no_faster(make: Any):
    """Four times the trace takes about four times the steps: counted, not timed."""
    few, many = steps_of(make(500)), steps_of(make(2000))
    assert many < few * 6


def steps_of(trace: Any) -> int:
    """How many function calls the reading takes."""
    count = 0

    def tick(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tick)
    try:
        calls_of(trace)
    finally:
        sys.setprofile(None)
    return count
