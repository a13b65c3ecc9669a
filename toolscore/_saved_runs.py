"""Runs in a file of JSON lines: appended one by one, whatever else writes there, and read back."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, cast

from toolscore._errors import ToolscoreWarning
from toolscore._run_record import run_record
from toolscore._scoring.secrets import Redactor

if TYPE_CHECKING:
    from toolscore._run import Run

try:
    import fcntl
except ImportError:  # Windows: appends are still whole, as long as one process writes
    fcntl = None  # type: ignore[assignment]

Path = str | os.PathLike[str]
_GZIP = b"\x1f\x8b"


def check_path(path: object, name: str) -> Path:
    """The file that runs are to be appended to; ValueError where that cannot work."""
    if not isinstance(path, (str, os.PathLike)):
        raise ValueError(f"{name} takes the path of a file, not {path!r}: write 'runs.jsonl'.")
    text = os.fspath(cast("Path", path))
    if text.endswith(".gz"):
        raise ValueError(
            f"{name} appends plain JSON lines, and {text!r} would be compressed: write "
            f"{text.removesuffix('.gz')!r}, and compress the file when it is complete."
        )
    if os.path.isdir(text) or not text:
        raise ValueError(f"{name} takes the path of a file, and {text!r} is none: add its name.")
    folder = os.path.dirname(text) or "."
    if not os.path.isdir(folder):
        raise ValueError(f"{name} has no folder {folder!r} to write to: make it first.")
    return text


def append_run(run: Run, path: Path, redact: Collection[str] = ()) -> None:
    """Append the record of a run as one line.

    The file is locked while it grows, and a line that another writer left unfinished is closed
    first, so that each line is one record whoever was killed when.
    """
    line = json.dumps(run_record(run, Redactor(redact, run.calls)), allow_nan=False)
    with open(path, "a+b", buffering=0) as file, _alone(file):
        size = file.seek(0, os.SEEK_END)
        torn = size > 0 and file.seek(size - 1) >= 0 and file.read(1) != b"\n"
        try:
            _write(file, (b"\n" if torn else b"") + line.encode("ascii") + b"\n")
        except BaseException:  # a full disk, an interrupt: rather nothing than half a line
            file.truncate(size)
            raise


def _write(file: IO[bytes], data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


@contextmanager
def _alone(file: IO[bytes]) -> Generator[None]:
    """Keep other writers out; closing the file, or dying, lets them in again."""
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
    yield


def load_runs(path: Path) -> Iterator[Run]:
    """Read the runs that ``Run.save`` or ``record=`` wrote, one at a time.

    Plain JSON lines, or the same compressed by gzip. A line that was torn, since its writer was
    killed, is reported by a ``ToolscoreWarning`` that names it, and the next one is read.

    Raises:
        OSError: the file cannot be opened.
        ValueError: a line is JSON, but no record of a run; or no line of the file is one.

    Example:
        >>> import os, tempfile
        >>> from toolscore import Run, ToolCall
        >>> file = os.path.join(tempfile.mkdtemp(), "runs.jsonl")
        >>> Run((ToolCall("search", {"query": "python"}),)).save(file)
        >>> [run.calls[0].tool for run in load_runs(file)]
        ['search']
    """
    with open(path, "rb") as file:  # here, so that a missing file is said at once
        compressed = file.read(2) == _GZIP
    return _runs(path, compressed)


def _runs(path: Path, compressed: bool) -> Iterator[Run]:
    import gzip  # only needed here

    from toolscore._run import Run  # _run reads this module

    found = torn = 0
    with gzip.open(path, "rb") if compressed else open(path, "rb") as file:
        for number, line in enumerate(_lines(file, path), 1):
            if not line.strip():
                continue
            try:
                data: object = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
            except (ValueError, RecursionError) as error:
                torn += 1
                _warn(f"line {number} of {path} is not whole ({error}): its run is not read.")
                continue
            try:
                run = Run.from_dict(data)  # type: ignore[arg-type]  # it checks
            except ValueError as error:
                raise ValueError(f"Line {number} of {path}: {error}") from error
            found += 1
            yield run
    if torn and not found:
        raise ValueError(
            f"No line of {path} is the record of a run: load_runs() reads what record= and "
            "Run.save() write. For another trace, use toolscore.load_trace()."
        )


def _lines(file: Iterable[bytes], path: Path) -> Iterator[bytes]:
    try:
        yield from file
    except EOFError as error:
        _warn(f"{path} ends in the middle ({error}): what follows is not read.")


def _warn(message: str) -> None:
    warnings.warn(message, ToolscoreWarning, stacklevel=4)
