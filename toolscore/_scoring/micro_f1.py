"""Micro-averaged precision, recall and F1 of the arguments, over the pairs."""

from __future__ import annotations

from collections.abc import Sequence

from toolscore._scoring.equality import OptionalKey
from toolscore._scoring.filled import stands, within
from toolscore._scoring.sides import Match, Sides


def micro_f1(sides: Sides, matches: Sequence[Match]) -> dict[str, float]:
    """``precision``, ``recall`` and ``f1``, each from 0 to 1."""
    if not sides.gold or not sides.made:
        vacuous = float(not sides.gold and not sides.made)
        return {"precision": vacuous, "recall": vacuous, "f1": vacuous}
    right = expected = made = 0
    if sides.plain:
        expected = sum([len(call.args) for call in sides.gold if call.args])
        for i, j, _ in matches:
            wanted, args = sides.gold[i].args, sides.made[j].args or {}
            if wanted is not None:
                made += len(args)
                right += len(args) if args == wanted else len(args.items() & wanted.items())
        return _of(right, expected, made)
    partner = {match[0]: match for match in matches}
    for i, call in enumerate(sides.gold):
        if call.args is None:
            continue
        match = partner.get(i)
        args = {} if match is None else sides.made[match[1]].args or {}
        made += len(args)
        key = sides.gold_keys[i]
        if key is not None and call.tool not in sides.matching_tools:
            expected += len(key)
            right += len(key & sides.made_keys[match.actual]) if match else 0
            continue
        for name, value in call.args.items():
            if name in args:
                expected += 1
                right += sides.similarity.equal(within(value), args[name])
            elif match and stands(value):
                expected += 1
                made += 1
                right += sides.similarity.equal(value.value, value.default)
            elif stands(value) or not isinstance(value, OptionalKey):
                expected += 1
    return _of(right, expected, made)


def _of(right: int, expected: int, made: int) -> dict[str, float]:
    """The three, from how many arguments agree, were expected, and were made."""
    if not expected and not made:
        return {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    precision = right / made if made else 0.0
    recall = right / expected if expected else 0.0
    both = precision + recall
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / both if both else 0.0,
    }
