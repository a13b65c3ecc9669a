"""Our column of the table of what other libraries answer is what we answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolscore import EvaluationResult, evaluate

PAGE = Path(__file__).parent.parent.parent / "docs" / "scoring.md"
COLUMNS = 14


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool": tool, "args": args}


A, B = call("search", q="python"), call("book", id=7)
FAILED, OK = {"error": "declined"}, {"result": "done"}
CASES: dict[str, tuple[list[Any], list[Any]]] = {
    "perfect": ([A, B], [A, B]),
    "one of two required calls missing": ([A, B], [A]),
    "an extra `delete_all()`": ([A], [A, call("delete_all")]),
    "the same call five times": ([A], [A] * 5),
    "the same call twice, as expected": ([A, A], [A, A]),
    "A, A, B expected; A, B, B made": ([A, A, B], [A, B, B]),
    "swapped order": ([A, B], [B, A]),
    "the right call, but it failed": ([A], [A | FAILED]),
    "failed, then worked": ([A], [A | FAILED, A | OK]),
    "one of two arguments wrong": ([call("t", a=1, b=2)], [call("t", a=1, b=3)]),
    "1 expected, True given": ([call("t", a=1)], [call("t", a=True)]),
    "1 expected, 1.0 given": ([call("t", a=1)], [call("t", a=1.0)]),
    '1 expected, "1" given': ([call("t", a=1)], [call("t", a="1")]),
    "1 expected, None given": ([call("t", a=1)], [call("t", a=None)]),
    'None expected, "None" given': ([call("t", a=None)], [call("t", a="None")]),
    "a list in another order": ([call("t", a=["x", "y"])], [call("t", a=["y", "x"])]),
    "one of two nested keys wrong": ([call("t", a={"x": 1, "y": 2})],
                                     [call("t", a={"x": 1, "y": 3})]),
    "an accent coded in another way": ([call("t", a="caf\u00e9")], [call("t", a="cafe\u0301")]),
    "arguments not to be checked": (["search"], [A]),
    "an argument more than expected": ([call("t", a=1)], [call("t", a=1, b=2)]),
    "nothing expected, none made": ([], []),
    "nothing expected, one call made": ([], [A]),
    "one tool, two arguments, swapped": ([call("t", a=1), call("t", a=2)],
                                         [call("t", a=2), call("t", a=1)]),
    "f(any), f(1) expected; f(1), f(2) made": (["t", call("t", a=1)],
                                               [call("t", a=1), call("t", a=2)]),
    "right name, all arguments wrong": ([call("t", a=1, b=2)], [call("t", a=3, b=4)]),
    "wrong tool": ([A], [B]),
}  # fmt: skip


def rows() -> dict[str, list[str]]:
    """The cells of each row of the table, by its case."""
    text = PAGE.read_text(encoding="utf-8").partition("## What other libraries answer")[2]
    lines = [line for line in text.partition("\n## ")[0].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {row[0]: row for row in cells}


def answer(result: EvaluationResult) -> str:
    score = f"{result.score:.3g}".removeprefix("0") or "0"
    return f"{score}, {'passed' if result.passed else 'failed'}"


def test_the_table_has_a_row_for_each_case():
    """And a cell in each column."""
    assert list(rows()) == list(CASES)
    assert {len(row) for row in rows().values()} == {COLUMNS}


@pytest.mark.parametrize("case", CASES)
def test_our_column_is_what_we_answer(case: str):
    """With default switches: the score to three digits, and the verdict."""
    expected, made = CASES[case]
    assert rows()[case][1] == answer(evaluate(expected, made))
