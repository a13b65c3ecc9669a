"""The promise of ``test_any_input.py``, searched by coverage: ``nox -s fuzz -- changes 60``.

Targets: ``json`` (any JSON), ``changes`` (real traces with changes), ``wrong`` (given to the wrong
adapter), ``file`` (bytes of a file). A find is printed as an exception, and kept by libFuzzer.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import warnings
from pathlib import Path

import atheris  # type: ignore[import-not-found]

with atheris.instrument_imports(include=["toolscore"]):
    from toolscore import load_trace
    from toolscore.adapters._formats import FORMATS, calls_of

    assert calls_of([]) == []

from adapters import test_any_input, traces


def file(content: bytes) -> None:
    """A file of these bytes; the first names the format."""
    name = FORMATS[content[0] % len(FORMATS)] if content else "auto"
    try:
        calls = load_trace(io.BytesIO(content[1:]), name)  # type: ignore[arg-type]
    except ValueError:
        return
    assert all(call.tool and isinstance(call.args, dict) for call in calls)


TARGETS = {
    "json": test_any_input.test_any_json.hypothesis.fuzz_one_input,  # type: ignore[attr-defined]
    "changes": test_any_input.test_any_real_trace_with_changes.hypothesis.fuzz_one_input,  # type: ignore[attr-defined]
    "wrong": test_any_input.test_a_trace_given_to_the_wrong_adapter.hypothesis.fuzz_one_input,  # type: ignore[attr-defined]
    "file": file,
}


def main() -> None:
    """Search in one target, for a number of seconds."""
    target, seconds = sys.argv[1], sys.argv[2]
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as corpus:
        for number, (_, trace) in enumerate(traces.ALL.values()):
            seed = bytes([number]) + json.dumps(trace).encode()
            Path(corpus, str(number)).write_bytes(seed)
        options = [f"-max_total_time={seconds}", "-max_len=20000", corpus]
        atheris.Setup([sys.argv[0], *options], TARGETS[target])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
