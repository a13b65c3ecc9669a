"""What the end-to-end tests of every framework play, and what must be recorded of it."""

from __future__ import annotations

from typing import Any

from hooks.contract import Made, Requested, Turn, normalised

from toolscore import Run, Usage

ARGS: dict[str, Any] = {
    "code": 123456789012345678901234567890,
    "ratio": 2.0,
    "factor": 1,
    "text": 'é😀 "\\\n\u2028',
    "nested": {"list": [1, 1.5, None, True, {"empty": []}], "": "no name"},
}


def book(code: int, ratio: float, factor: float, text: str, nested: dict[str, Any]) -> str:
    """Book something."""
    return text


TURNS: list[Turn] = [
    [("book", ARGS, "call_0"), ("add", {"a": 1, "b": 2}, "call_1")],
    [("echo", {"text": "ü"}, "call_2")],
    "déjà vu 😀",
]

ONE_CALL: list[Requested] = [("add", {"a": 1, "b": 2}, "call_0")]
ONE_MADE = [Made("add", {"a": 1, "b": 2}, result="3", id="call_0")]

MADE = [
    Made("book", ARGS, result=ARGS["text"], id="call_0"),
    Made("add", {"a": 1, "b": 2}, result="3", id="call_1"),
    Made("echo", {"text": "ü"}, result="ü", id="call_2", step=1),
]
EXPECTED = [{"tool": made.tool, "args": made.args} for made in MADE]

USAGE = Usage(requests=3, input_tokens=303, output_tokens=33, total_tokens=336)
"""The provider counts 100 and 10, then one more of each in each turn that follows."""

TRANSCRIPT = [
    ("user", "hi"),
    ("assistant", ""),
    ("tool", ARGS["text"]),
    ("tool", "3"),
    ("assistant", ""),
    ("tool", "ü"),
    ("assistant", "déjà vu 😀"),
]


SEARCH: dict[str, Any] = {
    "id": "ws_1",
    "type": "web_search_call",
    "status": "completed",
    "action": {"type": "search", "query": "python"},
}
REASONING: dict[str, Any] = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "Add, then say it."}],
}
"""Output items of Responses that are neither text nor a call of ours."""


def ping() -> str:
    """Take no argument."""
    return "pong"


def made(run: Run) -> list[str]:
    """What was recorded, as text: 1 is not 1.0 there, and keys have an order."""
    return [repr(normalised(call)) for call in run.calls]


def as_text(calls: list[Made]) -> list[str]:
    """The same for what is expected."""
    return [repr(call) for call in calls]


def spoken(run: Run) -> list[tuple[str, str]]:
    """The transcript, in plain words."""
    return [(turn.role.value, turn.content) for turn in run.transcript.turns]
