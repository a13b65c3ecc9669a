"""The three kinds of evidence of one run: turns with requests, attempts, and answers.

A *turn* is one answer of a model; a *request* is one call that it asks for; an *attempt* is one
run of a tool; an *answer* is the message that the model is shown. Each has a place in the run
(``Node``) and a number in the order in which things were seen. All values in them are copies.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from toolscore import Usage

if TYPE_CHECKING:
    from toolscore_integrations.langchain._captured_run import CapturedRun

AttemptStatus = Literal["running", "ok", "error", "interrupted", "cancelled"]


class Node:
    """One LangChain run (a graph, a node of it, a model, a tool) in the tree of a captured run.

    Attributes:
        run: The captured run.
        parent: The node that it runs in.
        scope: The tool attempt that it runs in: what a sub-agent asks for belongs to that attempt.
        graph: The run of the graph whose task it belongs to. Ids of calls are only unique in there.
        began: Its number.
        ns: LangGraph's name of the task: the same for every retry and resumption of it.
        task: Name of the graph's node, where this is the node itself and not something inside it.
        attempt: The attempt, where this is a tool.
        step: LangGraph's superstep.
        position: Place among the calls that are dispatched together.
        agent: The acting agent's name.
        settled: Whether the history that its graph starts with has been read.
        interrupted: Whether one of its tasks waits for a person.
        graphs: Whether its parts are nodes of a graph, so that it is a run of that graph.
        ended: Whether its end was seen.
        ready_made: Whether it is a node of an agent that ``create_agent`` made.
        replied: Whether it ended and its update holds an answer of a model; None while it runs.
        structured: Whether this model was bound to a schema: its "call" is the answer.
        prompt: What the system says to this model.
    """

    # what most nodes never get stands in the class: making a node is a third of its cost
    attempt: Attempt | None = None
    scope: Attempt | None = None
    graph: Node | None = None
    task: str | None = None
    step: int = 0
    position: int = 0
    settled = False
    interrupted = False
    structured = False
    prompt: str | None = None
    graphs = False
    ended = False
    ready_made = False
    replied: bool | None = None

    def __init__(self, run: CapturedRun, parent: Node | None, metadata: Mapping[str, Any]) -> None:
        self.run = run
        self.parent = parent
        self.ns: str | None
        self.agent: str | None
        self.began = run.tick()
        ns: str | None = metadata.get("langgraph_checkpoint_ns")
        agent: str | None = metadata.get("lc_agent_name")
        if parent is not None:
            self.scope = parent.attempt or parent.scope
            self.graph = parent.graph
            ns = ns or parent.ns
            agent = agent or parent.agent
        self.ns = ns
        self.agent = agent

    def become_task(self, graph: Node, metadata: Mapping[str, Any]) -> None:
        """Mark it as a node of the graph that its parent is."""
        graph.graphs = True
        if self.scope is not None:
            self.scope.graphs = True
        self.task = str(metadata["langgraph_node"])
        self.graph = graph
        self.ready_made = metadata.get("ls_integration") == "langchain_create_agent"
        self.step = metadata.get("langgraph_step") or 0
        path: object = metadata.get("langgraph_path")
        if isinstance(path, (tuple, list)):
            place = cast("Sequence[object]", path)
            if len(place) > 1 and isinstance(place[1], int):
                self.position = place[1]

    def is_inside(self, other: Node) -> bool:
        """Whether it runs in the other one."""
        node = self.parent
        while node is not None and node is not other:
            node = node.parent
        return node is other

    def enclosing_task(self) -> Node | None:
        """The graph's node that it runs in, itself included, within the same scope."""
        node: Node | None = self
        while node is not None and node.scope is self.scope:
            if node.task is not None:
                return node
            node = node.parent
        return None


@dataclass(eq=False)
class Attempt:
    """One run of a tool."""

    number: int
    node: Node
    tool: str
    args: dict[str, Any]
    text: str | None
    """The input, where the tool was given a text instead of arguments."""
    id: str | None
    started: float = field(default_factory=time.time)
    clock: float = field(default_factory=time.perf_counter)
    # not in __init__: what an attempt never gets stays in the class
    status: AttemptStatus = field(default="running", init=False)
    duration: float | None = field(default=None, init=False)
    result: Any = field(default=None, init=False)
    artifact: Any = field(default=None, init=False)
    error: str | None = field(default=None, init=False)
    error_type: str | None = field(default=None, init=False)
    error_source: str | None = field(default=None, init=False)
    truncated: bool = field(default=False, init=False)
    handoff: bool = field(default=False, init=False)
    models: bool = field(default=False, init=False)
    """Whether a model ran inside it."""
    graphs: bool = field(default=False, init=False)
    """Whether a graph ran inside it."""

    @property
    def scope(self) -> Attempt | None:
        """The attempt that it was made in."""
        return self.node.scope

    @property
    def depth(self) -> int:
        """How many tools it runs inside of."""
        return 0 if self.scope is None else self.scope.depth + 1

    def stop(self, status: AttemptStatus) -> None:
        """It ended."""
        self.duration = time.perf_counter() - self.clock
        self.status = status


@dataclass(eq=False)
class Turn:
    """One answer of a model, or a message that stands for one."""

    number: int
    node: Node
    scope: Attempt | None
    graph: Node | None
    text: str = ""
    by_model: bool = False
    accepted: bool = False
    """Whether the answer was passed on by the code that called the model."""
    carried: bool = False
    """Whether it was there before this run: a resumed run finishes it."""
    structured: bool = False
    usage: Usage | None = None
    """Its tokens, where no event of its model told of them."""
    kept: bool = True
    """False beyond ``max_calls``."""
    requests: list[Request] = field(default_factory=list["Request"])

    @property
    def since(self) -> int:
        """From when on what runs may be what it asks for.

        A turn that no model's event told of is only seen when its node ends, and the node may have
        run tools itself.
        """
        late = not self.by_model and not self.carried
        return self.node.began if late else self.number


RequestForm = Literal["tool", "invalid", "server"]


@dataclass(eq=False)
class Request:
    """One call that a turn asks for."""

    turn: Turn
    index: int
    tool: str
    args: dict[str, Any]
    id: str | None
    form: RequestForm = "tool"
    text: str | None = None
    error: str | None = None
    result: Any = field(default=None, init=False)
    settled: bool = field(default=True, init=False)
    """Whether the provider said how it ended (server-side calls)."""
    withdrawn: bool = field(default=False, init=False)
    """Whether a later version of the message does not ask for it any more."""
    attempts: list[Attempt] = field(default_factory=list[Attempt], init=False)
    answer: Answer | None = field(default=None, init=False)

    @property
    def order(self) -> tuple[int, int]:
        """Its place among all that was asked for."""
        return self.turn.number, self.index


@dataclass(eq=False)
class Answer:
    """The message that answers a request."""

    number: int
    node: Node
    id: str
    content: Any
    failed: bool
    truncated: bool
    alongside: Turn | None = None
    """The turn of the same update, where an agent asks for the form of its final answer."""
