"""One session of the Model Context Protocol: which response answers which request."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any, NamedTuple

from toolscore._call import ToolCall
from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_mapping, is_sequence, kind_of
from toolscore._unpack import unpack
from toolscore.adapters._calls import Calls, settle
from toolscore.adapters._content import content_of, text_of

UNKNOWN = "unknown"
"""The tool of a result without its request: results do not name it."""


class Stamp(NamedTuple):
    """What a log says beside a message: Unix time and how long the call took, both in seconds."""

    time: float | None
    duration: float | None


class _Request(NamedTuple):
    number: int
    call: ToolCall | None
    """The call that its response is about; None where it is about something else."""


class Session:
    """Reads messages one by one; both sides may ask, and their ids are independent."""

    def __init__(self) -> None:
        self.calls = Calls()
        # by id, and by whether the response is about a call
        self._open: defaultdict[object, deque[_Request]] = defaultdict(deque)
        self._requests = 0
        self._tasks: dict[str, ToolCall] = {}
        self._paused: dict[str, ToolCall] = {}

    def message(self, message: object, stamp: Stamp) -> None:
        """One message."""
        root = read(message, "root")  # the SDK's first versions wrapped each message
        message = message if root is None else root
        method = read(message, "method")
        if isinstance(method, str):
            self._request(message, method, stamp)
        else:
            self._response(message, stamp)

    def _request(self, message: object, method: str, stamp: Stamp) -> None:
        params = read(message, "params")
        call = None
        if method == "notifications/cancelled":
            self._cancel(read_first(params, "requestId", "request_id"))
            return
        if method == "tools/call":
            if is_sequence(params) or isinstance(params, (str, int, float)):
                raise ValueError(
                    f"A tools/call has params of {kind_of(params).__name__}, where an object with "
                    "name and arguments would be right."
                )
            call = self._resumed(params) or self._asked(message, params)
            if stamp.time is not None and call.timestamp is None:
                call.timestamp = stamp.time
        elif method == "tasks/result":
            call = self._tasks.get(read_text(params, "taskId", "task_id") or "")
        self._requests += 1
        request = _Request(self._requests, call)
        self._open[_key(read(message, "id")), call is not None].append(request)

    def _asked(self, message: object, params: object) -> ToolCall:
        return self.calls.ask(
            read(params, "name"), read(params, "arguments"), read(message, "id"), kind="mcp"
        )

    def _resumed(self, params: object) -> ToolCall | None:
        """The call that waited for what this request brings."""
        if read_first(params, "inputResponses", "input_responses") is None:
            return None
        state = read_text(params, "requestState", "request_state")
        return self._paused.pop(state or str(read_text(params, "name")), None)

    def _response(self, message: object, stamp: Stamp) -> None:
        result, error = read(message, "result"), read(message, "error")
        if result is None and error is None:
            result = message if is_sequence(read(message, "content")) else None
        request = self._answered(read(message, "id"), result, error)
        if request is not None:
            call = request.call
        elif _is_tool_result(result, error):
            name = read_text(result, "_tool_name") or UNKNOWN
            call = self.calls.ask(name, None, read(message, "id"), kind="mcp")
        else:
            call = None
        if call is None:
            return
        if not self._goes_on(call, result):
            _finish(call, result, error)
        if stamp.duration is not None and stamp.duration >= 0:
            call.duration = stamp.duration
        elif stamp.time is not None and call.timestamp is not None:
            call.duration = max(stamp.time - call.timestamp, 0.0)

    def _answered(self, request_id: object, result: object, error: object) -> _Request | None:
        """The oldest open request of this id that such a response can be for."""
        key = _key(request_id)
        queues = [queue for about in (True, False) if (queue := self._open.get((key, about)))]
        # a server may ask too, under an id of its own that is the same
        fitting = [queue for queue in queues if _fits(queue[0], result, error)] or queues
        if not fitting:
            return None
        return min(fitting, key=lambda queue: queue[0].number).popleft()

    def _goes_on(self, call: ToolCall, result: object) -> bool:
        """Whether this is no end: the server works on, or asks for something first."""
        task = read_text(read(result, "task"), "taskId", "task_id")
        if task is not None:
            self._tasks[task] = call
            return True
        if read_first(result, "resultType", "result_type") != "input_required":
            return False
        call.metadata["status"] = "interrupted"
        self._paused[read_text(result, "requestState", "request_state") or call.tool] = call
        return True

    def _cancel(self, request_id: object) -> None:
        queue = self._open.get((_key(request_id), True))
        if queue and queue[0].call is not None:
            queue[0].call.metadata["status"] = "cancelled"


def _finish(call: ToolCall, result: object, error: object) -> None:
    failed = error is not None or read_first(result, "isError", "is_error") is True
    said: Any = read(result, "content")
    settle(call, failed=failed, error=text_of(said if error is None else error) if failed else None)
    if failed:
        code = read(error, "code")
        if isinstance(code, int):
            call.metadata["error_code"] = code
        return
    structured = read_first(result, "structuredContent", "structured_content")
    if structured is not None:
        call.result = unpack(structured)
    elif is_sequence(said) and said:
        call.result = content_of(said)
    else:
        older = read(result, "toolResult")
        call.result = unpack(result if older is None else older)


def _is_tool_result(result: object, error: object) -> bool:
    """Whether a response looks like a tool's: a result's own fields say it, an error may be."""
    if error is not None:
        return True
    told = ("structuredContent", "structured_content", "isError", "is_error", "_tool_name")
    return is_sequence(read(result, "content")) or read_first(result, *told) is not None


def _fits(request: _Request, result: object, error: object) -> bool:
    if error is not None:
        return True
    is_result = _is_tool_result(result, None) or is_mapping(read(result, "task"))
    return is_result == (request.call is not None)


def _key(request_id: object) -> object:
    known = isinstance(request_id, (str, int))
    return (type(request_id).__name__, request_id) if known else None
