"""``load_trace``: which files it reads, and what it says of those that it cannot read."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from adapters import traces

import toolscore
from toolscore import Run, ToolCall, load_trace

CALL = {"tool": "søk", "args": {"q": "blåbær"}}
CHAT_LINES = "".join(json.dumps(message) + "\n" for message in traces.CHAT)
NAMES = [call.tool for call in load_trace(io.StringIO(json.dumps(traces.CHAT)))]


def named(calls: list[ToolCall]) -> list[str]:
    """The tools."""
    return [call.tool for call in calls]


ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "utf-8": lambda text: text.encode(),
    "utf-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "utf-16, as PowerShell writes it": lambda text: text.encode("utf-16"),
    "utf-16, big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "utf-32": lambda text: text.encode("utf-32"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "gzip with a mark": lambda text: gzip.compress(text.encode("utf-8-sig")),
    "lines of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "empty lines around": lambda text: b"\n \n" + text.encode() + b"\n\n",
}
TEXTS = {
    "JSON": json.dumps([CALL, CALL], ensure_ascii=False),
    "JSON over several lines": json.dumps([CALL, CALL], ensure_ascii=False, indent=2) + "\n",
    "JSON lines": json.dumps(CALL, ensure_ascii=False) + "\n" + json.dumps(CALL) + "\n",
}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_file_is_read_however_it_was_written(tmp_path: Path, encoding: str, text: str):
    """Encodings, compression, line ends; by its path as text and as a path."""
    file = tmp_path / "trace.json"
    file.write_bytes(ENCODINGS[encoding](TEXTS[text]))
    for path in (file, str(file)):
        calls = load_trace(path)
        assert [(call.tool, call.args) for call in calls] == [("søk", {"q": "blåbær"})] * 2


class OneWay(io.RawIOBase):
    """What a pipe is: it cannot be rewound."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), len(self._rest), 5)
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


OPEN: dict[str, Callable[[bytes], IO[Any]]] = {
    "bytes": io.BytesIO,
    "text": lambda content: io.StringIO(content.decode()),
    "a pipe": lambda content: io.BufferedReader(OneWay(content)),
    "a raw pipe": OneWay,  # type: ignore[dict-item]
    "a pipe of text": lambda content: io.TextIOWrapper(io.BufferedReader(OneWay(content))),
}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", OPEN)
def test_an_open_file_is_read_from_where_it_stands(kind: str, text: str):
    """Whether or not it can be rewound; and it stays open."""
    file = OPEN[kind](TEXTS[text].encode())
    assert named(load_trace(file)) == ["søk", "søk"]
    assert not file.closed


def test_what_was_read_before_is_not_read_again():
    """A program may have read a header."""
    file = io.StringIO("header\n" + TEXTS["JSON lines"])
    file.readline()
    assert named(load_trace(file)) == ["søk", "søk"]


def test_an_open_gzip_file_is_read():
    """Whoever opened it, by content."""
    assert named(load_trace(io.BytesIO(gzip.compress(TEXTS["JSON"].encode())))) == ["søk", "søk"]


@pytest.mark.parametrize("name", traces.ALL)
def test_json_lines_give_what_json_gives(name: str):
    """Item by item, by the name of the format and without it."""
    format_name, trace = traces.ALL[name]
    items = trace if isinstance(trace, list) else [trace, {**trace, "seen": 2}]
    whole = load_trace(io.StringIO(json.dumps(items)))
    lines = "\n".join(json.dumps(item) for item in items)
    assert load_trace(io.StringIO(lines)) == whole
    assert load_trace(io.StringIO(lines), format_name) == whole  # type: ignore[arg-type]


def test_a_text_with_a_line_separator_is_one_line():
    """JSON may hold U+2028 as it is; only a line feed ends a line."""
    line = json.dumps({"tool": "f", "args": {"x": "a\u2028b\x85c"}}, ensure_ascii=False)
    [first, _] = load_trace(io.StringIO(f"{line}\n{line}\n"))
    assert first.args == {"x": "a\u2028b\x85c"}


@pytest.mark.parametrize("text", ["[]", "[]\n", '{"messages": []}', '{"calls": []}'])
def test_a_run_without_calls_is_a_run(text: str):
    """It can be scored: perhaps none was expected."""
    assert load_trace(io.StringIO(text)) == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "neither JSON nor JSON lines"),
        (b"no json", "neither JSON nor JSON lines"),
        (b'{"tool": ', "neither JSON nor JSON lines"),
        (b'{"tool": "a"}\n{"tool": ', "Line 2 of"),
        (b'{"tool": "a"}\n\n{"tool": "b"}}\n', "Line 3 of"),
        (b"null", "null|None"),
        (b"5", "int"),
        (b'"text"', "str"),
        (b"{}", "empty object"),
        (b'{"unknown": 1}', "the keys unknown"),
        (b"[1, 2]", "int"),
        (b"1\n2\n", "int"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a": ' * 100_000, "nested too deep"),
        (b"[" * 100_000 + b"\n[]", "nested too deep"),
        (b'[{"tool": "a", "args": {"n": 1' + b"0" * 5000 + b"}}]", "digits"),
        (b'["\xff\xfe"]', "utf-8"),
        (gzip.compress(b'[{"tool": "a"}]')[:-9], "damaged gzip"),
        (gzip.compress(b'[{"tool": "a"}]')[:10] + b"xxxxxxxxxxxx", "damaged gzip"),
    ],
)
def test_what_cannot_be_read_is_a_value_error_that_says_what_it_is(content: bytes, says: str):
    """Never another exception."""
    with pytest.raises(ValueError, match=says):
        load_trace(io.BytesIO(content))


def test_a_file_that_is_not_there(tmp_path: Path):
    """As ``open`` says it."""
    with pytest.raises(FileNotFoundError):
        load_trace(tmp_path / "nothing.json")


@pytest.mark.parametrize("given", [None, 5, [], {"tool": "a"}])
def test_what_is_no_file(given: Any):
    """Data in memory goes to ``evaluate``."""
    with pytest.raises(ValueError, match="evaluate"):
        load_trace(given)


def test_json_in_place_of_a_path():
    """A mistake that is easily made."""
    with pytest.raises(ValueError, match=r"json\.loads"):
        load_trace('[{"tool": "search"}]')


def test_a_format_that_there_is_not():
    """The message names those that there are."""
    with pytest.raises(ValueError, match=r"'opanai'.*openai, anthropic"):
        load_trace(io.StringIO("[]"), "opanai")  # type: ignore[arg-type]


@pytest.mark.parametrize("lines", [1, 2])
def test_a_saved_run_is_a_trace(lines: int):
    """What ``Run.to_dict`` gives, one or several."""
    run = Run((ToolCall("search", {"x": float("nan")}, "3 hits", metadata={"step": 0}),))
    text = "\n".join([json.dumps(run.to_dict())] * lines)
    calls = load_trace(io.StringIO(text))
    assert [(call.tool, call.result, call.metadata) for call in calls] == [
        ("search", "3 hits", {"step": 0})
    ] * lines


def test_the_format_does_not_follow_from_the_first_item():
    """A system message and a question stand at the beginning of all of them."""
    talk = [{"role": "system", "content": "x"}, {"role": "user", "content": "y"}] * 50
    blocks = [{"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}]
    text = json.dumps([*talk, {"role": "assistant", "content": blocks}])
    assert [call.args for call in load_trace(io.StringIO(text))] == [{"a": 1}]


def test_numbers_and_texts_survive_exactly():
    """Thirty digits, more than a float has, an escaped zero."""
    text = '[{"tool": "f", "args": {"id": 123456789012345678901234567890, "s": "\\u0000\\"日本"}}]'
    [call] = load_trace(io.StringIO(text))
    assert call.args == {"id": 123456789012345678901234567890, "s": '\x00"日本'}


PROGRAM = """
import sys
import toolscore
calls = toolscore.load_trace(open(sys.argv[1], "rb") if sys.argv[2] == "open" else sys.argv[1])
[peak] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(len(calls), int(peak) // 1024)
"""
MEGABYTES = 100


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A long conversation, and how many calls are in it."""
    question = json.dumps({"role": "user", "content": "x" * 20_000}) + "\n"
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked = json.dumps({"role": "assistant", "tool_calls": [call]}) + "\n"
    answered = json.dumps({"role": "tool", "tool_call_id": "c", "content": "y"}) + "\n"
    turn = question + asked + answered
    turns = MEGABYTES * 1024 * 1024 // len(turn)
    file = tmp_path_factory.mktemp("long") / "long.jsonl"
    with file.open("w") as lines:
        for _ in range(turns):
            lines.write(turn)
    return file, turns


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the peak")
@pytest.mark.parametrize("way", ["path", "open"])
def test_a_long_file_of_json_lines_is_never_in_memory_as_a_whole(
    long_file: tuple[Path, int], way: str
):
    """100 MB are read by a process whose memory never comes near that, Python included."""
    file, turns = long_file
    command = [sys.executable, "-c", PROGRAM, str(file), way]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    calls, peak = map(int, done.stdout.split())
    assert calls == turns
    assert peak < MEGABYTES * 0.6


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are those of Unix")
def test_a_named_pipe_is_a_path(tmp_path: Path):
    """``load_trace("/dev/stdin")`` and ``<(command)`` of a shell; they cannot be read twice."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(CHAT_LINES,))
    writer.start()
    try:
        assert named(load_trace(pipe)) == NAMES
    finally:
        writer.join()


def test_files_are_exported_at_the_top():
    """As users of the seed system write it."""
    assert toolscore.load_trace is load_trace
    assert {"load_trace", "evaluate_trace", "load_gold_standard"} <= set(toolscore.__all__)
