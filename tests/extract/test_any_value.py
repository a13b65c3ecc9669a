"""Whatever is given to an extractor, it gives calls or raises ValueError, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from adapters.mutations import json_values, mutated
from adapters.otel_spans import S, chat, dumps, mcp_twins, otlp, tool
from adapters.test_any_input import Hostile, nested, steps_of
from extract import samples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolscore
from toolscore import evaluate, extract
from toolscore.adapters.otel import calls_from_otel

pytestmark = pytest.mark.filterwarnings("ignore::toolscore.ToolscoreWarning")

EXTRACTORS: dict[str, Callable[[Any], list[dict[str, Any]]]] = {
    name: getattr(extract, name) for name in extract.__all__
}
SPANS: dict[str, tuple[str, Any]] = {
    "otlp": ("from_otel", otlp(
        chat(("c1", "a", {"x": 1}), ("c2", "b", {}), answers=[("c0", "1")], end=1),
        tool("a", '{"x": 1}', id="c1", start=2), tool("b", result=None, status="ERROR"))),
    "dumps": ("from_otel", dumps(*mcp_twins(), S("ai.toolCall", {
        "ai.toolCall.name": "a", "ai.toolCall.args": '{"x": 1}', "ai.toolCall.result": "[1]"}))),
}  # fmt: skip
TRACES = samples.ALL | SPANS


def check(source: Any, extractor: Callable[[Any], list[dict[str, Any]]]) -> None:
    """Dicts with a name and arguments, or ValueError; the source stays as it is."""
    before = repr(source)
    try:
        calls = extractor(source)
    except ValueError:
        calls = []
    assert repr(source) == before
    for call in calls:
        assert isinstance(call["tool"], str)
        assert call["tool"]
        assert isinstance(call["args"], dict)
        assert isinstance(call["is_error"], bool)
        assert call["duration"] is None or isinstance(call["duration"], (int, float))


@given(json_values(), st.sampled_from(sorted(EXTRACTORS)))
@settings(max_examples=150, deadline=None)
def test_any_json(source: Any, name: str):
    """JSON with the words of the formats, in any arrangement."""
    check(source, EXTRACTORS[name])


@given(st.data(), st.sampled_from(sorted(TRACES)), st.booleans())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_real_trace_with_changes(data: st.DataObject, name: str, auto: bool):
    """Each node may be missing, be another value, or stand twice."""
    extractor, trace = TRACES[name]
    check(data.draw(mutated(trace)), EXTRACTORS["auto_extract" if auto else extractor])


@given(st.data(), st.sampled_from(sorted(TRACES)))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_it_can_be_evaluated_or_is_refused(data: st.DataObject, name: str):
    """``evaluate`` gives a result that can be shown, or ValueError."""
    source = data.draw(mutated(TRACES[name][1]))
    try:
        result = evaluate(["a"], source)
    except ValueError:
        return
    assert 0 <= result.score <= 1
    assert json.dumps(result.to_dict())
    assert str(result)


def with_ids(value: Any, other: Any) -> Any:
    """The trace with every id replaced."""
    if isinstance(value, dict):
        return {
            key: other if key.endswith("id") else with_ids(inner, other)
            for key, inner in value.items()
        }
    return [with_ids(item, other) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", sorted(TRACES))
@pytest.mark.parametrize("other", [["c1"], {"c": 1}, 5, None, ""], ids=repr)
def test_ids_that_are_no_texts(name: str, other: Any):
    """Calls keep apart, and nothing is looked up by what cannot be."""
    extractor, trace = TRACES[name]
    changed = with_ids(trace, other)
    assert len(EXTRACTORS[extractor](changed)) >= 1
    check(changed, EXTRACTORS["auto_extract"])


@pytest.mark.parametrize("name", sorted(EXTRACTORS))
@pytest.mark.parametrize(
    "source",
    [
        Hostile(), [Hostile()], {"messages": [Hostile()]}, {"new_items": [Hostile()]},
        {"tasks_output": [Hostile()]}, {"spans": [Hostile()]},
        {"parts": Hostile(), "kind": "request"},
        [{"tool_name": Hostile(), "tool_args": Hostile()}], object, [object()], {1: 2, None: 3},
        {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": Hostile()}]},
    ],
    ids=repr,
)  # fmt: skip
def test_objects_that_cannot_be_read(name: str, source: Any):
    """Their properties raise what they like."""
    check(source, EXTRACTORS[name])


@pytest.mark.parametrize("name", sorted(EXTRACTORS))
@pytest.mark.parametrize("key", ["", "messages", "spans", "new_items", "tasks_output", "data"])
def test_nesting_without_end(name: str, key: str):
    """Deeper than the interpreter's stack."""
    deep = nested(20_000, key)
    for source in (deep, {"parts": [{"args": deep}], "kind": "request"}, [{"attributes": deep}]):
        with suppress(ValueError):
            EXTRACTORS[name](source)


def flat(count: int) -> list[Any]:
    """Calls one after the other, each asked for, all with one id."""
    asked = [chat(("c", "t", {"n": n}), start=n, end=n) for n in range(count)]
    return dumps(*asked, *(tool("t", f'{{"n": {n}}}', id="c", start=n) for n in range(count)))


def chain(count: int) -> list[Any]:
    """Each inside the one before; every other the same call seen again."""
    return [
        {"name": "t", "traceId": "1", "spanId": f"{n + 1:x}", "parentSpanId": f"{n:x}",
         "attributes": {"gen_ai.tool.name": f"t{n // 2}", "tool_arguments": {}}}
        for n in range(count)
    ]  # fmt: skip


def twins(count: int) -> list[Any]:
    """All the same call, seen again and again."""
    return [span | {"attributes": {"gen_ai.tool.name": "t"}} for span in chain(count)]


def servers(count: int) -> list[Any]:
    """Clients and servers of MCP, in traces of their own, all with one request id."""
    attributes = {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "t",
        "jsonrpc.request.id": "1",
    }
    return [
        {"name": "t", "traceId": f"{n:x}", "spanId": f"{n + 1:x}", "kind": kind,
         "attributes": attributes}
        for n, kind in enumerate([3, 2] * count)
    ]  # fmt: skip


@pytest.mark.parametrize("make", [flat, chain, twins, servers])
def test_the_work_grows_with_the_spans_and_no_faster(make: Any):
    """Four times the spans take about four times the steps: counted, not timed."""
    few, many = (steps(make(count)) for count in (100, 400))
    assert many < few * 6


def steps(spans: Any) -> int:
    """How many function calls the reading takes."""
    calls_from_otel(spans[:1])  # what is loaded once
    return steps_of(spans)


def test_every_extractor_is_offered_at_the_top():
    """``toolscore.from_openai``, and the others."""
    for name, extractor in EXTRACTORS.items():
        assert getattr(toolscore, name) is extractor
