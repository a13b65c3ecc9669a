"""Where the running code is: inside of which watched runs, and in which of their calls."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar, Token
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from toolscore import Recorder

if TYPE_CHECKING:
    from toolscore_integrations.openai_agents._call import Asked
    from toolscore_integrations.openai_agents._leg import Leg


class Place(NamedTuple):
    """A leg, and the call of it that is running, with the span that the SDK opened for it."""

    leg: Leg
    asked: Asked | None = None
    span: object = None


Places = Mapping[Recorder, Place]

_places: ContextVar[Places] = ContextVar(
    "toolscore_openai_agents_places", default=MappingProxyType[Recorder, Place]({})
)


def places() -> Places:
    """The innermost place in the runs of each recorder."""
    return _places.get()


def place_of(recorder: Recorder) -> Place | None:
    """The innermost place in the runs of one recorder."""
    return _places.get().get(recorder)


def move(*entered: Place) -> Token[Places]:
    """Be in these places, one per recorder, until ``leave``, or until the task of the tool ends."""
    inside = dict(_places.get())
    for place in entered:
        inside[place.leg.recorder] = place
    return _places.set(inside)


def leave(token: Token[Any]) -> None:
    """Be where we were before ``move``."""
    with suppress(ValueError):  # a coroutine may be closed in another context than it ran in
        _places.reset(token)
