"""What an agent wrote cannot write on the terminal; odd values are refused or compared."""

from __future__ import annotations

from typing import Any

import pytest

from toolscore import ToolCall, evaluate
from toolscore.matchers import Matcher

NASTY = "x\x1b[31m\nPASSED 1.00\ud800"


@pytest.mark.parametrize(
    "made",
    [
        {"tool": NASTY, "args": {}},
        {"tool": "t", "args": {NASTY: 1}},
        {"tool": "t", "args": {"a": NASTY}},
        {"tool": "t", "args": {}, "error": NASTY},
    ],
    ids=["tool", "argument", "value", "error"],
)
def test_a_text_of_the_agents_stays_on_its_line(made: dict[str, Any]):
    """No escape reaches the terminal, no line is added, the text can be encoded."""
    result = evaluate([{"tool": "t", "args": {"a": 1}}], [made])
    texts = [str(result), result.diff(), *(f.message + (f.path or "") for f in result.findings)]
    for text in texts:
        assert "\x1b" not in text
        assert not [line for line in text.splitlines() if line.startswith("PASSED")]
        text.encode("utf-8")


@pytest.mark.parametrize("name", ["timestamp", "duration", "cost"])
@pytest.mark.parametrize("value", ["0.5", True, float("nan"), 10**400, [1]])
def test_what_is_added_up_must_be_a_number(name: str, value: Any):
    """In a mapping and in a ``ToolCall``; the message names the field and the value."""
    with pytest.raises(ValueError, match=f"{name}=.*a number would be right|4300 digits"):
        evaluate(["t"], [{"tool": "t", "args": {}, name: value}])
    with pytest.raises(ValueError, match=f"{name}=.*a number would be right|4300 digits"):
        evaluate(["t"], [ToolCall("t", {}, **{name: value})])


def test_metadata_must_be_a_mapping():
    """Not None, which nothing could be read from."""
    call = ToolCall("t", {})
    call.metadata = None  # type: ignore[assignment]
    with pytest.raises(ValueError, match="a mapping would be right"):
        evaluate(["t"], [call])


class Raises(Matcher):
    """A matcher that fails."""

    def matches(self, value: Any, /) -> bool:
        raise RuntimeError("matcher")


class Incomparable:
    """A value whose comparison fails."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")


@pytest.mark.parametrize("value", [Raises(), Incomparable()], ids=["matcher", "value"])
def test_a_made_value_that_cannot_be_compared_is_not_what_was_expected(value: Any):
    """Wherever it stands, and however many there are: a difference, not an exception."""
    for expected in (1, [value], {"x": 1}):
        result = evaluate(
            [{"tool": "t", "args": {"a": expected, "c": 1}}] * 5,
            [{"tool": "t", "args": {"a": [value, value], "c": value}}] * 6,
        )
        assert not result.passed
        assert 0 < result.score < 1
        str(result), result.diff(), result.metrics, result.to_dict()
