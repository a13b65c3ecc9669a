"""What goes wrong in a hook stays in the hook."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Protocol, TypeVar

from typing_extensions import ParamSpec

log = logging.getLogger("toolscore")

P = ParamSpec("P")
R = TypeVar("R")


class Guarded(Protocol):
    """Something with hooks; it is told what they raised."""

    def _trouble(self, where: str, error: Exception) -> None: ...


G = TypeVar("G", bound=Guarded)


def never_raise(
    hook: Callable[Concatenate[G, P], R],
) -> Callable[Concatenate[G, P], R | None]:
    """Run ``hook``; hand what it raises to ``self._trouble``, so that the agent's run goes on.

    Only ``Exception``: a ``KeyboardInterrupt`` or an ``asyncio.CancelledError`` belongs to the
    user's program and passes through.
    """

    @wraps(hook)
    def guarded(self: G, /, *args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return hook(self, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - the user's run matters more than our record
            report(self, hook.__qualname__, error)
            return None

    return guarded


def report(whom: Guarded, where: str, error: Exception) -> None:
    """Hand ``error`` to ``whom._trouble``; never raises.

    For the few places that guard by hand, because a wrapper around each step would cost too much.
    """
    try:
        whom._trouble(where, error)  # pyright: ignore[reportPrivateUsage]
    except Exception:  # noqa: BLE001 - reporting must not break the run either
        log.debug("could not report an error of %s", where)


class Troubles:
    """Counts what went wrong, and says each kind once."""

    def __init__(self) -> None:
        self.count = 0
        self._said: set[str] = set()

    def report(self, where: str, error: BaseException, consequence: str) -> None:
        """Count; log the first of its kind with its traceback."""
        self.count += 1
        kind = f"{where}:{type(error).__name__}"
        if kind in self._said or len(self._said) > MAX_KINDS:
            return
        self._said.add(kind)
        log.error("%s failed; %s", where, consequence, exc_info=error)


MAX_KINDS = 100


def calls_back(function: Callable[..., Any]) -> str:
    """A name for a callable of the user's, for a log line."""
    return getattr(function, "__qualname__", None) or type(function).__qualname__
