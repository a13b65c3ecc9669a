"""What goes wrong on our side is seen by who has configured nothing."""

from __future__ import annotations

import subprocess
import sys


def test_a_failing_sink_is_seen_in_a_plain_script():
    """Once, with its traceback, on the error stream; the program goes on."""
    program = """
import toolscore

def sink(result):
    raise ValueError("my sink is broken")

recorder = toolscore.Recorder([], on_score=sink)
for _ in range(2):
    run = recorder.start_run()
    run.seen()
    run.end()
print(recorder.latest().passed)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    assert done.stderr.count("sink failed; the run goes on") == 1
    assert "Traceback" in done.stderr
    assert "ValueError: my sink is broken" in done.stderr
