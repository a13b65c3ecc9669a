"""Fields of what the providers' clients return, which may be a mapping or an object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def read(source: object, name: str) -> Any:
    """``source[name]`` for a mapping, ``source.name`` for anything else; None if there is none."""
    if type(source) is dict or isinstance(source, Mapping):
        return cast("Mapping[str, Any]", source).get(name)
    return getattr(source, name, None)
