"""The tools that a model is offered, and the schemas of their arguments."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from operator import is_
from typing import Any, cast

from llama_index.core.tools import BaseTool

from toolscore_integrations.llama_index._part import Part
from toolscore_integrations.llama_index._span import Entry, Span, part_around

_schemas: weakref.WeakKeyDictionary[type, Mapping[str, Any]] = weakref.WeakKeyDictionary()


def offer(part: Part, tool: object) -> None:
    """Tell the run of a tool; making a JSON schema is slow, so each is made once per process."""
    if not isinstance(tool, BaseTool):
        return
    metadata = tool.metadata
    name, model = metadata.name, metadata.fn_schema
    if name is None or name in part.offered:
        return
    part.offered.add(name)
    schema = None if model is None else _schemas.get(model)
    if schema is None:
        try:
            schema = cast("dict[str, Any]", metadata.get_parameters_dict())  # pyright: ignore[reportUnknownMemberType]
        except Exception:  # noqa: BLE001 - a schema that cannot be made costs the schema, not the run
            return
        if model is not None:
            _schemas[model] = schema
    part.run.offer(name, schema)


class OfferSpan(Span):
    """The moment at which a model is given its tools, those of a retriever included."""

    @classmethod
    def enter(cls, at: Entry) -> Span | None:
        """Note the tools; nothing of interest happens inside."""
        part, tools = part_around(at.parent), at.bound.arguments.get("tools")
        if part is not None and tools:
            known = part.offered_last  # the same in each turn, nearly always
            if len(tools) != len(known) or not all(map(is_, tools, known)):
                part.offered_last = tuple(tools)
                for tool in tools:
                    offer(part, tool)
        return None
