"""The calls of one trace while it is read: who was asked, who waits for an answer."""

from __future__ import annotations

import math
import warnings
from collections import defaultdict, deque
from typing import Any

from toolscore._arguments import parse_arguments
from toolscore._call import ToolCall
from toolscore._errors import ToolscoreWarning
from toolscore._open_run import UNNAMED
from toolscore._scoring.containers import is_dict, kind_of
from toolscore._unpack import unpack
from toolscore.adapters._content import shown
from toolscore.adapters._heard import hearing


class Calls:
    """Calls in the order in which they were asked for, each with the answer that it got.

    An answer goes to the oldest call of its id that has none yet; calls and answers without an id
    find each other too, in their order.
    """

    def __init__(self) -> None:
        self.made: list[ToolCall] = []
        self.step = -1
        """The number of the model's turn; the first is 0."""
        self._waiting: defaultdict[object, deque[ToolCall]] = defaultdict(deque)
        self._answered: set[int] = set()
        self._strays = 0
        self._heard = hearing.get()

    @property
    def heard(self) -> bool:
        """Whether anybody asks for what is said."""
        return self._heard is not None

    def say(self, role: object, content: object, *, apart: bool = False) -> None:
        """A message of the trace, for those who ask for its turns.

        The model's words are of its turn ``step``, unless they stand ``apart`` from its calls.
        """
        if self._heard is not None:
            self._heard.said(role, content, None if apart else self.step)

    def ask(
        self, tool: object, written: object, call_id: object = None, **metadata: Any
    ) -> ToolCall:
        """A call that was asked for; ``written`` are its arguments, as text or as data.

        Metadata that is None is left out.

        Raises:
            ValueError: there is no tool's name.
        """
        args, kept = arguments_of(written)
        given = {"id": unpack(call_id), **kept, **metadata}
        call = ToolCall(
            name_of(tool), args, metadata={k: v for k, v in given.items() if v is not None}
        )
        if self.step >= 0 and "step" not in metadata:
            call.metadata["step"] = self.step
        self.made.append(call)
        if self._heard is not None:
            self._heard.asked(call)
        self._waiting[_id_key(call_id)].append(call)
        self._waiting["name", call.tool].append(call)
        return call

    def answer(
        self,
        call_id: object,
        result: object,
        *,
        tool: object = None,
        failed: bool = False,
        error: object = None,
    ) -> ToolCall | None:
        """An answer to the oldest call of this id that has none; returns the call.

        ``result`` is plain already; ``error`` says why the call ``failed``. Without an id, the
        ``tool`` tells. An answer whose question is not in the trace is a call of its own where the
        tool is known: the call was made, with arguments that nobody knows.
        """
        key = _id_key(call_id)
        call = self._find(key, tool)
        stranger = key == _NO_ID or key not in self._waiting
        if call is None and stranger and isinstance(tool, str) and tool:
            call = self.ask(tool, None, call_id, step=None)
        if call is None:
            self._strays += 1
            self.say("tool", result if error is None else error)
            return None
        self.close(call, result, failed=failed, error=error)
        return call

    def close(
        self, call: ToolCall, result: object, *, failed: bool = False, error: object = None
    ) -> None:
        """The answer to this very call."""
        self._answered.add(id(call))
        call.result = result
        settle(call, failed=failed, error=error)
        if self._heard is not None:
            self._heard.answered(call)

    def finish(self) -> list[ToolCall]:
        """The calls; warns when there were answers that belong to none of them."""
        if self._strays:
            warnings.warn(
                f"{self._strays} tool results in this trace answer no call in it, and were left "
                "out: it may be a part of a longer one.",
                ToolscoreWarning,
                stacklevel=4,
            )
        return self.made

    def _find(self, key: object, tool: object) -> ToolCall | None:
        """By id; by name where the call or the answer has none (Vertex gives none)."""
        call = self._first(key) if key != _NO_ID or not tool else None
        if call is None and isinstance(tool, str) and tool:
            named = self._first(("name", tool))
            if named is not None and (key == _NO_ID or "id" not in named.metadata):
                return named
        return call

    def _first(self, key: object) -> ToolCall | None:
        queue = self._waiting.get(key)
        while queue and id(queue[0]) in self._answered:
            queue.popleft()
        return queue[0] if queue else None


def settle(call: ToolCall, *, failed: bool, error: object = None) -> None:
    """Say how a call ended. An error message that is no text stays with its own spelling."""
    call.metadata["status"] = "error" if failed else "ok"
    call.metadata["is_error"] = failed
    if failed and error not in (None, ""):
        call.metadata["error"] = error if isinstance(error, str) else shown(error)


def name_of(tool: object) -> str:
    """A tool's name; models also ask for the empty one.

    Raises:
        ValueError: it is no text.
    """
    if not isinstance(tool, str):
        raise ValueError(
            f"A tool call in this trace names its tool by {kind_of(tool).__name__}, where a text "
            "would be right: its recording is damaged, or it has another format."
        )
    return str.__str__(tool) or UNNAMED


def arguments_of(written: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments by name, and the metadata that keeps what they cannot hold.

    Example:
        >>> arguments_of('{"city": "Oslo"}'), arguments_of({"city": "Oslo"})
        (({'city': 'Oslo'}, {}), ({'city': 'Oslo'}, {}))
        >>> arguments_of([1, 2])
        ({'value': [1, 2]}, {})
    """
    if written is None or isinstance(written, str):
        return parse_arguments(written)
    plain = unpack(written)
    return (plain if is_dict(plain) else {"value": plain}), {}


def number_of(value: object) -> float | None:
    """A finite number, or None: bools, texts and NaN measure nothing.

    Example:
        >>> number_of(0.25), number_of(True), number_of("1"), number_of(float("nan"))
        (0.25, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # beyond every float
        return None


_NO_ID = ("id", None, None)


def _id_key(call_id: object) -> object:
    """What tells calls apart: 1 and "1" are two ids; what cannot be an id is none."""
    if isinstance(call_id, (str, int)) and call_id != "":
        return "id", type(call_id).__name__, call_id
    return _NO_ID
