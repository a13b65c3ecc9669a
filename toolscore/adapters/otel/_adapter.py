"""The spans of an export as tool calls."""

from __future__ import annotations

from collections import Counter
from typing import Any

from toolscore._call import ToolCall
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters._plain import as_dicts
from toolscore.adapters._source import items_of
from toolscore.adapters.otel._attempt import attempt_of
from toolscore.adapters.otel._call import call_of
from toolscore.adapters.otel._joined import Joined, join
from toolscore.adapters.otel._lone import name_lone_texts
from toolscore.adapters.otel._model import Turn, turn_of
from toolscore.adapters.otel._nesting import Nesting
from toolscore.adapters.otel._span import Span
from toolscore.adapters.otel._spans import spans_of
from toolscore.adapters.otel._tree import Tree
from toolscore.adapters.otel._twins import without_twins


class OTelAdapter(BaseAdapter):
    """Reads OTLP JSON exports, JSON lines of them, and lists of spans.

    Source:
        ``toolscore.adapters.OTelAdapter`` of tool-scorer.

    Example:
        >>> span = {"name": "execute_tool search", "attributes": {
        ...     "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search",
        ...     "gen_ai.tool.call.arguments": '{"query": "python"}'}}
        >>> [(call.tool, call.args) for call in OTelAdapter().parse([span])]
        [('search', {'query': 'python'})]
    """

    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls in the spans, in the order in which they started.

        Raises:
            ValueError: ``trace_data`` is neither an export of spans nor a list of spans.
        """
        items_of(trace_data, type(self).__name__)
        return calls_from_otel(trace_data)


def tool_calls_from_otel(data: Any) -> list[dict[str, Any]]:
    """The calls in OpenTelemetry spans, one dict each, in the order in which they started.

    Args:
        data: An OTLP JSON export, a list of spans or of exports, or of the objects of an SDK.

    Returns:
        Dicts with ``tool``, ``args``, ``result``, ``is_error``, ``error``, ``duration`` (s),
        ``timestamp`` (Unix time, s), ``id`` and ``metadata``. Arguments and results that are JSON
        are decoded; arguments that are no JSON object are ``{"value": ...}``.

    Raises:
        ValueError: ``data`` holds no spans.

    Source:
        ``toolscore.adapters.otel.tool_calls_from_otel`` of tool-scorer.

    Example:
        >>> span = {"name": "execute_tool search", "attributes": {
        ...     "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search",
        ...     "error.type": "TimeoutError"}}
        >>> [call] = tool_calls_from_otel([span])
        >>> call["tool"], call["is_error"], call["error"]
        ('search', True, 'TimeoutError')
    """
    return as_dicts(calls_from_otel(data))


def calls_from_otel(data: object) -> list[ToolCall]:
    """``tool_calls_from_otel`` as ``ToolCall``s.

    Raises:
        ValueError: ``data`` holds no spans.
    """
    try:
        return _calls(spans_of(data))
    except RecursionError:
        raise ValueError(
            "An attribute in these spans is nested without end: export the spans again."
        ) from None


def _calls(spans: list[Span]) -> list[ToolCall]:
    order = _order(spans)
    spans = sorted(spans, key=lambda span: order[id(span)])
    attempts = [attempt for span in spans if (attempt := attempt_of(span)) is not None]
    tools = {id(attempt.span) for attempt in attempts}
    turns = [turn_of(span) for span in spans if id(span) not in tools]
    tree = Tree(spans, attempts, turns)
    turns = _each_once([_without_inner(turn, tree) for turn in turns])
    asked = Counter((turn.span.trace, r.id) for turn in turns for r in turn.requests)
    attempts = without_twins(attempts, tree, asked)
    calls = join(attempts, turns)
    name_lone_texts(calls)
    calls.sort(key=lambda call: _started(call, order))
    traced = {attempt.span.trace for attempt in attempts}
    nesting = Nesting(tree, attempts, turns)
    return [call_of(call, nesting, traced=call.trace in traced) for call in calls]


def _order(spans: list[Span]) -> dict[int, tuple[int, int]]:
    """When each span started; one that does not say it comes after the one before it."""
    order: dict[int, tuple[int, int]] = {}
    latest = 0
    for number, span in enumerate(spans):
        latest = span.start if span.start is not None else latest
        order[id(span)] = (latest, number)
    return order


def _started(call: Joined, order: dict[int, tuple[int, int]]) -> tuple[int, int, int]:
    if call.attempt is None and call.span.end is not None:
        return call.span.end, call.place, 0  # asked for when the model had answered
    start, number = order[id(call.span)]
    return start, call.place, number


def _without_inner(turn: Turn, tree: Tree) -> Turn:
    """An agent's span, or a client's around another, repeats what the model's own span says."""
    if tree.holds_turn(turn.span):
        turn.requests = []
    return turn


def _each_once(turns: list[Turn]) -> list[Turn]:
    """A turn that two instrumentations wrote side by side is one: same ids at the same time."""
    latest: dict[tuple[str, tuple[str | None, ...]], Span] = {}
    for turn in turns:
        ids = tuple(request.id for request in turn.requests)
        if not ids or None in ids:
            continue
        key = (turn.span.trace, ids)
        known = latest.get(key)
        if known is not None and _overlap(known, turn.span):
            turn.requests = []
        else:
            latest[key] = turn.span
    return turns


def _overlap(one: Span, other: Span) -> bool:
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return False
    return one.start < other.end and other.start < one.end
