"""Long lists score the same with numpy and without it."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest

from toolscore import evaluate
from toolscore._scoring import accelerated

WITHOUT = """
import json, sys
sys.modules["numpy"] = None  # as if it were not installed
from toolscore import evaluate
for line in sys.stdin:
    expected, actual = json.loads(line)
    result = evaluate(expected, actual)
    print(json.dumps([result.to_dict(), [str(finding) for finding in result.findings]]))
"""


def some_calls(chance, count, shape):
    """Calls that overlap by chance, of the shape named."""
    values = {
        "plain": [1, 2, "a", "b", None],
        "mixed": [1, True, 1.0, " a", "a", 0.5],
        "nested": [1, {"p": 1, "q": [1, 2]}, {"p": 1, "q": [2]}, [1, 2, 3], [1, 2]],
    }[shape]
    names = "uvwxyz"
    calls = []
    for _ in range(count):
        chosen = chance.sample(names, chance.randint(0, 4))
        call = {
            "tool": chance.choice("abc"),
            "args": {name: chance.choice(values) for name in chosen},
        }
        if chance.random() < 0.1:
            call["is_error"] = True
        calls.append(call)
    return calls


def case(seed, shape):
    """Two lists above the size from which numpy is used, some arguments of them not checked."""
    chance = random.Random(f"{seed}-{shape}")
    expected = some_calls(chance, 110, shape)
    actual = some_calls(chance, 60, shape) + chance.sample(expected, 60)
    for call in expected:
        call.pop("is_error", None)
        if chance.random() < 0.05:
            call["args"] = None
    return expected, actual


@pytest.mark.parametrize("shape", ["plain", "mixed", "nested"])
def test_numpy_changes_nothing(shape):
    """Score, pairs and findings of random lists are equal to those found without numpy."""
    pytest.importorskip("numpy")
    cases = [case(seed, shape) for seed in range(5)]

    answers = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        input="\n".join(map(json.dumps, cases)),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    for (expected, actual), answer in zip(cases, answers, strict=True):
        assert len(expected) * len(actual) >= accelerated.WORTH_USING
        result = evaluate(expected, actual)
        ours = [result.to_dict(), [str(finding) for finding in result.findings]]
        assert json.loads(json.dumps(ours)) == json.loads(answer)


def share(left, right):
    """Equal arguments over all names."""
    return sum(right.get(name) == value for name, value in left.items()) / len(left | right)


def test_weights_beyond_the_numbers_of_numpy_are_left_to_python():
    """Shares of very many different sizes have no common unit that is small: still exact."""
    pytest.importorskip("numpy")
    chance = random.Random(7)

    def wide():
        return [
            {f"k{n}": chance.randrange(2) for n in range(chance.randint(17, 61))}
            for _ in range(220)
        ]

    expected, actual = wide(), wide()
    best = [0.0] * (len(expected) + 1)
    for made in actual:
        row = [0.0]
        for k, gold in enumerate(expected):
            pair = best[k] + 0.5 + 0.5 * share(gold, made)
            row.append(max(row[k], best[k + 1], pair))
        best = row

    found = evaluate(
        *([{"tool": "a", "args": args} for args in side] for side in (expected, actual))
    )

    assert found.metrics["alignment_metrics"]["in_order"] == pytest.approx(best[-1], abs=1e-9)
