"""``Recorder``: what a hook writes becomes a run."""

from __future__ import annotations

import gc
import logging
import threading
import weakref
from typing import Any

import pytest

from toolscore import EvaluationResult, Recorder, Run, Usage
from toolscore._recorder import MAX_OPEN_RUNS


def one(recorder: Recorder) -> Run:
    """The only run that has ended."""
    [(run, _)] = recorder.ended()
    return run


def test_requests_keep_their_order_whatever_order_they_start_in():
    """Calls are in request order; ids may repeat or be empty."""
    recorder = Recorder()
    run = recorder.start_run()
    calls = [run.request("t", {"n": n}, id="" if n else "x") for n in range(5)]
    for call in reversed(calls):
        call.start()
        call.finish(call.key)
    run.end()
    assert [c.args for c in one(recorder).calls] == [{"n": n} for n in range(5)]
    assert len({c.metadata["key"] for c in one(recorder).calls}) == 5


def test_retries_of_one_request_are_one_call():
    """``attempts`` counts them; the outcome is that of the last."""
    recorder = Recorder()
    run = recorder.start_run()
    call = run.request("t", {})
    call.start()
    call.fail(ValueError("no"), source="test")
    call.start()
    call.finish("yes")
    run.end()
    [made] = one(recorder).calls
    assert (made.result, made.status, made.metadata["attempts"]) == ("yes", "ok", 2)
    assert not made.is_error
    assert "error_source" not in made.metadata


def test_what_is_open_at_the_end_is_said_to_be():
    """Started and not heard of again, or never started: neither is a success."""
    recorder = Recorder()
    run = recorder.start_run()
    run.request("started", {}).start()
    run.request("asked", {})
    run.end()
    started, asked = one(recorder).calls
    assert (started.status, asked.status) == ("unfinished", "not_executed")
    assert asked.metadata["origin"] == "requested"


def test_in_a_cancelled_run_the_running_call_is_cancelled():
    """Stopped from outside, not failed."""
    recorder = Recorder()
    run = recorder.start_run()
    run.request("t", {}).start()
    run.end("cancelled")
    [call] = one(recorder).calls
    assert (call.status, call.is_error) == ("cancelled", False)


def test_nested_runs_are_part_of_their_run():
    """Their calls carry depth and parent; their end closes their own calls only."""
    recorder = Recorder()
    outer = recorder.start_run("outer")
    ask = outer.request("ask", {})
    ask.start()
    inner = recorder.start_run("inner", parent=ask)
    deep = inner.request("deep", {})
    deep.start()
    inner.end()
    assert recorder.run("inner") is None
    ask.finish("answer")
    outer.end()
    asked, nested = one(recorder).calls
    assert (asked.status, asked.metadata["depth"]) == ("ok", 0)
    assert (nested.status, nested.metadata["depth"]) == ("unfinished", 1)
    assert nested.metadata["parent"] == asked.metadata["key"]


def test_changed_arguments_keep_the_request():
    """``args`` are what ran; what the model asked for stays beside them."""
    recorder = Recorder()
    run = recorder.start_run()
    run.request("t", {"x": 1}).start({"x": 2}, tool="other")
    run.request("t", {"x": 1}).start({"x": 1}, tool="t")
    run.end()
    changed, same = one(recorder).calls
    assert (changed.tool, changed.args) == ("other", {"x": 2})
    assert changed.metadata["requested_args"] == {"x": 1}
    assert changed.metadata["requested_tool"] == "t"
    assert "requested_args" not in same.metadata


def test_values_are_copied_at_once():
    """A tool that changes its arguments, or a list that it returned, changes no record."""
    recorder = Recorder()
    run = recorder.start_run(input={"a": [1]})
    args: dict[str, Any] = {"items": [1]}
    result = [1]
    call = run.request("t", args)
    call.start()
    args["items"].append(2)
    call.finish(result)
    result.append(2)
    run.end()
    [made] = one(recorder).calls
    assert (made.args, made.result) == ({"items": [1]}, [1])


def test_a_cut_argument_makes_the_run_incomplete_and_a_cut_result_does_not():
    """An argument that is not whole cannot be compared; the result says ``truncated``."""
    recorder = Recorder(max_value_bytes=10)
    run = recorder.start_run()
    call = run.request("t", {"text": "a" * 100})
    call.start()
    call.finish("b" * 100)
    run.end()
    assert not one(recorder).complete
    assert one(recorder).warnings == ("arguments of t were cut at max_value_bytes=10",)
    [made] = one(recorder).calls
    assert made.metadata["truncated"]
    assert made.result == "b" * 10


def test_calls_beyond_the_limit_are_counted():
    """``dropped`` and a warning: a call that was cut is not a call that was not made."""
    recorder = Recorder(max_calls=2)
    run = recorder.start_run()
    for _ in range(5):
        run.request("t", {})
    run.end()
    assert len(one(recorder).calls) == 2
    assert (one(recorder).dropped, one(recorder).complete) == (3, False)
    assert "3 calls beyond max_calls=2 were cut" in one(recorder).warnings


def test_finished_and_open_runs_are_bounded():
    """The oldest open run is closed as unfinished, and says why."""
    recorder = Recorder(max_runs=3)
    for number in range(MAX_OPEN_RUNS + 5):
        recorder.start_run(number)
    assert len(recorder.ended()) == 3
    run = recorder.ended()[-1][0]
    assert (run.status, run.complete) == ("unfinished", False)
    assert "were open at once" in run.warnings[0]


def test_end_is_idempotent_and_scored_once():
    """Two events may say that a run is over."""
    results: list[EvaluationResult] = []
    recorder = Recorder([], on_score=results.append)
    run = recorder.start_run("k")
    run.end()
    run.end("error")
    assert [result.passed for result in results] == [False] or len(results) == 1
    assert recorder.run("k") is None


def test_a_run_without_any_event_is_not_scored():
    """Nothing seen is not nothing done."""
    recorder = Recorder(["search"])
    recorder.start_run().end()
    assert recorder.latest().basis == "not_scored"
    seen = recorder.start_run()
    seen.seen()
    seen.end()
    assert (recorder.latest().basis, recorder.latest().score) == ("expected", 0.0)


def test_usage_messages_and_tools_are_kept():
    """Beside the calls: tokens, transcript with its calls, schemas."""
    recorder = Recorder()
    run = recorder.start_run(input="hi")
    run.offer("t", {"type": "object"})
    run.message("user", "hi")
    run.message("assistant", "", step=0)
    run.request("t", {}, step=0)
    run.message("tool", "r")
    run.message("assistant", "done", step=1)
    run.add_usage(Usage(1, 10, 5, 15))
    run.add_usage(Usage(1, 1, 1, 2))
    run.end(output="done")
    record = one(recorder)
    assert record.usage == Usage(2, 11, 6, 17)
    roles = [turn.role.value for turn in record.transcript.turns]
    assert roles == ["user", "assistant", "tool", "assistant"]
    assert [c.tool for c in record.transcript.turns[1].tool_calls] == ["t"]
    assert record.tools == {"t": {"type": "object"}}


def test_an_unnamed_tool_is_a_call_all_the_same():
    """Models ask for tools without a name; the call must not vanish."""
    recorder = Recorder()
    run = recorder.start_run()
    run.request("", {}).fail("no such tool")
    run.end()
    assert [c.tool for c in one(recorder).calls] == ["<unnamed>"]


@pytest.mark.guarding
def test_a_sink_that_raises_is_logged_once(caplog: pytest.LogCaptureFixture):
    """The run goes on, later sinks are still told, the log names the sink."""
    told: list[EvaluationResult] = []

    def bad(result: EvaluationResult) -> None:
        raise RuntimeError("sink")

    recorder = Recorder([], on_score=[bad, told.append])
    with caplog.at_level(logging.ERROR, logger="toolscore"):
        for _ in range(3):
            recorder.start_run().end()
    assert len(told) == 3
    assert len(caplog.records) == 1
    assert "bad" in caplog.records[0].getMessage()


@pytest.mark.guarding
def test_an_expectation_that_raises_is_not_scored():
    """A wrong function of the user's is no zero."""

    def expected(given: Any) -> Any:
        return [{"no": "tool"}]

    recorder = Recorder(expected)
    run = recorder.start_run()
    run.seen()
    run.end()
    assert recorder.latest().basis == "not_scored"
    assert "scoring failed: ValueError" in str(recorder.latest())


@pytest.mark.guarding
def test_a_failure_in_a_hook_marks_the_open_runs(caplog: pytest.LogCaptureFixture):
    """``complete`` is False and says where; one line in the log, with its traceback."""
    recorder = Recorder()
    run = recorder.start_run()
    with caplog.at_level(logging.ERROR, logger="toolscore"):
        for _ in range(2):
            recorder.trouble("on_tool_start", RuntimeError("boom"))
    run.end()
    assert not one(recorder).complete
    assert one(recorder).warnings == ("on_tool_start failed: RuntimeError: boom",)
    [line] = caplog.records
    assert line.exc_info is not None


def test_no_lock_is_held_while_a_sink_runs():
    """A sink may wait for another thread that reads the score."""
    recorder: Recorder

    def sink(result: EvaluationResult) -> None:
        reader = threading.Thread(target=recorder.latest)
        reader.start()
        reader.join(10)
        assert not reader.is_alive()

    recorder = Recorder([], on_score=sink)
    recorder.start_run().end()


def test_threads_share_a_recorder():
    """Every run keeps exactly its own calls."""
    recorder = Recorder(max_runs=1000)

    def play(number: int) -> None:
        for turn in range(20):
            run = recorder.start_run((number, turn), input=number)
            for n in range(5):
                call = run.request("t", {"who": number, "n": n})
                call.start()
                call.finish(n)
            run.end()

    threads = [threading.Thread(target=play, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    runs = [run for run, _ in recorder.ended()]
    assert len(runs) == 160
    for run in runs:
        assert [c.args for c in run.calls] == [{"who": run.input, "n": n} for n in range(5)]


def test_nothing_is_kept_after_a_run():
    """Neither the open run nor the user's objects outlive it."""

    class Thing:
        """Something of the user's."""

    recorder = Recorder()
    thing = Thing()
    run = recorder.start_run("k", input=thing)
    run.request("t", {"thing": thing}).finish(thing)
    run.end()
    gone, opened = weakref.ref(thing), weakref.ref(run)
    del thing, run
    gc.collect()
    assert gone() is None
    assert opened() is None
