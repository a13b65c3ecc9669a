"""Expectations that would silently check less than they seem to."""

from __future__ import annotations

from typing import Any

import pytest

from toolscore import evaluate


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"tool": "search", "query": "a"}, r"""write "args": \{'query': 'a'\}"""),
        ({"tool": "search", "argz": {"query": "a"}}, r"""write "args": \{'query': 'a'\}"""),
        ({"name": "search", "params": {}}, "has the key 'params', which is not read"),
    ],
)
def test_arguments_that_would_not_be_read_are_refused(item: dict[str, Any], words: str):
    """A flat argument, or a misspelt key: without ``args`` nothing would be checked."""
    with pytest.raises(ValueError, match=words):
        evaluate([item], [{"tool": "search", "args": {"query": "b"}}])


def test_remarks_of_a_gold_file_are_let_through():
    """A description is no argument; nor is anything beside ``args``."""
    expected = [
        {"tool": "search", "description": "looks it up"},
        {"tool": "book", "args": {}, "priority": "high"},
    ]
    assert evaluate(expected, [{"tool": "search"}, {"tool": "book"}]).passed


def test_an_incomplete_capture_is_said_before_what_may_only_not_have_been_seen():
    """The cause stands above its consequence."""
    from toolscore import Run

    result = evaluate(["search"], Run((), complete=False, warnings=("one span was lost",)))
    assert str(result).startswith("FAILED 0.00  calls may be missing from this record")
