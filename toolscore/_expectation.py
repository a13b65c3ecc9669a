"""What the user gave as expected or made calls, as ``ToolCall``s of our own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import Any, cast

from toolscore._call import ToolCall
from toolscore._recorded import NotACallError, is_written_our_way, recorded, scored
from toolscore._run import Expected, Include, Run
from toolscore._scoring.containers import MANY, is_mapping, kind_of, own_items
from toolscore._scoring.copied import copied
from toolscore._scoring.scalars import ATOMS
from toolscore._scoring.texts import PLAIN, ReadCalls, exact_texts, texts_among
from toolscore._shown import in_short, text_of
from toolscore._turns import AgentTrace
from toolscore._written import WRITE, call_from, copy_call


def gold_calls(expected: Expected | None) -> list[ToolCall] | None:
    """The expectation as calls of our own; None stays None (there is no expectation).

    A name is a call whose arguments are not checked. What the user changes later changes nothing.

    Raises:
        ValueError: what is not a list of names, mappings or ``ToolCall``s; says which item it is
            and what to type.
    """
    if expected is None:
        return None
    given = cast("object", expected)
    if kind_of(given) is list:
        return _read(expected, "expected", _expected_call)
    if issubclass(kind_of(given), (str, Mapping, ToolCall)):
        raise ValueError(
            f"expected= takes a list of calls, not one {kind_of(given).__name__}: "
            f"write expected=[{in_short(given)}]."
        )
    if not _is_list_of_something(given):
        raise ValueError(
            f"expected= takes a list of calls, not {kind_of(given).__name__}: "
            f'write expected=["search"], or {WRITE} in the list, or expected=None for none.'
        )
    return _read(expected, "expected", _expected_call)


def made_calls(
    actual: Any, gold: list[ToolCall] | None = None, include: Collection[Include] = ()
) -> list[ToolCall]:
    """The calls of a list, a ``Run`` (all of them) or an ``AgentTrace``, as calls of our own.

    Of anything else that ``auto_extract`` reads, the calls that count by default, as they do of a
    run that was captured, and the kinds in ``include``: ``gold`` may name a handoff.

    Raises:
        ValueError: None, or what holds no calls that can be read; says which item it is.
    """
    kind = kind_of(actual)
    if kind is list:
        try:
            return _read(actual, "actual", _made_call)
        except NotACallError:
            return _recorded(actual, gold, include)
    if issubclass(kind, Run):
        return _read(actual.calls, "run.calls", _made_call)
    if issubclass(kind, AgentTrace):
        return _read(_calls_of(actual), "actual", _made_call)
    if actual is None:
        raise ValueError(
            "actual= is None. Pass [] if the agent made no call; if there should be calls, the "
            "function that returned None has lost them."
        )
    if not _is_list_of_something(actual):
        return _recorded(actual, gold, include)
    try:
        return _read(actual, "actual", _made_call)
    except NotACallError:
        return _recorded(list(_items(actual)), gold, include)


def _recorded(
    actual: Any, gold: list[ToolCall] | None, include: Collection[Include]
) -> list[ToolCall]:
    calls = recorded(actual)
    if calls is not None:
        return scored(_read(calls, "actual", _made_call), gold, include)
    if kind_of(actual) is list:
        return _read(actual, "actual", _any_call)  # says which item is none, and what would be
    raise ValueError(
        "actual= takes a list of calls, a Run, an AgentTrace, or what auto_extract() recognises, "
        f"not {kind_of(actual).__name__}."
    )


def _calls_of(trace: AgentTrace) -> list[ToolCall]:
    try:
        return [
            call for turn in islice(trace.turns, MANY) for call in islice(turn.tool_calls, MANY)
        ]
    except Exception as error:
        raise ValueError(
            f"actual= is an AgentTrace whose turns cannot be read ({type(error).__name__}): write "
            "AgentTrace((AgentTurn(TurnRole.ASSISTANT, '', (ToolCall('search'),)),))."
        ) from error


def _is_list_of_something(value: object) -> bool:
    kind = kind_of(value)
    return issubclass(kind, Sequence) and not issubclass(kind, (str, bytes, bytearray))


def _read(
    items: Sequence[Any], where: str, otherwise: Callable[[str, Any], ToolCall]
) -> list[ToolCall]:
    """Each item as a call; ``{"tool": ..., "args": {...}}``, what nearly all are, is read fast.

    Without the constructor it costs a fifth, and what that checks is checked here.
    """
    if kind_of(items) is list and len(items) > MANY_ITEMS:
        alike = _read_alike(items)
        if alike is not None:
            return alike
    calls = ReadCalls()
    values = list[Any]()  # of all arguments; a text among them is one that may hold a credential
    exact = True
    new = ToolCall.__new__
    try:
        for item in _items(items):
            if kind_of(item) is dict and len(item) == 2 and "tool" in item and "args" in item:
                tool, args = _TOOL_AND_ARGS(item)
                if kind_of(tool) is str and tool and kind_of(args) is dict:
                    call = new(ToolCall)
                    call.tool = tool
                    call.args = args.copy()
                    if PLAIN.issuperset(map(kind_of, args.values())):
                        values += args.values()
                    else:
                        exact = False
                        call.args = _kept(args)
                    if not _NAMES.issuperset(map(kind_of, args)):
                        exact = False
                        call.args = copied(args)
                    call.result = call.timestamp = call.duration = call.cost = None
                    call.metadata = {}
                    calls.append(call)
                    continue
            call = otherwise(f"{where}[{len(calls)}]", item)
            found = exact_texts([call])
            exact = exact and found is not None
            values += found or ()
            calls.append(call)
    except NotACallError:
        raise
    except ValueError as error:
        text = text_of(error)
        raise ValueError(text if where in text else f"{where}[{len(calls)}]: {text}") from None
    except Exception as error:
        text = text_of(error)
        raise ValueError(
            f"{where}[{len(calls)}] cannot be read ({type(error).__name__}: {text}): {WRITE}."
        ) from error
    calls.texts = texts_among(values) if exact else None
    return calls


def _read_alike(items: Sequence[Any]) -> ReadCalls | None:
    """Many calls that all are such mappings, with plain arguments, all at once; None: they are not.

    Each check is one pass in C over what all the calls have.
    """
    if set(map(kind_of, items)) != _MAPPINGS:
        return None
    try:
        tools, args = list(map(_TOOL, items)), list(map(_ARGS, items))
    except KeyError:
        return None
    if set(map(len, items)) != {2} or set(map(kind_of, args)) != _MAPPINGS:
        return None
    values = list(chain.from_iterable(map(dict[str, Any].values, args)))
    names = chain(tools, *args)
    if not (_NAMES.issuperset(map(kind_of, names)) and PLAIN.issuperset(map(kind_of, values))):
        return None
    if not all(tools):
        return None
    calls = ReadCalls()
    calls.texts = texts_among(values)
    new = ToolCall.__new__
    for tool, kept in zip(tools, map(dict[str, Any].copy, args)):  # noqa: B905 - one each
        call = new(ToolCall)
        call.tool, call.args = tool, kept
        call.result = call.timestamp = call.duration = call.cost = None
        call.metadata = {}
        calls.append(call)
    return calls


MANY_ITEMS = 16
"""Calls above which to check all at once is faster than one by one."""
_MAPPINGS = {dict}
_TOOL, _ARGS = itemgetter("tool"), itemgetter("args")
_NAMES = frozenset({str})
_TOOL_AND_ARGS = itemgetter("tool", "args")


def _kept(args: dict[str, Any]) -> dict[str, Any]:
    """Arguments of which some are no plain values, as a copy of our own."""
    return {
        name: value if kind_of(value) in ATOMS else copied(value, 1) for name, value in args.items()
    }


def _items(given: Sequence[Any]) -> Iterable[Any]:
    """The items of a list, without code of the user's where it can be done, and never endless."""
    kind = kind_of(given)
    if kind is list or kind is tuple:
        return given
    if issubclass(kind, (list, tuple)):
        return own_items(given)
    items = list(islice(given, MANY + 1))
    if len(items) > MANY:
        raise ValueError(f"more than {MANY:,} calls in a {kind.__name__}: give them as a list.")
    return items


def _expected_call(where: str, item: Any) -> ToolCall:
    kind = kind_of(item)
    if issubclass(kind, str):
        return ToolCall(str.__str__(item))
    if issubclass(kind, ToolCall):
        return copy_call(where, item)
    if is_mapping(item):
        return call_from(where, cast("Mapping[str, Any]", copied(item)))
    raise ValueError(
        f"{where} is {kind.__name__}: a tool's name, a mapping or a ToolCall would be right; "
        f"{WRITE}."
    )


def _made_call(where: str, item: Any) -> ToolCall:
    if issubclass(kind_of(item), ToolCall):
        return copy_call(where, item)
    if is_mapping(item) and is_written_our_way(item):
        return call_from(where, cast("Mapping[str, Any]", copied(item)))
    raise NotACallError


def _any_call(where: str, item: Any) -> ToolCall:
    if issubclass(kind_of(item), ToolCall):
        return copy_call(where, item)
    if is_mapping(item):
        return call_from(where, cast("Mapping[str, Any]", copied(item)))
    raise ValueError(
        f"{where} is {kind_of(item).__name__}: a mapping or a ToolCall would be right; {WRITE}."
    )
