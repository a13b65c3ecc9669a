"""Micro-averaged precision, recall and F1 of the arguments, over the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolscore._scoring.equality import OptionalKey
from toolscore._scoring.sides import Match, Sides


def micro_f1(sides: Sides, matches: Sequence[Match]) -> dict[str, float]:
    """``precision``, ``recall`` and ``f1``, each from 0 to 1."""
    if not sides.gold or not sides.made:
        vacuous = float(not sides.gold and not sides.made)
        return {"precision": vacuous, "recall": vacuous, "f1": vacuous}
    right = expected = made = 0
    plain = sides.plain
    partner = {match[0]: match for match in matches}
    for i, call in enumerate(sides.gold):
        if call.args is None:
            continue
        match = partner.get(i)
        if match is None:
            args: dict[str, Any] = {}
        else:
            args = sides.made[match[1]].args or {}
        made += len(args)
        if plain:
            expected += len(call.args)
            same = args == call.args
            right += len(args) if same else len(args.items() & call.args.items())
            continue
        key = sides.gold_keys[i]
        if key is not None and call.tool not in sides.matching_tools:
            expected += len(key)
            right += len(key & sides.made_keys[match.actual]) if match else 0
            continue
        wanted = [k for k, v in call.args.items() if k in args or not isinstance(v, OptionalKey)]
        expected += len(wanted)
        right += sum(
            1 for k in wanted if k in args and sides.similarity.equal(call.args[k], args[k])
        )
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
