"""Runs and blocks that are left elsewhere than they were entered: another context or process."""

from __future__ import annotations

import contextvars
import os
import threading
import warnings

import pytest

from toolscore import Recorder, Session
from toolscore_integrations.openai_agents._place import leave, move, places


def test_a_session_that_was_left_elsewhere_collects_no_more():
    """A fixture may leave it in another context; here it must not go on for ever."""
    recorder = Recorder()
    session = Session(recorder, recorder.options)
    here = contextvars.copy_context()
    here.run(session.__enter__)
    contextvars.copy_context().run(session.__exit__, None, None, None)

    here.run(lambda: recorder.start_run().end())

    assert session.runs == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_can_end_the_run_that_it_was_born_in():
    """A lock that another thread held at the fork is nobody's in the child."""
    recorder = Recorder()
    run = recorder.start_run()
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with recorder.lock:
            held.set()
            done.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of what is the point here
        child = os.fork()
    if child == 0:
        ender = threading.Thread(target=run.end, daemon=True)
        ender.start()
        ender.join(10)
        os._exit(1 if ender.is_alive() else 0)
    done.set()
    holder.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_run_that_is_closed_in_another_context_raises_nothing_of_ours():
    """A coroutine that was begun and then dropped is closed wherever the garbage is collected."""
    token = contextvars.copy_context().run(move)

    leave(token)

    assert places() == {}
