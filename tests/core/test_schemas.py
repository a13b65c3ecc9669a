"""Tools' schemas: declared defaults, hallucinated and mistyped arguments."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolscore import ANY, EvaluationResult, Run, ToolCall, evaluate, evaluate_trace
from toolscore._scoring import json_schema
from toolscore.matchers import OptionalKey

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "q": {"type": "string"},
        "limit": {"type": "integer", "default": 10},
        "unit": {"anyOf": [{"enum": ["c", "f"]}, {"type": "null"}], "default": None},
        "where": {"$ref": "#/$defs/Where"},
        "stops": {"type": "array", "items": {"$ref": "#/$defs/Where"}},
    },
    "required": ["q"],
    "$defs": {
        "Where": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "radius": {"type": "number", "default": 5}},
            "required": ["city"],
            "additionalProperties": False,
        }
    },
}
TOOLS = {"search": SCHEMA}


def scored(expected: Any, made: Any, **options: Any) -> EvaluationResult:
    """One call of the tool, with its schema."""
    options = {"tools": TOOLS, **options}
    return evaluate([ToolCall("search", expected)], [ToolCall("search", made)], **options)


PAIRS = [
    # an omitted argument is its default, on either side
    ({"q": "a", "limit": 10}, {"q": "a"}, 1.0),
    ({"q": "a"}, {"q": "a", "limit": 10}, 1.0),
    ({"q": "a"}, {"q": "a", "unit": None}, 1.0),
    ({"q": "a", "limit": ANY}, {"q": "a"}, 1.0),
    ({"limit": 10}, None, 1.0),
    ({"limit": 10}, {}, 1.0),
    ({}, {"limit": 10}, 1.0),
    (None, {"limit": 5}, 1.0),
    ({"q": "a"}, {"q": "a", "limit": 10.0}, 1.0),
    # another value is as wrong as ever: one of two
    ({"q": "a", "limit": 5}, {"q": "a"}, 0.5),
    ({"q": "a"}, {"q": "a", "limit": 5}, 0.5),
    ({"q": "a"}, {"q": "a", "limit": True}, 0.5),
    # what a side gives counts, right where it is the default: one of two
    ({"q": "a", "limit": 10}, {"q": "b"}, 0.5),
    ({"q": "a"}, {"q": "b", "limit": 10}, 0.5),
    # what neither gives does not: none of one, however many defaults there are
    ({"q": "a"}, {"q": "b"}, 0.0),
    # what the user says of leaving it out goes first
    ({"q": "a", "limit": OptionalKey(5)}, {"q": "a"}, 1.0),
    ({"q": "a", "limit": OptionalKey(5)}, {"q": "a", "limit": 10}, 0.5),
    # inside an argument, and in the items of a list
    ({"q": "a", "where": {"city": "X", "radius": 5}}, {"q": "a", "where": {"city": "X"}}, 1.0),
    ({"q": "a", "where": {"city": "X"}}, {"q": "a", "where": {"city": "X", "radius": 5}}, 1.0),
    ({"q": "a", "where": {"city": "X"}}, {"q": "a", "where": {"city": "X", "radius": 9}}, 0.75),
    ({"stops": [{"city": "X", "radius": 5}]}, {"stops": [{"city": "X"}]}, 1.0),
]


@pytest.mark.parametrize(("expected", "made", "alike"), PAIRS)
def test_a_declared_default_stands_for_what_is_left_out(expected: Any, made: Any, alike: float):
    """``A`` counts the arguments that either side gives; in the verdict, the pairs and the run."""
    for result in (
        scored(expected, made),
        evaluate([ToolCall("search", expected)], Run((ToolCall("search", made),), tools=TOOLS)),
    ):
        [pair] = result.pairs
        assert (pair.similarity, result.score) == (alike, 0.5 + 0.5 * alike)
        assert result.passed is (alike == 1.0)
        assert bool(pair.differences) is (alike < 1.0)
        assert (result.gold_calls[0].args, result.trace_calls[0].args) == (expected, made)


def test_the_finding_reproduces_the_number():
    """Its figures count as the score does."""
    result = scored({"q": "a", "limit": 10, "unit": "c"}, {"q": "a"})
    assert result.findings[0].message.endswith(
        "unit is missing, expected 'c' (2 of 3 arguments right: 0.5 + 0.5 * 2/3 = 0.8333)"
    )


@pytest.mark.parametrize(
    ("mode", "expected", "made", "alike"),
    [
        ("allow_extra", {"q": "a"}, {"q": "a", "limit": 5}, 1.0),
        ("allow_extra", {"q": "a", "limit": 10}, {"q": "a"}, 1.0),
        ("allow_extra", {"q": "a", "limit": 5}, {"q": "a"}, 0.5),
        ("allow_missing", {"q": "a", "limit": 5}, {"q": "a"}, 1.0),
        ("allow_missing", {"q": "a"}, {"q": "a", "limit": 5}, 0.5),
        ("ignore", {"q": "a", "limit": 5}, {"q": "b"}, 1.0),
    ],
)
def test_the_switches_for_arguments_mean_what_they_mean(
    mode: str, expected: Any, made: Any, alike: float
):
    """A default is no argument that the expectation names."""
    assert scored(expected, made, args=mode).pairs[0].similarity == alike


def test_the_best_pairing_knows_the_defaults():
    """Two calls that only their defaults tell apart are not taken for each other."""
    gold = [{"tool": "search", "args": {"q": "a", "limit": n}} for n in (10, 3)]
    made = [{"tool": "search", "args": args} for args in ({"q": "a", "limit": 3}, {"q": "a"})]
    assert evaluate(gold, made, order="any", tools=TOOLS).passed
    assert evaluate(gold, made[::-1], tools=TOOLS).passed
    assert not evaluate(gold, made, tools=TOOLS).passed


ARGS = st.fixed_dictionaries(
    {},
    optional={
        "q": st.sampled_from("ab"),
        "limit": st.sampled_from([10, 5]),
        "unit": st.sampled_from([None, "c"]),
        "x": st.sampled_from([1, 2]),
    },
)
DEFAULTS = {"limit": 10, "unit": None}


@settings(max_examples=150, deadline=None)
@given(ARGS, ARGS)
def test_the_similarity_is_that_of_calls_written_out(expected: Any, made: Any):
    """Over the names that one of the two gives, each with its default where it is left out."""
    names = expected.keys() | made.keys()
    full = [{**DEFAULTS, **args} for args in (expected, made)]
    right = sum(all(n in side for side in full) and full[0][n] == full[1][n] for n in names)
    alike = right / len(names) if names else 1.0
    assert scored(expected, made).pairs[0].similarity == alike


@settings(max_examples=100, deadline=None)
@given(st.lists(ARGS, min_size=3, max_size=3), st.lists(ARGS, min_size=3, max_size=3))
def test_the_pairing_is_optimal_with_defaults(gold: Any, made: Any):
    """The largest sum over all ways to pair, though with defaults 1 - A is no metric."""
    alike = [[scored(e, a).pairs[0].similarity for a in made] for e in gold]
    best = max(sum(alike[i][j] for i, j in enumerate(way)) for way in permutations(range(3)))
    sides = [[ToolCall("search", args) for args in side] for side in (gold, made)]
    result = evaluate(*sides, order="any", tools=TOOLS)
    assert result.metrics["alignment_metrics"]["matched"] == pytest.approx(1.5 + 0.5 * best)


@settings(max_examples=60, deadline=None)
@given(st.lists(ARGS, max_size=4), st.lists(ARGS, max_size=4))
def test_without_defaults_a_schema_changes_no_score(gold: Any, made: Any):
    """Names and types alone are findings, and fail no verdict."""
    bare = {name: {} for name in SCHEMA["properties"]}
    calls = [[ToolCall("search", args) for args in side] for side in (gold, made)]
    with_schema = evaluate(*calls, tools={"search": {"properties": bare}})
    without = evaluate(*calls)
    assert (with_schema.score, with_schema.passed) == (without.score, without.passed)


def problems(made: Any, schema: Any = SCHEMA) -> list[tuple[str, str | None]]:
    """Kind and path of each finding about the schema."""
    result = evaluate(["search"], [ToolCall("search", made)], tools={"search": schema})
    assert result.passed
    return [(finding.kind, finding.path) for finding in result.findings]


@pytest.fixture(params=["with the library", "without it"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where ``jsonschema`` is installed, and where it is not."""
    json_schema._library.cache_clear()
    if request.param == "without it":
        monkeypatch.setitem(__import__("sys").modules, "jsonschema.validators", None)
    yield request.param
    json_schema._library.cache_clear()


WRONG = [
    ({"q": "a", "limit": 3, "unit": "c", "where": {"city": "X"}}, []),
    ({"q": "a", "color": "red"}, [("unknown_argument", "color")]),
    ({"q": 5}, [("wrong_type", "q")]),
    ({"q": "a", "limit": "3"}, [("wrong_type", "limit")]),
    ({"q": "a", "limit": True}, [("wrong_type", "limit")]),
    ({"q": "a", "limit": 3.0}, []),
    ({"q": "a", "unit": 3}, [("wrong_type", "unit")]),
    ({"q": "a", "unit": None}, []),
    ({"q": "a", "where": {"city": 5}}, [("wrong_type", "where.city")]),
    ({"q": "a", "where": {"city": "X", "zip": 1}}, [("unknown_argument", "where.zip")]),
    ({"q": "a", "where": {}}, [("wrong_argument", "where.city")]),
    ({"q": "a", "stops": [{"city": "X"}, {"city": 1}]}, [("wrong_type", "stops[1].city")]),
    ({"q": "a", "stops": ({"city": "X"},)}, []),
    ({}, [("wrong_argument", "q")]),
]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(("made", "found"), WRONG)
def test_what_the_tool_does_not_take_is_a_finding(made: Any, found: list[tuple[str, str]]):
    """Hallucinated arguments, wrong types, required ones left out; they fail no verdict."""
    assert problems(made) == found


def test_the_library_sees_what_else_a_schema_says(library: str):
    """Bounds, for instance; patterns of strangers are not run."""
    schema = {"properties": {"n": {"minimum": 1}, "s": {"pattern": "(a+)+$"}}}
    found = [("wrong_argument", "n")] if library == "with the library" else []
    assert problems({"n": 0, "s": "a" * 40 + "b"}, schema) == found


def test_arguments_that_could_not_be_read_are_not_missing():
    """What the model sent is not known by name."""
    call = ToolCall("search", {}, metadata={"raw_arguments": '{"q": '})
    assert evaluate(["search"], [call], tools=TOOLS).findings == ()


BROKEN: list[Any] = [
    {"properties": 3},
    {"properties": {"q": 3}},
    {"properties": {"q": {"type": "strng", "default": 1}}},
    {"properties": {"q": {"type": 5, "enum": 7, "items": 3, "anyOf": "x", "allOf": 3}}},
    {"properties": {"q": {"$ref": "#/nowhere"}}},
    {"properties": {"q": {"$ref": "https://example.org/schema.json"}}},
    {"properties": {"q": {"$ref": "#/properties/q"}}},
    {"$ref": "#"},
    {"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "properties": {"q": {}}},
    {"properties": {"q": {"pattern": "("}}, "patternProperties": {"(": {}}},
    {"required": 5, "additionalProperties": 3, "properties": {}},
    {"$schema": 5, "properties": {"q": {"minimum": "x"}}},
]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("schema", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_schema_costs_what_it_would_have_told(schema: Any):
    """Never an exception, never the score."""
    result = scored({"q": "a"}, {"q": "a"}, tools={"search": schema})
    assert (result.score, result.passed) == (1.0, True)
    assert isinstance(str(result), str)


FUNCTION = {"name": "search", "description": "", "parameters": SCHEMA}
ASKED = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c", "type": "function", "function": {"name": "search", "arguments": '{"q": "a"}'}}
]}  # fmt: skip
USE = {"type": "tool_use", "id": "t", "name": "search", "input": {"q": "a"}}
UPPER = {"type": "OBJECT", "properties": {"q": {"type": "STRING"},
         "limit": {"type": "INTEGER", "default": 10}}}  # fmt: skip
CALL = {"functionCall": {"name": "search", "args": {"q": "a"}}}
REQUESTS: dict[str, Any] = {
    "chat": {"messages": [ASKED], "tools": [{"type": "function", "function": FUNCTION}]},
    "functions": {"messages": [ASKED], "functions": [FUNCTION]},
    "responses": {
        "input": [
            {"type": "function_call", "call_id": "c", "name": "search", "arguments": '{"q": "a"}'}
        ],
        "tools": [{"type": "function", **FUNCTION}],
    },
    "anthropic": {
        "messages": [{"role": "assistant", "content": [USE]}],
        "tools": [{"name": "search", "input_schema": SCHEMA}],
    },
    "gemini": {
        "contents": [{"role": "model", "parts": [CALL]}],
        "tools": [{"functionDeclarations": [{"name": "search", "parameters": UPPER}]}],
    },
    "mcp": [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1,
         "result": {"tools": [{"name": "search", "inputSchema": SCHEMA}]}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
         "params": {"name": "search", "arguments": {"q": "a"}}},
        {"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "x"}]}},
    ],
    "run": Run((ToolCall("search", {"q": "a"}),), tools=TOOLS).to_dict(),
}  # fmt: skip


@pytest.mark.parametrize("name", REQUESTS)
def test_a_recorded_request_tells_its_tools(name: str):
    """As an object, as a file, and as lines; ``tools=`` goes before."""
    request = REQUESTS[name]
    wanted = [{"tool": "search", "args": {"q": "a", "limit": 10}}]
    gold = json.dumps(wanted)
    lines = "\n".join(map(json.dumps, request if isinstance(request, list) else [request]))
    assert evaluate(wanted, request).passed
    assert not evaluate(wanted, request, tools={}).passed
    assert evaluate_trace(io.StringIO(gold), io.StringIO(json.dumps(request))).passed
    assert evaluate_trace(io.StringIO(gold), io.StringIO(lines + "\n")).passed
    assert not evaluate_trace(io.StringIO(gold), io.StringIO(lines), tools={}).passed
