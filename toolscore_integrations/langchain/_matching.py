"""Which attempt and which answer belongs to which request.

An id alone does not say it: models repeat ids in one answer, reuse them in each turn, or give none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from toolscore_integrations.langchain._evidence import Answer, Attempt, Request, Turn

INVALID_TOOL = "invalid_tool"
"""The tool that an ``AgentExecutor`` runs in place of one that does not exist."""

MISUNDERSTOOD = "_Exception"
"""The tool that it runs to tell its model that an answer could not be parsed."""


def match(
    turns: Iterable[Turn], attempts: Sequence[Attempt], answers: Sequence[Answer]
) -> list[Attempt]:
    """Give each request its attempts and its answer; returns the attempts that nobody asked for."""
    by_id: dict[Any, list[Request]] = defaultdict(list)
    by_scope: dict[Any, list[Request]] = defaultdict(list)
    for turn in turns:
        for request in turn.requests:
            if request.form != "server":
                by_id[turn.scope, request.id].append(request)
                by_scope[turn.scope].append(request)
    unasked: list[Attempt] = []
    for group in _groups(attempts):
        if _assign(group, by_id[group[0].scope, group[0].id]):
            continue
        unasked += [a for a in group if not _assign_by_arguments(a, by_scope[a.scope])]
    for answer in answers:
        _give(answer, by_id[answer.node.scope, answer.id])
    return unasked


def _groups(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    """The attempts by what LangGraph ran them for: the same task under the same id is a retry."""
    groups: dict[Any, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        alone = attempt.id is None or attempt.node.ns is None
        key = attempt if alone else (attempt.scope, attempt.id, attempt.node.ns)
        groups[key].append(attempt)
    return list(groups.values())


def _assign(group: list[Attempt], candidates: list[Request]) -> bool:
    """Attach a task's attempts to the requests with their id, in the latest turn that has one."""
    first = group[0]
    if first.id is None:
        return False
    if len(candidates) == 1:  # nearly always
        [only] = candidates
        if only.turn.since < first.number:
            only.attempts.extend(group)
            return True
        return False
    earlier = [r for r in candidates if r.turn.since < first.number]
    if not earlier:
        return False
    turn = max(earlier, key=lambda r: (r.turn.graph is first.node.graph, r.turn.number)).turn
    same = [request for request in earlier if request.turn is turn]
    free = [request for request in same if not request.attempts]
    if len(group) == 1 or len(free) <= 1:
        chosen = _preferred(free or same, first)
        chosen.attempts.extend(group)
        return True
    # one task ran several requests that share an id: by their arguments, then in order
    for attempt in group:
        open_ones = [request for request in free if not request.attempts]
        alike = [request for request in free if request.args == attempt.args]
        chosen = next((r for r in alike if not r.attempts), None) or next(
            iter(alike or open_ones or free)
        )
        chosen.attempts.append(attempt)
    return True


def _preferred(requests: list[Request], attempt: Attempt) -> Request:
    return next((r for r in requests if r.args == attempt.args), requests[0])


def _assign_by_arguments(attempt: Attempt, candidates: list[Request]) -> bool:
    """Attach an attempt whose id was lost on the way: code called the tool with the arguments."""
    alike = [r for r in candidates if r.turn.since < attempt.number and _is_for(attempt, r)]
    if not alike:
        return False
    newest = max(request.turn.number for request in alike)
    latest = [request for request in alike if request.turn.number == newest]
    chosen = next((r for r in latest if not r.attempts), None)
    if chosen is None:  # the code that called it tries again what failed
        chosen = next((r for r in latest if r.attempts[-1].status == "error"), None)
    if chosen is None:
        return False
    chosen.attempts.append(attempt)
    return True


def _is_for(attempt: Attempt, request: Request) -> bool:
    if attempt.tool == INVALID_TOOL:
        return bool(attempt.args.get("requested_tool_name") == request.tool)
    if attempt.tool != request.tool:
        return False
    if attempt.text is not None and len(request.args) == 1:  # given the only argument as text
        return attempt.text in request.args.values()
    return attempt.args == request.args


def _give(answer: Answer, candidates: list[Request]) -> None:
    """Give an answer to the request that it most likely belongs to and that has none."""
    if len(candidates) == 1:  # nearly always
        [only] = candidates
        if only.answer is None and only.turn.number < answer.number:
            only.answer = answer
        return
    waiting = [r for r in candidates if r.answer is None and r.turn.number < answer.number]
    if not waiting:
        return
    ns = answer.node.ns

    def likely(request: Request) -> tuple[bool, bool, int, int]:
        ran_here = ns is not None and any(a.node.ns == ns for a in request.attempts)
        same_graph = request.turn.graph is answer.node.graph
        return ran_here, same_graph, request.turn.number, -request.index

    max(waiting, key=likely).answer = answer
