"""OpenAI Agents: runs that go well, recorded by ``watch`` and by hooks, in all three ways."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from agents import ModelBehaviorError, Runner, function_tool
from hooks.scripted_openai_agents import WAYS, build, by_watch, needs, outline, play

import toolscore

ways = pytest.mark.parametrize("way", WAYS)
modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


def add(a: int, b: int = 3) -> int:
    """Add."""
    return a + b


def echo(text: str) -> str:
    """Say it back."""
    return text


@ways
@modes
def test_one_call(way: Any, mode: str) -> None:
    """Its arguments are what the model sent, its result is the tool's own value."""
    recorded = way(build([[("add", {"a": 5}, "c1")], "8"], [add]), ["add"])

    recorded.play(mode)

    [made] = recorded.run.calls
    assert (made.tool, made.args, made.result) == ("add", {"a": 5}, 8)
    assert made.metadata == {
        "key": "c1",
        "parent": None,
        "depth": 0,
        "attempts": 1,
        "status": "ok",
        "is_error": False,
        "id": "c1",
        "origin": "executed",
        "kind": "function",
        "step": 0,
        "agent": "clerk",
    }
    assert made.timestamp is not None
    assert made.duration is not None
    assert recorded.recording.score


@ways
@modes
def test_the_run_around_the_calls(way: Any, mode: str) -> None:
    """Input, output, transcript, tokens, schemas and signals."""
    agent = build([[("add", {"a": 5}, "c1"), ("echo", {"text": "é"}, "c2")], "done"], [add, echo])
    recorded = way(agent)

    recorded.play(mode, "what is 5+3?")

    run = recorded.run
    assert (run.status, run.complete, run.warnings) == ("ok", True, ())
    assert (run.input, run.output, run.agent) == ("what is 5+3?", "done", "clerk")
    assert run.framework == "openai_agents"
    assert run.usage == toolscore.Usage(2, 14, 6, 20)
    assert set(run.tools) == {"add", "echo"}
    assert run.tools["echo"]["properties"]["text"]["type"] == "string"
    assert [(t.role.value, t.content, len(t.tool_calls)) for t in run.transcript.turns] == [
        ("user", "what is 5+3?", 0),
        ("assistant", "", 2),
        ("tool", "8", 0),
        ("tool", "é", 0),
        ("assistant", "done", 0),
    ]
    assert run.signals == {"events": True, "probe": True, "mcp": True, "run_end": True}


@ways
@modes
def test_a_run_without_calls_was_seen(way: Any, mode: str) -> None:
    """It is scored: nothing was called where something was expected."""
    recorded = way(build(["done"], [add]), ["add"])

    recorded.play(mode)

    assert recorded.run.calls == ()
    assert recorded.recording.score.score == 0.0


@ways
@modes
def test_calls_of_one_turn_stand_in_request_order(way: Any, mode: str) -> None:
    """Whichever finishes first: each result belongs to its own arguments."""
    turns = dict.fromkeys("abc", asyncio.Event)
    gates: dict[str, asyncio.Event] = {}

    async def wait_for_next(name: str) -> str:
        """Return after the next in the alphabet has returned."""
        for each in turns:
            gates.setdefault(each, asyncio.Event())
        if name != "c":
            await gates[chr(ord(name) + 1)].wait()
        gates[name].set()
        return name.upper()

    calls = [("wait_for_next", {"name": name}, f"c{name}") for name in "abc"]
    recorded = way(build([calls, "done"], [wait_for_next]))

    recorded.play(mode)

    assert outline(recorded.run) == [
        ("wait_for_next", {"name": name}, "ok", name.upper()) for name in "abc"
    ]


@needs("ToolExecutionConfig")
@ways
def test_one_call_after_the_other_where_the_user_says_so(way: Any) -> None:
    """The SDK's limit of tools at a time changes neither order nor pairing."""
    from agents import RunConfig, ToolExecutionConfig

    turns = [[("echo", {"text": str(n)}, f"c{n}") for n in range(12)], "done"]
    recorded = way(build(turns, [echo]))

    recorded.play(
        run_config=RunConfig(tool_execution=ToolExecutionConfig(max_function_tool_concurrency=1))
    )

    assert [made.result for made in recorded.run.calls] == [str(n) for n in range(12)]


@ways
@modes
def test_steps_are_the_turns_of_the_model(way: Any, mode: str) -> None:
    """Each call carries the index of the turn that asked for it."""
    turns = [[("add", {"a": 1}, "c1")], [("add", {"a": 2}, "c2"), ("add", {"a": 3}, "c3")], "done"]
    recorded = way(build(turns, [add]))

    recorded.play(mode)

    assert [made.metadata["step"] for made in recorded.run.calls] == [0, 1, 1]


IDS = {
    "empty": [[("echo", {"text": "a"}, ""), ("echo", {"text": "b"}, "")], "done"],
    "twice in a turn": [[("echo", {"text": "a"}, "c"), ("echo", {"text": "b"}, "c")], "done"],
    "again in a later turn": [
        [("echo", {"text": "a"}, "c")],
        [("echo", {"text": "b"}, "c")],
        "done",
    ],
}


@ways
@modes
@pytest.mark.parametrize("ids", IDS)
def test_ids_that_name_no_single_call(way: Any, mode: str, ids: str) -> None:
    """Each call keeps its own result; where the SDK refuses the answer unseen, the run says so."""
    recorded = way(build(IDS[ids], [echo]))

    try:
        recorded.play(mode)
    except ModelBehaviorError:  # newer versions refuse it, before any hook is called
        seen = [("echo", {"text": "a"}, "ok", "a")] if ids == "again in a later turn" else []
        assert outline(recorded.run) == seen
        assert (recorded.run.status, recorded.run.complete) == ("error", False)
        assert "refused the model's last answer" in recorded.run.warnings[0]
        return
    assert outline(recorded.run) == [("echo", {"text": text}, "ok", text) for text in "ab"]


@ways
def test_a_repeated_answer_counts_once_if_the_sdk_runs_it_once(way: Any) -> None:
    """The same id and arguments in a later turn: as many calls as there were executions."""
    ran: list[str] = []

    def note(text: str) -> str:
        """Note it."""
        ran.append(text)
        return text

    request = ("note", {"text": "a"}, "c1")
    recorded = way(build([[request], [request], "done"], [note]))

    recorded.play()

    assert [made.result for made in recorded.run.calls] == ran


@ways
def test_all_tools_of_the_last_turn_are_calls(way: Any) -> None:
    """``stop_on_first_tool`` still runs its siblings."""
    turns = [[("echo", {"text": "a"}, "c1"), ("echo", {"text": "b"}, "c2")]]
    recorded = way(build(turns, [echo], tool_use_behavior="stop_on_first_tool"))

    recorded.play()

    assert [made.status for made in recorded.run.calls] == ["ok", "ok"]
    assert recorded.run.output == "a"


@ways
async def test_many_runs_at_once_on_one_agent(way: Any) -> None:
    """Same ids, same tools: as many runs, each with its own calls."""
    turns = [[("echo", {"text": "a"}, "call_1")], [("add", {"a": 1}, "call_2")], "done"]
    recorded = way(build(turns, [echo, add], by_input=True), ["echo", "add"])

    await asyncio.gather(
        *(Runner.run(recorded.agent, str(n), hooks=recorded.hooks) for n in range(64))
    )

    runs = recorded.recording.runs
    assert sorted(int(run.input) for run in runs) == list(range(64))
    assert {tuple(c.tool for c in run.calls) for run in runs} == {("echo", "add")}
    assert all(recorded.recording.scores)


@ways
def test_runs_in_threads(way: Any) -> None:
    """``run_sync`` in eight threads: eight runs."""
    recorded = way(build([[("echo", {"text": "a"}, "call_1")], "done"], [echo], by_input=True))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: recorded.play("async"), range(8)))

    assert [outline(run) for run in recorded.recording.runs] == [
        [("echo", {"text": "a"}, "ok", "a")]
    ] * 8


async def test_the_score_is_that_of_the_own_task() -> None:
    """Two requests served at the same time each read their own run's score."""
    agent = build([[("echo", {"text": "a"}, "c1")], "done"], [echo], by_input=True)
    watched = toolscore.watch(agent, lambda text: [{"tool": "echo", "args": {"text": text}}])

    async def serve(text: str) -> bool:
        await Runner.run(watched, text)
        await asyncio.sleep(0)
        return watched.score.passed

    assert await asyncio.gather(*(serve(text) for text in "abab")) == [True, False, True, False]


def test_another_agent_is_not_recorded() -> None:
    """Watching one agent leaves the others alone."""
    recorded = by_watch(build(["done"], [add]))

    play(build([[("add", {"a": 1}, "c1")], "done"], [add], name="other"))

    assert recorded.recording.runs == ()


@pytest.mark.parametrize("given", ["text", "items"])
def test_what_the_agent_was_given(given: str) -> None:
    """The input as text, or as the list of items."""
    recorded = by_watch(build(["done"]))
    items: Any = "hi" if given == "text" else [{"role": "user", "content": "hi"}]

    recorded.play(text=items)

    assert recorded.run.input == items
    assert recorded.run.transcript.turns[0].content == "hi"


def test_a_tool_that_changes_its_arguments_changes_nothing_here() -> None:
    """The record is a copy of what the model sent."""

    @function_tool(strict_mode=False)
    def sort(items: list[int]) -> list[int]:
        """Sort in place."""
        items.sort()
        return items

    recorded = by_watch(build([[("sort", {"items": [2, 1]}, "c1")], "done"], [sort]))

    recorded.play()

    assert outline(recorded.run) == [("sort", {"items": [2, 1]}, "ok", [1, 2])]
