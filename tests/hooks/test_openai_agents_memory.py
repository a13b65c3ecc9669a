"""OpenAI Agents: nothing of a run is kept but a bounded, plain record."""

from __future__ import annotations

import asyncio
import gc
import pickle
import weakref
from typing import Any

import pytest
from agents import RunContextWrapper, Runner, UserError
from hooks.scripted_openai_agents import WAYS, build, outline

ways = pytest.mark.parametrize("way", WAYS)


def echo(text: str) -> str:
    """Say it back."""
    return text


class KaboomError(Exception):
    """What the user's code raises here."""


@ways
def test_nothing_of_the_run_is_kept(way: Any) -> None:
    """When it is over, its context, its results and its agent are the user's alone."""

    class Thing:
        """A result that can be watched."""

    made: list[weakref.ref[Any]] = []

    def produce(context: RunContextWrapper[Any]) -> Any:
        """Make a thing."""
        thing = Thing()
        made.extend([weakref.ref(thing), weakref.ref(context)])
        return thing

    recorded = way(build([[("produce", {}, "c1")], "done"], [produce]))

    recorded.play("async")
    gc.collect()

    assert [reference() for reference in made] == [None, None]
    assert "Thing" in recorded.run.calls[0].result


@ways
def test_nothing_is_kept_of_runs_that_fail(way: Any) -> None:
    """Nor of those that raise."""
    made: list[weakref.ref[Any]] = []

    def fail(context: RunContextWrapper[Any]) -> Any:
        """Fail."""
        made.append(weakref.ref(context))
        raise KaboomError("bad")

    recorded = way(build([[("fail", {}, "c1")]], [fail], survives=False))

    with pytest.raises(UserError):
        recorded.play("async")
    gc.collect()

    assert [reference() for reference in made] == [None]


@ways
def test_many_runs_leave_a_bounded_record(way: Any) -> None:
    """The newest ``max_runs`` are kept."""
    recorded = way(build([[("echo", {"text": "a"}, "c1")], "done"] * 8, [echo]), max_runs=3)

    async def main() -> None:
        for number in range(8):
            await Runner.run(recorded.agent, str(number), hooks=recorded.hooks)

    asyncio.run(main())

    assert [run.input for run in recorded.recording.runs] == ["5", "6", "7"]


@ways
def test_results_of_every_kind_become_plain_data(way: Any) -> None:
    """The run can be pickled, and holds no object of the user's."""

    class Awkward:
        def __repr__(self) -> str:
            return "awkward"

        def __deepcopy__(self, memo: Any) -> Any:
            raise KaboomError("no copies")

    def awkward() -> Any:
        """Make one."""
        return {"thing": Awkward(), "set": {1}}

    recorded = way(build([[("awkward", {}, "c1")], "done"], [awkward]))

    recorded.play()

    run = recorded.run
    assert run.calls[0].result == {"thing": "awkward", "set": [1]}
    assert pickle.loads(pickle.dumps(run)) == run


@ways
def test_huge_values_are_cut_and_said(way: Any) -> None:
    """At ``max_value_bytes``; the call says ``truncated``."""

    def big() -> str:
        """Return much."""
        return "x" * 100_000

    recorded = way(build([[("big", {}, "c1")], "done"], [big]), max_value_bytes=1_000)

    recorded.play()

    [made] = recorded.run.calls
    assert len(made.result) == 1_000
    assert made.metadata["truncated"] is True


@ways
def test_more_calls_than_are_kept(way: Any) -> None:
    """What was cut is counted."""
    calls = [("echo", {"text": str(n)}, f"c{n}") for n in range(5)]
    recorded = way(build([calls, "done"], [echo]), max_calls=3)

    recorded.play()

    run = recorded.run
    assert (len(run.calls), run.dropped, run.complete) == (3, 2, False)


@ways
def test_the_context_of_the_users_is_not_recorded(way: Any) -> None:
    """Secrets that the host keeps in the run's context stay out."""

    def use(context: RunContextWrapper[dict[str, str]]) -> str:
        """Use the key."""
        return "used " + str(len(context.context["key"]))

    recorded = way(build([[("use", {}, "c1")], "done"], [use]))

    recorded.play(context={"key": "sk-secret"})

    assert "sk-secret" not in repr(recorded.run)
    assert outline(recorded.run) == [("use", {}, "ok", "used 9")]
