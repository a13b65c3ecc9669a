"""Short paths for a few plain calls give what the general way gives."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from toolscore import ToolCall, evaluate, metrics

SOME = settings(max_examples=60, deadline=None)

values = st.sampled_from(["a", "b c", 1, 2, None])
arguments = st.dictionaries(st.sampled_from("xyz"), values, max_size=3)
tools = st.sampled_from(["a", "b", "z"])
expectations = st.lists(
    st.fixed_dictionaries({"tool": tools, "args": arguments}), min_size=0, max_size=6
)


@st.composite
def meetings(draw: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """An expectation, and a run that is like it: in order or not, complete or not."""
    gold = draw(expectations)
    made = draw(st.permutations(gold) if draw(st.booleans()) else st.just(gold))
    made = made[draw(st.integers(0, 1)) :]
    return gold, made + draw(st.lists(st.fixed_dictionaries({"tool": tools, "args": arguments}),
                                      max_size=1))  # fmt: skip


def padded(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same calls for lenient equality, with a space that bars every path for plain texts."""
    return [
        {
            "tool": call["tool"],
            "args": {
                name: f" {value}" if isinstance(value, str) else value
                for name, value in call["args"].items()
            },
        }
        for call in calls
    ]


def known(calls: list[dict[str, Any]]) -> list[ToolCall]:
    """The same calls with a status that changes nothing: they are not bare any more."""
    return [
        ToolCall(call["tool"], call["args"], metadata={"status": "unfinished"}) for call in calls
    ]


def figures(gold: Any, made: Any) -> tuple[Any, ...]:
    result = evaluate(gold, made)
    pairs = [(pair.expected, pair.actual, pair.similarity) for pair in result.pairs]
    return result.score, result.passed, pairs, result.metrics


@SOME
@given(meetings())
def test_texts_that_must_be_folded_change_nothing(meeting):
    """Calls with plain texts and the same calls with outer spaces give the same figures."""
    gold, made = meeting
    plain = figures(gold, made)
    assert figures(gold, padded(made)) == plain
    assert figures(padded(gold), padded(made)) == plain


@SOME
@given(meetings())
def test_what_is_known_of_calls_without_an_end_changes_nothing(meeting):
    """Calls of which nothing is known, and calls known to be unfinished, give the same figures."""
    gold, made = meeting
    assert figures(gold, known(made)) == figures(gold, made)


@SOME
@given(meetings())
def test_all_metrics_agree_with_the_functions_for_each(meeting):
    """A result holds what the public function of each metric gives for the same calls."""
    gold, made = meeting
    wanted = [ToolCall(call["tool"], call["args"]) for call in gold]
    called = [ToolCall(call["tool"], call["args"]) for call in made]
    found = evaluate(gold, made).metrics
    trajectory = metrics.calculate_trajectory_accuracy(wanted, called)
    del trajectory["trajectory_details"]
    assert found["invocation_accuracy"] == metrics.calculate_invocation_accuracy(wanted, called)
    assert found["selection_accuracy"] == metrics.calculate_selection_accuracy(wanted, called)
    assert found["argument_metrics"] == metrics.calculate_argument_f1(wanted, called)
    assert found["sequence_metrics"] == metrics.calculate_edit_distance(wanted, called)
    assert found["efficiency_metrics"] == metrics.calculate_redundant_call_rate(wanted, called)
    assert found["tool_correctness_metrics"] == metrics.calculate_tool_correctness(wanted, called)
    assert found["trajectory_metrics"] == trajectory
    assert found["required_call_recall"] == metrics.calculate_required_call_recall(wanted, called)


def levenshtein(left: list[str], right: list[str]) -> int:
    """The definition, prefix by prefix."""
    row = list(range(len(right) + 1))
    for i, name in enumerate(left, start=1):
        before, row = row, [i]
        for j, other in enumerate(right, start=1):
            row.append(min(row[-1] + 1, before[j] + 1, before[j - 1] + (name != other)))
    return row[-1]


names = st.lists(tools, max_size=8)


@SOME
@given(names, names)
def test_edit_distance_is_the_definition(left, right):
    """The distance of two lists of tools is the fewest edits that turn one into the other."""
    found = metrics.calculate_edit_distance(list(map(ToolCall, left)), list(map(ToolCall, right)))
    assert found["edit_distance"] == levenshtein(left, right)
