"""Reading recorded data that may be plain (parsed JSON) or the objects of an SDK."""

from __future__ import annotations

from typing import Any, cast

from toolscore._scoring.containers import is_mapping


def read(source: object, name: str, default: Any = None) -> Any:
    """``source[name]`` for a mapping, ``source.name`` for anything else.

    Raises:
        ValueError: the object has the attribute, and reading it raised something.

    Example:
        >>> from types import SimpleNamespace
        >>> read({"id": "c1"}, "id"), read(SimpleNamespace(id="c1"), "id"), read("text", "id")
        ('c1', 'c1', None)
    """
    if type(source) is dict:
        return cast("dict[str, Any]", source).get(name, default)
    try:
        if is_mapping(source):
            return source.get(name, default)
        return getattr(source, name, default)
    except Exception as error:  # a property is the user's code and may raise anything
        raise ValueError(
            f"{name!r} of {type(source).__name__} cannot be read "
            f"({type(error).__name__}): give its dump (a dict) instead."
        ) from error


def read_first(source: object, *names: str) -> Any:
    """The first of these that is there and not None: formats spell one thing in several ways.

    Example:
        >>> read_first({"functionCall": None, "function_call": 1}, "functionCall", "function_call")
        1
    """
    for name in names:
        value = read(source, name)
        if value is not None:
            return value
    return None


def read_text(source: object, *names: str) -> str | None:
    """The first of these that is a non-empty text, or None.

    Example:
        >>> read_text({"id": 5, "call_id": "c1"}, "id", "call_id")
        'c1'
    """
    for name in names:
        value = read(source, name)
        if isinstance(value, str) and value:
            return str(value)
    return None


def read_list(source: object, name: str) -> list[Any]:
    """The items under a name; none where there is nothing, or no list.

    Example:
        >>> read_list({"parts": None}, "parts"), read_list({"parts": [1]}, "parts")
        ([], [1])
    """
    value = read(source, name)
    return list(cast("list[Any]", value)) if isinstance(value, (list, tuple)) else []
