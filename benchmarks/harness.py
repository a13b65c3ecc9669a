"""Paired measurements in one process: the only honest way to see a small difference."""

from __future__ import annotations

import gc
import json
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

Variant = Callable[[], Awaitable[None]]
WARM_UP = 5


async def paired(
    variants: Mapping[str, Variant], *, base: str, rounds: int, per_round: int
) -> Iterator[dict[str, Any]]:
    """CPU microseconds per unit of each variant, and what it adds to ``base``, round by round."""
    chance = random.Random(1)
    samples: dict[str, list[float]] = {name: [] for name in variants}
    gc.disable()
    try:
        for number in range(rounds + WARM_UP):
            order = list(variants)
            chance.shuffle(order)
            gc.collect()
            for name in order:
                start = time.process_time()
                await variants[name]()
                spent = (time.process_time() - start) / per_round * 1e6
                if number >= WARM_UP:
                    samples[name].append(spent)
    finally:
        gc.enable()
    return _figures(samples, base, chance)


def _figures(
    samples: Mapping[str, Sequence[float]], base: str, chance: random.Random
) -> Iterator[dict[str, Any]]:
    control = f"{base}_again"
    floor = max(abs(edge) for edge in _interval(_added(samples, control, base), chance))
    for name, values in samples.items():
        added = _added(samples, name, base)
        low, high = _interval(added, chance)
        middle = statistics.median(added)
        yield {
            "variant": name,
            "cpu_us": round(statistics.median(values), 1),
            "added_us": round(middle, 1),
            "ci95": [round(low, 1), round(high, 1)],
            "ratio": round(
                statistics.median(a / b for a, b in zip(values, samples[base], strict=True)), 4
            ),
            "noise_us": round(floor, 1),
            "resolved": name not in (base, control) and low > 0 and middle > floor,
            "rounds": len(values),
        }


def _added(samples: Mapping[str, Sequence[float]], name: str, base: str) -> list[float]:
    return [a - b for a, b in zip(samples[name], samples[base], strict=True)]


def _interval(values: Sequence[float], chance: random.Random) -> tuple[float, float]:
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(1000))
    return medians[25], medians[974]


def report(**figures: Any) -> None:
    """One JSON line."""
    print(json.dumps(figures), flush=True)
