"""How each framework plays the contract, and the cells of the table where it cannot."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

import agents.exceptions
from agents import RunConfig
from hooks import (
    scripted_langchain,
    scripted_llama_index,
    scripted_openai_agents,
    situations_langchain,
    situations_llama_index,
    situations_openai_agents,
)
from hooks.contract import SCENARIOS, Made, Mode, Scenario
from hooks.contract_situations import SITUATIONS, Way, one

import toolscore
from toolscore import Run
from toolscore_integrations.langchain import ToolscoreCallbackHandler
from toolscore_integrations.llama_index import ToolscoreEventHandler
from toolscore_integrations.openai_agents import ToolscoreRunHooks

CONTRACT = [*SCENARIOS, *SITUATIONS]


@dataclass(frozen=True)
class Outcome:
    """What the user's program gets: an answer, or an exception."""

    answer: str | None = None
    error: tuple[str, str] | None = None


@dataclass
class Driver:
    """One framework: how its agents are built and run, and its handler."""

    name: str
    build: Callable[..., Any]
    play: Callable[..., Any]
    answer: Callable[[Any], str]
    handler: Callable[..., Any]
    keyword: str | None
    """How a handler is given to a run; None: it is a context manager."""
    ways: Mapping[str, Way] = field(default_factory=dict[str, Way])
    """How it plays what the plain way does not do (``Scenario.how``)."""

    def agent(self, scenario: Scenario) -> Any:
        """A new agent for the scenario."""
        if scenario.how != "run":
            return self.ways[scenario.how].build(scenario)
        # a copy: some frameworks hand the script's own arguments to the tools
        turns = deepcopy(scenario.turns)
        return self.build(turns, scenario.tools(), survives=scenario.survives)

    def run(self, agent: Any, mode: Mode, handler: Any = None, how: str = "run") -> Outcome:
        """Run the agent through its framework's loop."""
        play = self.play if how == "run" else self.ways[how].play
        options: dict[str, Any] = {}
        block: AbstractContextManager[Any] = nullcontext()
        if handler is not None and self.keyword is None:
            block = handler
        elif handler is not None and self.keyword is not None:
            options[self.keyword] = handler
        with block:
            try:
                result = play(agent, mode, **options)
                return Outcome(answer=None if result is None else self.answer(result))
            except (Exception, asyncio.CancelledError) as error:
                return Outcome(error=(type(error).__name__, str(error)))

    def by_watch(self, scenario: Scenario, mode: Mode, **options: Any) -> tuple[Any, Outcome]:
        """Record by ``watch``: what records, and what the user got."""
        watched = toolscore.watch(self.agent(scenario), **options)
        return watched, self.run(watched, mode, how=scenario.how)

    def by_handler(self, scenario: Scenario, mode: Mode, **options: Any) -> tuple[Any, Outcome]:
        """Record by the framework's handler class."""
        handler = self.handler(**options)
        return handler, self.run(self.agent(scenario), mode, handler, scenario.how)

    def in_session(self, way: str, scenario: Scenario, mode: Mode) -> tuple[Any, Outcome]:
        """Record what takes several runs: the session around them, and what the user got."""
        agent = self.agent(scenario)
        recording = toolscore.watch(agent) if way == "by_watch" else self.handler()
        given = (recording, mode) if way == "by_watch" else (agent, mode, recording)
        with recording.session() as session:
            return session, self.run(*given, how=scenario.how)


def _build_llama_index(turns: Sequence[Any], tools: Sequence[Any], *, survives: bool) -> Any:
    return scripted_llama_index.build(turns, tools)


def _play_openai_agents(agent: Any, mode: Mode, **options: Any) -> Any:
    # as the other frameworks do by themselves: tell the model that there is no such tool
    if hasattr(RunConfig, "tool_not_found_behavior"):
        options["run_config"] = RunConfig(tool_not_found_behavior="return_error_to_model")
    return scripted_openai_agents.play(agent, mode, **options)


LANGCHAIN = Driver(
    "langchain",
    scripted_langchain.build,
    scripted_langchain.play,
    lambda state: str(state["messages"][-1].text),
    ToolscoreCallbackHandler,
    "handler",
    situations_langchain.WAYS,
)
OPENAI_AGENTS = Driver(
    "openai_agents",
    scripted_openai_agents.build,
    _play_openai_agents,
    lambda result: str(result.final_output),
    ToolscoreRunHooks,
    "hooks",
    situations_openai_agents.WAYS,
)
LLAMA_INDEX = Driver(
    "llama_index",
    _build_llama_index,
    situations_llama_index.play,
    str,
    ToolscoreEventHandler,
    None,
    situations_llama_index.WAYS,
)
DRIVERS = [LANGCHAIN, OPENAI_AGENTS, LLAMA_INDEX]


@dataclass(frozen=True)
class Cell:
    """A cell of the table that differs: why, and what is recorded there instead."""

    reason: str
    changes: dict[str, Any] = field(default_factory=dict[str, Any])
    says: str | None = None
    """Words that the run's warnings or error must hold."""
    absent: bool = False
    """The framework has nothing that could let it happen, so that there is nothing to play."""


SDK_VERSION = tuple(int(part) for part in version("openai-agents").split(".")[:2])
_SAME_ID = next(s for s in SCENARIOS if s.name == "the same id in two turns")

CELLS: dict[tuple[str, str], Cell] = {
    ("langchain", "malformed JSON"): Cell(
        "an agent of LangChain ends with an answer that holds no valid call", {"answer": ""}
    ),
    ("langchain", "a tool of an MCP server"): Cell(
        "to handlers it is a tool like any other: nothing tells where it runs",
        {"made": [Made("read", {"path": "a.txt"}, id="c1")]},
    ),
    ("llama_index", "a tool raises and the run dies"): Cell(
        "the framework hands every error of a tool to the model; no tool ends a run",
        {"status": "ok", "answer": "done", "raises": False},
    ),
    ("llama_index", "malformed JSON"): Cell(
        "the model class repairs the arguments before the agent sees them, and the tool runs",
        {"made": [Made("echo", {"text": None}, id="c1")], "compare": frozenset({"result"})},
    ),
    ("llama_index", "retry by the framework, then success"): Cell(
        "its agents try no tool again: the model is told of the error", absent=True
    ),
    ("llama_index", "a stream that is left early"): Cell(
        "the run goes on without a reader, to its end",
        {"made": [one("a"), one("b", id="c2", step=1)], "status": "ok", "answer": "done"},
    ),
    ("llama_index", "a run that takes too many turns"): Cell(
        "what the last turn asks for is not carried out any more",
        {
            "made": [
                one("a"),
                one(
                    "b",
                    status="not_executed",
                    result=None,
                    origin="requested",
                    attempts=0,
                    id="c2",
                    step=1,
                ),
            ]
        },
    ),
    ("llama_index", "a handoff"): Cell(
        "the tool that hands over has a name and arguments of the framework's own",
        {
            "made": [
                Made("handoff", situations_llama_index.HANDOFF, id="c1", kind="handoff"),
                one("a", id="c2", step=1),
            ]
        },
    ),
    ("llama_index", "a tool of the provider"): Cell(
        "what the provider runs is in no span and no event of the framework", absent=True
    ),
    **{
        ("llama_index", f"a person {decides}"): Cell(
            "its agents have no approval of calls: a tool asks for itself", absent=True
        )
        for decides in ("approves", "edits", "rejects")
    },
}
CELLS |= {
    ("openai_agents", "retry by the framework, then success"): Cell(
        "the SDK tries no tool again: the model is told of the error", absent=True
    ),
    ("openai_agents", "a stream that is left early"): Cell(
        "the run goes on without a reader, to its end",
        {"made": [one("a"), one("b", id="c2", step=1)], "status": "ok", "answer": "done"},
    ),
    ("openai_agents", "a run that takes too long"): Cell(
        "the SDK times each tool, not the run: the tool failed, and the run of it",
        {
            "made": [
                Made("hang", {"text": "a"}, "error", error_type="ToolTimeoutError", id="c1"),
            ],
            "compare": frozenset({"error"}),
        },
    ),
    ("openai_agents", "a person edits"): Cell(
        "a person approves or rejects a call as it is", absent=True
    ),
    ("openai_agents", "a tool asks a person and is resumed"): Cell(
        "a tool cannot pause a run: the SDK asks before it runs", absent=True
    ),
}
_REFUSED: dict[str, Any] = {
    "made": [],
    "status": "error",
    "answer": None,
    "raises": True,
    "complete": False,
}
_REFUSES = "the SDK refused the model's last answer before any hook saw it"
if sys.version_info < (3, 11):
    for _name in ("a person approves", "a person edits", "a person rejects"):
        CELLS["langchain", _name] = Cell(
            "before Python 3.11 an async node cannot ask a person: its task has no config",
            {"modes": ("sync", "stream")},
        )
if SDK_VERSION >= (0, 20):  # 0.19 runs such calls; 0.24 refuses them
    CELLS["openai_agents", "the same id in two turns"] = Cell(
        "the SDK refuses an id that was used for another call, before any hook sees the answer",
        {**_REFUSED, "made": _SAME_ID.made[:1]},
        _REFUSES,
    )
    CELLS["openai_agents", "the same id twice in one turn"] = Cell(
        "the SDK refuses an id for two calls, before any hook sees the answer", _REFUSED, _REFUSES
    )
    CELLS["openai_agents", "empty ids"] = Cell(
        "the SDK refuses calls without an id, before any hook sees the answer", _REFUSED, _REFUSES
    )
if not hasattr(agents.exceptions, "ToolTimeoutError"):
    CELLS["openai_agents", "a run that takes too long"] = Cell(
        "this version of the SDK has no timeouts", absent=True
    )
if not hasattr(RunConfig, "tool_not_found_behavior"):
    _ENDED = Made("nope", {"q": 1}, "not_executed", origin="unknown_tool", attempts=0, id="c1")
    CELLS["openai_agents", "unknown tool"] = Cell(
        "before the SDK had tool_not_found_behavior, an unknown tool ended the run",
        {"made": [_ENDED], "status": "error", "answer": None, "raises": True},
        says="not found",
    )


def plays(driver: Driver, scenario: Scenario) -> bool:
    """Whether there is something to play."""
    place = driver.name, scenario.name
    if place in CELLS and CELLS[place].absent:
        return False
    return scenario.how == "run" or scenario.how in driver.ways


def cell(driver: Driver, scenario: Scenario) -> tuple[Scenario, str | None]:
    """What is expected of a framework in a scenario, and the words that it must say."""
    differing = CELLS.get((driver.name, scenario.name))
    if differing is None:
        return scenario, None
    return replace(scenario, **differing.changes), differing.says


def said(run: Run) -> str:
    """What the run says of itself."""
    return "\n".join([*run.warnings, run.error or ""])
