"""The arguments that a model wrote: kept exactly, or kept as text."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolscore._arguments import parse_arguments

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_a_json_object_is_kept_exactly(args: dict[str, object]):
    """No text needs to be kept beside it."""
    assert parse_arguments(json.dumps(args)) == (args, {})


@given(st.text())
def test_any_text_gives_arguments_and_never_an_exception(text: str):
    """Text that is no JSON object stays in ``raw_arguments``."""
    args, kept = parse_arguments(text)
    assert isinstance(args, dict)
    assert args or not text or kept == {"raw_arguments": text} or json.loads(text) == {}


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ('{"a": ', {}),
        ("[1, 2]", {"value": [1, 2]}),
        ('"text"', {"value": "text"}),
        ("null", {"value": None}),
        ('{"a": 0.1000000000000000055511151231257827}', {"a": 0.1}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('{"a": 1e400}', {"a": math.inf}),
        ("[" * 100_000, {}),
        ('{"a": ' + "9" * 10_000 + "}", {}),
    ],
)
def test_what_cannot_be_kept_exactly_keeps_its_text(text: str, args: dict[str, object]):
    """Digits beyond a double, repeated keys, other JSON, nesting and numbers without end."""
    assert parse_arguments(text) == (args, {"raw_arguments": text})


def test_nan_is_no_json_but_is_understood():
    """``NaN`` is read as Python's, and the text stays."""
    args, kept = parse_arguments('{"a": NaN}')
    assert math.isnan(args["a"])
    assert kept == {"raw_arguments": '{"a": NaN}'}


@pytest.mark.parametrize("text", ['{"a": 1e2}', '{"a": 0.1}', '{"a": -0.0}', "{}", "", None])
def test_numbers_that_a_double_holds_need_no_text(text: str | None):
    """Written otherwise, but the same number."""
    assert "raw_arguments" not in parse_arguments(text)[1]


def test_thirty_digit_integers_stay_integers():
    """Python's integers have no limit."""
    number = 123456789012345678901234567890
    assert parse_arguments(f'{{"n": {number}}}') == ({"n": number}, {})
