"""Runs and blocks that are left elsewhere than they were entered: another context or process."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from hooks import scripted_llama_index
from langchain_core.tools import tool as langchain_tool
from llama_index.core.tools import FunctionTool

import toolscore
from toolscore import Recorder, Session
from toolscore_integrations.llama_index import ToolscoreEventHandler
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


def _echo(text: str) -> str:
    """Say it back."""
    return text


def _by_langchain() -> Callable[[str], Any]:
    made = langchain_tool(_echo)
    return lambda text: made.invoke({"text": text})


def _by_llama_index() -> Callable[[str], Any]:
    made = FunctionTool.from_defaults(_echo)
    return lambda text: made(text=text)


@pytest.mark.parametrize("tool", [_by_langchain, _by_llama_index])
async def test_a_script_that_was_left_in_another_task_is_over(tool: Callable[[], Any]):
    """Calls after the block are nobody's; the session can be entered again, and counts once."""
    call = tool()
    script = toolscore.session()
    script.__enter__()
    await asyncio.create_task(_leave(script))

    call("late")
    with script:
        call("again")

    assert [[c.args for c in run.calls] for run in script.runs] == [[{"text": "again"}]]


async def _leave(block: AbstractContextManager[Any]) -> None:
    block.__exit__(None, None, None)


async def test_a_block_that_was_left_in_another_task_records_no_run_that_starts_later():
    """The handler's context still names the block, which is over all the same."""
    handler = ToolscoreEventHandler()
    handler.__enter__()
    await asyncio.create_task(_leave(handler))

    await scripted_llama_index.build(["done"], []).run(user_msg="hi")

    assert handler.runs == ()


async def test_a_run_that_began_in_a_block_is_recorded_to_its_end_after_it():
    """Leaving the block, wherever, cuts nothing off."""
    agent = scripted_llama_index.build([[("_echo", {"text": "hi"}, "c1")], "done"], [_echo])
    with ToolscoreEventHandler() as handler:
        going_on = agent.run(user_msg="hi")
    await going_on

    [run] = handler.runs
    assert [(call.tool, call.status) for call in run.calls] == [("_echo", "ok")]


async def test_a_run_that_was_asked_for_in_a_session_belongs_to_it():
    """Even if the framework begins it later, in a task of its own."""
    agent = toolscore.watch(scripted_llama_index.build(["done"], []))
    with agent.session() as session:
        going_on = agent.run(user_msg="hi")
    await going_on

    assert [run.status for run in session.runs] == ["ok"]
