"""The formats by name, and the calls of a trace of any of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._run import Run
from toolscore._scoring.containers import is_mapping
from toolscore.adapters._detect import FRAMEWORKS, Votes
from toolscore.adapters._source import items_of, refuse
from toolscore.adapters.anthropic import AnthropicAdapter
from toolscore.adapters.custom import CustomAdapter
from toolscore.adapters.gemini import GeminiAdapter
from toolscore.adapters.langchain import LangChainAdapter
from toolscore.adapters.mcp import MCPAdapter
from toolscore.adapters.openai import OpenAIAdapter
from toolscore.adapters.otel import OTelAdapter

_ADAPTERS: dict[str, Any] = {
    "openai": OpenAIAdapter,
    "anthropic": AnthropicAdapter,
    "gemini": GeminiAdapter,
    "mcp": MCPAdapter,
    "langchain": LangChainAdapter,
    "otel": OTelAdapter,
    "custom": CustomAdapter,
}
FORMATS = ("auto", *_ADAPTERS)


def calls_of(source: object, format: str = "auto") -> list[ToolCall]:  # noqa: A002 - the seed's name
    """The calls of a trace: parsed JSON, or the objects of an SDK.

    Raises:
        ValueError: the format is unknown or not recognised, or the trace is malformed.
    """
    check_format(format)
    if format == "auto":
        votes = Votes()
        votes.see(items_of(source, "toolscore"))
        format = known(votes, source)  # noqa: A001 - see above
    if format == "otel":
        return OTelAdapter().parse(source)  # type: ignore[arg-type]
    adapter = _ADAPTERS[format].__name__ if format in _ADAPTERS else "toolscore"
    return read_items(items_of(source, adapter), format)


def read_items(items: Iterable[object], name: str) -> list[ToolCall]:
    """The calls of the items of a trace, one by one: they need not be in memory together."""
    if name in FRAMEWORKS:
        # their readers are made of the adapters' parts
        from toolscore.extract._frameworks import READERS

        return READERS[name](list(items))
    if name == "run":
        return [call for item in items for call in _run(item).calls]
    adapter = _ADAPTERS[name]()
    if isinstance(adapter, OTelAdapter):
        return adapter.parse(list(items))
    calls: list[ToolCall] = adapter.read_items(items)
    return calls


def known(votes: Votes, source: object) -> str:
    """The format that the votes are for; an empty list is a run without calls, in any.

    Raises:
        ValueError: no format was recognised.
    """
    if votes.format is not None:
        return votes.format
    items = items_of(source, "toolscore")
    if len(items) == 0:
        return "custom"
    raise refuse("toolscore", items[0], "traces of " + ", ".join(_ADAPTERS))


def check_format(name: str) -> None:
    """Refuse the name of a format that there is not.

    Raises:
        ValueError: it is none of ``FORMATS``.
    """
    if name not in FORMATS:
        raise ValueError(
            f"There is no trace format {name!r}. Write format= one of: {', '.join(FORMATS)}. For "
            "a format of your own, write an adapter: see docs/my-framework.md."
        )


def _run(item: object) -> Run:
    if not is_mapping(item):
        raise refuse("toolscore", item, "saved runs")
    return Run.from_dict(item)
