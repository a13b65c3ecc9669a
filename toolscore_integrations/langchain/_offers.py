"""The tools that a model could call."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from toolscore_integrations.langchain._shapes import as_list, as_mapping

log = logging.getLogger("toolscore")
MAX_DEPTH = 5


def offered_in(params: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Names and schemas of the tools in a request to a model, in the forms of the providers."""
    for entry in as_list(params.get("tools") or params.get("functions")) or ():
        tool = as_mapping(entry) or {}
        tool = as_mapping(tool.get("function")) or tool
        name = tool.get("name")
        schema = as_mapping(tool.get("parameters") or tool.get("input_schema"))
        if isinstance(name, str) and schema is not None:
            yield name, schema


def is_bound_to_schema(options: Mapping[str, Any]) -> bool:
    """Whether ``with_structured_output`` made a tool of the answer's schema."""
    return any(
        name in options for name in ("ls_structured_output_format", "structured_output_format")
    )


def tools_of(agent: object) -> dict[str, Mapping[str, Any]]:
    """Names and schemas of the tools in a graph's tool nodes, its subgraphs' included."""
    found: dict[str, Mapping[str, Any]] = {}
    for tool in _tools_in(agent, 0):
        try:
            parameters = convert_to_openai_tool(tool)["function"].get("parameters", {})
        except Exception as error:  # noqa: BLE001 - a schema is the user's code; without it we score on
            log.debug("no schema for tool %s: %s", tool.name, error)
            continue
        found.setdefault(tool.name, parameters)
    return found


def _tools_in(agent: object, depth: int) -> Iterator[BaseTool]:
    for tool in (as_mapping(getattr(agent, "tools_by_name", None)) or {}).values():
        if isinstance(tool, BaseTool):
            yield tool
    nodes = as_mapping(getattr(agent, "nodes", None)) or {}
    for node in nodes.values() if depth < MAX_DEPTH else ():
        yield from _tools_in(getattr(node, "bound", None), depth + 1)
