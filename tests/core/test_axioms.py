"""The score's axioms as properties over random small runs, and a brute-force oracle."""

from __future__ import annotations

import math
import os
import re
from itertools import combinations, permutations
from typing import Any

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from toolscore import ToolCall, evaluate

FEW = settings(
    max_examples=int(os.environ.get("AXIOM_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)

arguments = st.dictionaries(st.sampled_from("xyz"), st.sampled_from([1, 2]), max_size=3)
tools = st.sampled_from(["a", "b", "z"])
wanted = st.builds(ToolCall, tools, st.none() | arguments)
golds = st.lists(wanted, max_size=4)
endings = st.sampled_from(
    [{}, {}, {"status": "ok"}, {"status": "ok"}, {"status": "error", "is_error": True},
     {"status": "cancelled"}, {"status": "not_executed"}, {"status": "interrupted"},
     {"status": "unfinished"}]
)  # fmt: skip
well = st.sampled_from([{}, {"status": "ok"}, {"status": "unfinished"}, {"status": "interrupted"}])


def calls(how=endings):
    return st.builds(
        lambda tool, args, ending: ToolCall(tool, args, metadata=dict(ending)),
        tools, arguments, how,
    )  # fmt: skip


@st.composite
def runs(draw, how=endings, stepped=True, least=0):
    """Up to five calls, some of them asked for in one step."""
    made = draw(st.lists(calls(how), min_size=least, max_size=5))
    if stepped and draw(st.booleans()):
        step = 0
        for call in made:
            step += draw(st.sampled_from([0, 0, 1]))
            call.metadata["step"] = step
    return made


@st.composite
def meetings(draw):
    """An expectation, and a run in which its calls are likely, in any order."""
    gold = draw(golds)
    likely = (
        st.sampled_from(gold).map(lambda c: ToolCall(c.tool, c.args or {"x": 1}))
        if gold
        else calls()
    )
    made = draw(st.lists(likely, max_size=4))
    for call in made:
        call.metadata = dict(draw(endings))
    if draw(st.booleans()):
        made.sort(key=lambda c: [g.tool for g in gold].index(c.tool) if gold else 0)
    return gold, made + draw(st.lists(calls(), max_size=1))


def score(gold, made, **options) -> float:
    return evaluate(gold, made, **options).score


def figures(gold, made) -> dict[str, Any]:
    return evaluate(gold, made).metrics["alignment_metrics"]


def plain_calls(made):
    return [ToolCall(c.tool, c.args, metadata={"status": "ok"}) for c in made]


# ---- the oracle: the formulas written down, by trying everything


def likeness(gold: ToolCall, made: ToolCall) -> float:
    if gold.args is None:
        return 1.0
    made_args = made.args or {}
    union = gold.args.keys() | made_args.keys()
    if not union:
        return 1.0
    right = sum(1 for k in gold.args.keys() & made_args.keys() if gold.args[k] == made_args[k])
    return right / len(union)


def worth(gold: ToolCall, made: ToolCall) -> float:
    if gold.tool != made.tool:
        return 0.0
    factor = 0.5 if made.metadata.get("status") in ("error", "cancelled", "not_executed") else 1.0
    return factor * (1 - 0.5 * (1 - likeness(gold, made)))


def step_numbers(made):
    numbers, number, last = [], -1, None
    for call in made:
        step = call.metadata.get("step")
        if step is None or step != last:
            number += 1
        last = step
        numbers.append(number)
    return numbers


def brute_force(gold, made) -> tuple[float, float]:
    """The best pairing, and the best one that keeps the order between steps."""
    steps = step_numbers(made)
    best = best_in_order = 0.0
    for size in range(min(len(gold), len(made)) + 1):
        for rows in combinations(range(len(gold)), size):
            for columns in permutations(range(len(made)), size):
                value = math.fsum(
                    worth(gold[i], made[j]) for i, j in zip(rows, columns, strict=True)
                )
                best = max(best, value)
                at = [steps[j] for j in columns]
                if at == sorted(at):
                    best_in_order = max(best_in_order, value)
    return best, best_in_order


@FEW
@given(golds, runs())
def test_pairing_and_order_are_the_best_there_are(gold, made):
    """M and O equal what trying every pairing gives (axiom 16)."""
    found = figures(gold, made)
    best, best_in_order = brute_force(gold, made)
    assert math.isclose(found["matched"], best, abs_tol=1e-12)
    assert math.isclose(found["in_order"], best_in_order, abs_tol=1e-12)


@FEW
@given(golds, runs())
def test_score_is_the_formula(gold, made):
    """The score is (M - 0.3 * (M - O)) / (n + extra)."""
    found = figures(gold, made)
    divisor = len(gold) + found["extra"]
    if not gold:
        assert score(gold, made) == (0.0 if made else 1.0)
    else:
        loss = 0.3 * (found["matched"] - found["in_order"])
        assert math.isclose(score(gold, made), (found["matched"] - loss) / divisor, abs_tol=1e-12)


@FEW
@given(golds, runs())
def test_score_lies_between_0_and_1(gold, made):
    """Axiom 1."""
    assert 0.0 <= score(gold, made) <= 1.0


@FEW
@given(st.lists(st.builds(ToolCall, tools, st.dictionaries(
    st.sampled_from("xyz"),
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
                 lambda inner: st.lists(inner, max_size=3)
                 | st.dictionaries(st.text(max_size=2), inner, max_size=3), max_leaves=6),
    max_size=3)), max_size=5), st.booleans())  # fmt: skip
def test_a_list_against_itself_is_perfect(gold, strict):
    """Axiom 2: exactly 1.0 and passed, NaN arguments too."""
    result = evaluate(gold, gold, strict=strict)
    assert result.score == 1.0
    assert result.passed
    assert result.findings == () or all(not finding.fails for finding in result.findings)


@FEW
@given(golds, runs())
def test_nothing_matched_is_exactly_zero(gold, made):
    """Axiom 3."""
    assume(gold)
    assume(not {c.tool for c in gold} & {c.tool for c in made})
    assert score(gold, made) == 0.0


@FEW
@given(meetings())
def test_only_a_flawless_run_is_perfect(meeting):
    """Axiom 4: 1.0 only when complete, in order, none failed, nothing extra."""
    gold, made = meeting
    result = evaluate(gold, made)
    assume(result.score == 1.0)
    assert len(result.pairs) == len(gold) == len(made)
    assert all(pair.similarity == 1.0 for pair in result.pairs)
    assert not any(call.is_error for call in made)
    steps = step_numbers(made)
    places = [steps[pair.actual] for pair in result.pairs]
    assert places == sorted(places)


@FEW
@given(st.lists(wanted.filter(lambda c: c.tool != "z"), max_size=4), runs(), calls(), st.booleans())
def test_a_call_of_an_unexpected_tool_costs(gold, made, extra, first):
    """Axiom 5: it never raises the score, and lowers a positive one."""
    extra = ToolCall("z", extra.args, metadata=extra.metadata)
    before = score(gold, made)
    after = score(gold, [extra, *made] if first else [*made, extra])
    assert after <= before
    assert after < before or before == 0.0


@FEW
@given(meetings(), st.data())
def test_repeating_a_satisfied_call_never_pays(meeting, data):
    """Axiom 6: as long as M and O stay as they are."""
    gold, made = meeting
    result = evaluate(gold, made)
    met = [p.actual for p in result.pairs if p.similarity == 1.0 and made[p.actual].status == "ok"]
    assume(met)
    call = made[data.draw(st.sampled_from(met))]
    longer = [*made, ToolCall(call.tool, call.args, metadata={"status": "ok"})]
    old, new = figures(gold, made), figures(gold, longer)
    assume((old["matched"], old["in_order"]) == (new["matched"], new["in_order"]))
    assert score(gold, longer) <= result.score


@FEW
@given(golds, runs(least=1), st.data())
def test_removing_a_needed_call_never_pays(gold, made, data):
    """Axiom 7: when there are no more calls of that tool than expected."""
    place = data.draw(st.integers(0, len(made) - 1))
    tool = made[place].tool
    assume(sum(c.tool == tool for c in made) <= sum(c.tool == tool for c in gold))
    without = made[:place] + made[place + 1 :]
    assert score(gold, without) <= score(gold, made) + 1e-12


@FEW
@given(golds, runs(least=1), st.data())
def test_success_is_never_worse_than_failure(gold, made, data):
    """Axiom 8: when there are no more calls of that tool than expected."""
    place = data.draw(st.integers(0, len(made) - 1))
    call = made[place]
    assume(sum(c.tool == call.tool for c in made) <= sum(c.tool == call.tool for c in gold))
    step = {k: v for k, v in call.metadata.items() if k == "step"}
    failed = ToolCall(call.tool, call.args, metadata={"status": "error", "is_error": True, **step})
    worked = ToolCall(call.tool, call.args, metadata={"status": "ok", **step})
    with_failure = [*made[:place], failed, *made[place + 1 :]]
    with_success = [*made[:place], worked, *made[place + 1 :]]
    assert score(gold, with_failure) <= score(gold, with_success) + 1e-12


@FEW
@given(wanted)
def test_a_failed_required_call_lies_between_absence_and_success(gold):
    """Axiom 8, its second half."""
    call = ToolCall(gold.tool, gold.args or {}, metadata={"status": "ok"})
    failed = ToolCall(gold.tool, gold.args or {}, metadata={"is_error": True})
    assert score([gold], []) <= score([gold], [failed]) < score([gold], [call])


@FEW
@given(st.builds(ToolCall, tools, arguments.filter(bool)), arguments, st.data())
def test_correcting_an_argument_never_lowers(gold, args, data):
    """Axiom 9: of the only call."""
    name = data.draw(st.sampled_from(sorted(gold.args)))
    before = score([gold], [ToolCall(gold.tool, args)])
    after = score([gold], [ToolCall(gold.tool, {**args, name: gold.args[name]})])
    assert after >= before


@FEW
@given(golds, runs(how=well, stepped=False), st.randoms(use_true_random=False))
def test_no_permutation_beats_the_expected_order(gold, made, random):
    """Axiom 10."""
    partner = {pair.actual: pair.expected for pair in evaluate(gold, made).pairs}
    order = sorted(range(len(made)), key=lambda j: partner.get(j, len(gold)))
    shuffled = list(made)
    random.shuffle(shuffled)
    assert score(gold, shuffled) <= score(gold, [made[j] for j in order]) + 1e-12


@FEW
@given(golds, runs(how=well))
def test_reversing_both_lists_changes_nothing(gold, made):
    """Axiom 11: when no call failed."""
    assert math.isclose(score(gold[::-1], made[::-1]), score(gold, made), abs_tol=1e-12)


@FEW
@given(golds, runs())
def test_names_of_tools_do_not_matter(gold, made):
    """Axiom 12."""
    names = {"a": "zebra", "b": "a", "z": "m"}

    def renamed(given):
        return [ToolCall(names[c.tool], c.args, metadata=c.metadata) for c in given]

    assert score(renamed(gold), renamed(made)) == score(gold, made)


@FEW
@given(golds.filter(bool), runs(), st.data())
def test_making_a_missing_call_never_lowers(gold, made, data):
    """Axiom 13: at the end, while fewer calls of its tool than expected were made."""
    call = data.draw(st.sampled_from(gold))
    assume(sum(c.tool == call.tool for c in made) < sum(c.tool == call.tool for c in gold))
    longer = [*made, ToolCall(call.tool, call.args or {}, metadata={"status": "ok"})]
    assert score(gold, longer) >= score(gold, made) - 1e-12


@FEW
@given(st.lists(st.builds(ToolCall, tools, arguments), min_size=1, max_size=4), st.data())
def test_each_expected_call_weighs_the_same(gold, data):
    """Axiom 14: however many arguments it has."""
    named = [ToolCall(f"{i}", call.args) for i, call in enumerate(gold)]
    place = data.draw(st.integers(0, len(named) - 1))
    made = named[:place] + named[place + 1 :]
    assert math.isclose(score(named, made), (len(named) - 1) / len(named))


@FEW
@given(golds, runs(how=st.just({})), st.data())
def test_unresolved_is_neither_success_nor_failure(gold, made, data):
    """Axiom 17: the score is that of the plain list, and nothing is made good."""
    started = [
        ToolCall(c.tool, c.args, metadata={**c.metadata, "status": "unfinished"}) for c in made
    ]
    assert score(gold, started) == score(gold, made)
    failure = ToolCall("a", {"x": 1}, metadata={"is_error": True})
    assert figures(gold, [failure, *made])["recovered"] == 0


@FEW
@given(golds, runs(how=well, stepped=False), st.randoms(use_true_random=False))
def test_any_order_means_any_order(gold, made, random):
    """Axiom 18: permuting either list changes nothing when no call failed."""
    before = score(gold, made, order="any")
    random.shuffle(gold)
    random.shuffle(made)
    assert math.isclose(score(gold, made, order="any"), before, abs_tol=1e-12)


nested = st.recursive(
    st.sampled_from([1, 2]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("pq"), inner, max_size=2)
    ),
    max_leaves=5,
)
deep_arguments = st.dictionaries(st.sampled_from("xyz"), nested, max_size=3)


@FEW
@given(deep_arguments, deep_arguments, deep_arguments)
def test_argument_distance_obeys_the_triangle_inequality(one, two, three):
    """Axiom 19."""

    def distance(left, right):
        [pair] = evaluate([ToolCall("t", left)], [ToolCall("t", right)]).pairs
        return 1 - pair.similarity

    assert distance(one, three) <= distance(one, two) + distance(two, three) + 1e-12


@FEW
@given(golds, runs(), st.randoms(use_true_random=False))
def test_the_order_inside_a_step_changes_nothing(gold, made, random):
    """Axiom 20."""
    shuffled = []
    for step in sorted({*step_numbers(made)}):
        members = [c for c, number in zip(made, step_numbers(made), strict=True) if number == step]
        random.shuffle(members)
        shuffled += members
    before, after = evaluate(gold, made), evaluate(gold, shuffled)
    assert math.isclose(after.score, before.score, abs_tol=1e-12)
    assert after.passed is before.passed


@FEW
@given(golds | st.none(), runs(), st.sampled_from(["in_order", "any"]),
       st.sampled_from(["penalize", "allow"]), st.sampled_from(["penalize", "allow"]),
       st.sampled_from(["exact", "allow_extra", "allow_missing", "ignore"]),
       st.sampled_from([None, {"calls": 2}, {"cost": 1.0}]),
       st.sampled_from([None, ["z"]]))  # fmt: skip
def test_a_run_fails_when_and_only_when_a_finding_says_so(
    gold, made, order, extra, missing, args, budget, forbidden
):
    """The verdict and the findings never contradict each other, whatever the switches."""
    result = evaluate(
        gold, made, order=order, extra_calls=extra, missing_calls=missing, args=args,
        budget=budget, forbidden=forbidden,
    )  # fmt: skip
    assert result.passed is not any(finding.fails for finding in result.findings)
    assert 0.0 <= result.score <= 1.0
    assert str(result).startswith("PASSED" if result.passed else "FAILED")
    assert result.diff()
    assert len({pair.actual for pair in result.pairs}) == len(result.pairs)


def _ended(tool, status):
    return ToolCall(tool, {}, metadata={"status": status, "is_error": status == "error"})


@FEW
@given(golds, runs(), st.sampled_from(["penalize", "allow"]), st.sampled_from([None, ["z"]]))
@example([ToolCall("a")] * 2, [_ended("a", how) for how in ("error", "cancelled", "ok")],
         "penalize", None)  # fmt: skip
def test_the_figures_of_the_findings_add_up_to_the_divisor(gold, made, extra, forbidden):
    """What the sentences say that calls cost is what was added, a failure made good included."""
    result = evaluate(gold, made, extra_calls=extra, forbidden=forbidden)
    said = [re.search(r"adds ([\d.]+) to the divisor", f.message) for f in result.findings]
    added = math.fsum(float(found[1]) for found in said if found)
    assert math.isclose(added, result.metrics["alignment_metrics"]["extra"], abs_tol=1e-9)
