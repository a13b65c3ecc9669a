"""Sessions, and the score of this context."""

from __future__ import annotations

import asyncio
import threading
from contextvars import copy_context

import pytest

from toolscore import EvaluationResult, Recorder, Recording


class Handler(Recording):
    """The smallest thing that records: what the frameworks' handlers are to the core."""

    def __init__(self, expected: list[str] | None = None) -> None:
        self._recorder = Recorder(expected)

    def play(self, *tools: str, status: str = "ok", thread_id: str | None = None) -> None:
        """A run that calls these tools."""
        run = self._recorder.start_run(thread_id=thread_id)
        run.seen()
        for tool in tools:
            call = run.request(tool, {}, id=tool, step=0)
            call.start()
            if tool == "wait" and status == "interrupted":
                call.close("interrupted")
            else:
                call.finish("r")
        run.end(status)  # type: ignore[arg-type]


def test_a_session_holds_the_runs_that_start_inside():
    """Before, after, and in other threads: outside."""
    handler = Handler(["a"])
    handler.play("a")
    with handler.session() as session:
        handler.play("a")
        other = threading.Thread(target=handler.play, args=("b",))
        other.start()
        other.join()
        copied = threading.Thread(target=copy_context().run, args=(handler.play, "c"))
        copied.start()
        copied.join()
    handler.play("a")
    assert [[c.tool for c in run.calls] for run in session.runs] == [["a"], ["c"]]
    assert len(handler.runs) == 5


def test_a_sessions_result_is_one_evaluation_of_all_calls():
    """Two runs, one expectation."""
    handler = Handler()
    with handler.session(expected=["a", "b"]) as session:
        handler.play("a")
        handler.play("b")
    assert [call.tool for call in session.calls] == ["a", "b"]
    assert session.result.score == 1.0
    assert session.result.passed
    assert [result.score for result in session.scores] == [0.5, 0.5]


def test_a_paused_and_resumed_call_counts_once():
    """The two legs are one run: the pause was no failure, the attempts add up."""
    handler = Handler(["wait", "b"])
    with handler.session() as session:
        handler.play("wait", status="interrupted", thread_id="t")
        assert not session.result.passed
        handler.play("wait", "b", thread_id="t")
    waited, _ = session.calls
    assert (waited.status, waited.metadata["attempts"]) == ("ok", 2)
    assert session.result.passed
    assert session.result.score == 1.0


def test_the_pause_of_another_thread_is_not_resumed():
    """``thread_id`` tells conversations apart."""
    handler = Handler()
    with handler.session() as session:
        handler.play("wait", status="interrupted", thread_id="t")
        handler.play("wait", thread_id="u")
    assert [call.status for call in session.calls] == ["interrupted", "ok"]


def test_an_empty_session_is_not_scored():
    """And says so, before and after."""
    handler = Handler(["a"])
    with handler.session() as session:
        assert session.score.basis == "not_scored"
    assert session.result.basis == "not_scored"
    assert (session.calls, session.runs, session.scores) == ((), (), ())


def test_sessions_nest_and_each_is_entered_once():
    """A run belongs to all that are open."""
    handler = Handler()
    with handler.session() as outer:
        with handler.session() as inner:
            handler.play("a")
        handler.play("b")
        with pytest.raises(ValueError, match="open already"), outer:
            pass
    assert (len(outer.runs), len(inner.runs)) == (2, 1)


def test_a_session_may_be_left_in_another_context():
    """As fixtures do: entered in one context, left in another."""
    handler = Handler()
    session = handler.session()
    copy_context().run(session.__enter__)
    session.__exit__(None, None, None)
    handler.play("a")
    assert session.runs == ()


async def test_each_task_reads_its_own_score():
    """Request A never reads the score of request B, whoever ended last."""
    handler = Handler(["a"])
    first_ended, second_ended = asyncio.Event(), asyncio.Event()

    async def request(tool: str, mine: asyncio.Event, other: asyncio.Event) -> EvaluationResult:
        handler.play(tool)
        mine.set()
        await other.wait()
        return handler.score

    right, wrong = await asyncio.gather(
        request("a", first_ended, second_ended), request("b", second_ended, first_ended)
    )
    assert (right.score, wrong.score) == (1.0, 0.0)


def test_each_thread_reads_its_own_score_even_after_its_loop_has_ended():
    """``asyncio.run`` in a thread, the score read after it."""
    handler = Handler(["a"])
    barrier = threading.Barrier(2)
    seen: dict[str, float] = {}

    async def go(tool: str) -> None:
        handler.play(tool)

    def request(tool: str) -> None:
        asyncio.run(go(tool))
        barrier.wait(10)
        seen[tool] = handler.score.score

    threads = [threading.Thread(target=request, args=(tool,)) for tool in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {"a": 1.0, "b": 0.0}


def test_a_context_without_a_run_reads_the_last_of_all():
    """The score of a script is found from anywhere."""
    handler = Handler(["a"])
    worker = threading.Thread(target=handler.play, args=("a",))
    worker.start()
    worker.join()
    assert handler.score.score == 1.0
