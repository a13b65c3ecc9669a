"""Values as strict JSON: nothing lost without saying so, no credential, and back again."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any, cast

from toolscore._scoring.containers import is_dict, is_list, is_mapping, is_sequence
from toolscore._scoring.equality import Matcher
from toolscore._scoring.scalars import MAX_DEPTH
from toolscore._scoring.secrets import REDACTED, Redactor

NO_NAMES = Redactor((), ())
_OUR_OWN = frozenset({str, int, float, bool, list, tuple, type(None)})
"""Types whose methods are Python's own; a dict's keys may be anybody's."""
_MAX_INT_BITS = 12_000  # the interpreter refuses to print integers of more than 4,300 digits


def plain(value: Any, redactor: Redactor = NO_NAMES, depth: int = 0) -> Any:
    """``value`` as JSON.

    What JSON has no form for stands in an object with one key that begins with ``$``: ``$float``
    (nan, inf, -inf), ``$int`` (hexadecimal, too long to print), ``$bytes`` (base64), ``$items``
    (pairs of a mapping whose keys are not all texts), ``$matcher`` and ``$repr`` (how a live object
    shows itself), ``$deep`` (nested beyond 60 levels, or inside itself).
    """
    if type(value) in _OUR_OWN:
        return _plain(value, redactor, depth)
    try:
        return _plain(value, redactor, depth)
    except Exception as error:  # noqa: BLE001 - values of the user's may raise on any touch
        return {"$repr": _unreadable(value, error)}


def _plain(value: Any, redactor: Redactor, depth: int) -> Any:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return redactor.text(str.__str__(value))
    if isinstance(value, int):
        number = int(value)
        return number if number.bit_length() < _MAX_INT_BITS else {"$int": hex(number)}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": repr(float(value))}
    if depth > MAX_DEPTH:
        return {"$deep": type(value).__name__}
    if is_mapping(value):
        return _mapping(value, redactor, depth)
    if is_sequence(value):
        return [plain(item, redactor, depth + 1) for item in value]
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    return {"$matcher" if isinstance(value, Matcher) else "$repr": redactor.text(shown(value))}


def _mapping(value: Mapping[Any, Any], redactor: Redactor, depth: int) -> Any:
    items = [
        (key, REDACTED if key in redactor.names else plain(item, redactor, depth + 1))
        for key, item in value.items()
    ]
    if all(isinstance(key, str) and not key.startswith("$") for key, _ in items):
        return {redactor.text(str.__str__(key)): item for key, item in items}
    return {"$items": [[plain(key, redactor, depth + 1), item] for key, item in items]}


def _unreadable(value: Any, error: Exception) -> str:
    return f"<{type(value).__qualname__} that could not be read: {type(error).__name__}>"


def shown(value: Any) -> str:
    """``repr`` of a live object, or what its ``repr`` raised."""
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001 - a foreign __repr__ may raise anything
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"


def unplain(value: Any) -> Any:
    """The value that ``plain`` wrote; live objects come back as the text of their ``repr``."""
    if is_list(value):
        return [unplain(item) for item in value]
    if not is_dict(value):
        return value
    items = cast("dict[str, Any]", value)
    if len(items) == 1:
        [(key, content)] = items.items()
        if key == "$float":
            return float(content)
        if key == "$int":
            return int(content, 16)
        if key == "$bytes":
            return base64.b64decode(content)
        if key == "$items":
            return {unplain(name): unplain(item) for name, item in content}
        if key.startswith("$"):
            return content
    return {key: unplain(item) for key, item in items.items()}


def brief(value: Any, redactor: Redactor, limit: int = 60) -> str:
    """A value as a sentence shows it: its ``repr``, without secrets, cut in the middle."""
    try:
        literal = _literal(value, redactor, 0)
    except Exception as error:  # noqa: BLE001 - as in ``plain``
        literal = _unreadable(value, error)
    text = redactor.text(literal)
    if len(text) <= limit:
        return text
    return f"{text[: limit // 2]}...{text[-(limit // 2 - 3) :]}"


def _literal(value: Any, redactor: Redactor, depth: int) -> str:
    if depth > 6:
        return "..."
    if is_mapping(value):
        items = [
            f"{_literal(key, redactor, depth + 1)}: "
            + (repr(REDACTED) if key in redactor.names else _literal(item, redactor, depth + 1))
            for key, item in _first(value.items())
        ]
        return f"{{{', '.join(items)}}}"
    if is_sequence(value):
        items = [_literal(item, redactor, depth + 1) for item in _first(value)]
        return f"[{', '.join(items)}]" if is_list(value) else f"({', '.join(items)})"
    if isinstance(value, int) and int(value).bit_length() >= _MAX_INT_BITS:
        return f"<whole number of {int(value).bit_length()} bits>"
    return shown(value)


def _first(values: Any) -> list[Any]:
    """The first twenty: no sentence shows more."""
    return [item for _, item in zip(range(20), values)]  # noqa: B905 - the shorter one decides
