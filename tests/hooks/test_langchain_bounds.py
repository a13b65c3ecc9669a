"""What is kept of runs while they go on and after: endless runs, many runs, runs left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hooks.contract import add, echo
from hooks.scripted_langchain import INPUT, ScriptedModel, as_tools, build, say
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

import toolscore
from toolscore import Usage
from toolscore_integrations.langchain import ToolscoreCallbackHandler

TURNS = 60
KEPT = 5
RUNS = 64


class Restless(ScriptedModel):
    """Asks for a call in each of many turns; ``ids`` is the form of their ids."""

    ids: str

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        turn = sum(isinstance(message, AIMessage) for message in messages)
        asks = [("count", {"turn": turn}, self.ids.format(turn))]
        message = say(asks if turn < TURNS else "done")
        return ChatResult(generations=[ChatGeneration(message=message)])


def evidence() -> Counter[str]:
    """How many objects of the hook there are, by their class."""
    gc.collect()
    mine = (o for o in gc.get_objects() if "toolscore_integrations" in str(type(o).__module__))
    return Counter(type(o).__qualname__ for o in mine)


@pytest.mark.parametrize("ids", ["c{}", "call_0"])
def test_a_run_without_end_does_not_fill_the_memory(ids: str, monkeypatch: pytest.MonkeyPatch):
    """Beyond ``max_calls`` nothing is kept but the number of the calls, also while it goes on."""
    monkeypatch.setattr("toolscore_integrations.langchain._runs.MAX_ENDED", KEPT)
    monkeypatch.setattr("toolscore_integrations.langchain._captured_run.RECENT_TURNS", KEPT)
    seen: dict[int, Counter[str]] = {}

    @tool
    def count(turn: int) -> str:
        """Count what there is."""
        if turn in (TURNS // 2, TURNS - 1):
            seen[turn] = evidence()
        return str(turn)

    model = Restless(turns=[], ids=ids)
    agent = toolscore.watch(create_agent(model, [count]), max_calls=KEPT)
    agent.invoke(INPUT, {"recursion_limit": 3 * TURNS})

    halfway, late = seen[TURNS // 2], seen[TURNS - 1]
    assert late == halfway
    [run] = agent.runs
    assert [call.args for call in run.calls] == [{"turn": turn} for turn in range(KEPT)]
    assert [(call.result, call.metadata["attempts"]) for call in run.calls] == [
        (str(turn), 1) for turn in range(KEPT)
    ]
    assert (run.dropped, run.complete, run.status) == (TURNS - KEPT, False, "ok")
    assert f"{TURNS - KEPT} calls beyond max_calls={KEPT} were cut" in run.warnings


def test_calls_of_code_are_bounded_too():
    """A workflow without a model may call tools for ever."""
    tools = as_tools([echo])
    with toolscore.session(max_calls=KEPT) as script:
        for number in range(TURNS):
            tools[0].invoke({"text": str(number)})
    [run] = script.runs
    assert [call.args["text"] for call in run.calls if call.args] == list("01234")
    assert (run.dropped, run.complete) == (TURNS - KEPT, False)


def test_retries_of_one_call_are_bounded():
    """Attempts beyond the bound are let go, and the run says so."""
    [send] = as_tools([echo])
    with toolscore.session(max_calls=KEPT) as script:
        for _ in range(TURNS):
            send.invoke({"name": "echo", "args": {"text": "a"}, "id": "c1", "type": "tool_call"})
    [run] = script.runs
    assert len(run.calls) <= KEPT
    assert not run.complete


def test_nothing_is_left_of_many_runs():
    """A thousand on one handler, each dropped when it ends."""
    handler = ToolscoreCallbackHandler(max_runs=1)
    config: Any = {"callbacks": [handler]}
    [send] = as_tools([echo])
    send.invoke({"text": "a"}, config)
    before = evidence()
    for number in range(1000):
        send.invoke({"text": str(number)}, config)
    assert evidence() == before


QUESTIONS = [{"messages": [("user", f"question {number}")]} for number in range(RUNS)]


def by_threads(agent: Any, config: Any) -> None:
    threads = [threading.Thread(target=agent.invoke, args=(q, config)) for q in QUESTIONS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def by_gather(agent: Any, config: Any) -> None:
    async def main() -> None:
        await asyncio.gather(*(agent.ainvoke(question, config) for question in QUESTIONS))

    asyncio.run(main())


def by_batch(agent: Any, config: Any) -> None:
    agent.batch(QUESTIONS, config)


def by_abatch(agent: Any, config: Any) -> None:
    asyncio.run(agent.abatch(QUESTIONS, config))


def by_events(agent: Any, config: Any) -> None:
    async def read(question: Any) -> None:
        async for _ in agent.astream_events(question, config, version="v2"):
            pass

    async def main() -> None:
        await asyncio.gather(*(read(question) for question in QUESTIONS))

    asyncio.run(main())


@pytest.mark.parametrize("together", [by_threads, by_gather, by_batch, by_abatch, by_events])
def test_64_runs_on_one_handler_are_separate(together: Callable[[Any, Any], None]):
    """However they are started; the ids are the same in all of them."""
    turns = [[("add", {"a": 1, "b": 2}, "c1"), ("echo", {"text": "x"}, "c2")], "done"]
    agent = build(turns, [add, echo])
    handler = ToolscoreCallbackHandler(["add", "echo"])

    together(agent, {"callbacks": [handler]})

    assert len(handler.runs) == RUNS
    assert {run.input["messages"][0][1] for run in handler.runs} == {
        f"question {number}" for number in range(RUNS)
    }
    for run in handler.runs:
        assert [(c.tool, c.result, c.metadata["id"]) for c in run.calls] == [
            ("add", "3", "c1"),
            ("echo", "x", "c2"),
        ]
        assert run.complete
    assert all(result.passed for result in handler.scores)
    assert not evidence().keys() & {"CapturedRun", "Node", "Turn", "Request", "Attempt", "Answer"}


STRANDED = """
import asyncio
import toolscore
from hooks.scripted_langchain import INPUT, build

async def hang(text: str) -> str:
    '''Wait for ever.'''
    began.set()
    await asyncio.Event().wait()

async def start():
    task = asyncio.ensure_future(agent.ainvoke(INPUT))
    await began.wait()
    return task

began = asyncio.Event()
agent = toolscore.watch(build([[("hang", {"text": "a"}, "c1")], "done"], [hang]), ["hang"])
loop = asyncio.new_event_loop()
task = loop.run_until_complete(start())
loop.close()
assert agent.runs == ()
next(agent.stream(INPUT))
[left] = agent.runs[:1]
print(left.status, left.complete, [(c.tool, c.status) for c in left.calls], left.warnings)
"""


def test_a_run_whose_event_loop_was_closed_is_over():
    """Nothing of it is ever heard again: the next run finds that out."""
    tests = Path(__file__).parents[1]
    # in a process of its own: asyncio and LangGraph complain at length about what is left there
    ended = subprocess.run(
        [sys.executable, "-c", STRANDED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tests), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    told = ended.stdout.strip().splitlines()[:1]
    wanted = "('the event loop was closed before the run ended',)"
    assert told == [f"unfinished False [('hang', 'unfinished')] {wanted}"], ended.stderr


TOKENS: Any = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}


def test_tokens_that_only_some_models_tell_are_said_to_be_too_few():
    """A sum that lacks something must not look like a sum."""
    asks = [{"name": "echo", "args": {"text": "a"}, "id": "c1"}]
    counted = AIMessage("", tool_calls=asks, usage_metadata=TOKENS)
    agent = toolscore.watch(build([counted, "done"], [echo]))
    agent.invoke(INPUT)
    [run] = agent.runs
    assert run.usage == Usage(1, 7, 3, 10)
    assert run.complete
    assert run.warnings == ("usage is too low: the tokens of 1 answers of models are not known",)
