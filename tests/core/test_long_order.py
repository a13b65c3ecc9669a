"""The order of long lists, found in whole numbers of bits, against the plain dynamic program."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolscore import Regex, ToolCall, evaluate
from toolscore._scoring.equality import LENIENT
from toolscore._scoring.sides import Sides
from toolscore._scoring.similarity import Similarity
from toolscore._scoring.subsequence import heaviest_in_order

SOME = settings(max_examples=int(os.environ.get("AXIOM_EXAMPLES", "60")), deadline=None)

values = st.sampled_from([1, 2, "a", "b", None])
nested = st.sampled_from([1, [1, 2], [1, 3], {"p": 1}, {"p": 1, "q": 2}])
endings = st.sampled_from([{}, {}, {"status": "ok"}, {"status": "error"}, {"status": "cancelled"}])
modes = st.sampled_from(["exact", "allow_extra", "allow_missing", "ignore"])


def arguments(of=values, names="wxyz"):
    return st.dictionaries(st.sampled_from(names), of, max_size=4)


def lists(of, most):
    return st.lists(of, min_size=1, max_size=most)


@st.composite
def encounters(draw, most=14, of=values):
    """Expected calls, some with their arguments not checked, and calls made, most of them alike."""
    tools = st.sampled_from("abc")
    gold = draw(lists(st.builds(ToolCall, tools, st.none() | arguments(of)), most))
    made = draw(lists(st.builds(ToolCall, tools, arguments(of)), most))
    alike = draw(st.lists(st.sampled_from(gold), max_size=most))
    made += [ToolCall(call.tool, dict(call.args or {})) for call in alike]
    made = draw(st.permutations(made))
    if draw(st.booleans()):
        for number, call in enumerate(made):
            call.metadata = dict(draw(endings), step=number)
            call.metadata["is_error"] = call.metadata.get("status") == "error"
    return gold, made


def agreement(left, right):
    """Equal values over all of them, as an exact share."""
    if isinstance(left, dict) and isinstance(right, dict):
        both = [agreement(left[name], right[name]) for name in left.keys() & right.keys()]
        union = left.keys() | right.keys()
        return sum(both, Fraction()) / len(union) if union else Fraction(1)
    if isinstance(left, list) and isinstance(right, list):
        longest = max(len(left), len(right))
        return sum(map(agreement, left, right), Fraction()) / longest
    return Fraction(type(left) is type(right) and left == right)


def share(gold, made, mode):
    """``A`` of two calls."""
    if gold.args is None or mode == "ignore":
        return Fraction(1)
    left, right = gold.args, made.args or {}
    if mode == "allow_extra":
        right = {name: value for name, value in right.items() if name in left}
    if mode == "allow_missing":
        left = {name: value for name, value in left.items() if name in right}
    return agreement(left, right)


def weight(gold, made, mode):
    """``s`` of two calls."""
    if gold.tool != made.tool:
        return Fraction(0)
    half = made.metadata.get("status") in ("error", "cancelled")
    return (1 + share(gold, made, mode)) / 2 * (Fraction(1, 2) if half else 1)


def heaviest(gold, made, mode="exact"):
    """The largest sum of ``s`` in order, cell by cell."""
    best = [Fraction(0)] * (len(gold) + 1)
    for call in made:
        row = [Fraction(0)]
        for k, wanted in enumerate(gold):
            row.append(max(row[k], best[k + 1], best[k] + weight(wanted, call, mode)))
        best = row
    return best[-1]


def in_bits(gold, made, mode="exact"):
    sides = Sides(gold, made, Similarity(LENIENT, mode))
    return heaviest_in_order(sides, range(len(gold)), range(len(made)))


@SOME
@given(encounters() | encounters(of=nested), modes)
def test_what_is_found_in_bits_is_as_heavy_as_any(encounter, mode):
    """The pairs keep both orders, meet their tool, and weigh as much as the best of all tables."""
    gold, made = encounter
    found = in_bits(gold, made, mode)
    if found is None:  # weights with no common unit that is large enough
        return
    for before, after in pairwise(found):
        assert before.expected < after.expected
        assert before.actual < after.actual
    worth = sum((weight(gold[i], made[j], mode) for i, j, _ in found), Fraction())
    assert worth == heaviest(gold, made, mode)
    for i, j, similarity in found:
        assert similarity == pytest.approx(float(share(gold[i], made[j], mode)))


@SOME
@given(encounters(most=40), modes)
def test_in_order_is_that_of_the_table_whatever_finds_it(encounter, mode):
    """``in_order`` of runs of any length, failed and stepped ones too, equals the plain program."""
    gold, made = encounter
    found = evaluate(gold, made, args=mode).metrics
    assert found["order_exact"]
    best = float(heaviest(gold, made, mode))
    assert found["alignment_metrics"]["in_order"] == pytest.approx(best, abs=1e-9)


@SOME
@given(encounters(most=40))
def test_a_long_run_passes_when_its_calls_do(encounter):
    """Beyond the expected calls allowed: passed when each has its own in order, that ended well."""
    gold, made = encounter
    result = evaluate(gold, made, extra_calls="allow")
    assert result.passed == (heaviest(gold, made) == len(gold))
    if result.passed:
        assert [pair.similarity for pair in result.pairs] == [1.0] * len(gold)


def test_matchers_and_partial_arguments_are_weighed_in_bits():
    """A matcher counts as the argument that it accepts; half of the arguments right is 0.75."""
    gold = [ToolCall("a", {"q": Regex("x.*"), "n": n % 3}) for n in range(20)]
    made = [ToolCall("a", {"q": "y" if n % 2 else "xy", "n": n % 3}) for n in range(20)]
    found = in_bits(gold, made)
    assert found is not None
    assert sum(0.5 + 0.5 * match.similarity for match in found) == 10 * 1.0 + 10 * 0.75


def test_weights_without_a_common_unit_are_left_to_the_table():
    """Shares of very many different sizes are not found in bits, and are as exact."""
    wide = [ToolCall("a", {f"k{n}": 1 for n in range(size)}) for size in range(1, 25)]
    gold, made = wide, wide[::-1]
    assert in_bits(gold, made) is None
    found = evaluate(gold, made).metrics["alignment_metrics"]
    assert found["in_order"] == pytest.approx(float(heaviest(gold, made)), abs=1e-9)


def test_a_call_that_waits_is_left_to_the_table():
    """Of two calls of the same weight, one of which waits for a person, the other one is met."""
    gold = [ToolCall("a", {"n": n}) for n in range(12)]
    made = [ToolCall("a", {"n": n}, metadata={"status": "ok"}) for n in range(12)]
    waits = ToolCall("a", {"n": 5}, metadata={"status": "interrupted"})
    made.insert(5, waits)
    made.append(ToolCall("b", {}, result=1))
    assert in_bits(gold, made) is None
    assert evaluate(gold, made, extra_calls="allow").passed


def test_of_equal_weights_the_call_that_did_not_fail_is_met():
    """A failure with the right argument weighs as much as a success with a wrong one."""
    gold = [ToolCall("a", {"n": n}) for n in range(12)]
    made = [ToolCall("a", {"n": n}, metadata={"status": "ok"}) for n in range(12)]
    made[5].metadata = {"status": "error", "is_error": True}
    made.insert(6, ToolCall("a", {"n": "other"}, metadata={"status": "ok"}))
    found = in_bits(gold, made)
    assert found is not None
    assert [match.actual for match in found] == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
