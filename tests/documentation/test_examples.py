"""Every example runs as a user runs it, and prints a score."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
FIRST_WORDS = {
    "langchain_agent.py": "FAILED 0.75",
    "llama_index_agent.py": "FAILED 0.67",
    "openai_agent.py": "FAILED 0.83",
}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_runs(path: Path):
    """In a process of its own, without a key; nothing on the error stream."""
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(FIRST_WORDS[path.name])
