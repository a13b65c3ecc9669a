"""Time and memory of one evaluation, beside another evaluator's in its own environment.

``python -m benchmarks.scoring --peer /path/to/python`` where that python has tool-scorer installed;
without a peer our own figures only. ``ratio`` is its CPU time over ours: above 1 we are faster.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from pathlib import Path
from typing import Any

from benchmarks.harness import Interpreter, alternating, report
from benchmarks.trajectories import SHAPES, Call, one_tool, overlapping, trajectory

WORKER = Path(__file__).with_name("scoring_worker.py")
OURS, PEER = "ours", "peer"


def measure(
    interpreters: dict[str, Interpreter], case: tuple[list[Call], list[Call]], **options: Any
) -> dict[str, Any]:
    """Medians, and the median of the ratios of samples taken side by side."""
    for interpreter in interpreters.values():
        interpreter.ask("load", expected=case[0], actual=case[1])
    samples = alternating(interpreters, **options)
    figures: dict[str, Any] = {
        f"{name}_us": round(statistics.median(values) * 1e6, 1) for name, values in samples.items()
    }
    if samples.get(PEER):
        pairs = zip(samples[PEER], samples[OURS], strict=False)
        ratios = [peer / ours for peer, ours in pairs]
        figures["ratio"] = round(statistics.median(ratios), 2)
        figures["ratio_range"] = [round(min(ratios), 2), round(max(ratios), 2)]
    return figures


def by_size(interpreters: dict[str, Interpreter], chosen: argparse.Namespace) -> None:
    """Each shape at each size; how the time grows over the last factor of ten; memory."""
    ours = interpreters[OURS]
    for shape in chosen.shapes:
        spent: dict[int, float] = {}
        for size in chosen.sizes:
            case = trajectory(shape, size)
            figures = measure(interpreters, case, rounds=chosen.rounds, seconds=chosen.seconds)
            spent[size] = figures["ours_us"]
            report(shape=shape, calls=size, **figures, **ours.ask("exact"))
        if 1_000 in spent and 10_000 in spent:
            report(shape=shape, exponent=round(math.log10(spent[10_000] / spent[1_000]), 3))
        if 10_000 in spent:
            report(shape=shape, calls=10_000, peak_mb=round(ours.ask("peak")["peak"] / 1e6, 1))


def corners(ours: Interpreter, chosen: argparse.Namespace) -> None:
    """Where other evaluators jump: 12 against 13 calls of one tool, 2,000 against 2,000."""
    alone = {OURS: ours}
    for count in (12, 13):
        figures = measure(alone, one_tool(count, count), rounds=chosen.rounds, seconds=0.05)
        report(case="one tool", calls=count, **figures)
    for name, case in (
        ("nothing in common", one_tool(2_000, 2_000)),
        ("overlapping", overlapping(2_000)),
    ):
        figures = measure(alone, case, rounds=1, seconds=0.05)
        memory = round(ours.ask("peak")["peak"] / 1e6, 1)
        report(case=name, calls=2_000, **figures, **ours.ask("exact"), peak_mb=memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="a python that has tool-scorer installed")
    parser.add_argument("--sizes", type=int, nargs="*", default=[3, 100, 1_000, 10_000])
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES), choices=list(SHAPES))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.2, help="per sample")
    parser.add_argument("--no-corners", action="store_true")
    chosen = parser.parse_args()
    interpreters = {OURS: Interpreter(sys.executable, WORKER)}
    if chosen.peer:
        interpreters[PEER] = Interpreter(chosen.peer, WORKER)
    by_size(interpreters, chosen)
    if not chosen.no_corners:
        corners(interpreters[OURS], chosen)
    for interpreter in interpreters.values():
        interpreter.close()


if __name__ == "__main__":
    main()
