"""Values as strict JSON: nothing lost without saying so, no credential, and back again."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any, cast

from toolscore._scoring.containers import MANY, is_dict, is_list, is_mapping, is_sequence
from toolscore._scoring.equality import Matcher
from toolscore._scoring.scalars import MAX_DEPTH
from toolscore._scoring.secrets import REDACTED, Redactor
from toolscore._shown import LONGEST_INT, shown

NO_NAMES = Redactor((), ())
_OUR_OWN = frozenset({str, int, float, bool, list, tuple, type(None)})
"""Types whose methods are Python's own; a dict's keys may be anybody's."""


def plain(value: Any, redactor: Redactor = NO_NAMES) -> Any:
    """``value`` as JSON.

    What JSON has no form for stands in an object with a key that begins with ``$``: ``$float``
    (nan, inf, -inf), ``$int`` (hexadecimal, too long to print), ``$bytes`` (base64), ``$items``
    (pairs of a mapping whose keys are not all texts), ``$regex`` and the other forms of matchers,
    ``$matcher`` and ``$repr`` (how a live object shows itself), ``$deep`` (nested beyond 60 levels,
    inside itself, or beyond 100,000 values).
    """
    return _Writer(redactor).write(value, 0)


class _Writer:
    """One value on its way to JSON, and how many values may still be written."""

    __slots__ = ("left", "redactor")

    def __init__(self, redactor: Redactor) -> None:
        self.redactor, self.left = redactor, MANY

    def write(self, value: Any, depth: int) -> Any:
        if type(value) in _OUR_OWN:
            return self._write(value, depth)
        try:
            return self._write(value, depth)
        except Exception as error:  # noqa: BLE001 - values of the user's may raise on any touch
            return {"$repr": _unreadable(value, error)}

    def _write(self, value: Any, depth: int) -> Any:
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            return self.redactor.text(str.__str__(value))
        if isinstance(value, int):
            number = int(value)
            return number if number.bit_length() < LONGEST_INT else {"$int": hex(number)}
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"$float": repr(float(value))}
        if depth > MAX_DEPTH or self.left < 0:
            return {"$deep": type(value).__name__}
        if is_mapping(value):
            return self._mapping(value, depth)
        if is_sequence(value):
            return self._sequence(value, depth)
        if isinstance(value, bytes):
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        if not isinstance(value, Matcher):
            return {"$repr": self.redactor.text(shown(value))}
        from toolscore._to_json import form_of  # reads the matchers, which few records hold

        form = form_of(value, lambda inner: self.write(inner, depth + 1))
        return form or {"$matcher": self.redactor.text(shown(value))}

    def _sequence(self, value: list[Any] | tuple[Any, ...], depth: int) -> Any:
        written: list[Any] = []
        for item in value:
            self.left -= 1
            if self.left < 0:
                return [*written, {"$deep": type(value).__name__}]
            written.append(self.write(item, depth + 1))
        return written

    def _mapping(self, value: Mapping[Any, Any], depth: int) -> Any:
        items: list[tuple[Any, Any]] = []
        for key, item in value.items():
            self.left -= 1
            if self.left < 0:
                items.append(("$deep", type(value).__name__))
                break
            hidden = key in self.redactor.names
            items.append((key, REDACTED if hidden else self.write(item, depth + 1)))
        if all(isinstance(key, str) and not key.startswith("$") for key, _ in items):
            return {self.redactor.text(str.__str__(key)): item for key, item in items}
        return {"$items": [[self.write(key, depth + 1), item] for key, item in items]}


def _unreadable(value: Any, error: Exception) -> str:
    return f"<{type(value).__qualname__} that could not be read: {type(error).__name__}>"


def unplain(value: Any) -> Any:
    """The value that ``plain`` wrote; live objects come back as the text of their ``repr``.

    Matchers, which only expectations hold, stay the objects that stand for them.
    """
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
        if key in ("$repr", "$matcher", "$deep"):
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
    if isinstance(value, int) and int(value).bit_length() >= LONGEST_INT:
        return f"<whole number of {int(value).bit_length()} bits>"
    return shown(value)


def _first(values: Any) -> list[Any]:
    """The first twenty: no sentence shows more."""
    return [item for _, item in zip(range(20), values)]  # noqa: B905 - the shorter one decides
