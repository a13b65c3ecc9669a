"""When two arguments are equal."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolscore import evaluate
from toolscore._scoring.canonical import canonical
from toolscore._scoring.equality import LENIENT, STRICT, same

NAN = float("nan")


@pytest.mark.parametrize(
    ("expected", "actual", "lenient", "strict"),
    [
        (1, 1.0, True, False),
        (2**53 + 1, 2.0**53, False, False),
        (True, 1, False, False),
        (0, False, False, False),
        (1, "1", False, False),
        (None, "None", False, False),
        (" a", "a", True, False),
        ({"k": [" a"]}, {"k": ["a"]}, True, False),
        ("caf\u00e9", "cafe\u0301", True, False),
        (NAN, NAN, True, True),
        (NAN, -NAN, True, True),
        ([1, 2], (1, 2), True, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, True),
        ([1, 2], [2, 1], False, False),
        ([1], [True], False, False),
        ({1, 2}, {2, 1}, True, True),
        (10**400, 10**400, True, True),
        (10**400, math.inf, False, False),
        (b"a", "a", False, False),
        ([], {}, False, False),
        ("", None, False, False),
    ],
)
def test_equality_is_as_in_the_table(expected, actual, lenient, strict):
    """Type-honest, exact; the same through ``same``, ``canonical`` and ``evaluate``."""
    assert same(expected, actual) is lenient
    assert same(expected, actual, STRICT) is strict
    assert (canonical(expected) == canonical(actual)) is lenient
    assert (canonical(expected, strict=True) == canonical(actual, strict=True)) is strict
    for switch, equal in ((False, lenient), (True, strict)):
        calls = [[{"tool": "t", "args": {"v": value}}] for value in (expected, actual)]
        assert evaluate(*calls, strict=switch).passed is equal


leaves = st.sampled_from(
    [None, True, False, 0, 1, 1.0, 0.0, NAN, "", "a", " a", "1", "None", "caf\u00e9", "cafe\u0301",
     2**53 + 1, 2.0**53, b"a"]
)  # fmt: skip
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.lists(inner, max_size=2).map(tuple)
        | st.dictionaries(st.sampled_from("kl"), inner, max_size=2)
    ),
    max_leaves=4,
)


def alike(expected, actual, strict):
    """The table, written down once more."""
    if strict and type(expected) is not type(actual):
        return False
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(
            alike(value, actual[key], strict) for key, value in expected.items()
        )
    if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        return len(expected) == len(actual) and all(
            alike(e, a, strict) for e, a in zip(expected, actual, strict=True)
        )
    if isinstance(expected, str) and isinstance(actual, str):
        if strict:
            return expected == actual
        return normalize("NFC", expected.strip()) == normalize("NFC", actual.strip())
    if isinstance(expected, bool) or isinstance(actual, bool):
        return type(expected) is type(actual) and expected == actual
    return expected == actual or (expected != expected and actual != actual)


@settings(max_examples=400, deadline=None)
@given(anything, anything | st.none(), st.booleans())
@example((True, 1.0), [True, 1], False)
@example({"k": 1, "l": " a"}, {"l": "a", "k": 1.0}, False)
def test_equality_holds_inside_everything(expected, actual, strict):
    """Axiom 15: at any depth, in ``same``, in ``canonical`` and in the verdict alike; reflexive."""
    right = alike(expected, actual, strict)
    how = STRICT if strict else LENIENT
    assert same(expected, actual, how) is right
    assert same(expected, copy.deepcopy(expected), how)
    assert (canonical(expected, strict) == canonical(actual, strict)) is right
    calls = [[{"tool": "t", "args": {"v": value}}] for value in (expected, actual)]
    assert evaluate(*calls, strict=strict).passed is right


@pytest.mark.parametrize("other", [frozenset, list, tuple, dict.fromkeys])
@pytest.mark.parametrize("strict", [False, True])
def test_kinds_of_containers_are_told_apart_in_any_company(other, strict):
    """A value of another kind of container is as right, or as wrong, moved as it is alone."""
    gold = [
        {"tool": "a", "args": {"x": kind([number])}} for kind in (set, tuple) for number in "ab"
    ]
    made = [{"tool": "a", "args": {"x": other([number])}} for _ in "12" for number in "ab"]
    alone = [[evaluate([g], [m], strict=strict).pairs[0].similarity for m in made] for g in gold]
    for pair in evaluate(gold, made[::-1], strict=strict, order="any").pairs:
        assert pair.similarity == alone[pair.expected][3 - pair.actual]


def deep(levels, leaf):
    value = leaf
    for number in range(levels):
        value = [value] if number % 2 else {"k": value}
    return {"v": value}


def test_depth_is_no_danger():
    """20,000 levels compare without a RecursionError, and a difference at the bottom is found."""
    gold = [{"tool": "t", "args": deep(20_000, 1)}]
    assert evaluate(gold, [{"tool": "t", "args": deep(20_000, 1)}]).score == 1.0
    result = evaluate(gold, [{"tool": "t", "args": deep(20_000, 2)}])
    assert result.score == 0.5
    assert result.to_dict()
    assert str(result)


def test_cycles_are_no_danger():
    """A value inside itself equals one of the same shape."""
    one, two = {"x": 1}, {"x": 1}
    one["me"], two["me"] = one, two
    result = evaluate([{"tool": "t", "args": one}], [{"tool": "t", "args": two}])
    assert result.passed
    assert result.to_dict()
    three = {"x": 2}
    three["me"] = three
    other = evaluate([{"tool": "t", "args": one}], [{"tool": "t", "args": three}])
    assert not other.passed
    assert str(other)


def test_a_result_can_be_pickled():
    """With everything that is worked out when it is read."""
    result = evaluate([{"tool": "t", "args": {"v": [1, {"a": 2}]}}], [{"tool": "t", "args": {}}])
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict()
    assert str(again) == str(result)


@pytest.mark.parametrize("nested", [dict, list])
@pytest.mark.parametrize("others", [1, 2, 9])
@pytest.mark.parametrize("levels", [3, 17, 53, 58, 61, 100])
def test_a_difference_is_never_too_deep_to_matter(nested, others, levels):
    """A run with one wrong value does not pass, nor score 1, however little the value weighs."""

    def around(value):
        for _ in range(levels):
            items = [*[0] * others, value]
            value = dict(enumerate(items)) if nested is dict else items
        return [{"tool": "a", "args": {"x": value}}]

    for times in (1, 3):
        result = evaluate(around(1) * times, around(2) * times)
        assert result.score < 1.0
        assert not result.passed
        assert [finding.kind for finding in result.findings if finding.fails]
    assert evaluate(around(1), around(1)).score == 1.0


class Amount:
    """A number that a program made a class of."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other

    __hash__ = None


@pytest.mark.parametrize("number", [np.int64, np.float32, Decimal, Fraction, Amount])
def test_objects_with_their_own_equality_are_compared_alike_in_any_company(number):
    """A number of another library in a call that was made equals the plain one, moved or not."""
    gold = [{"tool": "a", "args": {"x": x, "y": 10 + x}} for x in range(6)]
    made = [
        {"tool": "a", "args": {name: number(value) for name, value in call["args"].items()}}
        for call in gold
    ]
    assert evaluate(gold[:1], made[:1]).score == 1.0
    assert evaluate(gold, made).passed
    for turn in range(1, 6):
        moved = evaluate(gold, made[turn:] + made[:turn], order="any")
        assert moved.passed
        assert moved.score == moved.metrics["argument_metrics"]["f1"] == 1.0
