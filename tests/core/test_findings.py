"""What is wrong, said in sentences that hold their figures."""

from __future__ import annotations

import pytest

from toolscore import Run, ToolCall, evaluate


def call(tool, args=None, **more):
    return {"tool": tool, "args": args or {}, **more}


def kinds(result):
    return [finding.kind for finding in result.findings]


def test_the_text_begins_with_verdict_number_and_worst_finding():
    """The first line is what a reader of a log needs, and the last one adds up to the score."""
    expected = [call("weather", {"city": "NYC", "unit": "c"})]
    result = evaluate(expected, [call("weather", {"city": "Boston", "unit": "c"})])
    first, last = str(result).splitlines()
    assert first.startswith("FAILED 0.75  weather: city is 'Boston', expected 'NYC'")
    assert "1 of 2 arguments right: 0.5 + 0.5 * 1/2 = 0.75" in first
    assert last.strip() == "(0.75 - 0.3 * (0.75 - 0.75)) / (1 + 0) = 0.75"


@pytest.mark.parametrize(
    ("expected", "actual", "kind", "says"),
    [
        (["a", "b"], [call("a")], "missing", "b was not called (expected call 2 of 2"),
        (["a"], [call("a"), call("z")], "extra", "z was called beyond what is expected (adds 0.5"),
        (["a"], [call("a"), call("a")], "extra", "called again beyond"),
        ([call("a", {"x": 1})], [call("a", {"x": 2})], "wrong_argument", "x is 2, expected 1"),
        ([call("a", {"x": 1})], [call("a")], "wrong_argument", "x is missing, expected 1"),
        ([call("a")], [call("a", {"x": 1})], "unknown_argument", "x is 1, not expected"),
        ([call("a", {"x": 1})], [call("a", {"x": "1"})], "wrong_type", "(text instead of number)"),
        (["a", "b"], [call("b"), call("a")], "out_of_order", "-0.3 * 1 = -0.3"),
        (["a"], [call("a", error="boom")], "failed", "a failed: boom (1 * 0.5 = 0.5)"),
        (["a"], [call("a", status="cancelled")], "failed", "was not completed (cancelled)"),
        (["a"], [call("a", status="interrupted")], "unresolved", "waits for a person"),
    ],
)
def test_each_kind_is_found_and_says_why(expected, actual, kind, says):
    """The worst finding is of this kind, fails the verdict, and holds its figures."""
    worst = evaluate(expected, actual).findings[0]
    assert (worst.kind, worst.fails) == (kind, True)
    assert says in worst.message


def test_findings_that_do_not_fail_the_verdict_come_last():
    """A failure made good and a blind retry are worth knowing in a run that passed."""
    failed = call("a", error="boom")
    result = evaluate(["a"], [failed, call("a", result=1)])
    assert result.passed
    assert kinds(result) == ["blind_retry", "recovered"]
    assert str(result).startswith("PASSED 0.91")


def test_a_loop_is_found():
    """Three identical calls in a row; without an expectation it fails the verdict."""
    made = [call("a", {"x": 1})] * 3
    assert "loop" in kinds(evaluate(["a"], made))
    assert [f.kind for f in evaluate(None, made).findings if f.fails] == ["loop"]


def test_a_schema_shows_unknown_and_mistyped_arguments():
    """Schemas come from ``tools=`` or from the run; alone they do not fail the verdict."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": ["string"]}}}
    made = ToolCall("a", {"n": "1", "m": "x", "o": 1})
    for result in (
        evaluate(["a"], [made], tools={"a": schema}),
        evaluate(["a"], Run((made,), tools={"a": schema})),
    ):
        assert result.passed
        assert [(f.kind, f.path) for f in result.findings] == [
            ("wrong_type", "n"),
            ("unknown_argument", "o"),
        ]


def test_a_call_that_started_and_never_ended_is_unresolved():
    """Unknown is neither success nor failure: a finding that fails nothing."""
    result = evaluate(["a"], [call("a", status="unfinished")])
    assert (result.passed, kinds(result)) == (True, ["unresolved"])


def test_differences_name_the_place():
    """Nested names and positions."""
    gold, made = {"f": {"city": "A", "days": [1, 2]}}, {"f": {"city": "B", "days": [1, 3]}}
    result = evaluate([call("a", gold)], [call("a", made)])
    assert [f.path for f in result.findings] == ["f.city", "f.days[1]"]


KEY = "sk-proj-" + "aB3" * 14


def test_a_secret_is_found_and_redacted_everywhere():
    """Text, findings, diff and record hide it; the calls keep it."""
    made = [call("a", {"h": {"Authorization": f"Bearer {KEY}"}}, error=f"refused {KEY}")]
    result = evaluate([call("a", {"h": {"Authorization": "x"}})], made)
    [secret] = [f for f in result.findings if f.kind == "secret"]
    assert secret.path == "h.Authorization"
    for text in (str(result), result.diff(), str(result.to_dict()), result._repr_html_()):
        assert KEY not in text
        assert "[redacted]" in text
    assert KEY in result.trace_calls[0].args["h"]["Authorization"]


def test_redacted_names_are_hidden_at_any_depth():
    """``redact=`` hides the values of arguments by name, in errors too."""
    from toolscore._evaluate import score_run

    made = ToolCall("a", {"login": {"pin": "4711-0815"}}, metadata={"error": "bad pin 4711-0815"})
    gold = [ToolCall("a", {"login": {"pin": "1234-5678"}})]
    result = score_run(gold, Run((made,)), {}, redact=["pin"])
    for text in (str(result), result.diff(), str(result.to_dict())):
        assert "4711" not in text
        assert "1234" not in text
        assert "[redacted]" in text


def test_the_diff_shows_both_sides():
    """Met, met in part, missing and extra calls each have their mark."""
    result = evaluate(
        [call("a"), call("b", {"x": 1}), call("c")], [call("z"), call("a"), call("b", {"x": 2})]
    )
    assert [line[0] for line in result.diff().splitlines()[1:]] == ["+", "=", "~", "-"]
    assert "\x1b[31m" in result.diff(color=True)


def test_the_notebook_form_escapes_what_came_from_an_agent():
    """No markup of the agent's reaches the page."""
    assert "<b>" not in evaluate([], [call("a", {"x": "<b>"})])._repr_html_()


def test_equal_sentences_are_printed_once_with_their_count():
    """``findings`` holds each of them, the text says how often; the sum comes last all the same."""
    result = evaluate(["a"], [call("a"), *[call("z", {"n": n}) for n in range(30)]])
    assert kinds(result) == ["extra"] * 30
    assert str(result).splitlines() == [
        "FAILED 0.06  z was called beyond what is expected (adds 0.5 to the divisor) (30 times)",
        "  (1 - 0.3 * (1 - 1)) / (1 + 15) = 0.0625",
    ]


@pytest.mark.parametrize(
    ("expected", "made", "meant"),
    [
        (["search"], "serach", "; was 'search' meant?"),
        (["search", "serach"], "serach", ""),  # expected as well
        (["search"], "book", ""),
        (["search"] + [f"tool_{n}" for n in range(500)], "x" * 10_000, ""),
    ],
)
def test_a_name_that_is_nearly_that_of_a_missing_tool_is_asked_about(expected, made, meant):
    """Only where the tool that was probably meant was not called."""
    found = [f.message for f in evaluate(expected, [call(made)]).findings if f.kind == "extra"]
    assert [text.partition(")")[2] for text in found] == ([meant] if found else [])
    assert bool(meant) == any("meant" in text for text in found)


def test_a_tool_that_was_called_too_is_not_what_was_meant():
    """A plural beside its singular is no slip."""
    result = evaluate(["search"], [call("search"), call("searches")])
    assert not [f for f in result.findings if "meant" in f.message]
