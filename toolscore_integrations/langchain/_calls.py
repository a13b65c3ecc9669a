"""The tool calls of one run, from its evidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from toolscore import ToolCall
from toolscore._arguments import parse_arguments
from toolscore._open_run import UNNAMED
from toolscore._run import RunStatus
from toolscore_integrations.langchain._captured_run import CapturedRun
from toolscore_integrations.langchain._evidence import Attempt, Request, Turn
from toolscore_integrations.langchain._matching import INVALID_TOOL, match
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
        metadata = self._ran([attempt])
        metadata["origin"] = "code" if attempt.id is None else "executed"
        return self._call(key, attempt.tool, attempt.args, [attempt], metadata, attempt.scope)

    def _asked(self, request: Request, key: str) -> ToolCall:
        attempts, tool, args = request.attempts, request.tool or UNNAMED, request.args
        metadata: dict[str, Any]
        if request.form == "server":
            metadata = _served(request)
        elif attempts and attempts[-1].tool == INVALID_TOOL:
            text = attempts[-1].result
            metadata = {"status": "error", "origin": "unknown_tool", "error": text, "result": text}
            attempts = []
        elif attempts:
            metadata = self._ran(attempts)
            tool, args = self._ran_as(request, attempts[-1], metadata)
        else:
            metadata = self._not_run(request)
        if request.form == "invalid":
            args, kept = parse_arguments(request.text)
            metadata.update(kept)
        _add_answer(request, attempts, metadata)
        metadata["step"] = self._steps[request.turn]
        metadata["id"] = request.id
        metadata.setdefault("agent", request.turn.node.agent)
        return self._call(key, tool, args, attempts, metadata, request.turn.scope)

    def _call(
        self,
        key: str,
        tool: str,
        args: dict[str, Any],
        attempts: Sequence[Attempt],
        metadata: dict[str, Any],
        scope: Attempt | None,
    ) -> ToolCall:
        result = metadata.pop("result", None)
        durations = [attempt.duration for attempt in attempts if attempt.duration is not None]
        common: dict[str, Any] = {
            "key": key,
            "parent": None if scope is None else self._keys.get(scope),
            "depth": 0 if scope is None else scope.depth + 1,
            "attempts": len(attempts),
            "id": None,
            "kind": "function",
            "step": None,
            "agent": None,
        }
        common.update((name, value) for name, value in metadata.items() if value is not None)
        common["is_error"] = common["status"] == "error"
        return ToolCall(
            tool,
            args,
            result,
            attempts[0].started if attempts else None,
            sum(durations) if durations else None,
            metadata=common,
        )

    def _ran(self, attempts: Sequence[Attempt]) -> dict[str, Any]:
        last = attempts[-1]
        running = "cancelled" if self._status == "cancelled" else "unfinished"
        return {
            "status": running if last.status == "running" else last.status,
            "origin": "executed",
            "id": last.id,
            "kind": "handoff" if last.handoff else "agent" if last.models and last.graphs else None,
            "agent": last.node.agent,
            "result": last.result,
            "artifact": last.artifact,
            "error": last.error,
            "error_type": last.error_type,
            "error_source": last.error_source,
            "truncated": last.truncated or None,
        }

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


def _served(request: Request) -> dict[str, Any]:
    status = "error" if request.error else "ok" if request.settled else "unfinished"
    return {
        "status": status,
        "origin": "server",
        "kind": "hosted",
        "attempts": int(status != "unfinished"),  # the provider ran what it answered
        "error": request.error,
        "result": request.result,
    }


def _add_answer(request: Request, attempts: Sequence[Attempt], metadata: dict[str, Any]) -> None:
    """What the model was shown: the result of what did not run, else what differs from it."""
    answer = request.answer
    if answer is None:
        return
    if not attempts:
        metadata.setdefault("result", answer.content)
        metadata["truncated"] = answer.truncated or None
    elif answer.content != metadata["result"]:
        metadata["model_visible_result"] = answer.content
    # a tool whose result cannot be shown raises after the last event of it: only the answer tells
    ended = metadata["status"] in ("ok", "unfinished")
    if answer.failed and ended and metadata["origin"] == "executed":
        metadata["status"] = "error"
        metadata["error"] = text_of(answer.content)
        metadata["error_source"] = "tool_message"
