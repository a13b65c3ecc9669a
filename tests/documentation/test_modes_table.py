"""Each call in the table of other libraries' modes gives the verdict that the mode gives."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from core.peers import MODES
from core.test_other_libraries import meetings

from toolscore import evaluate

PAGE = Path(__file__).parent.parent.parent / "docs" / "expectations.md"
SHORT = {"google-adk": "ADK", "Vertex AI": "Vertex"}


def rows() -> dict[str, str]:
    """The code of each row, by library and mode as ``MODES`` names them."""
    text = PAGE.read_text(encoding="utf-8").partition("| library | mode | call |")[2]
    lines = [line for line in text.partition("\n\n")[0].splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {_name(library, mode): code.strip("`") for library, mode, code in cells}


def _name(library: str, mode: str) -> str:
    return f"{SHORT.get(library, library)} {mode}".replace("F1 of 1", "F1").replace(" of 1", " 1")


SINGLE = "Vertex single tool use"


def test_each_mode_has_its_row():
    """No more and no fewer."""
    assert rows().keys() == {*MODES, SINGLE}


def passed(code: str, expected: Any, actual: Any) -> bool:
    """The verdict of a row's code."""
    names = {"evaluate": evaluate, "expected": expected, "actual": actual}
    return bool(eval(code, names).passed)


@pytest.mark.parametrize("name", MODES)
def test_the_call_gives_the_verdict_of_the_mode(name: str):
    """Over small runs; both verdicts occur."""
    mode, code = MODES[name], rows()[name]
    seen = set()
    for gold, made in random.Random(3).sample(list(meetings(3, failures=False)), 300):
        if not mode.differs(gold, made):
            theirs = mode.theirs(gold, made)
            assert passed(code, gold, made) == theirs, (gold, made)
            seen.add(theirs)
    assert seen == {True, False}


def test_a_single_tool_is_used_or_not():
    """Whatever else was called, and with whatever arguments."""
    code, search, other = rows()[SINGLE], {"tool": "search", "args": {"q": 1}}, {"tool": "other"}
    assert passed(code, None, [other, search, search])
    assert not passed(code, None, [other])
