"""The score, the verdict and the switches, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from toolscore import Regex, Run, ToolCall, Usage, evaluate


def call(tool, args=None, **more):
    return {"tool": tool, "args": args or {}, **more}


A, B = call("a", {"x": 1}), call("b", {"x": 1})
FAILED = {"error": "boom"}
DEFAULTS = ("selection_accuracy", "argument_f1", "sequence_accuracy", "redundant_rate")


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ([A, B], [A], 0.5),
        ([call(f"t{i}") for i in range(10)], [call("t3")], 0.1),
        ([A], [A] * 100, 1 / 50.5),
        ([A, B], [B, A], 0.85),
        ([A], [A | FAILED], 0.5),
        ([A], [A | FAILED, A | {"result": 1}], 1 / 1.1),
        ([A], [A | FAILED] * 3 + [A | {"result": 1}], 1 / 1.3),
        ([call("a", {"x": 1, "y": 2})], [call("a", {"x": 8, "y": 9})], 0.5),
        ([call("a", {"x": 1, "y": 2})], [call("a", {"x": 1, "y": 9})], 0.75),
        ([A], [], 0.0),
        ([A], [B], 0.0),
    ],
)
def test_check_values_hold_exactly(expected, actual, score):
    """The figures that the scoring page promises."""
    assert evaluate(expected, actual).score == score


@pytest.mark.parametrize("status", ["cancelled", "not_executed"])
def test_a_call_that_was_not_completed_counts_half(status):
    """Known not to have been completed is worth half, and fails the verdict."""
    result = evaluate([A], [A | {"status": status}])
    assert (result.score, result.passed) == (0.5, False)


def test_a_call_that_waits_for_a_person_is_no_failure_but_does_not_pass():
    """Interrupted: no factor on the score, no verdict."""
    result = evaluate([A], [A | {"status": "interrupted"}])
    assert (result.score, result.passed) == (1.0, False)


def test_of_two_equal_calls_the_one_that_ended_meets_the_expectation():
    """A call that waits is not taken where the same call has ended."""
    result = evaluate([A], [A | {"status": "interrupted"}, A], extra_calls="allow")
    assert result.passed


def test_a_failure_made_good_in_the_same_step_does_not_count_as_made_good():
    """A success makes good failures of earlier steps only."""
    step = {"metadata": {"step": 0}}
    result = evaluate([A], [A | FAILED | step, A | {"result": 1} | step])
    assert result.score == 1 / 1.5


def test_a_success_that_meets_nothing_exactly_makes_good_one_failure():
    """Two failures and a success with other arguments: 0.1 and 0.5 extra."""
    other = call("a", {"x": 2}, result=1)
    result = evaluate([A], [A | FAILED, A | FAILED, other])
    assert result.metrics["alignment_metrics"]["extra"] == 0.6


@pytest.mark.parametrize("names", [17, 19, 23, 29])
def test_an_order_that_costs_nothing_is_no_finding(names):
    """Straight and crosswise agree in as many arguments: whatever their share, nothing is late."""

    def call(zeros, ones):
        values = [0] * zeros + [1] * ones + [2] * (names - zeros - ones)
        return {"tool": "a", "args": {f"n{place}": value for place, value in enumerate(values)}}

    for zeros in range(7):
        for ones in range(1, 8):
            made = [call(zeros, ones), call(zeros + 1, ones + 1)]
            result = evaluate([call(names, 0), call(0, names)], made)
            assert "out_of_order" not in [finding.kind for finding in result.findings]
            assert result.score == pytest.approx(0.5 + 0.25 * (zeros + 1 + ones) / names)


def test_what_is_made_good_follows_from_the_pairs_that_are_shown():
    """Of two calls that are equally right, the one that keeps the order makes good failures."""
    wanted = {"tool": "a", "args": {"x": 1}}
    failed = {"tool": "a", "args": {"x": 2}, "status": "error", "error": "boom"}
    made = [
        {**call, "metadata": {"step": step}}
        for step, call in [
            *((1, {**wanted, "result": 1}), (1, failed), (1, failed)),
            (2, {**wanted, "result": 1}),
        ]
    ]
    result = evaluate([{"tool": "a", "args": {"x": 9}}, wanted], made)
    assert [(pair.expected, pair.actual) for pair in result.pairs] == [(0, 0), (1, 3)]
    assert [finding.kind for finding in result.findings].count("recovered") == 2
    assert result.score == pytest.approx(1.5 / 2.2)


def test_a_forbidden_call_costs_even_when_extra_calls_are_allowed():
    """0.5 each, whatever the switches; the Regex of a rule is searched."""
    rule = {"tool": "sh", "args": {"cmd": Regex("rm -rf")}, "reason": "destructive"}
    made = [A, call("sh", {"cmd": "sudo rm -rf /", "cwd": "/"})]
    result = evaluate([A], made, forbidden=[rule], extra_calls="allow")
    assert (result.score, result.passed) == (1 / 1.5, False)
    assert [f.actual for f in result.findings if f.kind == "forbidden"] == [(1,)]


def test_a_rule_whose_matcher_raises_forbids():
    """What cannot be checked is not let through."""

    class Broken:
        def __eq__(self, other):
            raise RuntimeError

        __hash__ = None

    assert not evaluate([A], [A], forbidden=[{"tool": "a", "args": {"x": Broken()}}]).passed


@pytest.mark.parametrize(
    ("budget", "passed"),
    [
        ({"calls": 1}, True),
        ({"calls": 0}, False),
        ({"duration": 2.0}, True),
        ({"duration": 1.9}, False),
        ({"tokens": 10}, True),
        ({"tokens": 9}, False),
        ({"cost": 0.1}, False),  # nothing is known of the cost
    ],
)
def test_a_budget_is_exceeded_by_more_than_its_bound(budget, passed):
    """Bounds are inclusive; an unknown quantity is a finding; the score stays."""
    run = Run((ToolCall("a", {"x": 1}),), duration=2.0, usage=Usage(1, 4, 6, 10))
    result = evaluate([A], run, budget=budget)
    assert (result.score, result.passed) == (1.0, passed)
    assert [f.kind for f in result.findings if f.fails] == ([] if passed else ["over_budget"])


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"status": "error", "error": "out of turns"}, "run_failed"),
        ({"complete": False, "warnings": ("two calls were cut",)}, "incomplete_capture"),
    ],
)
def test_a_run_that_ended_badly_or_was_not_seen_whole_does_not_pass(changes, kind):
    """The score is that of the calls; the verdict needs the run."""
    result = evaluate([A], Run((ToolCall("a", {"x": 1}),), **changes))
    assert (result.score, result.passed) == (1.0, False)
    assert [f.kind for f in result.findings] == [kind]


@pytest.mark.parametrize(
    ("mode", "expected", "actual", "likeness"),
    [
        ("exact", {"x": 1}, {"x": 1, "y": 2}, 0.5),
        ("allow_extra", {"x": 1}, {"x": 1, "y": 2}, 1.0),
        ("allow_extra", {"x": 1, "z": 3}, {"x": 1, "y": 2}, 0.5),
        ("allow_missing", {"x": 1, "z": 3}, {"x": 1}, 1.0),
        ("allow_missing", {"x": 1, "z": 3}, {"x": 1, "y": 2}, 0.5),
        ("ignore", {"x": 1}, {"y": 2}, 1.0),
    ],
)
def test_args_decides_which_arguments_count(mode, expected, actual, likeness):
    """Arguments beyond the expected ones, or expected ones left out, leave the union."""
    [pair] = evaluate([call("a", expected)], [call("a", actual)], args=mode).pairs
    assert pair.similarity == likeness


def test_missing_calls_can_be_allowed():
    """N is the number of expected calls that have a partner; nothing made is then 1.0."""
    assert evaluate([A, B], [A], missing_calls="allow").score == 1.0
    assert evaluate([A, B], [], missing_calls="allow").passed
    assert evaluate([A], [B], missing_calls="allow").score == 0.0


def test_weights_make_the_composite_the_score():
    """Merged with the defaults, divided by their sum, and named in the text."""
    result = evaluate([A, B], [A], weights={"required_call_recall": 1.0})
    assert (
        result.score == result.composite == pytest.approx((0.4 + 0.3 * 2 / 3 + 0.1 + 0.1 + 0.5) / 2)
    )
    assert " composite " in str(result)


def test_behaviour_is_scored_without_an_expectation():
    """Two of three settled calls of use: a repeat with an equal result is of none."""
    ok = A | {"result": 1}
    result = evaluate(None, [ok, ok, B | {"result": 2}])
    assert (result.basis, result.score, result.passed) == ("behaviour", 2 / 3, True)


def test_behaviour_counts_a_failure_made_good_half():
    """One failure, one success: (1 + 0.5) / 2."""
    result = evaluate(None, [A | FAILED, A | {"result": 1}])
    assert (result.score, result.passed) == (0.75, True)


@pytest.mark.parametrize("actual", [[A | FAILED], [A, A, A]])
def test_behaviour_fails_on_a_lasting_failure_and_on_a_loop(actual):
    """A failure that nothing made good, or three identical calls in a row."""
    assert not evaluate(None, actual).passed


def test_nothing_settled_is_nothing_wrong():
    """Without settled calls behaviour is 1.0."""
    assert evaluate(None, [A]).score == 1.0


def test_a_run_of_which_nothing_was_seen_is_not_scored():
    """NaN, false, and everything can be read."""
    from toolscore._evaluate import score_run

    result = score_run([ToolCall("a")], Run((), signals={"events": False}), {})
    assert math.isnan(result.score)
    assert (result.basis, bool(result), result.grade) == ("not_scored", False, "-")
    assert str(result).startswith("NOT SCORED")
    assert result.metrics["required_call_recall"] == 0.0
    assert result.diff()
    assert result.to_dict()["score"] is None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"order": "anny"}, "Did you mean 'any'"),
        ({"args": "subset"}, "allow_extra"),
        ({"strict": 1}, "True or False"),
        ({"weights": {"argument_f2": 1}}, "Did you mean 'argument_f1'"),
        ({"weights": {"argument_f1": -1}}, "from 0"),
        ({"weights": {"argument_f1": math.nan}}, "finite"),
        ({"weights": dict.fromkeys(DEFAULTS, 0)}, "zero"),
        ({"forbidden": "drop"}, "list of tool names"),
        ({"forbidden": [{"args": {}}]}, "needs a tool's name"),
        ({"forbidden": [{"tool": "a", "arg": {}}]}, "Did you mean 'args'"),
        ({"budget": {"call": 1}}, "Did you mean 'calls'"),
        ({"budget": {"calls": -1}}, "from 0"),
        ({"include": "nested"}, "list"),
        ({"include": ["nest"]}, "Did you mean 'nested'"),
        ({"tools": ["a"]}, "JSON schema"),
    ],
)  # fmt: skip
def test_a_bad_option_is_refused_with_what_would_be_right(options, says):
    """ValueError, in words that help."""
    with pytest.raises(ValueError, match=says):
        evaluate([A], [A], **options)


@pytest.mark.parametrize(
    ("expected", "says"),
    [
        ("search", r"write expected=\['search'\]"),
        ({"tool": "search"}, "takes a list of calls"),
        (7, "takes a list of calls"),
        ([7], r"expected\[0\] is int"),
        ([{"args": {}}], "no tool's name"),
        (["a", {"tool": "a", "args": [1]}], r"expected\[1\]"),
        ([{"tool": "a", "arg": {"x": 1}}], "which is not read"),
        ([""], r"expected\[0\]"),
    ],
)
def test_a_bad_expectation_is_refused_with_what_to_type(expected, says):
    """ValueError that names the item."""
    with pytest.raises(ValueError, match=says):
        evaluate(expected, [])


@pytest.mark.parametrize("actual", [None, 7, [7], [{"args": {}}]])
def test_calls_that_cannot_be_read_are_refused(actual):
    """ValueError, None with a hint."""
    with pytest.raises(ValueError, match="actual"):
        evaluate([A], actual)


def test_what_the_user_changes_later_changes_nothing():
    """Both lists are copied, at any depth."""
    args = {"x": {"y": [1]}}
    result = evaluate([call("a", args)], [call("a", {"x": {"y": [1]}})])
    args["x"]["y"].append(2)
    assert result.gold_calls[0].args == {"x": {"y": [1]}}
    assert result.passed


@pytest.mark.parametrize("names", ["tool", "name", "function"])
@pytest.mark.parametrize("args", ["args", "arguments", "input"])
def test_an_expected_call_is_a_name_a_mapping_or_a_tool_call(names, args):
    """All spellings mean the same."""
    result = evaluate([{names: "a", args: {"x": 1}}, "b", ToolCall("c", {})], [A, B, call("c")])
    assert result.passed


def test_many_calls_in_one_step_are_ordered_like_their_partners():
    """Beyond eight calls in a step the order is that of the pairing: still free."""
    gold = [call(f"t{i}") for i in range(12)]
    made = [c | {"metadata": {"step": 0}} for c in reversed(gold)]
    assert evaluate(gold, made).passed


def test_several_calls_in_one_step_take_the_best_order_inside_it():
    """The step's calls may meet expected calls in any order, the steps may not."""
    first = [call("b", metadata={"step": 0}), call("a", metadata={"step": 0})]
    assert evaluate(["a", "b", "a"], [*first, call("a", metadata={"step": 1})]).score == 1.0
    late = [call("a", metadata={"step": 1}), *(c | {"metadata": {"step": 2}} for c in first)]
    assert evaluate(["b", "c", "a"], late).score == pytest.approx((2 - 0.3 * 0) / 3.5)
