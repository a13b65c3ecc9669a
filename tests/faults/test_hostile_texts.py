"""Texts that are made to keep a reader busy, and values that compare in a way of their own."""

from __future__ import annotations

import copy
import json
from collections import OrderedDict, deque
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from toolscore import Regex, Run, ToolCall, evaluate
from toolscore.matchers import Unordered
from toolscore.metrics import find_secrets

LONG = 200_000
OPENAI = "sk-proj-" + "aB3" * 14
PIECES = ["-----BEGIN ", "-----END ", "PRIVATE KEY-----", "A ", "A" * 50 + " ", "sk-", "sk-ant-",
          "sk-proj-", "ghp_", "github_pat_", "AKIA", "AIza", "xoxb-", "sk_live_", "aB3-_", "-", " ",
          "\n", OPENAI]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES, ids=range(len(PIECES)))
@pytest.mark.parametrize("head", ["", "-----BEGIN PRIVATE KEY-----", "-----BEGIN "])
def test_looking_for_credentials_takes_no_longer_than_the_text(head: str, piece: str):
    """No repetition makes a pattern go back and forth: a quadratic one would never end here."""
    text = head + piece * (LONG // len(piece))
    result = evaluate(["t"], [{"tool": "t", "args": {"v": text}}])
    assert str(result)
    assert result.diff()
    found = result.metrics["security_metrics"]["secret_count"]
    assert find_secrets([ToolCall("t", {"v": text})])["secret_count"] == found


@given(st.lists(st.sampled_from(PIECES), max_size=12))
@example([OPENAI, "-----BEGIN ", "PRIVATE KEY-----"])  # the end of one is the beginning of the next
@example(["xoxb-", "AKIA", "sk-ant-", OPENAI])
def test_nothing_that_is_found_is_left_in_a_record(pieces: list[str]):
    """However credentials and pieces of them follow each other."""
    text = "".join(pieces)
    made = ToolCall("t", {"v": text})
    record = Run((made,)).to_dict()["calls"][0]["args"]
    assert find_secrets([ToolCall("t", record)])["secret_count"] == 0
    if find_secrets([made])["secret_count"]:
        assert "[redacted]" in record["v"]


class Tint(str, Enum):
    """A text by a name."""

    RED = "red"


@pytest.mark.parametrize(
    ("expected", "actual", "equal"),
    [
        (Decimal("sNaN"), Decimal("sNaN"), True),
        (Decimal("NaN"), Decimal("sNaN"), True),
        (float("nan"), Decimal("NaN"), True),
        (Decimal("sNaN"), Decimal(1), False),
        (1, Decimal("sNaN"), False),
        (Decimal("1.0"), 1, True),
        (np.array([1, 2]), np.array([1, 2]), True),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1, 2]), np.array([1, 3]), False),
        (np.array([1, 1]), np.array([1]), False),
        (np.array([1, 1]), 1, False),
        (np.array([]), np.array([]), True),
        (np.int64(3), 3, True),
        (3, np.int64(3), True),
        ([np.array([1])], [np.array([1])], True),
        (Tint.RED, "red", True),
        ("red", Tint.RED, True),
        ({Tint.RED: 1}, {"red": 1}, True),
        (OrderedDict(a=[1]), {"a": (1,)}, True),
        ({frozenset([1])}, {frozenset([1])}, True),
        ({10**5000: 1}, {10**5000: 1}, True),
        ({10**5000: 1}, {10**5000 + 1: 1}, False),
    ],
)
def test_values_of_other_classes_are_compared_by_what_they_are(
    expected: Any, actual: Any, equal: bool
):
    """Arrays as a whole, enums as their value, NaNs of every kind alike, keys however long."""
    calls = [[{"tool": "t", "args": {"v": value}}] for value in (expected, actual)]
    result = evaluate(*calls)
    assert result.passed is equal
    assert not [finding for finding in result.findings if finding.kind == "matcher_error"]
    json.dumps(result.to_dict(), allow_nan=False)


def test_a_sequence_of_any_class_may_hold_the_calls():
    """On either side."""
    calls = deque([{"tool": "t", "args": {}}])
    assert evaluate(calls, calls).passed
    assert evaluate(tuple(calls), deque(calls)).passed
    for text in ("t", b"t"):
        with pytest.raises(ValueError, match="takes a list of calls"):
            evaluate(["t"], text)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=5,
)
made_calls = st.lists(
    st.fixed_dictionaries(
        {"tool": st.sampled_from("ab"), "args": st.dictionaries(st.text(max_size=2), plain)},
        optional={"result": plain, "error": plain, "metadata": st.dictionaries(
            st.sampled_from(["step", "agent"]), st.integers())},
    ),
    max_size=3,
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(made_calls, made_calls)
def test_what_is_given_stays_as_it_is(gold: list[Any], made: list[Any]):
    """Calls, arguments, rules and schemas; and no reader of the result changes the result."""
    rules = [{"tool": "a", "args": {"x": [1, {"y": Regex("b")}]}}]
    tools = {"a": {"properties": {"x": {"type": ["string", "null"]}}}}
    given_values = gold, made, rules, tools
    before = copy.deepcopy(given_values)
    result = evaluate(gold, made, forbidden=rules, tools=tools, budget={"calls": 1})
    record = result.to_dict()
    str(result), result.diff(), result.findings, result.metrics, result.pairs
    assert result.to_dict() == record
    assert given_values == before


def test_a_matcher_keeps_what_it_was_given():
    """Comparing takes nothing out of it."""
    items = [[1], [2]]
    wanted = [{"tool": "t", "args": {"v": Unordered(items)}}]
    assert evaluate(wanted, [{"tool": "t", "args": {"v": [[2], [1]]}}]).passed
    assert items == [[1], [2]]
