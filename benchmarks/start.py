"""What ``import toolscore`` costs over a bare interpreter: alternating processes, medians."""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys

from benchmarks.harness import report

PROGRAMS = {
    "bare": "pass",
    "import toolscore": "import toolscore",
    "import watch": "from toolscore import watch",
    "import and evaluate": "import toolscore; toolscore.evaluate(['a'], [{'tool': 'a'}]).score",
}


def spent(program: str) -> float:
    """CPU milliseconds of one interpreter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    for program in PROGRAMS.values():
        spent(program)
    samples = [{name: spent(program) for name, program in PROGRAMS.items()} for _ in range(rounds)]
    for name in PROGRAMS:
        added = statistics.median(sample[name] - sample["bare"] for sample in samples)
        report(program=name, added_ms=round(added, 1), rounds=rounds)


if __name__ == "__main__":
    main()
