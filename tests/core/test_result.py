"""The result as a value: grade, requirements, records."""

from __future__ import annotations

import copy
import json
import pickle
from importlib.resources import files

import jsonschema
import pytest

from toolscore import (
    AgentTrace,
    AgentTurn,
    Regex,
    Run,
    ToolCall,
    ToolScoreAssertionError,
    TurnRole,
    Usage,
    assert_tools,
    evaluate,
    test_agent,
    test_agent_async,
)
from toolscore.matchers import Matcher

A = {"tool": "a", "args": {"x": 1}}
KEY = "AKIA" + "A1B2" * 4


def schema(name):
    return json.loads(files("toolscore").joinpath(f"schema/{name}.schema.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("count", "made", "grade"),
    [(1, 1, "A"), (10, 9, "C"), (10, 7, "C"), (10, 6, "D"), (10, 5, "F")],
)
def test_the_grade_is_at_most_c_when_not_passed(count, made, grade):
    """Letters of the score, capped by the verdict."""
    gold = [{"tool": f"t{i}", "args": {}} for i in range(count)]
    assert evaluate(gold, gold[:made]).grade == grade


def test_require_raises_with_the_diff():
    """Without arguments the verdict must be passed; with min_score the score decides alone."""
    result = evaluate([A], [])
    with pytest.raises(ToolScoreAssertionError, match="not called"):
        result.require()
    half = evaluate(["a", "b"], [A])
    assert half.require(min_score=0.5) is half
    with pytest.raises(ToolScoreAssertionError, match=r"0\.5 is below 0\.6"):
        half.require(min_score=0.6)
    with pytest.raises(ToolScoreAssertionError, match="verdict is failed"):
        half.require(min_score=0.5, passed=True)
    with pytest.raises(ValueError, match="from 0 to 1"):
        half.require(min_score=1.5)
    assert half.require(passed=False) is half


def test_assert_tools_is_evaluate_and_require():
    """In one call, with the same switches."""
    assert assert_tools([A], [A]).score == 1.0
    assert assert_tools(["a", "b"], [{"tool": "b"}, {"tool": "a"}], order="any").passed
    with pytest.raises(ToolScoreAssertionError):
        assert_tools([A], [A, A])


def test_test_agent_reads_what_the_agent_returned():
    """A callable from input to calls."""
    assert test_agent(lambda text: [{"tool": "a", "args": {"x": text}}], "1", ["a"]).passed
    with pytest.raises(ToolScoreAssertionError):
        test_agent(lambda _: [], "1", ["a"])


def test_test_agent_refuses_an_async_agent():
    """With what to type instead."""

    async def agent(text):
        return []

    with pytest.raises(ValueError, match="await test_agent_async"):
        test_agent(agent, "1", [])


async def test_test_agent_async_awaits():
    """The same for an async agent."""

    async def agent(text):
        return [A]

    assert (await test_agent_async(agent, "1", [A])).passed


def test_pytest_does_not_collect_the_assertions():
    """Their names begin with test, they are none."""
    assert test_agent.__test__ is False
    assert test_agent_async.__test__ is False


def full_run():
    call = ToolCall(
        "a", {"x": [1, {"y": None}], "n": float("nan"), 3: "z"}, b"raw", 1.0, 0.5, 0.25,
        {"id": "1", "status": "ok", "step": 0},
    )  # fmt: skip
    turns = (
        AgentTurn(TurnRole.USER, "hi"),
        AgentTurn(TurnRole.ASSISTANT, "", (call, ToolCall("b"))),
    )
    return Run(
        (call, ToolCall("b", {"big": 10**4000})), status="error", error="gone", error_type="Gone",
        input={"q": [1]}, output="done", agent="me", framework="x", thread_id="t",
        transcript=AgentTrace(turns), usage=Usage(1, 2, 3, 5), started=1.5, duration=2.5,
        complete=False, warnings=("w",), tools={"a": {"type": "object"}}, signals={"events": True},
        dropped=2,
    )  # fmt: skip


def test_a_run_is_read_back_from_its_record():
    """Strict JSON, by its schema, and equal afterwards."""
    run = full_run()
    text = json.dumps(run.to_dict(), allow_nan=False)
    jsonschema.validate(json.loads(text), schema("run"))
    again = Run.from_dict(json.loads(text))
    assert repr(again) == repr(run)  # NaN does not equal itself
    assert again.transcript.turns[1].tool_calls[0] is again.calls[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (None, "Not the record of a run"),
        ({"schema": "other"}, "Not the record of a run"),
        ({"schema_version": 99}, "update"),
        ({"calls": [{"tool": ""}]}, "damaged"),
        ({"status": "fine"}, "unknown status"),
        ({"usage": 3}, "damaged"),
    ],
)
def test_what_is_not_a_record_is_refused(change, says):
    """ValueError that says what is wrong."""
    with pytest.raises(ValueError, match=says):
        Run.from_dict(change if change is None else {**full_run().to_dict(), **change})


def test_a_record_holds_no_credential():
    """Runs and results alike."""
    run = Run((ToolCall("a", {"key": KEY}, result=[KEY], metadata={"error": KEY}),), input=KEY)
    assert KEY not in json.dumps(run.to_dict())
    assert KEY not in json.dumps(evaluate(["a"], run).to_dict())


def test_the_record_of_a_result_is_strict_and_complete():
    """By its published schema; live objects say that they are shown, not stored."""
    result = evaluate(
        [{"tool": "a", "args": {"x": Regex("b"), "o": object()}}, "c"], full_run(),
        budget={"calls": 1}, forbidden=[{"tool": "a", "args": {"x": Regex("q")}}],
        weights={"argument_f1": 1},
    )  # fmt: skip
    record = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(record, schema("result"))
    expected, _ = record["calls"]["expected"]
    assert expected["args"]["x"] == {"$regex": "b"}
    assert list(expected["args"]["o"]) == ["$repr"]
    assert record["score"] == result.score
    assert len(record["findings"]) == len(result.findings)


def test_a_record_of_a_result_without_a_score_has_null():
    """NaN is not JSON."""
    result = evaluate(["a"], Run((), signals={"events": False}))
    jsonschema.validate(result.to_dict(), schema("result"))
    assert result.to_dict()["score"] is None


class Raises(Matcher):
    """Not to be asked."""

    def matches(self, value):
        """Nothing can be said."""
        raise OSError("no answer")

    def __repr__(self):
        return "Raises()"


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ([A], [A]),
        ([A, {"tool": "a", "args": {"x": 2, "y": [1]}}, A], [{"tool": "a", "args": {"x": 9}}, A]),
        ([{"tool": "a", "args": {"x": x, "y": y}} for x in "abc" for y in "12"], [A] * 6),
        ([A, {"tool": "a", "args": {"x": Raises()}}], [{"tool": "a", "args": {"x": 3}}, A]),
        (None, [A, A, A]),
    ],
)
@pytest.mark.parametrize("read", [False, True])
def test_a_copy_of_a_result_says_the_same(expected, actual, read):
    """Pickled or copied, read before or not: the text, the findings and the record stay."""
    result, other = evaluate(expected, actual), evaluate(expected, actual)
    if read:
        assert result.to_dict()
    for copied in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert (str(copied), copied.to_dict()) == (str(other), other.to_dict())


def test_a_result_of_a_run_keeps_what_it_read():
    """What happens to the calls of a run after it was evaluated changes nothing in the result."""
    run = Run((ToolCall("a", {"x": [1]}), ToolCall("b", {}, metadata={"status": "ok"})))
    expected = [{"tool": "a", "args": {"x": [1]}}, "c"]
    result, record = evaluate(expected, run), evaluate(expected, run).to_dict()
    run.calls[0].args["x"].append(2)
    run.calls[1].tool = "z"
    run.calls[1].metadata["status"] = "error"
    assert result.to_dict() == record
