"""One interpreter that evaluates what it is sent: JSON lines in, JSON lines out.

Whatever ``toolscore`` it has installed is measured; it reads the same from each.
"""

from __future__ import annotations

import gc
import json
import sys
import time
import tracemalloc
from typing import Any

from toolscore import evaluate


def once(expected: list[Any], actual: list[Any]) -> Any:
    """One evaluation, with all figures read."""
    result = evaluate(expected, actual)
    return result.score, getattr(result, "passed", None), result.metrics


def timed(expected: list[Any], actual: list[Any], number: int) -> dict[str, Any]:
    """CPU and wall seconds per evaluation."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(number):
        once(expected, actual)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"cpu": cpu / number, "wall": wall / number}


def peak(expected: list[Any], actual: list[Any]) -> dict[str, Any]:
    """Bytes that one evaluation needs at most, its result included."""
    gc.collect()
    tracemalloc.start()
    kept = once(expected, actual)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {"peak": most, "score": kept[0]}


def main() -> None:
    case: tuple[list[Any], list[Any]] = [], []
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if asked["do"] == "load":
                case = asked["expected"], asked["actual"]
                answer: dict[str, Any] = {}
            elif asked["do"] == "time":
                answer = timed(*case, asked["number"])
            elif asked["do"] == "peak":
                answer = peak(*case)
            else:
                metrics = once(*case)[2]
                answer = {name: metrics.get(name) for name in ("pairing_exact", "order_exact")}
        except RecursionError as error:
            answer = {"error": type(error).__name__}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
