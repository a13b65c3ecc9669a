"""Paired measurements, the only honest way to see a small difference: in one process or several."""

from __future__ import annotations

import gc
import json
import random
import statistics
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

Variant = Callable[[], Awaitable[None]]
Around = Callable[[], AbstractContextManager[None]]
WARM_UP = 5


async def paired(
    variants: Mapping[str, Variant],
    *,
    base: str,
    rounds: int,
    per_round: int,
    around: Mapping[str, Around] | None = None,
) -> Iterator[dict[str, Any]]:
    """CPU microseconds per unit of each variant, and what it adds to ``base``, round by round.

    ``around`` is entered and left outside of what is timed.
    """
    chance = random.Random(1)
    samples: dict[str, list[float]] = {name: [] for name in variants}
    gc.disable()
    try:
        for number in range(rounds + WARM_UP):
            order = list(variants)
            chance.shuffle(order)
            gc.collect()
            for name in order:
                with (around or {}).get(name, nullcontext)():
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


class Interpreter:
    """A program in an interpreter of its own, which answers JSON lines with JSON lines."""

    def __init__(self, python: str, program: Path) -> None:
        # -I: neither this folder nor the environment decides what it imports.
        self._process = subprocess.Popen(
            [python, "-I", str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, do: str, **what: Any) -> dict[str, Any]:
        """The answer to one request."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"do": do, **what}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def alternating(
    interpreters: Mapping[str, Interpreter], *, rounds: int, seconds: float
) -> dict[str, list[float]]:
    """CPU seconds per call of each loaded interpreter, in turns; the warm-up is no sample."""
    samples: dict[str, list[float]] = {}
    number: dict[str, int] = {}
    for name, interpreter in interpreters.items():
        first = interpreter.ask("time", number=1)
        if "cpu" in first and first["cpu"] < seconds:
            first = interpreter.ask("time", number=1)
        if "cpu" in first:
            samples[name] = [first["cpu"]] if first["cpu"] > 10 * seconds else []
            number[name] = max(1, int(seconds / max(first["cpu"], 1e-6)))
    for turn in range(rounds):
        for name in list(samples)[:: 1 if turn % 2 else -1]:
            if len(samples[name]) < 2 or samples[name][0] < 10 * seconds:
                samples[name].append(interpreters[name].ask("time", number=number[name])["cpu"])
    return samples
