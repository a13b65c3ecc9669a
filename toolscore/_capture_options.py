"""What ``watch`` and every handler take."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

from toolscore._call import ToolCall
from toolscore._expectation import gold_calls
from toolscore._options import EvaluateOptions, check_options, not_one_of
from toolscore._result import EvaluationResult
from toolscore._run import Expected, Run
from toolscore._saved_runs import Path, check_path

ExpectedFor: TypeAlias = Expected | Callable[[Any], Expected | None]
"""A list for every run, or a callable from ``run.input`` to one; None from it means "behaviour"."""

Sink: TypeAlias = Callable[[EvaluationResult], object]
"""What ``on_score`` takes: called after each run, where it ended, no lock held; never async."""


class CaptureOptions(EvaluateOptions, total=False):
    """What ``watch`` and every handler take besides ``expected``."""

    on_score: Sink | Sequence[Sink] | None
    on_run: Callable[[Run], object] | None
    max_runs: int
    max_calls: int
    max_value_bytes: int
    redact: Collection[str]
    record: str | os.PathLike[str] | None


@dataclass(frozen=True)
class Capture:
    """The options of one recorder, checked."""

    expected: Callable[[Any], Expected | None] | None = None
    gold: list[ToolCall] | None = None
    evaluate: EvaluateOptions = field(default_factory=EvaluateOptions)
    on_score: tuple[Sink, ...] = ()
    on_run: tuple[Callable[[Run], object], ...] = ()
    max_runs: int = 100
    max_calls: int = 10_000
    max_value_bytes: int = 65_536
    redact: frozenset[str] = frozenset()
    record: Path | None = None

    @classmethod
    def of(cls, expected: ExpectedFor | None, options: Mapping[str, Any]) -> Capture:
        """Check everything now, where the user can see the error; ValueError for what is wrong."""
        return cls().expecting(expected, options)

    def expecting(self, expected: ExpectedFor | None, options: Mapping[str, Any]) -> Capture:
        """These options under another expectation; what is not given stays as it is."""
        for name in options:
            if name not in _KNOWN:
                raise ValueError(not_one_of("option", name, sorted(_KNOWN)))
        given = {name: options[name] for name in options if name in _OWN}
        evaluate = {name: options[name] for name in options if name not in _OWN}
        changes: dict[str, Any] = {n: _limit(n, given[n]) for n in _LIMITS if n in given}
        changes.update({n: _sinks(n, given[n]) for n in ("on_score", "on_run") if n in given})
        if "redact" in given:
            changes["redact"] = _names(given["redact"])
        if "record" in given:
            path = given["record"]
            changes["record"] = None if path is None else check_path(path, "record=")
        if callable(expected) and _is_async(expected):
            raise ValueError(
                "expected= takes a list of calls or a plain function of the run's input, "
                "not an async one: write expected=lambda input: [...]."
            )
        return replace(
            self,
            expected=expected if callable(expected) else None,
            gold=None if callable(expected) else gold_calls(expected),
            evaluate=check_options({**self.evaluate, **evaluate}),
            **changes,
        )


_LIMITS = ("max_runs", "max_calls", "max_value_bytes")
_OWN = frozenset({"on_score", "on_run", "redact", "record", *_LIMITS})
_KNOWN = frozenset({"expected", *_OWN, *EvaluateOptions.__annotations__})


def _limit(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name}= takes a whole number from 1, not {value!r}: write {name}=100.")
    return value


def _names(value: object) -> frozenset[str]:
    if isinstance(value, str) or not isinstance(value, Collection):
        raise ValueError(
            f"redact= takes a list of argument names, not {value!r}: write redact=['token']."
        )
    return frozenset(str(name) for name in cast("Collection[object]", value))


def _sinks(name: str, given: object) -> tuple[Any, ...]:
    """The sinks as a tuple; an async one would never be awaited, so it is refused here."""
    if given is None:
        return ()
    sinks = tuple(cast("Sequence[object]", given)) if isinstance(given, (list, tuple)) else (given,)
    for sink in sinks:
        if not callable(sink):
            raise ValueError(f"{name}= takes a function of one argument, not {sink!r}.")
        if _is_async(sink):
            raise ValueError(
                f"{name}= takes a plain function, and {sink!r} is async: nothing would await it. "
                "Write a plain function that schedules it, such as "
                "lambda result: asyncio.ensure_future(send(result))."
            )
        if not _takes_one(sink):
            raise ValueError(
                f"{name}= takes a function of one argument: write def sink(result): ..."
            )
    return sinks


def _takes_one(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # some built-in functions do not tell
        return True
    return True


def _is_async(function: object) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object whose __call__ is async
    )
