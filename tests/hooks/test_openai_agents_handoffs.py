"""OpenAI Agents: handoffs."""

from __future__ import annotations

from typing import Any

import pytest
from agents import (
    Agent,
    ModelBehaviorError,
    handoff,
)
from agents.extensions.handoff_filters import remove_all_tools
from hooks.scripted_openai_agents import WAYS, build

ways = pytest.mark.parametrize("way", WAYS)


modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


class KaboomError(Exception):
    """What these tools raise."""


def second() -> Agent[Any]:
    """An agent that takes over."""
    return build([[("add", {"a": 1, "b": 1}, "b1")], "two"], [add], name="B")


@ways
@modes
def test_a_handoff_is_a_call(way: Any, mode: str) -> None:
    """So is what the next agent calls; the handoff that the SDK ignores is not executed."""
    other = build(["never"], name="C")
    turn = [
        ("add", {"a": 2, "b": 2}, "a1"),
        ("transfer_to_b", {}, "h1"),
        ("transfer_to_c", {}, "h2"),
    ]
    recorded = way(build([turn], [add], name="A", handoffs=[second(), other]))

    recorded.play(mode)

    run = recorded.run
    assert [(c.tool, c.status, c.result) for c in run.calls] == [
        ("add", "ok", 4),
        ("transfer_to_b", "ok", {"assistant": "B"}),
        ("transfer_to_c", "not_executed", None),
        ("add", "ok", 2),
    ]
    assert [c.metadata["kind"] for c in run.calls] == ["function", "handoff", "handoff", "function"]
    assert [c.metadata["agent"] for c in run.calls] == ["A", "A", "A", "B"]
    assert [c.metadata["step"] for c in run.calls] == [0, 0, 0, 1]
    assert (run.status, run.output, run.agent) == ("ok", "two", "A")


@ways
def test_a_handoff_with_a_name_and_arguments_of_its_own(way: Any) -> None:
    """It is known from the agent, not from its name."""
    from pydantic import BaseModel

    class Reason(BaseModel):
        why: str

    async def took(context: Any, given: Reason) -> None:
        return None

    to_b = handoff(second(), tool_name_override="escalate", on_handoff=took, input_type=Reason)
    recorded = way(build([[("escalate", {"why": "angry"}, "h1")]], name="A", handoffs=[to_b]))

    recorded.play()

    made, _ = recorded.run.calls
    assert (made.tool, made.args, made.status) == ("escalate", {"why": "angry"}, "ok")
    assert made.metadata["kind"] == "handoff"


@ways
@modes
def test_a_handoff_that_drops_the_history(way: Any, mode: str) -> None:
    """What the SDK removes from its own items stays recorded."""
    to_b = handoff(second(), input_filter=remove_all_tools)
    turn = [("add", {"a": 2, "b": 2}, "a1"), ("transfer_to_b", {}, "h1")]
    recorded = way(build([turn], [add], name="A", handoffs=[to_b]))

    recorded.play(mode)

    assert [(c.tool, c.status) for c in recorded.run.calls] == [
        ("add", "ok"),
        ("transfer_to_b", "ok"),
        ("add", "ok"),
    ]


@ways
def test_a_handoff_whose_callback_raises(way: Any) -> None:
    """The handoff failed, and the run of it."""

    async def bad(context: Any) -> None:
        raise KaboomError("no")

    recorded = way(
        build(
            [[("transfer_to_b", {}, "h1")]], name="A", handoffs=[handoff(second(), on_handoff=bad)]
        )
    )

    with pytest.raises(KaboomError):
        recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.error, made.metadata["kind"]) == ("error", "no", "handoff")
    assert recorded.run.status == "error"


@ways
def test_a_handoff_with_malformed_arguments(way: Any) -> None:
    """It failed for its arguments."""
    from pydantic import BaseModel

    class Reason(BaseModel):
        why: str

    async def took(context: Any, given: Reason) -> None:
        return None

    to_b = handoff(second(), on_handoff=took, input_type=Reason)
    recorded = way(build([[("transfer_to_b", '{"why": ', "h1")]], name="A", handoffs=[to_b]))

    with pytest.raises(ModelBehaviorError):
        recorded.play()

    [made] = recorded.run.calls
    assert (made.status, made.metadata["origin"]) == ("error", "invalid_json")
    assert made.metadata["raw_arguments"] == '{"why": '
