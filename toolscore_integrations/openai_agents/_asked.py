"""A call that the model asked for, until it is answered."""

from __future__ import annotations

import json
from dataclasses import dataclass

from agents import Agent, FunctionTool, Handoff
from agents.tool import ApplyPatchTool, ComputerTool, LocalShellTool, ShellTool

from toolscore import Kind, OpenCall, Origin, Status
from toolscore_integrations.openai_agents._items import Request, read

SERIAL: tuple[tuple[type, tuple[str, ...]], ...] = (
    (ComputerTool, ("computer_call",)),
    (ShellTool, ("shell_call", "local_shell_call")),
    (LocalShellTool, ("local_shell_call",)),
    (ApplyPatchTool, ("apply_patch_call", "custom_tool_call", "function_call")),
)
"""Tools without a ``ToolContext``, and the items that ask for them; the SDK runs them in order."""


@dataclass(eq=False, slots=True)
class Asked:
    """A call that the model asked for: what is known of it, and whether it was answered."""

    call: OpenCall
    request: Request
    kind: Kind = "function"
    known: bool = True
    started: float | None = None
    done: bool = False
    ok: bool = False
    malformed: bool = False
    paused: bool = False
    """Whether a run inside it waits for a person: what it returns then is no result."""
    span: object = None
    failure: tuple[BaseException | str, str] | None = None
    """What a signal of failure said, and which one."""
    held: object = None
    """The result of a call that was cancelled: by itself or with the run is not known yet."""
    shown: str | None = None
    """What the model is shown of it."""

    @property
    def running(self) -> bool:
        """Whether the SDK began it and has not said that it ended."""
        return self.started is not None and not self.done

    @property
    def open(self) -> bool:
        """Whether nothing happened to it yet."""
        return self.started is None and not self.done

    def finish(self, result: object) -> None:
        """The tool returned."""
        if self.malformed:  # a tool of the user's own that takes any text
            self.call.start()
        self.call.finish(result)
        self.done = self.ok = True
        self.failure = self.span = None

    def fail(self, error: BaseException | str, source: str, *, result: object = None) -> None:
        """The tool failed; ``result`` is what the model is shown instead."""
        self.call.fail(error, result=result, source=source)
        if self.malformed:
            self.call.note(origin="invalid_json")
        self.done, self.ok = True, False
        self.failure = self.held = self.span = None

    def close(self, status: Status, *, origin: Origin | None = None) -> None:
        """Any other end."""
        self.call.close(status, origin=origin)
        self.done = True
        self.failure = self.held = self.span = None


class Toolbox:
    """What an agent offers to its model: names, and which of them are agents or handoffs."""

    def __init__(self, agent: Agent[object]) -> None:
        self.kinds: dict[str, Kind] = {}
        self.schemas: dict[str, dict[str, object]] = {}
        self.complete = not agent.mcp_servers
        for tool in agent.tools:
            self.kinds[tool.name] = (
                "agent" if getattr(tool, "_is_agent_tool", False) else "function"
            )
            if isinstance(tool, FunctionTool) and tool.is_enabled is not False:
                self.schemas[tool.name] = tool.params_json_schema
        for target in agent.handoffs:
            if isinstance(target, Handoff):
                self.kinds[target.tool_name] = "handoff"
                self.schemas[target.tool_name] = target.input_json_schema
            else:
                self.kinds[Handoff.default_tool_name(target)] = "handoff"

    def knows(self, request: Request) -> bool:
        """Whether the agent has such a tool; True where that cannot be told (MCP servers)."""
        return request.family != "function_call" or not self.complete or request.tool in self.kinds


def serial_families(tool: object) -> tuple[str, ...]:
    """The items that ask for a tool which has no ``ToolContext``."""
    return next((families for kind, families in SERIAL if isinstance(tool, kind)), ())


def is_malformed(written: object, args: dict[str, object]) -> bool:
    """Whether arguments were written as text that is no JSON object; empty text means none.

    ``args`` is what is recorded of them: nothing, or a ``value``, where the text is no object.
    """
    if not isinstance(written, str) or not written or not (not args or args.keys() == {"value"}):
        return False
    try:
        return not isinstance(json.loads(written), dict)
    except (ValueError, RecursionError):
        return True


def runs_on_server(tool: object) -> bool:
    """Whether a shell tool is one of the provider's containers."""
    environment = read(tool, "environment")
    return environment is not None and read(environment, "type") not in (None, "local")
