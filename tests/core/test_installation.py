"""Beside ``tool-scorer``, or without a framework: the error says what to type."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "program",
    [
        "import toolscore_integrations",
        "import toolscore_integrations.langchain",
        "import sys; sys.argv = ['toolscore', 'demo']; from toolscore.cli import main; main()",
    ],
)
def test_a_shared_environment_is_refused(program: str, tmp_path: Path):
    """The message names the command that mends it."""
    metadata = tmp_path / "tool_scorer-1.10.0.dist-info"
    metadata.mkdir()
    text = "Metadata-Version: 2.1\nName: tool-scorer\nVersion: 1.10.0\n"
    (metadata / "METADATA").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "tool-scorer 1.10.0 is installed too" in done.stderr
    assert "pip uninstall -y tool-scorer" in done.stderr


@pytest.mark.parametrize(
    ("module", "framework", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("openai_agents", "agents", "openai-agents"),
        ("llama_index", "llama_index.core", "llama-index"),
    ],
)
def test_a_hook_without_its_framework_says_what_to_install(module: str, framework: str, extra: str):
    """The bare name of a missing module is no help to who asked for the hook."""
    program = f"import sys; sys.modules[{framework!r}] = None; "
    program += f"import toolscore_integrations.{module}"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"run: pip install 'toolscore-integrations[{extra}]'" in done.stderr
