"""One captured run of an agent."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from toolscore._call import ToolCall
from toolscore._plain import NO_NAMES
from toolscore._run_record import run_fields, run_record
from toolscore._saved_runs import Path, append_run, check_path
from toolscore._scoring.containers import own_dict
from toolscore._shown import in_short, text_of
from toolscore._turns import AgentTrace

RunStatus: TypeAlias = Literal["ok", "error", "interrupted", "cancelled", "unfinished"]
Include: TypeAlias = Literal[
    "nested", "handoff", "server", "framework", "structured_output", "code", "discarded"
]
ExpectedCall: TypeAlias = str | Mapping[str, Any] | ToolCall
"""``"search"`` means: that tool, arguments not checked."""
Expected: TypeAlias = Sequence[ExpectedCall]

_RUN_STATUSES: tuple[str, ...] = get_args(RunStatus)
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


_CALL, _TEXT = frozenset({ToolCall}), frozenset({str})
_USAGE = frozenset({Usage, type(None)})
"""Types that the fields of a captured run have."""


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

    def __post_init__(self) -> None:
        """Check what everything else relies on: a run that is made by hand may hold anything."""
        if (
            type(self.calls) is not tuple
            or not _CALL.issuperset(map(type, self.calls))
            or type(self.warnings) is not tuple
            or not _TEXT.issuperset(map(type, self.warnings))
            or type(self.signals) is not dict
            or type(self.tools) is not dict
            or type(self.status) is not str
            or self.status not in _RUN_STATUSES
            or type(self.complete) is not bool
            or type(self.transcript) is not AgentTrace
            or type(self.usage) not in _USAGE
        ):
            self._check()

    def _check(self) -> None:
        """Lists become tuples; ValueError for what is of another kind than it must be."""
        for name, item in (("calls", ToolCall), ("warnings", str)):
            value = getattr(self, name)
            right = type(value) in (list, tuple)
            if not right or not all(issubclass(type(each), item) for each in value):
                raise ValueError(
                    f"Run({name}={in_short(value)}): a tuple of {item.__name__} would be right."
                )
            object.__setattr__(self, name, tuple(value))
        for name, kind, say in (
            ("complete", bool, "True or False"),
            ("transcript", AgentTrace, "an AgentTrace"),
            ("usage", (Usage, type(None)), "a Usage or None"),
        ):
            if not issubclass(type(getattr(self, name)), kind):
                found = in_short(getattr(self, name))
                raise ValueError(f"Run({name}={found}): {say} would be right.")
        for name in ("signals", "tools"):
            entries = own_dict(getattr(self, name))
            if entries is None:
                found = in_short(getattr(self, name))
                raise ValueError(f"Run({name}={found}): a mapping by name would be right.")
            object.__setattr__(self, name, entries)
        if type(self.status) is not str or self.status not in _RUN_STATUSES:
            raise ValueError(
                f"Run(status={in_short(self.status)}): one of {', '.join(_RUN_STATUSES)} would be "
                "right."
            )

    def __repr__(self) -> str:
        """Short enough to be read in a console: the status, and the calls by name."""
        named = [
            text_of(c.tool) if c.status in ("ok", None) else f"{text_of(c.tool)} ({c.status})"
            for c in self.calls
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

    def save(self, path: Path) -> None:
        """Append this run to a file of JSON lines; ``load_runs`` reads them back.

        Safe beside other writers, threads and processes alike, and when one of them is killed. The
        line is the record of ``to_dict``.

        Raises:
            OSError: the file cannot be written; nothing of the run is in it then.
            ValueError: ``path`` is a folder, or ends in ``.gz``: compress a complete file.

        Example:
            >>> import os, tempfile
            >>> file = os.path.join(tempfile.mkdtemp(), "runs.jsonl")
            >>> Run((ToolCall("search", {"query": "python"}),)).save(file)
        """
        append_run(self, check_path(path, "Run.save()"))

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
