"""What every framework must record identically.

A scenario says what the scripted model asks for, which tools there are and how the agent is run; a
driver (one per framework, in ``drivers.py``) builds the framework's own agent and runs it through
the framework's own loop. The calls that are recorded, normalised, are the same in all three. Where
a framework does not let a scenario happen, or does not show it, the cell in ``drivers.py`` names
the reason, and a test holds the framework to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from toolscore import Run, ToolCall

Requested: TypeAlias = tuple[str, "dict[str, Any] | str", str]
"""(tool, arguments or their raw text, id) of one call that the model asks for."""

Turn: TypeAlias = str | Sequence[Requested]
"""One answer of the model: text, or calls."""

Mode: TypeAlias = Literal["sync", "async", "stream"]
MODES: tuple[Mode, ...] = ("sync", "async", "stream")


class KaboomError(Exception):
    """What the tools of the contract raise: no framework knows it."""


def add(a: int, b: int) -> str:
    """Add two numbers."""
    return str(a + b)


def echo(text: str) -> str:
    """Say it back."""
    return text


def fail(text: str) -> str:
    """Fail, with this text."""
    raise KaboomError(text)


def flaky(times: int) -> Callable[[str], str]:
    """A tool that fails as often as said, then works."""
    left = [times]

    def unsteady(text: str) -> str:
        """Say it back, once the weather is better."""
        if left[0]:
            left[0] -= 1
            raise KaboomError(f"not yet: {text}")
        return text

    return unsteady


@dataclass(frozen=True)
class Made:
    """One call as every framework must record it."""

    tool: str
    args: dict[str, Any]
    status: str = "ok"
    result: str | None = None
    error: str | None = None
    error_type: str | None = None
    origin: str = "executed"
    attempts: int = 1
    step: int = 0
    depth: int = 0
    id: str | None = None
    kind: str = "function"
    truncated: bool = False


@dataclass(frozen=True)
class Scenario:
    """One thing that happens to agents."""

    name: str
    turns: Sequence[Turn]
    made: Sequence[Made]
    tools: Callable[[], Sequence[Callable[..., Any]]] = lambda: [add, echo, fail]
    status: str = "ok"
    answer: str | None = "done"
    """The final answer; None where the run ends by an exception."""
    raises: bool = False
    survives: bool = True
    """Whether the agent is built so that the run goes on after a tool's error."""
    modes: Sequence[Mode] = MODES
    complete: bool = True
    compare: frozenset[str] = field(default_factory=frozenset)
    """Fields of ``Made`` that are not compared, since their text is the framework's own."""
    how: str = "run"
    """How the agent is built and run, where the plain way does not do: see
    ``contract_situations``."""
    inner: Sequence[Turn] = ()
    """The turns of the second agent, where the situation has one."""
    legs: Sequence[str] = ()
    """The statuses of the runs, where a person's decision makes it several; the calls are then
    those of a session around them."""


def normalised(call: ToolCall, without: frozenset[str] = frozenset()) -> Made:
    """A recorded call, in the words of the contract."""
    meta = call.metadata
    values: dict[str, Any] = {
        "tool": call.tool,
        "args": call.args,
        "status": call.status,
        "result": call.result if call.status == "ok" else None,
        "error": meta.get("error") if call.status == "error" else None,
        "error_type": meta.get("error_type") if call.status == "error" else None,
        "origin": meta["origin"],
        "attempts": meta["attempts"],
        "step": meta["step"],
        "depth": meta["depth"],
        "id": meta["id"],
        "kind": meta["kind"],
        "truncated": meta.get("truncated", False),
    }
    return Made(**{name: value for name, value in values.items() if name not in without})


def wanted(made: Made, without: frozenset[str]) -> Made:
    """The same for what is expected."""
    return Made(**{n: v for n, v in vars(made).items() if n not in without})


def check(run: Run, scenario: Scenario) -> None:
    """The run is exactly what the scenario says."""
    check_calls(run.calls, scenario)
    assert (run.status, run.complete) == (scenario.status, scenario.complete), run.warnings


def check_calls(calls: Sequence[ToolCall], scenario: Scenario) -> None:
    """The calls are exactly those of the scenario; keys are unique, statuses consistent."""
    left_out = scenario.compare
    assert [normalised(c, left_out) for c in calls] == [
        wanted(made, left_out) for made in scenario.made
    ]
    keys = [call.metadata["key"] for call in calls]
    assert len(set(keys)) == len(keys)
    for call in calls:
        assert call.metadata["is_error"] is (call.status == "error")
        # what the provider ran took no time of ours
        ran = call.metadata["attempts"] > 0 and call.metadata["origin"] != "server"
        assert (call.duration is not None) == ran
        assert (call.timestamp is not None) == ran


MANY = 12
SCENARIOS = [
    Scenario(
        "one call",
        [[("add", {"a": 1, "b": 2}, "c1")], "done"],
        [Made("add", {"a": 1, "b": 2}, result="3", id="c1")],
    ),
    Scenario("no call", ["done"], []),
    Scenario(
        "two in one turn",
        [[("add", {"a": 1, "b": 2}, "c1"), ("echo", {"text": "hi"}, "c2")], "done"],
        [
            Made("add", {"a": 1, "b": 2}, result="3", id="c1"),
            Made("echo", {"text": "hi"}, result="hi", id="c2"),
        ],
    ),
    Scenario(
        "two turns",
        [[("add", {"a": 1, "b": 2}, "c1")], [("echo", {"text": "é"}, "c2")], "done"],
        [
            Made("add", {"a": 1, "b": 2}, result="3", id="c1"),
            Made("echo", {"text": "é"}, result="é", id="c2", step=1),
        ],
    ),
    Scenario(
        "many calls in request order",
        [[("echo", {"text": str(i)}, f"c{i}") for i in range(MANY)], "done"],
        [Made("echo", {"text": str(i)}, result=str(i), id=f"c{i}") for i in range(MANY)],
    ),
    Scenario(
        "the same id in two turns",
        [[("echo", {"text": "a"}, "call_0")], [("echo", {"text": "b"}, "call_0")], "done"],
        [
            Made("echo", {"text": "a"}, result="a", id="call_0"),
            Made("echo", {"text": "b"}, result="b", id="call_0", step=1),
        ],
    ),
    Scenario(
        "a tool raises and the run goes on",
        [[("fail", {"text": "bad x"}, "c1")], "done"],
        [
            Made(
                "fail", {"text": "bad x"}, "error", error="bad x", error_type="KaboomError", id="c1"
            )
        ],
    ),
    Scenario(
        "a tool raises and the run dies",
        [[("echo", {"text": "a"}, "c1")], [("fail", {"text": "bad x"}, "c2")], "done"],
        [
            Made("echo", {"text": "a"}, result="a", id="c1"),
            Made(
                "fail",
                {"text": "bad x"},
                "error",
                error="bad x",
                error_type="KaboomError",
                id="c2",
                step=1,
            ),
        ],
        status="error",
        answer=None,
        raises=True,
        survives=False,
    ),
    Scenario(
        "arguments fail validation",
        [[("add", {"a": "one", "b": 2}, "c1")], "done"],
        [Made("add", {"a": "one", "b": 2}, "error", id="c1")],
        compare=frozenset({"error", "error_type"}),
    ),
    Scenario(
        "unknown tool",
        [[("nope", {"q": 1}, "c1")], [("echo", {"text": "a"}, "c2")], "done"],
        [
            Made("nope", {"q": 1}, "error", origin="unknown_tool", attempts=0, id="c1"),
            Made("echo", {"text": "a"}, result="a", id="c2", step=1),
        ],
        compare=frozenset({"error", "error_type"}),
    ),
    Scenario(
        "malformed JSON",
        [[("echo", '{"text": "a', "c1")], "done"],
        [Made("echo", {}, "error", origin="invalid_json", attempts=0, id="c1")],
        compare=frozenset({"error", "error_type"}),
    ),
    Scenario(
        "retry by the model, then success",
        [[("unsteady", {"text": "a"}, "c1")], [("unsteady", {"text": "a"}, "c2")], "done"],
        [
            Made(
                "unsteady",
                {"text": "a"},
                "error",
                error="not yet: a",
                error_type="KaboomError",
                id="c1",
            ),
            Made("unsteady", {"text": "a"}, result="a", id="c2", step=1),
        ],
        tools=lambda: [flaky(1)],
    ),
]
