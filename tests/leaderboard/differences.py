"""Entries of our own, each with an answer of which the leaderboard's checker and we think apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Difference:
    """One tool, the answers that are right, one that was given, and both verdicts."""

    parameters: dict[str, Any]
    right: list[dict[str, Any]]
    given: list[dict[str, Any]]
    theirs: bool
    ours: bool
    required: tuple[str, ...] = ()

    @property
    def function(self) -> dict[str, Any]:
        """The tool as the leaderboard writes it."""
        return {
            "name": "t",
            "parameters": {
                "type": "dict",
                "properties": self.parameters,
                "required": list(self.required),
            },
        }

    @property
    def ground_truth(self) -> list[dict[str, Any]]:
        """The right answers as the leaderboard writes them."""
        return [{"t": args} for args in self.right]

    @property
    def answer(self) -> list[dict[str, Any]]:
        """The calls as the leaderboard writes them."""
        return [{"t": args} for args in self.given]


INT, TEXT = {"type": "integer"}, {"type": "string"}
DIFFERENCES = {
    "required by the tool, and marked as one that may be absent": Difference(
        {"n": INT, "unit": TEXT},
        [{"n": [1], "unit": ["c", ""]}],
        [{"n": 1}],
        theirs=False,
        ours=True,
        required=("n", "unit"),
    ),
    "in the right answers, and not among the tool's arguments": Difference(
        {"n": INT}, [{"n": [1], "unit": ["c"]}], [{"n": 1, "unit": "c"}], theirs=False, ours=True
    ),
    "a whole number written 5.0": Difference(
        {"n": INT}, [{"n": [5]}], [{"n": 5.0}], theirs=False, ours=True
    ),
    "True in a list where 1 is right": Difference(
        {"n": {"type": "array", "items": {"type": "boolean"}}},
        [{"n": [[1]]}],
        [{"n": [True]}],
        theirs=True,
        ours=False,
    ),
    "the first call could stand for both": Difference(
        {"n": INT},
        [{"n": [1, 2]}, {"n": [1]}],
        [{"n": 1}, {"n": 2}],
        theirs=False,
        ours=True,
    ),
    "texts in a list in a list": Difference(
        {"n": {"type": "array", "items": {"type": "array"}}},
        [{"n": [[["New York"]]]}],
        [{"n": [["new york"]]}],
        theirs=False,
        ours=True,
    ),
    "a line break in a text": Difference(
        {"s": TEXT}, [{"s": ["New York"]}], [{"s": "New\nYork"}], theirs=False, ours=True
    ),
}
