"""Entries in the form of the Berkeley Function-Calling Leaderboard, all of our own making."""

from __future__ import annotations

import random
from typing import Any

import pytest
from leaderboard.answers import RIGHT, answers
from leaderboard.differences import DIFFERENCES, Difference
from leaderboard.verdict import tools_of, verdict

ENTRIES: list[list[dict[str, Any]]] = [
    [{"weather.now": {"city": ["New York, NY", "NYC"], "unit": ["celsius", ""], "days": [3]}}],
    [{"sum": {"numbers": [[1, 2.5, 3]], "exact": [True]}}],
    [{"book": {"who": [{"name": ["Ann", "Anne"], "age": [30, ""]}], "seats": [["4A", "4B"]]}}],
    [{"play": {"artist": ["Maroon 5"], "minutes": [15]}},
     {"play": {"artist": ["Taylor Swift"], "minutes": [20]}}],
    [{"add_all": {"items": [[{"sku": ["a-1"], "count": [2, ""]}, {"sku": ["b-2"]}]]}},
     {"checkout": {}}],
]  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=range(len(ENTRIES)))
def test_right_answers_pass_and_all_others_fail(entry: list[dict[str, Any]]):
    """Alternatives, loose texts, optional arguments, mappings, lists, calls in any order."""
    seen = set()
    for seed in range(20):
        for kind, answer in answers(entry, random.Random(seed)):
            seen.add(kind)
            assert verdict(entry, answer).passed is (kind in RIGHT), (kind, answer)
            assert verdict(entry, answer[::-1]).passed is (kind in RIGHT), (kind, answer)
    assert seen >= {*RIGHT, "wrong tool", "extra call", "dropped call"}


@pytest.mark.parametrize("difference", DIFFERENCES.values(), ids=DIFFERENCES)
def test_our_verdict_where_the_official_checker_says_otherwise(difference: Difference):
    """As the docs say."""
    assert verdict(difference.ground_truth, difference.answer).passed is difference.ours


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("required by the tool, and marked as one that may be absent", "wrong_argument"),
        ("in the right answers, and not among the tool's arguments", "unknown_argument"),
    ],
)
def test_the_schema_tells_of_an_entry_that_contradicts_it(name: str, kind: str):
    """The kinds that the leaderboard's own entries hold."""
    entry = DIFFERENCES[name]
    result = verdict(entry.ground_truth, entry.answer, tools_of([entry.function]))
    assert [(f.kind, f.path, f.fails) for f in result.findings] == [(kind, "unit", False)]
