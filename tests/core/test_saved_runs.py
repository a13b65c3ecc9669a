"""Runs in a file: appended by many, read back one by one, scored the same."""

import gzip
import json
import logging
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest

from toolscore import Recorder, Run, ToolCall, ToolscoreWarning, evaluate, load_runs

KEY = "sk-" + "a1B2" * 12


def run_of(number: int) -> Run:
    call = ToolCall("search", {"n": number}, f"result {number}", metadata={"step": 0})
    return Run((call,), id=f"run-{number}")


def recorded(path: Path, *numbers: int) -> None:
    """The runs of a recorder that was told to keep them."""
    recorder = Recorder(["search"], record=path)
    for number in numbers:
        run = recorder.start_run(input=f"go {number}")
        call = run.request("search", {"n": number})
        call.start()
        call.finish("found")
        run.end(output="done")


def test_saved_runs_come_back_in_order(tmp_path: Path):
    """Equal to what was saved, first one first."""
    runs = [run_of(number) for number in range(3)]
    for run in runs:
        run.save(tmp_path / "runs.jsonl")

    assert list(load_runs(tmp_path / "runs.jsonl")) == runs


def test_each_line_is_the_one_versioned_record(tmp_path: Path):
    """Anybody's JSON reader gets what ``to_dict`` gives."""
    run = run_of(1)
    run.save(tmp_path / "runs.jsonl")

    [line] = (tmp_path / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == run.to_dict()


def test_record_appends_each_run_as_it_ends(tmp_path: Path):
    """A path given to ``watch`` or a handler collects what was run, also over restarts."""
    path = tmp_path / "runs.jsonl"
    recorded(path, 1, 2)
    recorded(path, 3)

    assert [run.calls[0].args for run in load_runs(path)] == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_scoring_a_loaded_run_gives_the_identical_record(tmp_path: Path):
    """Score, verdict, findings, metrics and run: nothing that is scored is lost in the file."""
    path = tmp_path / "runs.jsonl"
    expected = [{"tool": "search", "args": {"n": 2}}]
    recorder = Recorder(expected, record=path)
    run = recorder.start_run(input={"question": "go"}, agent="a", thread_id="t")
    run.message("user", "go")
    for number in (1, 2):
        call = run.request("search", {"n": number, "s": {"deep": [1.5, None, "\ud800é"]}})
        call.start()
        call.finish({"found": number})
    run.message("assistant", "done")
    run.end(output="done")

    [loaded] = load_runs(path)
    [ended] = recorder.ended()
    assert loaded == ended[0]
    assert evaluate(expected, loaded).to_dict() == ended[1].to_dict()


def test_a_credential_is_cut_out_and_the_loss_is_said(tmp_path: Path):
    """The file is an export. What was cut out cannot be compared, so the verdict cannot pass."""
    path = tmp_path / "runs.jsonl"
    run = Run((ToolCall("login", {"key": KEY}, "fine"),))
    run.save(path)

    assert KEY not in path.read_text(encoding="utf-8")
    [loaded] = load_runs(path)
    assert not loaded.complete
    assert "redacted" in loaded.warnings[0]
    assert not evaluate(["login"], loaded).passed
    assert Run.from_dict(loaded.to_dict()) == loaded


def test_redacted_names_are_cut_out_of_the_file(tmp_path: Path):
    """``redact=`` holds for what ``record=`` writes."""
    path = tmp_path / "runs.jsonl"
    recorder = Recorder(record=path, redact=["pin"])
    run = recorder.start_run(input="use 9371")
    run.request("pay", {"pin": "9371", "amount": 5}).finish("paid with 9371")
    run.end()

    assert "9371" not in path.read_text(encoding="utf-8")
    [loaded] = load_runs(path)
    assert loaded.calls[0].args == {"pin": "[redacted]", "amount": 5}


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_torn_last_line_is_reported_and_the_rest_is_read(tmp_path: Path, cut: int):
    """Its writer was killed: one run is lost, and the reader is told which."""
    path = tmp_path / "runs.jsonl"
    for number in range(3):
        run_of(number).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: -cut - 1])

    with pytest.warns(ToolscoreWarning, match="line 3 .* is not whole"):
        runs = list(load_runs(path))

    assert runs == [run_of(0), run_of(1)]


def test_what_is_appended_after_a_torn_line_is_not_lost(tmp_path: Path):
    """The torn line is closed first."""
    path = tmp_path / "runs.jsonl"
    run_of(0).save(path)
    path.write_bytes(path.read_bytes() + b'{"schema": "tool')
    run_of(1).save(path)

    with pytest.warns(ToolscoreWarning, match="line 2"):
        assert list(load_runs(path)) == [run_of(0), run_of(1)]


def test_a_last_line_without_its_newline_is_whole(tmp_path: Path):
    """An editor may have taken it away."""
    path = tmp_path / "runs.jsonl"
    run_of(0).save(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().rstrip(b"\n"))
    run_of(1).save(path)

    assert list(load_runs(path)) == [run_of(0), run_of(1)]


def test_a_compressed_file_is_read(tmp_path: Path):
    """By its content, whatever its name."""
    run_of(0).save(tmp_path / "runs.jsonl")
    for name in ("runs.jsonl.gz", "runs"):
        (tmp_path / name).write_bytes(gzip.compress((tmp_path / "runs.jsonl").read_bytes()))
        assert list(load_runs(tmp_path / name)) == [run_of(0)]


def test_a_compressed_file_that_ends_early_is_reported(tmp_path: Path):
    """What could be read is read."""
    path = tmp_path / "runs.jsonl"
    for number in range(200):
        run_of(number).save(path)
    packed = gzip.compress(path.read_bytes())
    (tmp_path / "runs.gz").write_bytes(packed[: len(packed) // 2])

    with pytest.warns(ToolscoreWarning, match=r"ends in the middle|is not whole"):
        runs = list(load_runs(tmp_path / "runs.gz"))

    assert 0 < len(runs) < 200
    assert runs == [run_of(number) for number in range(len(runs))]


@pytest.mark.parametrize("line", ["{}", "[]", "3", '{"schema": "toolscore.run"}', '{"tool": "a"}'])
def test_json_of_something_else_is_refused(tmp_path: Path, line: str):
    """It was never a run: an error that names the line."""
    path = tmp_path / "other.jsonl"
    run_of(0).save(path)
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")

    with pytest.raises(ValueError, match="Line 2"):
        list(load_runs(path))


def test_a_file_of_something_else_is_refused(tmp_path: Path):
    """Not one run, and no silence."""
    (tmp_path / "notes.txt").write_text("dear diary\n", encoding="utf-8")

    with (
        pytest.warns(ToolscoreWarning, match="line 1"),
        pytest.raises(ValueError, match=r"toolscore\.load_trace"),
    ):
        list(load_runs(tmp_path / "notes.txt"))


def test_an_empty_file_holds_no_runs(tmp_path: Path):
    """Nothing was run yet."""
    (tmp_path / "runs.jsonl").touch()

    assert list(load_runs(tmp_path / "runs.jsonl")) == []


def test_a_missing_file_is_said_where_it_is_asked_for(tmp_path: Path):
    """Not only when the first run is read."""
    with pytest.raises(FileNotFoundError):
        load_runs(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    "path", [3, "", b"runs", "no/such/folder/runs.jsonl", ".", "runs.jsonl.gz"]
)
def test_a_path_that_cannot_work_is_refused_at_once(path: object):
    """At ``watch()``, where the user sees it, and at ``save``."""
    with pytest.raises(ValueError, match=r"record="):
        Recorder(record=path)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match=r"Run\.save"):
        Run(()).save(path)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.guarding
def test_a_file_that_cannot_be_written_does_not_stop_the_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """One line in the log; the score is there."""
    folder = tmp_path / "folder"
    folder.mkdir()
    recorder = Recorder([], record=folder / "runs.jsonl")
    folder.rmdir()
    with caplog.at_level(logging.ERROR, "toolscore"):
        for _ in range(2):
            run = recorder.start_run()
            run.message("assistant", "hi")
            run.end(output="hi")

    assert [result.passed for _, result in recorder.ended()] == [True, True]
    [line] = caplog.get_records("call")
    assert "is not in that file" in line.getMessage()


def save_many(path: Path, first: int, many: int) -> None:
    for number in range(first, first + many):
        run_of(number).save(path)


def test_writers_beside_each_other_lose_nothing(tmp_path: Path):
    """Threads append to one file; each line is one run."""
    path = tmp_path / "runs.jsonl"
    threads = [threading.Thread(target=save_many, args=(path, first, 50)) for first in (0, 50, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(run.id for run in load_runs(path)) == sorted(f"run-{n}" for n in range(150))


WRITER = """
import sys
from toolscore import Run, ToolCall
path, worker = sys.argv[1:]
for number in range(10_000):
    call = ToolCall("search", {"n": number, "text": "x" * (number % 7) * 900})
    Run((call,), id=f"{worker}-{number}").save(path)
    print(number, flush=True)
"""


def test_a_kill_in_the_middle_loses_at_most_the_torn_line(tmp_path: Path):
    """Four writers die at once: all that they said was saved is there, in order, without a gap."""
    path = tmp_path / "runs.jsonl"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(worker)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for worker in range(4)
    ]
    for writer in writers:  # each is in the middle of its work
        assert writer.stdout is not None
        for _ in range(500):
            writer.stdout.readline()
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
    said = [500 + len(writer.communicate()[0].splitlines()) for writer in writers]

    run_of(0).save(path)
    with warnings.catch_warnings(record=True) as torn:
        warnings.simplefilter("always")
        runs = list(load_runs(path))

    assert runs.pop() == run_of(0)
    assert len(torn) <= 4
    for worker in range(4):
        numbers = [int(run.id.split("-")[1]) for run in runs if run.id.startswith(f"{worker}-")]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) >= said[worker]
