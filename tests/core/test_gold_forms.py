"""Matchers as JSON: what is written is read back, in gold files, forbidden rules and records."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolscore import (
    ANY,
    Approx,
    Contains,
    IsType,
    OneOf,
    Regex,
    ToolCall,
    evaluate,
    load_gold_standard,
)
from toolscore.matchers import LooseText, Matcher, OptionalKey, Unordered, to_json

FEW = settings(max_examples=60, deadline=None)


def through_a_file(expected: Any) -> list[ToolCall]:
    """The expectation, once written as strict JSON and read back."""
    text = json.dumps(to_json(expected), allow_nan=False)
    return load_gold_standard(io.StringIO(text))


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["$regex", b"\x00\xff"])
)
KEYS = st.text(max_size=3) | st.sampled_from(["$regex", "$literal", "$items", "$", "args"])
PLAIN = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.integers(0, 3), inner, max_size=3)
    ),
    max_leaves=5,
)
TYPES = st.sampled_from([str, int, float, bool, list, dict, type(None)])


def matchers_of(inner: Any) -> Any:
    """Every matcher, and their combinations, of these values."""
    some = st.lists(inner, max_size=3)
    alone: Any = (
        st.just(ANY)
        | st.builds(
            Regex,
            st.sampled_from(["a+", "", r"\d"]),
            st.sampled_from([0, 2, re.DOTALL | re.VERBOSE]),
        )
        | st.builds(Regex, st.just(re.compile("a", re.IGNORECASE)))
        | st.builds(Approx, st.floats() | st.integers(), st.floats(0, 1), st.floats(0, 1))
        | st.builds(Contains, inner)
        | st.builds(lambda values: OneOf(*values), some)
        | st.builds(lambda kinds: IsType(*kinds), st.lists(TYPES, min_size=1, max_size=3))
        | st.builds(OptionalKey, inner)
        | st.builds(OptionalKey)
        | st.builds(Unordered, some)
        | st.builds(LooseText, st.text(max_size=3))
    )
    return (
        alone
        | st.builds(lambda a, b: a | b, alone, inner)
        | st.builds(lambda a, b: a & b, alone, inner)
        | st.builds(lambda a: ~a, alone)
    )


VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        matchers_of(inner) | st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2)
    ),
    max_leaves=6,
)
CALLS = st.builds(ToolCall, st.sampled_from("ab"), st.none() | st.dictionaries(KEYS, VALUES))


def shape(value: Any) -> Any:
    """A value by what it is made of, types included; a matcher by how it shows itself."""
    if isinstance(value, Regex):
        return Regex, value.compiled.pattern, int(value.compiled.flags)
    if isinstance(value, Matcher):
        return type(value), {name: shape(item) for name, item in vars(value).items()}
    if isinstance(value, dict):
        return {(type(key), key): shape(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shape(item) for item in value]
    return type(value), repr(value)


@FEW
@given(st.lists(CALLS, max_size=3))
def test_what_is_written_is_read_back(expected: list[ToolCall]):
    """Every matcher, combined and nested anyhow, beside every value that JSON lacks."""
    read = through_a_file(expected)
    assert [(call.tool, shape(call.args)) for call in read] == [
        (call.tool, shape(call.args)) for call in expected
    ]


@FEW
@given(st.lists(CALLS, max_size=2))
def test_the_record_of_a_result_holds_the_expectation(expected: list[ToolCall]):
    """The expected calls of ``to_dict`` are a gold file."""
    record = evaluate(expected, []).to_dict()["calls"]["expected"]
    text = json.dumps([{"tool": call["tool"], "args": call["args"]} for call in record])
    read = load_gold_standard(io.StringIO(text))
    assert [shape(call.args) for call in read] == [shape(call.args) for call in expected]


@FEW
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=3))
def test_a_forbidden_rule_is_read_from_json(args: dict[str, Any]):
    """As the gold file is, and once only, however often the options are checked."""
    rule = json.loads(json.dumps(to_json({"tool": "a", "args": args})))
    result = evaluate([], [], forbidden=[rule])
    written = result.to_dict()["options"]["forbidden"]
    again = evaluate([], [], forbidden=written)
    assert again.to_dict()["options"]["forbidden"] == written


def test_a_rule_in_json_forbids_what_the_rule_in_python_does():
    """A pattern is searched; a literal is taken as it is."""
    bad, fine = {"command": "sudo rm -rf /"}, {"command": "ls"}
    rules = [{"tool": "run", "args": {"command": {"$regex": "rm .*"}}}]
    assert evaluate(None, [ToolCall("run", bad)], forbidden=rules).passed is False
    assert evaluate(None, [ToolCall("run", fine)], forbidden=rules).passed is True

    query = {"filter": {"$where": "1"}}
    rules = [{"tool": "find", "args": {"filter": {"$literal": {"$where": "1"}}}}]
    assert evaluate(None, [ToolCall("find", query)], forbidden=rules).passed is False
    with pytest.raises(ValueError, match=r"Forbidden rule 0: .*\$where.*\$literal"):
        evaluate(None, [], forbidden=[{"tool": "find", "args": query}])


def test_names_and_mappings_are_written_as_they_are():
    """An expectation is written whole; remarks of a gold file stay."""
    expected = ["search", {"tool": "book", "args": {"who": ANY}}, ToolCall("pay")]
    written = to_json(expected)
    assert written == ["search", {"tool": "book", "args": {"who": {"$any": True}}}, {"tool": "pay"}]
    [call] = through_a_file([{"tool": "a", "description": "first"}])
    assert to_json(call) == {"tool": "a", "description": "first"}


@pytest.mark.parametrize(
    ("matcher", "written"),
    [
        (Regex("a") | "b" | 3, {"$any_of": [{"$regex": "a"}, "b", 3]}),
        (IsType(int) & ~OneOf(0), {"$all_of": [{"$type": "int"}, {"$not": {"$one_of": [0]}}]}),
        (Approx(3, abs=0.5), {"$approx": 3, "abs": 0.5}),
        (OptionalKey(), {"$optional": {"$any": True}}),
        (IsType(str, type(None)), {"$type": ["str", "null"]}),
        ({"$set": {"a": 1}}, {"$literal": {"$set": {"a": 1}}}),
        ((1, "a"), [1, "a"]),
        (1 << 20_000, {"$int": hex(1 << 20_000)}),
    ],
    ids=range(8),
)
def test_each_has_the_form_that_the_docs_show(matcher: Any, written: Any):
    """The short one."""
    assert to_json(matcher) == written


class Even(Matcher):
    """A matcher of the user's own."""

    def matches(self, value: Any, /) -> bool:
        return value % 2 == 0


class Narrow(Regex):
    """A matcher of ours, made another by a subclass."""


@pytest.mark.parametrize(
    "value",
    [Even(), Narrow("a"), object(), {1, 2}, IsType(tuple), Regex("a", 128),
     Regex(re.compile(b"a")), {"deep": [Even()]}, OneOf(Even())],
    ids=repr,
)  # fmt: skip
def test_what_has_no_form_is_refused(value: Any, capsys: pytest.CaptureFixture[str]):
    """Rather than written as something else; the record of a result shows it instead."""
    with pytest.raises(ValueError, match="no JSON form"):
        to_json(value)
    record = evaluate([ToolCall("a", {"x": value})], []).to_dict()
    text = json.dumps(record["calls"]["expected"][0]["args"])
    assert "$matcher" in text or "$repr" in text


def test_values_inside_themselves_are_refused():
    """As everything nested too deep is."""
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested deeper"):
        to_json(endless)
