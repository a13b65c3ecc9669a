"""Gold files: what they may hold, which objects stand for matchers, and what is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from toolscore import ToolCall, evaluate_trace, load_gold_standard, load_trace, matchers


def gold(*items: Any) -> list[ToolCall]:
    """The calls of a gold file with these items."""
    return load_gold_standard(io.StringIO(json.dumps(list(items))))


def test_arguments_that_are_left_out_are_not_checked():
    """Left out or null: None; an empty object: no arguments."""
    calls = gold("a", {"tool": "b"}, {"tool": "c", "args": None}, {"tool": "d", "args": {}})
    assert [(call.tool, call.args) for call in calls] == [
        ("a", None),
        ("b", None),
        ("c", None),
        ("d", {}),
    ]


def test_a_list_under_calls_is_as_good():
    """Snapshots are saved so."""
    file = io.StringIO(json.dumps({"version": 1, "calls": [{"tool": "a", "args": {"x": 1}}]}))
    assert load_gold_standard(file) == [ToolCall("a", {"x": 1})]


def test_lines_and_gzip_are_read_as_traces_are(tmp_path: Path):
    """One call in each line."""
    file = tmp_path / "gold.jsonl"
    file.write_text('{"tool": "a"}\n{"tool": "b", "args": {"x": 1}}\n')
    assert [call.tool for call in load_gold_standard(file)] == ["a", "b"]


def test_remarks_are_kept_beside_the_call():
    """The seed's gold files have them."""
    [call] = gold({"tool": "a", "side_effects": {"file": "x"}, "description": "first"})
    assert call.metadata == {"side_effects": {"file": "x"}, "description": "first"}


MATCHERS = [
    ({"$any": True}, [None, 1, "x"], []),
    ({"$regex": "py.*"}, ["python"], ["ruby", "a python", 5]),
    ({"$approx": 3.14, "rel": 0.01}, [3.15], [3.3, "3.14"]),
    ({"$approx": 10, "abs": 2}, [8, 12], [13]),
    ({"$contains": "rm"}, ["rm -rf"], ["ls"]),
    ({"$contains": {"$regex": "a+"}}, [["b", "aa"]], [["b"]]),
    ({"$one_of": ["c", "celsius"]}, ["c"], ["k"]),
    ({"$type": "int"}, [3], [True, "3"]),
    ({"$type": ["str", "null"]}, ["x", None], [1]),
    ({"$unordered": [1, {"$regex": "a"}]}, [["a", 1]], [[1], [1, "b"]]),
    ({"$loose_text": "New York, NY"}, ["new-york ny"], ["Boston"]),
    ({"$all_of": [{"$contains": "a"}, {"$contains": "b"}]}, ["ab"], ["a"]),
    ({"$all_of": [{"$type": "int"}, 3]}, [3], [4]),
    ({"$not": "x"}, ["y"], ["x"]),
    ({"$not": {"$regex": "a.*"}}, ["b"], ["ab"]),
    ({"$any_of": [{"$regex": "a.*"}, 3]}, ["ab", 3], ["b", 4]),
    ({"$regex": "a.c", "flags": "is"}, ["A\nC"], ["abb"]),
    ({"$type": "number"}, [1, 1.5], ["1", True]),
]


@pytest.mark.parametrize(("written", "right", "wrong"), MATCHERS)
def test_objects_that_stand_for_matchers(written: Any, right: list[Any], wrong: list[Any]):
    """At any depth."""
    [call] = gold({"tool": "a", "args": {"x": written, "deep": [{"y": written}]}})
    assert call.args is not None
    for matcher in (call.args["x"], call.args["deep"][0]["y"]):
        assert isinstance(matcher, matchers.Matcher)
        assert [value for value in right if not matcher.matches(value)] == []
        assert [value for value in wrong if matcher.matches(value)] == []


def test_an_argument_that_may_be_left_out():
    """The value is checked where it is there."""
    expected = [{"tool": "a", "args": {"x": 1, "unit": {"$optional": {"$regex": "c|k"}}}}]
    for unit, passed in (({}, True), ({"unit": "k"}, True), ({"unit": "f"}, False)):
        trace = [{"tool": "a", "args": {"x": 1, **unit}}]
        assert evaluate_trace(written(expected), written(trace)).passed is passed


def written(data: Any) -> io.StringIO:
    """A file with this in it."""
    return io.StringIO(json.dumps(data))


@pytest.mark.parametrize("value", [{"regex": "x"}, {"a$regex": 1}, {"a": {"b$": 1}}])
def test_other_objects_are_what_they_are(value: Any):
    """Only a key that begins with the mark is read."""
    [call] = gold({"tool": "a", "args": {"x": value}})
    assert call.args == {"x": value}


@pytest.mark.parametrize("value", [{"$regex": "a.*"}, {"$set": {"$inc": 1}}, {"$literal": 1}, 5])
def test_a_literal_is_read_no_further(value: Any):
    """For an argument that really is ``{"$regex": ...}``: queries of a database are."""
    [call] = gold({"tool": "find", "args": {"name": {"$literal": value}}})
    assert call.args == {"name": value}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (5, "a list of calls"),
        ({}, "a list of calls"),
        ({"calls": 5}, "a list of calls"),
        ("search", "a list of calls"),
        ([5], r"expected\[0\]"),
        ([{"tool": "a"}, None], r"expected\[1\]"),
        ([{"tool": ""}], r"expected\[0\]"),
        ([{"tool": "a", "args": [1]}], "not a mapping|dict"),
        ([{"tool": "a", "arg": {"x": 1}}], "'arg'"),
        ([{"tool": "a", "args": {"x": {"$regex": "("}}}], r"\$regex .*regular expression"),
        ([{"tool": "a", "args": {"x": {"$regex": 5}}}], r"\$regex"),
        ([{"tool": "a", "args": {"x": {"$regex": "a", "flags": 2}}}], r"\$regex .*flags"),
        ([{"tool": "a", "args": {"x": {"$approx": "3"}}}], r"\$approx .*number"),
        ([{"tool": "a", "args": {"x": {"$approx": 3, "by": 1}}}], r"\$approx"),
        ([{"tool": "a", "args": {"x": {"$one_of": "ab"}}}], r"\$one_of .*list"),
        ([{"tool": "a", "args": {"x": {"$unordered": "ab"}}}], r"\$unordered .*list"),
        ([{"tool": "a", "args": {"x": {"$type": "text"}}}], r"\$type .*str, int"),
        ([{"tool": "a", "args": {"x": {"$set": {"a": 1}}}}], r"\$set.*\$regex.*\$literal"),
        ([{"tool": "a", "args": {"x": [{"b": 1, "$": 1}]}}], r"expected\[0\].*\$literal"),
        ([{"tool": "a", "args": {"x": {"$any": False}}}], r"\$any .*true"),
        ([{"tool": "a", "args": {"x": {"$regex": "a", "flags": "q"}}}], r"\$regex .*aimsux"),
        ([{"tool": "a", "args": {"x": {"$regex": "a", "$any": True}}}], r"\$regex .*\$any"),
        ([{"tool": "a", "args": {"x": {"$any_of": "ab"}}}], r"\$any_of .*list"),
        ([{"tool": "a", "args": {"x": {"$items": [1]}}}], r"\$items"),
        ([{"tool": "a", "args": {"x": {"$bytes": "?"}}}], r"\$bytes"),
        ([{"tool": "a", "args": {"x": {"$type": []}}}], r"\$type"),
        ([{"tool": "a", "args": {"x": {"$all_of": []}}}], r"\$all_of"),
        ([{"tool": "a", "args": {"x": {"$loose_text": 5}}}], r"\$loose_text"),
    ],
)
def test_what_is_no_expectation_is_refused(data: Any, says: str):
    """Nothing is quietly left out: an expectation that is not read is one that always holds."""
    with pytest.raises(ValueError, match=says):
        load_gold_standard(written(data))


def test_arguments_without_end_are_refused():
    """Deeper than any tool's."""
    deep: Any = 1
    for _ in range(500):
        deep = [deep]
    with pytest.raises(ValueError, match="nested deeper"):
        load_gold_standard(written([{"tool": "a", "args": {"x": deep}}]))


def test_two_files_are_evaluated(tmp_path: Path):
    """With the options of ``evaluate``."""
    expected, trace = tmp_path / "gold.json", tmp_path / "trace.json"
    expected.write_text('[{"tool": "weather", "args": {"city": "NYC", "unit": "c"}}]')
    trace.write_text('[{"name": "weather", "args": {"city": "Boston", "unit": "c"}}]')
    assert evaluate_trace(expected, trace).score == 0.75
    assert evaluate_trace(str(expected), str(trace), "langchain").score == 0.75
    assert evaluate_trace(expected, trace, args="ignore").passed
    assert not evaluate_trace(expected, trace, args="ignore", forbidden=["weather"]).passed


def test_a_handoff_counts_where_it_is_expected():
    """As in a captured run: nobody names them who does not care."""
    trace = [
        {"type": "function_call", "call_id": "h", "name": "transfer_to_b", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "h", "output": '{"assistant": "b"}'},
        {"type": "function_call", "call_id": "c", "name": "search", "arguments": "{}"},
    ]
    assert evaluate_trace(written(["search"]), written(trace)).passed
    assert evaluate_trace(written(["transfer_to_b", "search"]), written(trace)).passed
    assert not evaluate_trace(written(["transfer_to_c", "search"]), written(trace)).passed
    assert len(load_trace(written(trace))) == 2
