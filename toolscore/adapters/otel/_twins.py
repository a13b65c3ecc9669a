"""One call that several spans tell of counts once."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TypeAlias

from toolscore.adapters.otel._attempt import Attempt
from toolscore.adapters.otel._outcome import outcome_of
from toolscore.adapters.otel._tree import Tree

Asked: TypeAlias = Counter[tuple[str, str | None]]
"""How often models asked for a call: by trace and id."""

_SEPARATORS = ("__", "_", ".", "/", ":", "-")


def without_twins(attempts: list[Attempt], tree: Tree, asked: Asked) -> list[Attempt]:
    """The executions, each once, in the order given.

    A tool span inside a tool span of the same tool is the same call, seen by a second
    instrumentation (an MCP client, an MCP server). Spans with one call id are one call when they
    overlap, or when the earlier one did not succeed: that was retried, or resumed.
    """
    outer: list[Attempt] = []
    twins: list[tuple[int, Attempt]] = []
    depths: dict[int, int] = {}
    for attempt in attempts:
        place = tree.place(attempt.span)
        if place.tool is not None and not place.through_agent and _is_twin(place.tool, attempt):
            twins.append((_depth(attempt, tree, depths), attempt))
        else:
            outer.append(attempt)
    for _, twin in sorted(twins, key=lambda pair: -pair[0]):  # each hands up what it knows
        holder = tree.place(twin.span).tool
        if holder is not None:
            _absorb(holder, twin)
    return _without_servers(_without_repeats(outer, asked))


def _depth(attempt: Attempt, tree: Tree, known: dict[int, int]) -> int:
    """How many tool spans are around this one."""
    path: list[Attempt] = []
    above: Attempt | None = attempt
    while above is not None and id(above) not in known:
        path.append(above)
        above = tree.place(above.span).tool
    depth = known[id(above)] + 1 if above is not None else 0
    for inner in reversed(path):
        known[id(inner)] = depth
        depth += 1
    return known[id(attempt)]


def _is_twin(outer: Attempt, inner: Attempt) -> bool:
    same = outer.tool == inner.tool or (
        (outer.mcp or inner.mcp)
        and any(outer.tool.endswith(mark + inner.tool) for mark in _SEPARATORS)
    )
    return same and _compatible(outer, inner)


def _compatible(one: Attempt, other: Attempt) -> bool:
    """Whether the arguments may be of one call: equal, or not recorded on one side."""
    if not (one.arguments.known and other.arguments.known):
        return True
    return one.key == other.key


def _absorb(outer: Attempt, inner: Attempt) -> None:
    """Let the outer span say what only the inner one recorded; of several, the last decides."""
    outer.twins.append(inner)
    inner.owner = outer
    outer.runs = max(outer.runs, inner.runs, len(outer.twins))
    outer.id = outer.id or inner.id
    outer.mcp = outer.mcp or inner.mcp
    if outer.wrapper:
        outer.retry = inner.final
        outer.runs = len(outer.twins)
    if not outer.arguments.known and inner.arguments.known:
        outer.arguments = inner.arguments
    if not outer.answer.seen and inner.answer.seen:
        outer.answer.value, outer.answer.seen = inner.answer.value, True
    if inner.mcp:  # the framework may have turned the error into text: the call failed all the same
        outcome = outcome_of(inner)
        outer.answer.failed = outcome.status == "error"
        outer.answer.error = outcome.error


def _without_repeats(attempts: list[Attempt], asked: Asked) -> list[Attempt]:
    kept: list[Attempt] = []
    latest: dict[tuple[str, str | None, str], Attempt] = {}
    for attempt in attempts:
        key = (attempt.span.trace, attempt.id, attempt.tool)
        known = latest.get(key) if attempt.id else None
        if known is None or asked[key[:2]] > 1 or not _again(known, attempt):
            latest[key] = attempt
            kept.append(attempt)
        elif _overlap(known.final, attempt):
            _absorb(known, attempt)
            known.runs = max(known.runs - 1, 1)  # the same execution, seen from beside
        else:
            known.runs += attempt.runs
            known.retry, attempt.owner = attempt, known
    return kept


def _again(earlier: Attempt, later: Attempt) -> bool:
    status = outcome_of(earlier.final).status
    failed = status in ("error", "interrupted", "cancelled", "unfinished")
    return (failed or _overlap(earlier.final, later)) and _compatible(earlier, later)


def _overlap(one: Attempt, other: Attempt) -> bool:
    first, second = one.span, other.span
    if first.start is None or first.end is None or second.start is None or second.end is None:
        return False
    return first.start < second.end and second.start < first.end


def _without_servers(attempts: list[Attempt]) -> list[Attempt]:
    """Each MCP client's call stands for one of a server that was traced apart from it."""
    clients: defaultdict[object, deque[Attempt]] = defaultdict(deque)
    for attempt in attempts:
        if attempt.mcp and attempt.span.kind != "SERVER":
            for key in _rpc_keys(attempt):
                clients[key].append(attempt)
    kept: list[Attempt] = []
    claimed: set[int] = set()
    for attempt in attempts:
        client = None
        if attempt.mcp and attempt.span.kind == "SERVER":
            for key in _rpc_keys(attempt):
                while client is None and clients[key]:
                    found = clients[key].popleft()
                    client = None if id(found) in claimed else found
        if client is None:
            kept.append(attempt)
        else:
            claimed.add(id(client))
            _absorb(client, attempt)
    return kept


def _rpc_keys(attempt: Attempt) -> list[object]:
    """What a client's span and its server's have in common; a server may say more."""
    sources = [attempt, *attempt.twins]
    tool = next((a.tool for a in reversed(sources) if a.mcp), attempt.tool)
    request = next((r for a in sources if (r := a.span.text("jsonrpc.request.id"))), None)
    session = next((s for a in sources if (s := a.span.text("mcp.session.id"))), None)
    if request is None:
        return []
    keys: list[object] = [(tool, request, session)]
    if session is not None and attempt.span.kind == "SERVER":
        keys.append((tool, request, None))
    return keys
