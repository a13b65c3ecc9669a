"""Traces and expectations from files."""

from __future__ import annotations

from typing import Literal, TypeAlias

from typing_extensions import Unpack

from toolscore._call import ToolCall
from toolscore._evaluate import evaluate
from toolscore._gold import gold_from
from toolscore._json_file import JsonFile, Source
from toolscore._offered import Offers, offered
from toolscore._options import EvaluateOptions, Tools
from toolscore._recorded import scored
from toolscore._result import EvaluationResult
from toolscore.adapters._detect import Votes
from toolscore.adapters._formats import calls_of, check_format, known, read_items

TraceFormat: TypeAlias = Literal[
    "auto", "openai", "anthropic", "gemini", "mcp", "langchain", "otel", "custom"
]


def load_trace(file_path: Source, format: TraceFormat = "auto") -> list[ToolCall]:  # noqa: A002 - the seed's name
    """The calls of a recorded trace.

    Args:
        file_path: A path, or an open file (text or binary): JSON, or JSON lines, of which no two
            need be in memory together; compressed with gzip or not; in UTF-8, or in UTF-16 or
            UTF-32 with a byte order mark.
        format: ``auto`` looks at the whole trace.

    Returns:
        The calls in the order in which they were asked for; none for a run that called nothing.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is no JSON, the format is unknown or not recognised, or the trace is
            malformed.

    Source:
        ``toolscore.load_trace`` of tool-scorer.

    Example:
        >>> import io
        >>> trace = io.StringIO('[{"role": "user", "content": "hi"},'
        ...     '{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function",'
        ...     ' "function": {"name": "search", "arguments": "{}"}}]}]')
        >>> [call.tool for call in load_trace(trace)]
        ['search']
    """
    return _read(file_path, format)[0]


def _read(
    file_path: Source,
    format: TraceFormat,  # noqa: A002 - see above
) -> tuple[list[ToolCall], Tools]:
    """The calls, and the tools that the trace says were offered."""
    check_format(format)
    with JsonFile.open(file_path) as file:
        if file.whole:
            value = file.value()
            return calls_of(value, format), offered(value)
        name: str = format
        if name == "auto":
            votes = Votes()
            votes.see(file.lines())
            name = known(votes, [next(file.lines())])
        offers = Offers()
        return read_items(offers.seen(file.lines()), name), offers.tools


def load_gold_standard(file_path: Source) -> list[ToolCall]:
    """The calls of a gold file: what should have been called.

    The file holds a list of calls, or an object with one under ``calls``; a call is a name or an
    object with ``tool`` and ``args``. Left out, or null, ``args`` are not checked. Objects with
    one key such as ``{"$regex": "..."}`` stand for matchers: see ``docs/matchers.md``.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is no JSON, or an item of it is no call; says which one.

    Source:
        ``toolscore.load_gold_standard`` of tool-scorer.

    Example:
        >>> import io
        >>> gold = io.StringIO('[{"tool": "search", "args": {"query": {"$regex": "py.*"}}}]')
        >>> [call.args for call in load_gold_standard(gold)]
        [{'query': Regex('py.*')}]
    """
    with JsonFile.open(file_path) as file:
        return gold_from(file.value())


def evaluate_trace(
    gold_file: Source,
    trace_file: Source,
    format: TraceFormat = "auto",  # noqa: A002 - the seed's name
    **options: Unpack[EvaluateOptions],
) -> EvaluationResult:
    """``evaluate`` over two files: what was expected, and what was recorded.

    Handoffs count where the expectation names one, as in a captured run. Where the trace holds the
    tools that were offered, their schemas are used as ``tools=`` is.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a file or an option cannot be read; see ``load_gold_standard``, ``load_trace``.

    Source:
        ``toolscore.evaluate_trace`` of tool-scorer.

    Example:
        >>> import io
        >>> gold, trace = io.StringIO('["search"]'), io.StringIO('[{"tool": "search", "args": {}}]')
        >>> evaluate_trace(gold, trace).score
        1.0
    """
    gold = load_gold_standard(gold_file)
    made, tools = _read(trace_file, format)
    if options.get("tools") is None:
        options["tools"] = tools or None
    return evaluate(gold, scored(made, gold, options.get("include", ())), **options)
