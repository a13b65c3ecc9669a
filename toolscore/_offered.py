"""The tools that a recorded request offered to its model, and their schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from toolscore._plain import unplain
from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import MANY, is_dict, is_list, is_mapping, is_sequence
from toolscore._scoring.copied import copied

T = TypeVar("T")

_AROUND = ("request", "body", "params", "result", "config")
"""What stands around the tools: logs of requests, answers of MCP's ``tools/list``."""
_SCHEMAS = (
    *("parameters", "input_schema", "inputSchema"),
    *("parametersJsonSchema", "parameters_json_schema"),
)


def offered(source: object) -> dict[str, Mapping[str, Any]]:
    """Name and schema of each tool in a request, a response, or a list of them.

    Reads what OpenAI, Anthropic, Gemini and MCP write, and saved runs. What cannot be read offers
    nothing.

    Example:
        >>> offered({"tools": [{"name": "search", "input_schema": {"type": "object"}}]})
        {'search': {'type': 'object'}}
    """
    offers = Offers()
    items = source if is_sequence(source) else [source]
    for _ in offers.seen(islice(items, MANY)):
        pass
    return offers.tools


class Offers:
    """Collects the tools of the items of a trace while they are read."""

    def __init__(self) -> None:
        self.tools: dict[str, Mapping[str, Any]] = {}

    def seen(self, items: Iterable[T]) -> Iterator[T]:
        """The items as they are, noted on their way."""
        for item in items:
            try:
                for name, schema in _in(item):
                    self.tools.setdefault(name, schema)
            except Exception:  # noqa: BLE001, S110 - a schema lost costs its findings, not the score
                pass
            yield item


def _in(item: object) -> Iterator[tuple[str, dict[str, Any]]]:
    for place in (item, *(read(item, name) for name in _AROUND)):
        tools = read_first(place, "tools", "functions")
        if is_mapping(tools):  # a saved run's, by name
            for name, schema in unplain(tools).items():
                if isinstance(name, str) and is_mapping(schema):
                    yield name, copied(schema)
        for tool in tools if is_sequence(tools) else ():
            inner = read_first(tool, "functionDeclarations", "function_declarations")
            for function in inner if is_sequence(inner) else ():
                yield from ((name, _lower(schema)) for name, schema in _tool(function))
            yield from _tool(read(tool, "function") or tool)


def _tool(function: object) -> Iterator[tuple[str, dict[str, Any]]]:
    name, schema = read_text(function, "name"), read_first(function, *_SCHEMAS)
    if name and is_mapping(schema):
        yield name, copied(schema)


def _lower(schema: Any) -> Any:
    """Gemini's names of types, ``STRING``, as JSON Schema has them."""
    if is_list(schema):
        return [_lower(part) for part in schema]
    if not is_dict(schema):
        return schema
    return {
        key: part.lower() if key == "type" and isinstance(part, str) else _lower(part)
        for key, part in schema.items()
    }
