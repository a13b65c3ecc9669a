"""The rest of the contract: hard ids and values, and situations that need a way of their own.

A scenario with ``how`` is built and run by the driver's function of that name, in
``situations_<framework>.py``:

* ``retry``: the framework itself tries a failed tool again, at once, twice if need be.
* ``left``: the stream is left as soon as the first result has come out of it.
* ``stopped``: a tool stops the run from outside (``stopped_by_its_tool``).
* ``timeout``: the framework's own timeout ends the run while the tool waits.
* ``limit``: the framework's own limit, at two turns of the model.
* ``approve``, ``edit``, ``reject``: a person decides about the call of ``echo``; edited, its text
  is "b".
* ``asks``: the tool ``confirm`` asks a person, who says yes.
* ``agent``: the tool ``helper(input)`` is an agent, with the turns of ``inner`` and ``echo``.
* ``handoff``: the first agent hands over to ``clerk``, who has the turns of ``inner`` and ``echo``.
* ``hosted``: the provider searched the web (``SEARCH``), beside the answer.
* ``mcp``: the tools are those of ``mcp_server.py``, run as a process that talks over stdio.
* ``injected``: the tool ``greet(text)`` is given the framework's own context as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from hooks.contract import Made, Scenario, flaky
from hooks.loopback_scenario import SEARCH


@dataclass(frozen=True)
class Way:
    """How a framework plays one kind of situation."""

    build: Callable[[Scenario], Any]
    """The agent of a scenario."""
    play: Callable[..., Any]
    """Run it: with the agent, the mode, and the framework's keyword for a handler."""


class Thing:
    """What cannot be written as JSON; it has a text all the same."""

    def __repr__(self) -> str:
        return "<a thing>"


def mangle(items: list[str]) -> str:
    """Add to the list, and join it."""
    items.append("added")
    return ",".join(items)


def huge(text: str) -> str:
    """Say it back 100,000 times."""
    return text * 100_000


def thing(text: str) -> Any:
    """Give something back that is neither text nor JSON."""
    return Thing()


_stop: list[Callable[[], object]] = []


async def stopped_by_its_tool(run: Coroutine[Any, Any, Any]) -> Any:
    """Run this in a task that ``hang`` cancels."""
    task = asyncio.ensure_future(run)
    _stop.append(task.cancel)
    try:
        return await task
    finally:
        _stop.clear()


async def hang(text: str) -> str:
    """Stop the run, if it can be stopped, and wait for ever."""
    if _stop:
        asyncio.get_running_loop().call_soon(_stop[0])
    await asyncio.Event().wait()
    return text


def one(text: str, **changes: Any) -> Made:
    """The call of ``echo`` that most situations have."""
    return Made(**{"tool": "echo", "args": {"text": text}, "result": text, "id": "c1", **changes})


ECHO = [("echo", {"text": "a"}, "c1")]
WAITS = ("interrupted", "ok")
HANGS = [Made("hang", {"text": "a"}, "cancelled", id="c1")]

SITUATIONS = [
    Scenario(
        "the same id twice in one turn",
        [[("echo", {"text": "a"}, "x"), ("echo", {"text": "b"}, "x")], "done"],
        [
            Made("echo", {"text": "a"}, result="a", id="x"),
            Made("echo", {"text": "b"}, result="b", id="x"),
        ],
    ),
    Scenario(
        "empty ids",
        [[("echo", {"text": "a"}, ""), ("echo", {"text": "b"}, "")], "done"],
        [
            Made("echo", {"text": "a"}, result="a"),
            Made("echo", {"text": "b"}, result="b"),
        ],
        compare=frozenset({"id"}),
    ),
    Scenario(
        "a tool changes its arguments",
        [[("mangle", {"items": ["a"]}, "c1")], "done"],
        [Made("mangle", {"items": ["a"]}, result="a,added", id="c1")],
        tools=lambda: [mangle],
    ),
    Scenario(
        "a huge result",
        [[("huge", {"text": "x"}, "c1")], "done"],
        [Made("huge", {"text": "x"}, result="x" * 65_536, id="c1", truncated=True)],
        tools=lambda: [huge],
    ),
    Scenario(
        "a result that is no JSON",
        [[("thing", {"text": "x"}, "c1")], "done"],
        [Made("thing", {"text": "x"}, result="<a thing>", id="c1")],
        tools=lambda: [thing],
    ),
    Scenario(
        "retry by the framework, then success",
        [[("unsteady", {"text": "a"}, "c1")], "done"],
        [Made("unsteady", {"text": "a"}, result="a", id="c1", attempts=3)],
        tools=lambda: [flaky(2)],
        how="retry",
    ),
    Scenario(
        "a stream that is left early",
        [ECHO, [("echo", {"text": "b"}, "c2")], "done"],
        [one("a")],
        how="left",
        modes=("stream",),
        status="cancelled",
        answer=None,
    ),
    Scenario(
        "a run that is cancelled",
        [[("hang", {"text": "a"}, "c1")], "done"],
        HANGS,
        tools=lambda: [hang],
        how="stopped",
        modes=("async",),
        status="cancelled",
        answer=None,
        raises=True,
    ),
    Scenario(
        "a run that takes too long",
        [[("hang", {"text": "a"}, "c1")], "done"],
        HANGS,
        tools=lambda: [hang],
        how="timeout",
        modes=("async",),
        status="error",
        answer=None,
        raises=True,
    ),
    Scenario(
        "a run that takes too many turns",
        [[("echo", {"text": text}, f"c{step}")] for step, text in enumerate("abc", 1)],
        [one("a"), one("b", id="c2", step=1)],
        how="limit",
        status="error",
        answer=None,
        raises=True,
    ),
    Scenario("a person approves", [ECHO, "done"], [one("a")], how="approve", legs=WAITS),
    Scenario(
        "a person edits",
        [ECHO, "done"],
        [one("b")],
        how="edit",
        legs=WAITS,
    ),
    Scenario(
        "a person rejects",
        [ECHO, "done"],
        [one("a", status="error", result=None, origin="rejected", attempts=0)],
        how="reject",
        legs=WAITS,
        compare=frozenset({"error", "error_type"}),
    ),
    Scenario(
        "a tool asks a person and is resumed",
        [[("confirm", {"text": "a"}, "c1")], "done"],
        [Made("confirm", {"text": "a"}, result="a: yes", id="c1")],
        how="asks",
        legs=WAITS,
        compare=frozenset({"attempts"}),
    ),
    Scenario(
        "an agent as a tool",
        [[("helper", {"input": "help"}, "c1")], "done"],
        [
            Made("helper", {"input": "help"}, result="helped", id="c1", kind="agent"),
            one("in", depth=1),
        ],
        inner=[[("echo", {"text": "in"}, "c1")], "helped"],
        how="agent",
        compare=frozenset({"step"}),
    ),
    Scenario(
        "a handoff",
        [[("transfer_to_clerk", {}, "c1")], "never said"],
        [
            Made("transfer_to_clerk", {}, id="c1", kind="handoff"),
            one("a", id="c2", step=1),
        ],
        inner=[[("echo", {"text": "a"}, "c2")], "done"],
        how="handoff",
        compare=frozenset({"result"}),
    ),
    Scenario(
        "a tool of the provider",
        ["done"],
        [
            Made(
                "web_search",
                {"type": "search", "query": "python"},
                origin="server",
                kind="hosted",
                id=SEARCH["id"],
            )
        ],
        how="hosted",
    ),
    Scenario(
        "a tool of an MCP server",
        [[("read", {"path": "a.txt"}, "c1")], "done"],
        [Made("read", {"path": "a.txt"}, id="c1", kind="mcp")],
        how="mcp",
        modes=("async",),
        compare=frozenset({"result"}),
    ),
    Scenario(
        "a context that is injected",
        [[("greet", {"text": "a"}, "c1")], "done"],
        [Made("greet", {"text": "a"}, result="hello a", id="c1")],
        how="injected",
    ),
]
