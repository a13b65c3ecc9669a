"""Arguments and results of tool spans, out of what instrumentations wrap around them."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, field
from typing import Any

from toolscore._arguments import parse_arguments
from toolscore._read import read, read_text
from toolscore._scoring.containers import is_dict, is_mapping, is_sequence
from toolscore._unpack import unpack
from toolscore.adapters._content import content_of, text_of
from toolscore.adapters.otel._value import decoded, items_of


@dataclass
class Arguments:
    """The arguments of a call, as far as its span says them."""

    args: dict[str, Any] = field(default_factory=dict[str, Any])
    kept: dict[str, Any] = field(default_factory=dict[str, Any])
    known: bool = False  # as a mapping by name; False: none recorded, or a bare value
    id: str | None = None


def arguments_of(written: object, *, wrapped: bool = False) -> Arguments:
    """Read what a span says of a call's arguments; ``wrapped``: perhaps as args and kwargs.

    Example:
        >>> arguments_of('{"city": "Oslo"}').args, arguments_of("Oslo").args
        ({'city': 'Oslo'}, {'value': 'Oslo'})
    """
    if written is None:
        return Arguments()
    if isinstance(written, str):
        args, kept = parse_arguments(written)
        if kept and not args:
            args = {"value": str(written)}  # text that is no JSON is an argument without a name
    else:
        plain = unpack(written)
        args, kept = (plain if is_dict(plain) else {"value": plain}), {}
    known = is_dict(decoded(written)) if isinstance(written, str) else is_mapping(written)
    inputs = args.get("inputs")
    if "input_str" in args and is_mapping(inputs):  # a LangChain callback, whole
        call_id = read_text(args.get("kwargs"), "tool_call_id")
        return Arguments(dict(inputs), {}, known=True, id=call_id)
    by_name = args.get("kwargs")
    bare = args.keys() <= {"args", "kwargs"} and not args.get("args")
    if wrapped and bare and is_mapping(by_name):
        return Arguments(dict(by_name), {}, known=True)
    return Arguments(args, kept, known)


def fields_of_text(text: str) -> dict[str, Any]:
    """The fields of an object that was written down by ``repr``; those that are plain values.

    Example:
        >>> fields_of_text("ToolCall(tool_name='search', tool_kwargs={'q': 'a'}, other=<object>)")
        {}
        >>> fields_of_text("ToolCall(tool_name='search', tool_kwargs={'q': 'a'})")
        {'tool_name': 'search', 'tool_kwargs': {'q': 'a'}}
    """
    if len(text) > _LONGEST:
        return {}
    fields: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd literals, by the compiler
            call = ast.parse(text, mode="eval").body
            for field_ in call.keywords if isinstance(call, ast.Call) else ():
                if field_.arg is not None:
                    fields[field_.arg] = ast.literal_eval(field_.value)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return {}
    return fields


_LONGEST = 100_000
"""Characters; the compiler's memory grows with them."""


@dataclass
class Answer:
    """What a call gave: ``seen`` is False where nothing was recorded."""

    value: Any = None
    seen: bool = False
    failed: bool = False
    error: str | None = None
    id: str | None = None


def answer_of(written: object, *, is_text: bool = False) -> Answer:
    """Read what a span says of a call's result; JSON is decoded, unless it ``is_text``.

    Example:
        >>> answer_of('["a"]').value, answer_of("18C").value, answer_of(None).seen
        (['a'], '18C', False)
    """
    if written is None:
        return Answer()
    value = written if is_text else decoded(written)
    if (
        is_mapping(value)
        and is_mapping(value.get("output"))
        and value.keys() <= {"output", "kwargs"}
    ):
        value = value["output"]  # a LangChain callback, whole
    message = _langchain_message(value)
    if message is not None:
        failed = read(message, "status") == "error"
        content = content_of(read(message, "content"))
        return Answer(
            content,
            seen=True,
            failed=failed,
            error=text_of(content) if failed else None,
            id=read_text(message, "tool_call_id"),
        )
    if is_mapping(value) and {"raw_output", "is_error", "tool_name"} <= value.keys():
        return _settled(unpack(value["raw_output"]), value["is_error"], value.get("blocks"))
    if is_mapping(value) and is_sequence(value.get("content")):
        flag = value.get("isError", value.get("is_error"))
        if isinstance(flag, bool):  # a result of MCP
            return _settled(content_of(value["content"]), flag, value["content"])
    return Answer(unpack(value), seen=True)


def _settled(value: object, flag: object, said: object) -> Answer:
    failed = flag is True
    error = (text_of(said) or text_of(value)) if failed else None
    return Answer(value, seen=True, failed=failed, error=error)


def _langchain_message(value: object) -> Any:
    """The fields of a dumped ToolMessage, either way that LangChain dumps one."""
    if not is_mapping(value):
        return None
    if value.get("type") == "tool" and is_mapping(value.get("data")):
        return value["data"]
    path = list(items_of(value.get("id")))
    if value.get("lc") == 1 and path and path[-1] == "ToolMessage":
        return value.get("kwargs")
    return None
