"""What an agent offers to its model."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

from agents import Agent, FunctionTool, Handoff
from agents.tool import ApplyPatchTool, ComputerTool, LocalShellTool, ShellTool

from toolscore import Kind, Origin
from toolscore._snapshot import snapshot
from toolscore_integrations.openai_agents._items import FUNCTION, SHELL, Request, read

SERIAL: tuple[tuple[type, tuple[str, ...]], ...] = (
    (ComputerTool, ("computer_call",)),
    (ShellTool, ("shell_call", "local_shell_call")),
    (LocalShellTool, ("local_shell_call",)),
    (ApplyPatchTool, ("apply_patch_call", "custom_tool_call", "function_call")),
)
"""Tools without a ``ToolContext``, and the items that ask for them; the SDK runs them in order."""


class Toolbox:
    """What an agent offers to its model: names, and which of them are agents or handoffs."""

    def __init__(self, agent: Agent[object], limit: int) -> None:
        self.kinds: dict[str, Kind] = {}
        self.schemas: dict[str, Mapping[str, Any]] = {}
        self._complete = not agent.mcp_servers
        self._structured = agent.output_type is not None
        self._hosted_shell = any(runs_on_server(tool) for tool in agent.tools)
        for tool in agent.tools:
            self.kinds[tool.name] = (
                "agent" if getattr(tool, "_is_agent_tool", False) else "function"
            )
            if isinstance(tool, FunctionTool) and tool.is_enabled is not False:
                self.schemas[tool.name] = copied_schema(tool, tool.params_json_schema, limit)
        for target in agent.handoffs:
            if isinstance(target, Handoff):
                self.kinds[target.tool_name] = "handoff"
                schema = copied_schema(target, target.input_json_schema, limit)
                self.schemas[target.tool_name] = schema
            else:
                self.kinds[Handoff.default_tool_name(target)] = "handoff"

    def place(self, request: Request) -> tuple[Kind, Origin]:
        """Of which kind a call is, and where it will run."""
        if request.on_server or (self._hosted_shell and request.family == SHELL):
            return "hosted", "server"
        if self._structured and request.tool == "json_tool_call":  # a model adapter's own
            return "function", "structured_output"
        return self.kinds.get(request.tool, "function"), "executed"

    def knows(self, request: Request) -> bool:
        """Whether the agent has such a tool; True where that cannot be told (MCP servers)."""
        return request.tool in self.kinds or request.family != FUNCTION or not self._complete


_copies: dict[int, tuple[weakref.ref[Any], object, int, Mapping[str, Any]]] = {}


def copied_schema(owner: object, schema: Mapping[str, Any], limit: int) -> Mapping[str, Any]:
    """A copy of a tool's schema, made once per tool: each run of the agent offers it again."""
    key = id(owner)
    known = _copies.get(key)
    if known is not None and known[0]() is owner and known[1] is schema and known[2] == limit:
        return known[3]
    copy: Mapping[str, Any] = snapshot(schema, limit)[0]
    _copies[key] = weakref.ref(owner, lambda _: _copies.pop(key, None)), schema, limit, copy
    return copy


def serial_families(tool: object) -> tuple[str, ...]:
    """The items that ask for a tool which has no ``ToolContext``."""
    return next((families for kind, families in SERIAL if isinstance(tool, kind)), ())


def runs_on_server(tool: object) -> bool:
    """Whether a shell tool is one of the provider's containers."""
    environment = read(tool, "environment")
    return environment is not None and read(environment, "type") not in (None, "local")
