"""The classic metrics, against figures worked out by hand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from toolscore import ToolCall, evaluate, metrics
from toolscore._scoring.all_metrics import _compared
from toolscore._scoring.equality import LENIENT
from toolscore._scoring.headline import headline
from toolscore._scoring.sides import Sides
from toolscore._scoring.similarity import Similarity


def calls(*names):
    return [ToolCall(name, {}) for name in names]


def test_invocation_counts_wrong_and_missed_names_half():
    """One right, two wrong, one missed of two: (1 - 1.5) / 2, not below 0."""
    assert metrics.calculate_invocation_accuracy(calls("a", "b"), calls("a", "y", "z")) == 0.0
    assert metrics.calculate_invocation_accuracy(calls("a", "b"), calls("a", "b", "y")) == 0.75
    assert metrics.calculate_invocation_accuracy([], calls("a")) == 0.0


def test_partial_trajectory_counts_each_call_once():
    """Two expected, one made: a half; case and marks only where that is asked for."""
    gold, made = calls("get_x", "get_x"), calls("getX")
    share = metrics.calculate_partial_trajectory_accuracy
    assert share(gold, made) == {"partial_trajectory_accuracy": 0.0}
    assert share(gold, made, True) == {"partial_trajectory_accuracy": 0.5}
    assert share([], []) == {"partial_trajectory_accuracy": 1.0}


def test_argument_f1_of_nothing_to_compare():
    """None is skipped; both empty and nothing to compare are 1.0, one list empty is 0.0."""
    f1 = metrics.calculate_argument_f1
    assert f1([], [])["f1"] == 1.0
    assert f1([ToolCall("a")], [ToolCall("a", {})])["f1"] == 1.0
    assert f1([ToolCall("a")], [])["f1"] == 0.0
    assert f1([], calls("a"))["f1"] == 0.0


def test_strict_order_compares_positions():
    """Two of three positions."""
    found = metrics.calculate_tool_correctness(calls("a", "b", "c"), calls("a", "c", "c"), True)
    assert (found["tool_correctness"], found["correct_count"]) == (2 / 3, 2)


def test_tools_with_arguments_need_equal_arguments():
    """True is not 1; what did not match is listed."""
    gold, made = [ToolCall("a", {"x": 1})], [ToolCall("a", {"x": True})]
    found = metrics.calculate_tool_correctness_with_args(gold, made)
    assert (found["match_count"], found["mismatches"]) == (0, [*gold, *made])


def test_trajectory_compares_positions_and_length():
    """Further arguments do not matter; a longer run is less efficient."""
    gold = [ToolCall("a", {"x": 1}), ToolCall("b")]
    made = [ToolCall("a", {"x": 1, "y": 2}), ToolCall("c", {}), ToolCall("b", {})]
    found = metrics.calculate_trajectory_accuracy(gold, made)
    assert found["step_match_rate"] == 0.5
    assert found["trajectory_accuracy"] == 0.5 * 2 / 3
    assert [step["matches"] for step in found["trajectory_details"]] == [True, False, False]


def test_costs_and_durations_are_summed_where_known():
    """Unknown ones are left out."""
    made = [
        ToolCall("a", duration=1.0, cost=0.5),
        ToolCall("b", duration=3.0),
        ToolCall("a", cost=1),
    ]
    assert metrics.calculate_latency(made) == {
        "total_duration": 4.0, "average_duration": 2.0, "max_duration": 3.0, "min_duration": 1.0,
    }  # fmt: skip
    cost = metrics.calculate_cost_attribution(made)
    assert (cost["total_cost"], cost["cost_by_tool"]) == (1.5, {"a": 1.5})


def test_secrets_are_found_at_any_depth_and_previewed():
    """With path, kind and a preview that does not reveal it."""
    key = "ghp_" + "a1B2" * 9
    pem = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----"
    slug = "sk-some-very-long-kebab-case-identifier-name-that-is-no-key"
    made = [ToolCall("a", {"files": [{"content": f"x {key}"}], "slug": slug, "pem": pem})]
    found = metrics.find_secrets(made)
    assert [(s["path"], s["kind"]) for s in found["secrets"]] == [
        ("files[0].content", "github_token"),
        ("pem", "private_key"),
    ]
    assert key not in str(found)


def test_redundancy_tells_repeats_from_retries():
    """Key order is ignored, 1 equals 1.0, True does not."""
    failed = {"is_error": True}
    made = [
        ToolCall("a", {"x": 1, "y": 2}, metadata=failed),
        ToolCall("a", {"y": 2, "x": 1.0}),
        ToolCall("a", {"x": True, "y": 2}),
    ]
    found = metrics.calculate_redundant_call_rate(calls("a"), made)
    assert (found["redundant_count"], found["identical_count"]) == (2, 1)
    assert (found["error_count"], found["retry_after_error_count"]) == (1, 1)


arguments = st.none() | st.dictionaries(
    st.sampled_from("xyz"), st.sampled_from([1, 1.0, " a", None])
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.builds(ToolCall, st.sampled_from("abz"), arguments), max_size=4))
def test_the_short_way_for_flawless_runs_gives_the_same_metrics(gold):
    """All metrics of a flawless run equal those worked out by comparing."""
    made = [ToolCall(call.tool, call.args or {}) for call in gold]
    result = evaluate(gold, made)
    sides = Sides(gold, made, Similarity(LENIENT, "exact"))
    compared = _compared(sides, headline(sides, {}, None))
    assert compared == {name: result.metrics[name] for name in compared}


def test_repeated_calls_of_a_flawless_run_are_counted_whatever_the_order_of_their_names():
    """The same arguments in another order are the same call; other arguments are not."""
    calls = [
        {"tool": "a", "args": {"x": 1, "y": 2}},
        {"tool": "a", "args": {"y": 2, "x": 1}},
        {"tool": "a", "args": {"x": 2, "y": 1}},
        {"tool": "a", "args": {}},
        {"tool": "b", "args": {"x": 1, "y": 2}},
    ]
    assert evaluate(calls, calls).metrics["efficiency_metrics"]["identical_count"] == 1


def test_argument_names_need_not_be_texts():
    """Metrics are worked out for whatever a mapping has as keys."""
    calls = [{"tool": "a", "args": {1: "x", None: 2}}]
    assert evaluate(calls, calls).metrics["security_metrics"]["secret_count"] == 0
