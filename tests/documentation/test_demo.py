"""``toolscore demo``: what a newcomer sees first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FRAMEWORKS = ("langchain", "llama-index", "openai-agents")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """A command of the installed package, in a process of its own."""
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize(
    "command",
    [[str(Path(sys.executable).parent / "toolscore")], [sys.executable, "-m", "toolscore"]],
    ids=["script", "module"],
)
def test_the_demo_plays_four_runs_in_each_framework(command: list[str]):
    """Each with its score and verdict; the diffs are the same in all three, and said once."""
    done = run(*command, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    for row, cell in {
        "perfect": "PASSED 1.00",
        "wrong argument": "FAILED 0.88",
        "failed, then recovered": "PASSED 0.95",
        "missing call": "FAILED 0.50",
    }.items():
        [line] = [line for line in done.stdout.splitlines() if f"│ {row}" in line]
        assert line.count(cell) == len(FRAMEWORKS)
        assert f"{row} (the same in all frameworks)" in done.stdout
    assert "find_flights: city is 'Bergen', expected 'Oslo'" in done.stdout
    assert "\x1b" not in done.stdout


def test_the_command_says_what_it_needs():
    """Without click and rich: one line that says what to type."""
    program = (
        "import sys; sys.modules['click'] = None; from toolscore.cli import main; "
        "sys.argv = ['toolscore', 'demo']; main()"
    )
    done = run(sys.executable, "-c", program)
    assert done.returncode == 1
    assert done.stderr == (
        "toolscore: the command needs click and rich: pip install 'toolscore-integrations[all]'\n"
    )


def test_a_framework_that_is_not_installed_is_a_column_that_says_so():
    """The demo plays the others, and fails."""
    program = (
        "import sys; sys.modules['agents'] = None; from toolscore.cli import main; "
        "sys.argv = ['toolscore', 'demo']; main()"
    )
    done = run(sys.executable, "-c", program)
    assert done.returncode == 1
    assert done.stdout.count("not installed") == 4
    assert "run: pip install 'toolscore-integrations[openai-agents]'" in done.stdout
    assert done.stdout.count("PASSED 1.00") >= 2
