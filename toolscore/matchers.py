"""Values inside expected args that several actual values equal.

They stand at any depth and combine with ``|``, ``&`` and ``~``. A foreign object with its own
``__eq__`` (dirty-equals, ``pytest.approx``, ``unittest.mock.ANY``) works as it is.

Source:
    ``toolscore.matchers`` of tool-scorer; ``OptionalKey``, ``Unordered`` and ``LooseText`` are new.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolscore._call import ToolCall
from toolscore._scoring.containers import is_dict, is_sequence
from toolscore._scoring.copied import copied
from toolscore._scoring.equality import Anything, Matcher, OptionalKey
from toolscore._scoring.holding import Contains, OneOf, Unordered
from toolscore._scoring.regex import Regex
from toolscore._scoring.scalars import MAX_DEPTH
from toolscore._scoring.single import Approx, IsType, LooseText
from toolscore._shown import in_short
from toolscore._to_json import to_json

__all__ = [
    "ANY",
    "Approx",
    "Contains",
    "IsType",
    "LooseText",
    "Matcher",
    "OneOf",
    "OptionalKey",
    "Regex",
    "Unordered",
    "from_possible_answers",
    "to_json",
]

ANY: Matcher = Anything()
"""Matches every value, ``None`` too; the key must be there."""


def from_possible_answers(
    ground_truth: Sequence[Mapping[str, Mapping[str, Sequence[Any]]]],
) -> list[ToolCall]:
    """``possible_answer`` entries of the Berkeley Function-Calling Leaderboard, as an expectation.

    Each argument lists the answers that are right; ``""`` among them means that it may be left
    out. Use it with ``order="any"``, as the benchmark does.

    Raises:
        ValueError: an entry is not ``{tool: {argument: [answers]}}``.

    Example:
        >>> right = {"weather": {"city": ["NYC", "New York"], "unit": ["c", ""]}}
        >>> [call] = from_possible_answers([right])
        >>> call.tool, call.args["unit"].matches("C")
        ('weather', True)
    """
    calls: list[ToolCall] = []
    entries = copied(ground_truth)
    for number, entry in enumerate(entries if is_sequence(entries) else [entries]):
        if not is_dict(entry) or not all(map(is_dict, entry.values())):
            raise ValueError(
                f"Entry {number} is {in_short(entry)}: each entry must be "
                '{"tool": {"argument": [right answers]}}.'
            )
        for tool, arguments in entry.items():
            args = {name: _possible(answers) for name, answers in arguments.items()}
            calls.append(ToolCall(tool, args))
    return calls


def _possible(answers: Any, depth: int = 0) -> Any:
    if not is_sequence(answers):
        return answers
    given = answers
    choice = OneOf(*[_loosely(answer, depth) for answer in given if not _is_empty(answer)])
    return OptionalKey(choice) if any(map(_is_empty, given)) else choice


def _is_empty(answer: Any) -> bool:
    return type(answer) is str and not answer


def _loosely(answer: Any, depth: int) -> Any:
    if isinstance(answer, str):
        return LooseText(answer)
    if depth > MAX_DEPTH:
        return answer
    if is_sequence(answer):
        return [_loosely(item, depth + 1) for item in answer]
    if is_dict(answer):  # inside an answer, each value is again a list of answers
        return {key: _possible(value, depth + 1) for key, value in answer.items()}
    return answer
