"""One argument that differs, in a sentence."""

from __future__ import annotations

from typing import Literal

from toolscore._plain import brief
from toolscore._scoring.containers import is_dict, is_sequence
from toolscore._scoring.secrets import REDACTED, Redactor
from toolscore._scoring.similarity import MISSING, ArgumentDifference


def say_difference(
    difference: ArgumentDifference, redactor: Redactor
) -> tuple[Literal["wrong_argument", "unknown_argument", "wrong_type"], str]:
    """What kind of difference it is, and the sentence."""
    path = redactor.text(difference.path)
    hidden = redactor.hides(difference.path)

    def show(value: object) -> str:
        return REDACTED if hidden else brief(value, redactor)

    if difference.actual is MISSING:
        return "wrong_argument", f"{path} is missing, expected {show(difference.expected)}"
    if difference.expected is MISSING:
        return "unknown_argument", f"{path} is {show(difference.actual)}, not expected"
    text = f"{path} is {show(difference.actual)}, expected {show(difference.expected)}"
    wanted, found = _kind_of(difference.expected), _kind_of(difference.actual)
    if wanted and found and wanted != found:
        return "wrong_type", f"{text} ({found} instead of {wanted})"
    return "wrong_argument", text


def _kind_of(value: object) -> str | None:
    """What a reader calls the type of a plain value; None where the type says nothing."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "text"
    if is_sequence(value):
        return "list"
    return "object" if is_dict(value) else None
