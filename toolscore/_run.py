"""One captured run of an agent."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from toolscore._call import ToolCall
from toolscore._plain import NO_NAMES
from toolscore._run_record import run_fields, run_record
from toolscore.agent_trace import AgentTrace

RunStatus: TypeAlias = Literal["ok", "error", "interrupted", "cancelled", "unfinished"]
Include: TypeAlias = Literal[
    "nested", "handoff", "server", "framework", "structured_output", "code", "discarded"
]
ExpectedCall: TypeAlias = str | Mapping[str, Any] | ToolCall
"""``"search"`` means: that tool, arguments not checked."""
Expected: TypeAlias = Sequence[ExpectedCall]

SCORED_ORIGINS = frozenset(
    {"executed", "synthesized", "unknown_tool", "invalid_json", "rejected", "requested"}
)


@dataclass(frozen=True)
class Usage:
    """Token counts of the models of one run."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """The sum, count by count."""
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.total_tokens + other.total_tokens,
        )


@dataclass(frozen=True, repr=False)
class Run:
    """One captured run of an agent, from input to answer, error or interruption.

    Plain, picklable data: nothing in it belongs to the framework.

    Attributes:
        calls: All calls, nested ones included, in request order.
        id: A name of this run, unique in the process.
        status: ``ok``; ``error`` (it raised, ran out of turns, or hit the framework's own timeout);
            ``interrupted`` (waits for a person); ``cancelled`` (stopped from outside, or its stream
            was left); ``unfinished`` (its end was never seen).
        error: Message of what ended it.
        error_type: Class name of what ended it.
        input: Bounded snapshot of what the agent was given.
        output: Text of the final answer.
        agent: The agent's name, where it has one.
        framework: ``langchain``, ``openai_agents``, ``llama_index``, or a third party's key.
        thread_id: What links a resumed run to its first leg.
        transcript: The turns, as far as they were seen.
        usage: Tokens of all models in the run.
        started: Unix time, in seconds.
        duration: In seconds.
        complete: False when something may be missing from ``calls``; ``warnings`` says what.
        warnings: What could not be seen, or was cut.
        tools: JSON schemas of the arguments of the tools offered, where known.
        signals: Optional sources of evidence, and whether each was at hand. ``events`` is False
            when no event of the run was seen at all: such a run cannot be scored.
        dropped: Calls cut by ``max_calls``.
    """

    calls: tuple[ToolCall, ...]
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    status: RunStatus = "ok"
    error: str | None = None
    error_type: str | None = None
    input: Any = None
    output: str | None = None
    agent: str | None = None
    framework: str | None = None
    thread_id: str | None = None
    transcript: AgentTrace = field(default_factory=AgentTrace)
    usage: Usage | None = None
    started: float | None = None
    duration: float | None = None
    complete: bool = True
    warnings: tuple[str, ...] = ()
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    signals: Mapping[str, bool] = field(default_factory=dict[str, bool])
    dropped: int = 0

    def __repr__(self) -> str:
        """Short enough to be read in a console: the status, and the calls by name."""
        named = [
            c.tool if c.status in ("ok", None) else f"{c.tool} ({c.status})" for c in self.calls
        ]
        shown = ", ".join(named[:8]) + (", ..." if len(named) > 8 else "")
        return f"<Run {self.status}, {len(named)} calls{': ' * bool(named)}{shown}>"

    def scored_calls(
        self, expected: Expected | None = None, *, include: Collection[Include] = ()
    ) -> tuple[ToolCall, ...]:
        """The calls that ``evaluate`` scores by default, plus the kinds named in ``include``.

        By default: the watched agent's own calls (depth 0) that a model asked for. Calls made by
        code count when no model asked for anything (plain workflows, scripts); handoffs count, all
        of them, when ``expected`` names one.

        Example:
            >>> run = Run((ToolCall("search"), ToolCall("look", metadata={"depth": 1})))
            >>> [call.tool for call in run.scored_calls()]
            ['search']
            >>> [call.tool for call in run.scored_calls(include=["nested"])]
            ['search', 'look']
        """
        handoffs = {c.tool for c in self.calls if c.metadata.get("kind") == "handoff"}
        with_handoffs = "handoff" in include or bool(handoffs & names_of(expected or ()))
        with_code = "code" in include or all(c.metadata.get("origin") == "code" for c in self.calls)

        def counts(call: ToolCall) -> bool:
            if call.metadata.get("depth", 0) and "nested" not in include:
                return False
            if call.metadata.get("kind") == "handoff":
                return with_handoffs
            origin = call.metadata.get("origin", "executed")
            if origin == "code":
                return with_code
            return origin in SCORED_ORIGINS or origin in include

        return tuple(call for call in self.calls if counts(call))

    def to_dict(self) -> dict[str, Any]:
        """This run as versioned, strict JSON; ``from_dict`` reads it back.

        Its schema is ``toolscore/schema/run.schema.json``. Credentials in it are redacted, and what
        JSON has no form for says so (``{"$repr": "..."}``).

        Example:
            >>> run = Run((ToolCall("search", {"query": "python"}),))
            >>> Run.from_dict(run.to_dict()) == run
            True
        """
        return run_record(self, NO_NAMES)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Run:
        """The run that ``to_dict`` wrote.

        Raises:
            ValueError: ``data`` is anything else, or of a newer version.
        """
        return cls(**run_fields(data))


def names_of(expected: Expected) -> set[str]:
    """The tool names that an expectation mentions."""
    names: set[str] = set()
    for item in expected:
        if isinstance(item, str):
            names.add(item)
        elif isinstance(item, ToolCall):
            names.add(item.tool)
        else:
            names.update(str(item[key]) for key in ("tool", "name", "function") if key in item)
    return names
