"""Files of JSON: one value, or one in each line; compressed or not; in any Unicode encoding."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import os
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, TypeAlias, cast

Source: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes]

_GZIP = b"\x1f\x8b"
_ENCODINGS = (
    # the longer marks first: UTF-32's begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_IN_MEMORY = 1 << 22
_NONE: Any = object()


class JsonFile:
    """A file that can be read as often as needed, line by line.

    Example:
        >>> with JsonFile.open(io.BytesIO(b'{"a": 1}' + bytes([10]) + b'{"a": 2}')) as file:
        ...     file.whole, list(file.lines())
        (False, [{'a': 1}, {'a': 2}])
    """

    def __init__(self, binary: IO[bytes], name: str) -> None:
        self._binary, self._name = binary, name
        self._value = _NONE
        self.whole = self._is_whole()
        """Whether the file is one value; else it has one in each line."""

    @classmethod
    @contextmanager
    def open(cls, source: Source) -> Generator[JsonFile]:
        """A path, or an open file, which is read from where it stands to its end.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: ``source`` is neither, or the file is not of JSON.
        """
        given = cast("object", source)
        if isinstance(given, (str, os.PathLike)):
            if isinstance(given, str) and given.lstrip()[:1] in ("{", "["):
                raise ValueError(
                    "This is JSON, and no path to a file of it: write "
                    "evaluate(expected, json.loads(text)), or wrap it in io.StringIO."
                )
            path = Path(cast("str", given))
            with path.open("rb") as binary:
                if binary.seekable():
                    yield cls(binary, str(path))
                else:
                    with _copy_of(binary) as copy:
                        yield cls(copy, str(path))
        elif hasattr(given, "read"):
            with _copy_of(cast("IO[Any]", given)) as copy:
                yield cls(copy, str(getattr(given, "name", "the open file")))
        else:
            raise ValueError(
                f"A path or an open file would be right, not {type(given).__name__}: data in "
                "memory goes to evaluate(expected, actual=data)."
            )

    def value(self) -> Any:
        """The one value, or a list of the lines' values.

        Raises:
            ValueError: the file is not of JSON.
        """
        if not self.whole:
            return list(self.lines())
        if self._value is not _NONE:
            return self._value
        try:
            with self._text() as text:
                return json.loads(text.read())
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f"{self._name} is neither JSON nor JSON lines: {_said(error)}."
            ) from error
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._damaged(error) from error

    def lines(self) -> Iterator[Any]:
        """The value of each line; empty lines are none.

        Raises:
            ValueError: a line is no JSON; says which one.
        """
        number = 1
        try:
            with self._text() as text:
                for line in text:
                    if line.strip():
                        yield json.loads(line)
                    number += 1
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f"Line {number} of {self._name} is no JSON: {_said(error)}."
            ) from error
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._damaged(error) from error

    def _is_whole(self) -> bool:
        try:
            with self._text() as text:
                lines = (line for line in text if line.strip())
                first = next(lines, "")
                try:
                    value = json.loads(first)
                except (json.JSONDecodeError, RecursionError):
                    return True  # a value that goes over several lines, or no JSON at all
                if next(lines, None) is not None:
                    return False
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._damaged(error) from error
        except ValueError as error:  # another encoding, an integer too long to read
            raise ValueError(f"{self._name} cannot be read: {_said(error)}.") from error
        self._value = value
        return True

    @contextmanager
    def _text(self) -> Generator[io.TextIOWrapper]:
        """The file from its beginning; it stays open."""
        binary: Any = self._binary
        binary.seek(0)
        if binary.read(2) == _GZIP:
            binary.seek(0)
            binary = gzip.GzipFile(fileobj=binary)
        else:
            binary.seek(0)
        start = binary.read(4)
        binary.seek(0)
        encoding = next((name for mark, name in _ENCODINGS if start.startswith(mark)), "utf-8")
        # a text that another program cut may end inside a character, in escapes or as it is
        text = io.TextIOWrapper(binary, encoding=encoding, errors="surrogatepass")
        try:
            yield text
        finally:
            text.detach()

    def _damaged(self, error: Exception) -> ValueError:
        return ValueError(f"{self._name} is a damaged gzip file: {_said(error)}.")


@contextmanager
def _copy_of(source: IO[Any]) -> Generator[IO[bytes]]:
    """The rest of an open file, as bytes, which can be read twice: on disk where it is long."""
    start = bytearray()
    while len(start) < _IN_MEMORY and (more := source.read(_IN_MEMORY)):  # pipes give what is there
        start += _bytes(more)
    with io.BytesIO(start) if len(start) < _IN_MEMORY else TemporaryFile() as copy:
        if len(start) >= _IN_MEMORY:
            copy.write(start)
            while more := source.read(_IN_MEMORY):
                copy.write(_bytes(more))
        yield copy


def _bytes(read: str | bytes) -> bytes:
    return read.encode("utf-8", "surrogatepass") if isinstance(read, str) else read


def _said(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return str(error)[:200]
