"""Whatever is given to the evaluator, the answer is a result that can be read, or a ValueError."""

from __future__ import annotations

import contextlib
import inspect
import json
from collections.abc import Callable
from typing import Any

import pytest
from faults.hostile import HEAVY, MAKERS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolscore import AgentTrace, Run, ToolCall, Usage, evaluate, matchers, metrics

CALL: dict[str, Any] = {"tool": "t", "args": {"v": 1, "w": [1]}}
SWITCHES = ["weights", "strict", "forbidden", "order", "extra_calls", "missing_calls", "args",
            "budget", "include", "tools"]  # fmt: skip
FIELDS = ["result", "timestamp", "duration", "cost", "metadata"]
REMARKS = ["error", "is_error", "status", "step", "parent", "depth", "kind", "origin", "agent"]
RUN_FIELDS = ["calls", "id", "status", "error", "error_type", "input", "output", "agent",
              "framework", "thread_id", "transcript", "usage", "started", "duration", "complete",
              "warnings", "tools", "signals", "dropped"]  # fmt: skip

Place = Callable[[Any], object]


def read(result: Any) -> None:
    """Read all there is to read, twice where it is kept."""
    for _ in range(2):
        assert isinstance(str(result) + repr(result) + result._repr_html_(), str)
        assert result.diff()
        assert result.diff(color=True)
        assert result.passed is bool(result) is not any(f.fails for f in result.findings)
        assert 0 <= result.score <= 1
        assert result.grade in "ABCDF"
        assert result.pairs is not None
        assert result.metrics is not None
        json.dumps(result.to_dict(), allow_nan=False)
    with pytest.raises(AssertionError):
        result.require(passed=not result.passed)


def call(**changes: Any) -> dict[str, Any]:
    return {**CALL, **changes}


def with_key(key: Any) -> dict[Any, Any]:
    """A call with one more key, if it can be one at all."""
    try:
        return {key: {key}, **CALL}
    except Exception:
        return {}


def read_call(metadata: dict[str, Any]) -> None:
    made = ToolCall("t", {"v": 1}, metadata=metadata)
    assert made.error is None or isinstance(made.error, str)
    assert isinstance(made.is_error, bool)
    assert made.status is None or isinstance(made.status, str)
    read(evaluate([CALL], [made] * 3))
    read(evaluate(None, [made] * 3))
    run = Run((made, made))
    assert repr(run)
    json.dumps(run.to_dict(), allow_nan=False)
    read(evaluate([CALL], run))


def read_run(**fields: Any) -> None:
    run = Run(**{"calls": (ToolCall("t", {"v": 1}),), **fields})
    assert repr(run)
    json.dumps(run.to_dict(), allow_nan=False)
    read(evaluate([CALL], run, budget={"duration": 1, "tokens": 1}))


def read_metrics(value: Any) -> None:
    made = [ToolCall("t", {"v": value, "w": [value]}, value, metadata={"agent": value})] * 2
    for name in metrics.__all__:
        measure = getattr(metrics, name)
        if name != "check_forbidden_calls":
            both = "gold_calls" in inspect.signature(measure).parameters
            assert (measure(made, made) if both else measure(made)) is not None
    assert metrics.check_forbidden_calls(made, [{"tool": "t", "args": {"v": value}}])


SCHEMA = {"t": {"properties": {"v": {"type": "integer"}, "w": {"type": "array"}}}}
PLACES: dict[str, Place] = {
    "expected": lambda v: read(evaluate(v, [CALL])),
    "actual": lambda v: read(evaluate([CALL], v)),
    "one expected": lambda v: read(evaluate([v, "t"], [CALL])),
    "one made": lambda v: read(evaluate([CALL], [v])),
    "trace": lambda v: read(evaluate([CALL], AgentTrace(v))),
    "tool": lambda v: read(evaluate([call(tool=v)], [call(tool=v)])),
    "key": lambda v: read(evaluate([with_key(v)], [with_key(v)])),
    "args": lambda v: read(evaluate([call(args=v)], [CALL])),
    "made args": lambda v: read(evaluate([CALL], [call(args=v)])),
    "name": lambda v: read(
        evaluate([call(args=with_key(v))], [call(args={"v": {1}, "w": with_key(v)})])
    ),
    "argument": lambda v: read(evaluate([call(args={"v": v, "w": [v]})] * 3, [CALL] * 4)),
    "made argument": lambda v: read(
        evaluate([CALL] * 3, [call(args={"v": v, "w": [v, {"v": v}]})] * 4, tools=SCHEMA)
    ),
    "both": lambda v: read(evaluate([call(args={"v": v})] * 2, [call(args={"v": v})] * 2)),
    "strict": lambda v: read(
        evaluate([call(args={"v": v, "w": [v]})], [call(args={"v": v})], strict=True)
    ),
    "behaviour": lambda v: read(evaluate(None, [call(args={"v": v}, result=v)] * 4)),
    "rule": lambda v: read(evaluate([CALL], [CALL], forbidden=[v])),
    "rule args": lambda v: read(evaluate([CALL], [CALL], forbidden=[{"tool": "t", "args": v}])),
    "rule argument": lambda v: read(
        evaluate(None, [CALL, call(args={"v": v})], forbidden=[{"tool": "t", "args": {"v": v}}])
    ),
    "reason": lambda v: read(evaluate([CALL], [CALL], forbidden=[{"tool": "t", "reason": v}])),
    "weight": lambda v: read(evaluate([CALL], [CALL], weights={"argument_f1": v})),
    "included": lambda v: read(evaluate([CALL], [CALL], include=[v])),
    "schema": lambda v: read(evaluate([CALL], [CALL], tools={"t": v})),
    "property": lambda v: read(
        evaluate([CALL], [CALL], tools={"t": {"properties": {"v": v, "w": {"type": v}}}})
    ),
    "run schema": lambda v: read_run(tools={"t": v, "u": v}),
    "run call": lambda v: read_run(calls=(v,)),
    "run argument": lambda v: read_run(calls=(ToolCall("t", {"v": v, "w": [v]}, v),)),
    "run warning": lambda v: read_run(warnings=(v,), complete=False),
    "run usage": lambda v: read_run(usage=Usage(v, 1, v, v)),
    "metrics": read_metrics,
    "least score": lambda v: evaluate([CALL], [CALL]).require(min_score=v),
    **{f"{n}=": (lambda v, n=n: read(evaluate([CALL], [CALL], **{n: v}))) for n in SWITCHES},
    **{
        f"budget {n}": (lambda v, n=n: read(evaluate([CALL], [CALL], budget={n: v})))
        for n in ("calls", "duration", "tokens", "cost")
    },
    **{
        f"item {n}": (lambda v, n=n: read(evaluate([call(**{n: v})] * 2, [call(**{n: v})] * 2)))
        for n in [*FIELDS, "error", "is_error", "status", "id"]
    },
    **{
        f"call {n}": (lambda v, n=n: read(evaluate(["t"], [ToolCall("t", {}, **{n: v})] * 2)))
        for n in FIELDS
    },
    **{
        f"run's call {n}": (lambda v, n=n: read_run(calls=(ToolCall("t", {}, **{n: v}),)))
        for n in FIELDS
    },
    **{f"metadata {n}": (lambda v, n=n: read_call({n: v})) for n in REMARKS},
    **{f"run {n}": (lambda v, n=n: read_run(**{n: v})) for n in RUN_FIELDS},
}


def survives(place: Place, value: Any) -> None:
    """Nothing but a ValueError with a text may come out."""
    with contextlib.suppress(ValueError):
        place(value)


@pytest.mark.parametrize("place", PLACES)
def test_a_hostile_value_gives_a_result_or_a_value_error(place: str):
    """Whatever it is, wherever it stands."""
    for name, make in MAKERS.items():
        if name not in HEAVY:
            survives(PLACES[place], make())


@pytest.mark.parametrize("name", sorted(HEAVY))
def test_a_value_without_end_is_refused_or_compared_in_bounded_time(name: str):
    """Endless, inside itself, or the same few over and over again."""
    for place in ("args", "made argument", "item result", "run argument", "rule argument", "tool"):
        survives(PLACES[place], MAKERS[name]())


MATCHERS: dict[str, Callable[[Any], Any]] = {
    "Regex": lambda v: matchers.Regex(v),
    "Regex flags": lambda v: matchers.Regex("a", v),
    "Approx": lambda v: matchers.Approx(v),
    "Approx rel": lambda v: matchers.Approx(1.0, rel=v),
    "Approx abs": lambda v: matchers.Approx(1.0, abs=v),
    "Contains": lambda v: matchers.Contains(v),
    "OneOf": lambda v: matchers.OneOf(v, 2),
    "IsType": lambda v: matchers.IsType(v),
    "IsType of": lambda v: matchers.IsType(type(v)),
    "OptionalKey": lambda v: matchers.OptionalKey(v),
    "Unordered": lambda v: matchers.Unordered(v),
    "Unordered items": lambda v: matchers.Unordered([v, 1]),
    "LooseText": lambda v: matchers.LooseText(v),
    "either": lambda v: matchers.Regex("a") | v,
    "both": lambda v: matchers.ANY & v,
    "not": lambda v: ~matchers.OneOf(v),
    "answers": lambda v: matchers.from_possible_answers([{"t": {"v": [v]}}])[0].args["v"],
    "all answers": lambda v: matchers.from_possible_answers(v),
    "answers of a tool": lambda v: matchers.from_possible_answers([{"t": v}]),
}


@pytest.mark.parametrize("name", MATCHERS)
def test_a_matcher_of_a_hostile_value_is_refused_or_decides(name: str):
    """When it is made, or it accepts and refuses like any other, hostile values too."""

    def use(value: Any) -> None:
        matcher = MATCHERS[name](value)
        wanted = [call(args={"v": matcher}), call(args={"v": [matcher]})]
        made = [call(args={"v": one}) for one in (1, "a", {"a": 1}, value, [value])]
        read(evaluate(wanted, made, forbidden=wanted[:1]))

    for maker in sorted(set(MAKERS) - HEAVY):
        survives(use, MAKERS[maker]())


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(),
    lambda inner: st.lists(inner, max_size=3)
    | st.tuples(inner, inner)
    | st.dictionaries(st.text(max_size=3) | st.integers() | st.none(), inner, max_size=3)
    | st.sets(st.integers() | st.text(max_size=3), max_size=3),
    max_leaves=6,
)  # fmt: skip
# made in the test: the drawing itself would touch them
odd = st.sampled_from(sorted(set(MAKERS) - HEAVY)).map(MAKERS.__getitem__)
makers = odd | plain.map(lambda value: lambda: value)
shapes = st.sampled_from([lambda *v: v[0], lambda *v: [*v], lambda *v: {"v": v[0], "w": {"x": v}}])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(PLACES)), shapes, st.lists(makers, min_size=1, max_size=3))
def test_any_value_gives_a_result_or_a_value_error(
    place: str, shape: Callable[..., Any], parts: list[Callable[[], Any]]
):
    """Combinations that nobody thought of."""
    survives(PLACES[place], shape(*(make() for make in parts)))
