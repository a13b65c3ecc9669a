"""Expected and made calls of any length, the same each time, in the shapes that scoring meets."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

Call = dict[str, Any]
TOOLS = [f"tool_{number}" for number in range(8)]


def calls(count: int, tools: list[str] = TOOLS) -> tuple[list[Call], random.Random]:
    """Calls with three plain arguments each, and the chance that chose their tools."""
    chance = random.Random(f"{count}-{len(tools)}")
    made = [
        {
            "tool": chance.choice(tools),
            "args": {"q": f"query {number}", "limit": number % 50, "lang": "en"},
        }
        for number in range(count)
    ]
    return made, chance


def perfect(made: list[Call], _: random.Random) -> list[Call]:
    return made


def shuffled(made: list[Call], chance: random.Random) -> list[Call]:
    chance.shuffle(made)
    return made


def dense(made: list[Call], chance: random.Random) -> list[Call]:
    """No call right, yet each shares arguments with all others of its tool."""
    for number, call in enumerate(made):
        call["args"]["q"] = f"other {number}"
    chance.shuffle(made)
    return made


def noisy(made: list[Call], chance: random.Random) -> list[Call]:
    """One call in ten: a wrong argument, another tool, left out, made twice, or out of place."""
    kept: list[Call] = []
    wrong = set(chance.sample(range(len(made)), max(1, len(made) // 10)))
    for number, call in enumerate(made):
        slip = chance.randrange(5) if number in wrong else None
        if slip == 0:
            call["args"]["q"] = "changed"
        elif slip == 1:
            call["tool"] = chance.choice(TOOLS)
        elif slip == 3:
            kept.append(copy.deepcopy(call))
        if slip == 4:
            kept.insert(max(0, len(kept) - 1), call)
        elif slip != 2:
            kept.append(call)
    return kept or made[:1]


SHAPES: dict[str, Callable[[list[Call], random.Random], list[Call]]] = {
    "perfect": perfect,
    "shuffled": shuffled,
    "noisy": noisy,
    "dense": dense,
}


def trajectory(shape: str, count: int) -> tuple[list[Call], list[Call]]:
    """Expected and made calls."""
    expected, chance = calls(count)
    return expected, SHAPES[shape](copy.deepcopy(expected), chance)


def one_tool(expected: int, made: int) -> tuple[list[Call], list[Call]]:
    """Calls of one tool with nothing in common but the tool."""
    left = [{"tool": "a", "args": {"q": f"query {n}"}} for n in range(expected)]
    return left, [{"tool": "a", "args": {"q": f"other {n}"}} for n in range(made)]


def overlapping(count: int) -> tuple[list[Call], list[Call]]:
    """Calls of one tool whose arguments overlap by chance, with many different weights."""
    chance = random.Random(count)

    def some() -> list[Call]:
        return [
            {
                "tool": "a",
                "args": {
                    f"k{name}": chance.randrange(3)
                    for name in chance.sample(range(12), chance.randint(2, 9))
                },
            }
            for _ in range(count)
        ]

    return some(), some()
