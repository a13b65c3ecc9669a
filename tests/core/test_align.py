"""The pairing is optimal, against scipy for large lists, and bounded where that takes too long."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from toolscore import ToolCall, evaluate
from toolscore._scoring.assignment import assign
from toolscore._scoring.edit_distance import edit_distance


def calls(count, names, seed, *, nested=False):
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        args = {name: rng.randrange(4) for name in names if rng.random() < 0.8}
        if nested:
            args["deep"] = {"p": rng.randrange(3), "q": [rng.randrange(3), rng.randrange(2)]}
        ending = {"is_error": True} if rng.random() < 0.2 else {}
        made.append(ToolCall(rng.choice("ab"), args, metadata=ending))
    return made


def value(left, right):
    if type(left) is not type(right):
        return 0.0
    if isinstance(left, dict):
        union = left.keys() | right.keys()
        both = left.keys() & right.keys()
        return sum(value(left[k], right[k]) for k in both) / len(union) if union else 1.0
    if isinstance(left, list):
        longest = max(len(left), len(right))
        return sum(map(value, left, right)) / longest if longest else 1.0
    return float(left == right)


def worth(gold, made):
    if gold.tool != made.tool:
        return 0.0
    return (0.5 if made.is_error else 1.0) * (1 - 0.5 * (1 - value(gold.args, made.args)))


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_pairing_is_as_good_as_that_of_scipy(seed, nested):
    """The sum of s equals the maximum-weight assignment of 90 against 110 calls."""
    gold, made = calls(90, "uvw", seed, nested=nested), calls(110, "uvx", seed + 99, nested=nested)
    weights = np.array([[worth(g, m) for m in made] for g in gold])
    best = weights[linear_sum_assignment(weights, maximize=True)].sum()
    result = evaluate(gold, made)
    assert result.metrics["alignment_metrics"]["matched"] == pytest.approx(best, abs=1e-9)
    assert result.metrics["pairing_exact"]


@pytest.mark.parametrize("seed", range(40))
def test_assignment_of_kinds_is_optimal(seed):
    """Rows and columns that stand for several calls each: the same as all of them one by one."""
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 6), rng.randint(1, 6)
    supply = [rng.randint(1, 3) for _ in range(rows)]
    demand = [rng.randint(1, 3) for _ in range(columns)]
    weights = [[rng.randint(1, 5) for _ in range(columns)] for _ in range(rows)]
    flows = assign(weights, supply, demand)
    found = sum(
        weights[r][c] * amount for r, flow in enumerate(flows) for c, amount in flow.items()
    )
    whole = np.repeat(np.repeat(np.array(weights), supply, 0), demand, 1)
    assert found == whole[linear_sum_assignment(whole, maximize=True)].sum()
    assert all(sum(flow.values()) <= limit for flow, limit in zip(flows, supply, strict=True))


def test_very_many_different_calls_are_bounded():
    """Above the size limit the pairing is a lower bound, and the result says so."""
    gold = [ToolCall("t", {"a": i, "b": i % 7, "c": i % 11}) for i in range(1100)]
    made = [ToolCall("t", {"a": -i, "b": (i * 3) % 7, "c": i % 11}) for i in range(1100)]
    made += [ToolCall("t", {"a": i, "b": -1, "c": -1}) for i in range(100)]
    gold = [ToolCall(c.tool, {**c.args, "a": n}) for n, c in enumerate(gold)]
    started = time.process_time()
    result = evaluate(gold, made, order="any")
    assert time.process_time() - started < 60
    assert len(result.pairs) == 1100
    assert 0.5 <= result.score <= 1.0


def test_calls_with_nothing_in_common_are_one_kind():
    """2,000 against 2,000 calls of one tool without a common argument are paired exactly."""
    gold = [ToolCall("t", {"a": f"g{i}"}) for i in range(2000)]
    made = [ToolCall("t", {"a": f"m{i}"}) for i in range(2000)]
    result = evaluate(gold, made)
    assert result.score == 0.5
    assert result.metrics["pairing_exact"]


def table_distance(left, right):
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@pytest.mark.parametrize("seed", range(60))
def test_edit_distance_is_that_of_the_table(seed):
    """The bit-parallel form against the textbook one."""
    rng = random.Random(seed)
    left = [rng.choice("abc") for _ in range(rng.randrange(70))]
    right = [rng.choice("abcd") for _ in range(rng.randrange(70))]
    assert edit_distance(left, right) == table_distance(left, right)


def test_long_lists_are_ordered_by_the_pairing_and_say_so():
    """Beyond a million cells the order is a lower bound."""
    gold = [ToolCall(f"t{i % 3}", {"a": i}) for i in range(1100)]
    made = gold[550:] + gold[:550]
    result = evaluate(gold, made)
    assert not result.metrics["order_exact"]
    assert result.metrics["alignment_metrics"]["in_order"] == 550.0


@pytest.mark.parametrize("seed", range(8))
def test_order_is_as_good_as_the_whole_table(seed):
    """O equals the plain dynamic program over all cells, on lists of 60."""
    gold, made = calls(60, "uv", seed), calls(60, "uv", seed + 7)
    made = [*gold[:20], *made[:20], *gold[30:50]]
    best = [0.0] * (len(gold) + 1)
    for m in made:
        row = [0.0]
        for k, g in enumerate(gold):
            row.append(max(best[k + 1], row[k], best[k] + worth(g, m)))
        best = row
    found = evaluate(gold, made).metrics["alignment_metrics"]["in_order"]
    assert found == pytest.approx(best[-1], abs=1e-9)


def order_of_steps(gold, steps):
    """The best value when each step pairs some stretch of the expected calls, in any order."""
    best = [0.0] * (len(gold) + 1)
    for step in steps:
        weights = np.array([[worth(g, m) for g in gold] for m in step])
        row = best.copy()
        for start, before in enumerate(best):
            for end in range(start + 1, len(gold) + 1):
                stretch = weights[:, start:end]
                paired = linear_sum_assignment(stretch, maximize=True)
                row[end] = max(row[end], before + stretch[paired].sum())
        best = list(np.maximum.accumulate(row))
    return best[-1]


@pytest.mark.parametrize("largest", [2, 3, 5])
@pytest.mark.parametrize("noise", ["swapped", "left out", "added", "other"])
def test_order_is_as_good_as_any_order_inside_the_steps(noise, largest):
    """O equals what an assignment of each step to each stretch of the expected calls gives."""
    rng = random.Random(f"{noise} {largest}")
    gold = calls(22, "uv", rng.random())
    made = [replace(call, metadata={}) for call in gold]
    other = calls(8, "uv", rng.random())
    for number in rng.sample(range(1, 21), 6):
        if noise == "swapped":
            made[number - 1 : number + 1] = made[number], made[number - 1]
        elif noise == "left out":
            del made[min(number, len(made) - 2)]
        elif noise == "added":
            made.insert(number, other[number % 8])
        else:
            made = made[:7] + other + made[12:]
    steps = []
    while made:
        size = rng.randrange(1, largest + 1)
        steps.append([replace(c, metadata={**c.metadata, "step": len(steps)}) for c in made[:size]])
        made = made[size:]
    found = evaluate(gold, [call for step in steps for call in step]).metrics["alignment_metrics"]
    assert found["in_order"] == pytest.approx(order_of_steps(gold, steps), abs=1e-9)
