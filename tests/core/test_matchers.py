"""Matchers inside expected args, ours and those of others."""

from __future__ import annotations

import copy
import pickle
from unittest.mock import ANY as MOCK_ANY

import dirty_equals
import pytest

from toolscore import ANY, Approx, Contains, IsType, OneOf, Regex, evaluate
from toolscore.matchers import (
    LooseText,
    Matcher,
    OptionalKey,
    Unordered,
    from_possible_answers,
)


def passes(expected, actual, **options) -> bool:
    wanted = [{"tool": "t", "args": {"v": expected}}]
    return evaluate(wanted, [{"tool": "t", "args": {"v": actual}}], **options).passed


@pytest.mark.parametrize(
    ("matcher", "accepted", "refused"),
    [
        (ANY, [None, 1, "x", []], []),
        (Regex(r"\d+"), ["12"], ["12a", 12, None]),
        (Regex("a", 2), ["A"], ["b"]),
        (Approx(100), [100, 100.00001], [100.1, "100", True]),
        (Approx(0, abs=0.1), [0.05, -0.1], [0.2, False]),
        (Approx(1.0), [1], [10**400, float("nan")]),
        (Contains("b"), ["abc", ["a", "b"], {"b": 1}, {"b"}], ["ac", 1, ["abc"]]),
        (Contains(1), [[1.0]], [[True], "1"]),
        (Contains(Regex("b+")), [["a", "bb"]], [["a"], "bb"]),
        (OneOf("a", 1, None), ["a", 1.0, None, " a"], [True, "b"]),
        (OneOf(Regex("a+"), IsType(int)), ["aa", 3], ["b", True]),
        (IsType(int), [1], [True, 1.0]),
        (IsType(str, bool), ["a", True], [1]),
        (Unordered([1, "a"]), [["a", 1], ("a", 1.0)], [["a"], ["a", True], ["a", "a"], "a1"]),
        (Unordered([ANY, 1]), [[1, 2], [2, 1]], [[2, 3]]),
        (LooseText("New York, NY"), ["new-york ny", "NEW_YORK/NY"], ["york", 1]),
        (LooseText("it's"), ['it"s'], ["its"]),
        (Regex("a+") | Regex("b+"), ["aa", "b"], ["ab"]),
        (Regex("a+") | "b", ["b"], ["bb"]),
        (1 | IsType(str), [1, "x"], [2]),
        (IsType(str) & ~Regex("x.*"), ["y"], ["xy", 1]),
        (~OneOf(1, 2), [3, True], [1, 2.0]),
        ({"deep": [Regex("a")]}, [{"deep": ["a"]}], [{"deep": ["b"]}, {"deep": []}]),
    ],
)
def test_a_matcher_accepts_what_it_says(matcher, accepted, refused):
    """Through ``evaluate``, and unchanged by copying and pickling."""
    for value in accepted:
        assert passes(matcher, value)
        assert passes(pickle.loads(pickle.dumps(matcher)), value)
        assert passes(copy.deepcopy(matcher), value)
    for value in refused:
        assert not passes(matcher, value)


def test_strict_goes_into_matchers():
    """The values that a matcher holds are compared as strictly as all others."""
    assert passes(OneOf(1), 1.0)
    assert not passes(OneOf(1), 1.0, strict=True)
    assert not passes(Unordered([" a"]), ["a"], strict=True)


@pytest.mark.parametrize(
    ("matcher", "accepted", "refused"),
    [
        (MOCK_ANY, 1, None),
        (pytest.approx(1.0), 1.0 + 1e-9, 1.1),
        (dirty_equals.IsPositiveInt, 3, -3),
        (dirty_equals.IsStr(regex="a+"), "aa", "b"),
    ],
)
def test_a_foreign_object_decides_by_its_own_equality(matcher, accepted, refused):
    """dirty-equals, pytest.approx and mock.ANY work as they are."""
    assert passes(matcher, accepted)
    assert passes({"deep": [matcher]}, {"deep": [accepted]})
    if refused is not None:
        assert not passes(matcher, refused)


def test_a_key_may_be_absent():
    """An absent optional key leaves the union, at any depth; a wrong value counts."""
    wanted = [{"tool": "t", "args": {"q": 1, "n": OptionalKey(10), "f": {"g": OptionalKey()}}}]
    assert evaluate(wanted, [{"tool": "t", "args": {"q": 1, "f": {}}}]).score == 1.0
    assert evaluate(wanted, [{"tool": "t", "args": {"q": 1, "n": 10, "f": {"g": 5}}}]).passed
    wrong = evaluate(wanted, [{"tool": "t", "args": {"q": 1, "n": 9, "f": {}}}])
    assert wrong.pairs[0].similarity == 2 / 3
    assert [d.path for d in wrong.pairs[0].differences] == ["n"]
    assert evaluate(wanted, [{"tool": "t", "args": {"q": 1, "f": {}}}]).argument_f1 == 1.0


def test_a_matcher_that_raises_is_a_finding():
    """Never an exception out of evaluate; the finding names the argument and the error."""

    class Broken(Matcher):
        def matches(self, value):
            raise RuntimeError("no such luck")

        def __repr__(self):
            return "Broken()"

    result = evaluate(
        [{"tool": "t", "args": {"v": [Broken()]}}], [{"tool": "t", "args": {"v": [1]}}]
    )
    [finding] = [f for f in result.findings if f.kind == "matcher_error"]
    assert (finding.path, finding.expected, finding.fails) == ("v[0]", (0,), True)
    assert "RuntimeError: no such luck" in finding.message
    assert result.score == 0.5


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Regex("("), "regular expression"),
        (lambda: Regex(1), "regular expression"),
        (lambda: IsType(), "IsType"),
        (lambda: IsType("int"), "IsType"),
        (lambda: Unordered("ab"), "not a text"),
        (lambda: LooseText(1), "needs a text"),
        (lambda: from_possible_answers([{"t": 1}]), "Entry 0"),
    ],
)
def test_a_bad_matcher_is_refused(make, says):
    """ValueError where it is made."""
    with pytest.raises(ValueError, match=says):
        make()


def test_possible_answers_become_an_expectation():
    """Alternatives, optional arguments, loose texts, nested mappings."""
    answers = [
        {"weather": {"city": ["New York", "NYC"], "days": [3], "unit": ["c", ""]}},
        {"book": {"who": [{"name": ["Ann"], "age": [30, ""]}]}},
    ]
    made = [
        {"tool": "book", "args": {"who": {"name": "ann"}}},
        {"tool": "weather", "args": {"city": "nyc", "days": 3}},
    ]
    assert evaluate(from_possible_answers(answers), made, order="any").passed
    made[1]["args"]["days"] = 4
    assert not evaluate(from_possible_answers(answers), made, order="any").passed


def test_a_matcher_pairs_with_the_call_that_leaves_the_others_theirs():
    """The pairing is optimal with matchers too: no greedy choice takes away the only exact call."""
    wanted = [{"tool": "t", "args": {"v": ANY}}, {"tool": "t", "args": {"v": 1}}]
    made = [{"tool": "t", "args": {"v": 1}}, {"tool": "t", "args": {"v": 2}}]
    assert evaluate(wanted, made, order="any").passed
