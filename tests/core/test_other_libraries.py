"""Our verdict beside those of other libraries: equal where theirs is right, else named."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from core.peers import MODES, Mode

from toolscore import ToolCall, evaluate

ARGUMENTS = [{}, {"x": 1}, {"x": 2}, {"x": 1, "y": 1}]


def meetings(seed: int, *, failures: bool) -> Iterator[tuple[list[ToolCall], list[ToolCall]]]:
    """2,000 small runs, most of them made of what was expected, with slips."""
    chance = random.Random(seed)
    for _ in range(2000):
        gold = [call(chance) for _ in range(chance.randrange(5))]
        made = [ToolCall(c.tool, c.args) for c in gold]
        for _ in range(chance.randrange(3)):
            slip = chance.randrange(5)
            if slip == 0 and made:
                made.pop(chance.randrange(len(made)))
            elif slip == 1:
                made.insert(chance.randrange(len(made) + 1), call(chance))
            elif slip == 2:
                chance.shuffle(made)
            elif slip == 3 and made:
                made[chance.randrange(len(made))] = call(chance)
            elif slip == 4 and made:
                made.append(ToolCall(made[0].tool, made[0].args))
        for one in made:
            one.metadata["status"] = "error" if failures and chance.random() < 0.2 else "ok"
            one.metadata["is_error"] = one.metadata["status"] == "error"
        yield gold, made


def call(chance: random.Random) -> ToolCall:
    return ToolCall(chance.choice("abc"), dict(chance.choice(ARGUMENTS)))


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_the_verdict_is_that_of_the_other_library_where_it_is_right(mode: Mode):
    """Over 2,000 runs without failures; both verdicts occur; what differs is of the named kind."""
    seen = set()
    for gold, made in meetings(1, failures=False):
        ours, theirs = evaluate(gold, made, **mode.ours).passed, mode.theirs(gold, made)
        if not mode.differs(gold, made):
            assert ours == theirs, (gold, made)
            seen.add(ours)
    assert seen == {True, False}


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_a_run_that_differs_only_in_failures_never_passes_by_them(mode: Mode):
    """A failure that was not made good fails our verdict, where others do not look."""
    for gold, made in meetings(2, failures=True):
        result = evaluate(gold, made, **mode.ours)
        lasting = [f for f in result.findings if f.kind == "failed"]
        assert not (result.passed and lasting)
        if not any(one.is_error for one in made) and not mode.differs(gold, made):
            assert result.passed == mode.theirs(gold, made)


def test_every_named_difference_is_on_our_side_of_caution():
    """Where a call stands twice, we count it; sets of calls and equal objects do not."""
    twice = [ToolCall("a", {"x": 1})] * 2
    assert MODES["Vertex precision 1"].theirs(twice[:1], twice)
    assert not evaluate(twice[:1], twice, order="any", missing_calls="allow").passed
    assert MODES["Vertex recall 1"].theirs(twice, twice[:1])
    assert not evaluate(twice, twice[:1], order="any", extra_calls="allow").passed
    assert MODES["Ragas F1"].theirs(twice[:1], twice)
    assert not evaluate(twice[:1], twice, order="any").passed
    assert not MODES["DeepEval arguments"].theirs(twice, twice)
    assert evaluate(twice, twice, order="any", extra_calls="allow").passed
