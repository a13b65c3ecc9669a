"""One tool call, expected or made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast, get_args

from toolscore._scoring.containers import own_dict
from toolscore._shown import in_short, text_of

Status: TypeAlias = Literal["ok", "error", "cancelled", "interrupted", "unfinished", "not_executed"]
Origin: TypeAlias = Literal[
    "executed",
    "synthesized",
    "unknown_tool",
    "invalid_json",
    "rejected",
    "structured_output",
    "server",
    "framework",
    "code",
    "discarded",
    "requested",
]
Kind: TypeAlias = Literal["function", "handoff", "agent", "mcp", "hosted"]

STATUSES: frozenset[str] = frozenset(get_args(Status))


@dataclass
class ToolCall:
    """One tool call, expected or made. Mutable, compared by value.

    Attributes:
        tool: Name of the tool that was called. Never empty.
        args: Arguments by name. None in an expected call means "do not check the arguments"; in a
            call that was made it means that none were recorded, and counts as ``{}``.
        result: What the tool returned, if known.
        timestamp: Unix time of the call, in seconds, if known.
        duration: How long it ran, in seconds; None where nothing ran or nobody measured.
        cost: In USD, if known.
        metadata: What the capture layer knows besides; the keys stand in ``docs/metadata.md``.

    Raises:
        ValueError: ``tool`` is not a non-empty text, or ``args`` is neither a mapping nor None.

    Source:
        ``toolscore.adapters.ToolCall`` of tool-scorer, with ``name``, ``arguments`` and ``error``
        of kanros-agent's ``ToolCall`` as read-only names beside it.

    Example:
        >>> call = ToolCall("search", {"query": "python"}, metadata={"error": "timed out"})
        >>> call.is_error, call.status, call.name
        (True, 'error', 'search')
    """

    tool: str
    args: dict[str, Any] | None = None
    result: Any = None
    timestamp: float | None = None
    duration: float | None = None
    cost: float | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        """Check the two fields that everything else relies on."""
        tool, args = (
            cast("object", self.tool),
            cast("object", self.args),
        )  # annotations are promises
        if not issubclass(type(tool), str) or not str.__str__(cast("str", tool)):
            raise ValueError(
                f"A tool call needs the tool's name as a non-empty text, not {in_short(tool)}: "
                "write ToolCall('search', {'query': 'python'})."
            )
        if args is not None and not issubclass(type(args), dict):
            raise ValueError(
                f"The arguments of {in_short(tool)} must be a dict by argument name, or None for "
                f"'not checked', not {type(args).__name__}: "
                f"write ToolCall({in_short(tool)}, {{'name': value}})."
            )
        if type(self.metadata) is not dict:
            metadata = own_dict(self.metadata)
            if metadata is None:
                raise ValueError(
                    f"The metadata of {in_short(tool)} is {in_short(self.metadata)}: a mapping "
                    "would be right, {'status': 'ok'}."
                )
            self.metadata = metadata

    @property
    def is_error(self) -> bool:
        """Whether the call failed: metadata ``is_error``, or a non-empty ``error``."""
        try:
            return bool(self.metadata.get("is_error")) or bool(self.metadata.get("error"))
        except Exception:  # noqa: BLE001 - a remark that cannot be asked is one
            return True

    @property
    def status(self) -> Status | None:
        """How it ended; None when neither a result nor an error was recorded (unresolved)."""
        recorded = self.metadata.get("status")
        if issubclass(type(recorded), str):
            status = str.__str__(cast("str", recorded))
            if status in STATUSES:
                return cast("Status", status)
        if self.is_error:
            return "error"
        return "ok" if self.result is not None else None

    @property
    def name(self) -> str:
        """The same as ``tool`` (seed: agent traces)."""
        return self.tool

    @property
    def arguments(self) -> Any:
        """The text where it is no JSON object, else ``args or {}`` (seed: agent traces)."""
        return self.metadata.get("raw_arguments", self.args or {})

    @property
    def error(self) -> str | None:
        """The failure's message, or None (seed: agent traces)."""
        message = self.metadata.get("error")
        return text_of(message) if is_there(message) else None


def is_there(value: object) -> bool:
    """Whether a value says something; one that cannot be asked is there."""
    try:
        return bool(value)
    except Exception:  # noqa: BLE001 - an array, or an object of the user's
        return True
