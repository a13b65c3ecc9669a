"""The tool calls of one run, from its evidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from toolscore import ToolCall
from toolscore._arguments import parse_arguments
from toolscore._open_run import UNNAMED
from toolscore._run import RunStatus
from toolscore_integrations.langchain._captured_run import CapturedRun
from toolscore_integrations.langchain._evidence import Answer, Attempt, Request, Turn
from toolscore_integrations.langchain._matching import INVALID_TOOL, MISUNDERSTOOD, match
from toolscore_integrations.langchain._messages import text_of

NO_SUCH_TOOL = "is not a valid tool"
"""What LangGraph's ``ToolNode`` answers to a name that it does not know."""


class Reconciled:
    """The calls of one run, in request order, and the turns that they belong to."""

    def __init__(self, seen: CapturedRun, status: RunStatus, tools: Collection[str]) -> None:
        self._status = status
        self._tools = tools
        self._interrupted = status == "interrupted"
        turns = sorted(seen.turns, key=lambda turn: turn.number)
        unasked = match(turns, list(seen.attempts), list(seen.answers))
        self._models = {turn.scope for turn in turns if turn.by_model}
        self._done_before = seen.answered_before
        self.discarded = [turn for turn in turns if _discarded(turn)]
        self.turns = [t for t in turns if t not in self.discarded and (t.accepted or t.requests)]
        self._steps = _steps(turns, self.turns)
        self._keys: dict[Attempt, str] = {}
        items: list[tuple[tuple[int, int], Request | Attempt]] = [
            (request.order, request)
            for turn in turns
            for request in sorted(turn.requests, key=lambda r: r.index)
            if not self._is_done_before(request)
        ]
        items += [((attempt.number, 0), attempt) for attempt in unasked]
        items.sort(key=lambda item: item[0])
        for number, (_, item) in enumerate(items, 1):
            for attempt in item.attempts if isinstance(item, Request) else [item]:
                self._keys[attempt] = f"c{number}"
        self.calls = [
            self._asked(item, f"c{number}")
            if isinstance(item, Request)
            else self._unasked(item, f"c{number}")
            for number, (_, item) in enumerate(items, 1)
        ]

    def step(self, turn: Turn) -> int:
        """The index of a turn."""
        return self._steps[turn]

    # -- one call

    def _unasked(self, attempt: Attempt, key: str) -> ToolCall:
        """A call that code made. One with an id was asked for by a model that we cannot see."""
        metadata = self._place(key, [attempt], attempt.scope)
        self._add_outcome(attempt, metadata)
        metadata["id"] = attempt.id
        if attempt.tool == MISUNDERSTOOD:
            metadata["origin"] = "framework"
        else:
            metadata["origin"] = "code" if attempt.id is None else "executed"
        return _call(attempt.tool, attempt.args, [attempt], metadata)

    def _asked(self, request: Request, key: str) -> ToolCall:
        turn, attempts = request.turn, request.attempts
        tool, args = request.tool or UNNAMED, request.args
        if attempts and attempts[-1].tool == INVALID_TOOL:
            text, attempts = attempts[-1].result, list[Attempt]()
            metadata = self._place(key, attempts, turn.scope)
            metadata.update(status="error", origin="unknown_tool", error=text, result=text)
        else:
            metadata = self._place(key, attempts, turn.scope)
            if request.form == "server":
                _add_served(request, metadata)
            elif attempts:
                self._add_outcome(attempts[-1], metadata)
                tool, args = self._ran_as(request, attempts[-1], metadata)
            else:
                metadata.update(self._not_run(request))
        if request.form == "invalid":
            args, kept = parse_arguments(request.text)
            metadata.update(kept)
        if request.answer is not None:
            _add_answer(request.answer, attempts, metadata)
        metadata["step"] = self._steps[turn]
        metadata["id"] = request.id
        if metadata["agent"] is None:
            metadata["agent"] = turn.node.agent
        return _call(tool, args, attempts, metadata)

    def _place(
        self, key: str, attempts: Sequence[Attempt], scope: Attempt | None
    ) -> dict[str, Any]:
        """What each call has."""
        return {
            "key": key,
            "parent": None if scope is None else self._keys.get(scope),
            "depth": 0 if scope is None else scope.depth + 1,
            "attempts": len(attempts),
            "id": None,
            "kind": "function",
            "step": None,
            "agent": None,
        }

    def _add_outcome(self, last: Attempt, metadata: dict[str, Any]) -> None:
        """How the last attempt ended."""
        status: str = last.status
        if status == "running":
            status = "cancelled" if self._status == "cancelled" else "unfinished"
        metadata["status"] = status
        metadata["origin"] = "executed"
        metadata["agent"] = last.node.agent
        metadata["result"] = last.result
        if last.handoff:
            metadata["kind"] = "handoff"
        elif last.models and last.graphs:
            metadata["kind"] = "agent"
        if last.artifact is not None:
            metadata["artifact"] = last.artifact
        if last.truncated:
            metadata["truncated"] = True
        if last.error is not None:
            metadata["error"] = last.error
            metadata["error_source"] = last.error_source
            if last.error_type is not None:
                metadata["error_type"] = last.error_type

    def _ran_as(
        self, request: Request, last: Attempt, metadata: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """What really ran; what was asked for is kept where it differs."""
        args = last.args
        if last.text is not None and last.text in request.args.values():
            args = request.args
        if last.tool != request.tool:
            metadata["requested_tool"] = request.tool or UNNAMED
        if request.form == "tool" and args != request.args:
            metadata["requested_args"] = request.args
        return last.tool, args

    def _not_run(self, request: Request) -> dict[str, Any]:
        """A call that was asked for and that no tool ran: who answered, if anybody?"""
        answer, turn = request.answer, request.turn
        if request.form == "invalid":
            return {"status": "error", "origin": "invalid_json", "error": request.error}
        if turn.structured or (answer is not None and _is_structured(request)):
            return {"status": "ok", "origin": "structured_output"}
        added = not turn.by_model and not turn.carried and turn.scope in self._models
        if answer is None:
            if request.withdrawn or turn in self.discarded:
                return {"status": "not_executed", "origin": "discarded"}
            if added:
                return {"status": "not_executed", "origin": "framework"}
            waits = "interrupted" if self._interrupted else "not_executed"
            return {"status": waits, "origin": "requested"}
        if added:
            return {"status": "error" if answer.failed else "ok", "origin": "framework"}
        if not answer.failed:
            return {"status": "ok", "origin": "synthesized"}
        text = text_of(answer.content)
        unknown = NO_SUCH_TOOL in text or (bool(self._tools) and request.tool not in self._tools)
        return {
            "status": "error",
            "origin": "unknown_tool" if unknown else "rejected",
            "error": text,
        }

    def _is_done_before(self, request: Request) -> bool:
        """Whether an earlier leg of this thread finished it, so that it is no part of this run."""
        idle = not request.attempts and request.answer is None
        return idle and request.turn.carried and request.id in self._done_before


def _discarded(turn: Turn) -> bool:
    """Whether the code that called the model took another answer instead."""
    if turn.accepted or any(r.attempts or r.answer for r in turn.requests):
        return False
    task = turn.node.enclosing_task()
    return task is not None and task.replied is True


def _steps(turns: Sequence[Turn], kept: Sequence[Turn]) -> dict[Turn, int]:
    """Number the turns: the agent's own from 0, those of sub-agents after them, all different."""
    steps: dict[Turn, int] = {}
    own = sum(turn.scope is None for turn in kept)
    following = {True: 0, False: own}
    numbered = set(kept)
    for turn in turns:
        mine = turn.scope is None
        steps[turn] = following[mine]
        if turn in numbered:
            following[mine] += 1
    return steps


def _is_structured(request: Request) -> bool:
    """Whether the "tool" is the form of the final answer: one update holds question and answer."""
    answer, turn = request.answer, request.turn
    return (
        answer is not None
        and answer.alongside is turn
        and turn.by_model
        and turn.node.enclosing_task() is answer.node
    )


def _add_served(request: Request, metadata: dict[str, Any]) -> None:
    status = "error" if request.error else "ok" if request.settled else "unfinished"
    metadata["status"] = status
    metadata["origin"] = "server"
    metadata["kind"] = "hosted"
    metadata["attempts"] = int(status != "unfinished")  # the provider ran what it answered
    metadata["result"] = request.result
    if request.error:
        metadata["error"] = request.error


def _add_answer(answer: Answer, attempts: Sequence[Attempt], metadata: dict[str, Any]) -> None:
    """What the model was shown: the result of what did not run, else what differs from it."""
    if not attempts:
        metadata.setdefault("result", answer.content)
        if answer.truncated:
            metadata["truncated"] = True
    elif answer.content != metadata["result"]:
        metadata["model_visible_result"] = answer.content
    # a tool whose result cannot be shown raises after the last event of it: only the answer tells
    ended = metadata["status"] in ("ok", "unfinished")
    if answer.failed and ended and metadata["origin"] == "executed":
        metadata["status"] = "error"
        metadata["error"] = text_of(answer.content)
        metadata["error_source"] = "tool_message"


def _call(
    tool: str, args: dict[str, Any], attempts: Sequence[Attempt], metadata: dict[str, Any]
) -> ToolCall:
    result = metadata.pop("result", None)
    metadata["is_error"] = metadata["status"] == "error"
    started = duration = None
    if attempts:
        started = attempts[0].started
        for attempt in attempts:
            if attempt.duration is not None:
                duration = (duration or 0.0) + attempt.duration
    return ToolCall(tool, args, result, started, duration, None, metadata)
