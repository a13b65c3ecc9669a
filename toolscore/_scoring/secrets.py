"""Credentials in tool arguments: where they stand, and texts without them.

Only formats with a distinctive prefix are recognised, so that ordinary values are not reported.

Source:
    ``toolscore.metrics.security`` of tool-scorer, whose formats and path syntax these are.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, cast

from toolscore._call import ToolCall
from toolscore._scoring.containers import is_collection, is_dict, is_mapping, is_sequence, kind_of
from toolscore._scoring.scalars import ATOMS, MAX_DEPTH
from toolscore._shown import text_of

REDACTED = "[redacted]"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private_key",
        re.compile(
            r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----"
            r"(?:.*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----|.*)",
            re.DOTALL,
        ),
    ),
    ("anthropic_api_key", re.compile(r"\bsk-ant-[A-Za-z0-9_-]{20,}")),
    ("openai_api_key", re.compile(r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}")),
    ("openai_api_key", re.compile(r"\bsk-[A-Za-z0-9]{32,}")),
    ("github_token", re.compile(r"\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36}\b")),
    ("github_token", re.compile(r"\bgithub_pat_[A-Za-z0-9_]{60,}")),
    ("aws_access_key_id", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("google_api_key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}")),
    ("slack_token", re.compile(r"\bxox[abprs]-[0-9A-Za-z-]{10,}")),
    ("stripe_secret_key", re.compile(r"\b(?:sk|rk)_live_[0-9A-Za-z]{24,}")),
)
_HOLDERS = (dict, list, tuple, set, frozenset)
# Prefix and alphabet alone would also report slugs such as sk-some-long-name-in-kebab-case.
_RANDOM = frozenset({"anthropic_api_key", "openai_api_key"})
_MIXED = (re.compile("[0-9]"), re.compile("[a-z]"), re.compile("[A-Z]"))


def secrets_in(
    calls: Sequence[ToolCall], texts: Iterable[str] | None = None
) -> list[dict[str, Any]]:
    """One entry per credential: index and tool of its call, path, kind and a redacted preview.

    ``texts`` are all the texts among the arguments, and perhaps more, where they are known.
    """
    names: set[Any] = set()
    values: list[Any] = []
    for call in calls:
        if call.args:
            names.update(call.args)
            if texts is None:
                values += call.args.values()
    if texts is None:
        texts = _texts(values)
    try:
        text = "\n".join([*texts, *names])
    except TypeError:  # a name that is no text
        text = "\n".join([*texts, *map(text_of, names)])
    if not _may_hold_one(text):
        return []
    found: list[dict[str, Any]] = []
    for index, call in enumerate(calls):
        for path, text in _paths(call.args or {}):
            for kind, start, end in _spans(text):
                preview = _preview(kind, text[start:end])
                entry = {"index": index, "tool": call.tool, "path": without_secrets(path)}
                found.append({**entry, "kind": kind, "preview": preview})
    return found


def without_secrets(text: str) -> str:
    """The text with every credential in it replaced."""
    if not _may_hold_one(text):
        return text
    kept: list[str] = []
    done = 0
    for start, end in sorted((start, end) for _, start, end in _matches(text)):
        if start >= done:
            kept.append(text[done:start])
        done = max(done, end)  # where two overlap, both go
    return REDACTED.join([*kept, text[done:]])


def _may_hold_one(text: str) -> bool:
    return (  # a loop over the prefixes takes three times as long
        "sk-" in text
        or "gh" in text
        or "xox" in text
        or "AKIA" in text
        or "ASIA" in text
        or "AIza" in text
        or "k_live_" in text
        or "PRIVATE KEY" in text
    )


def _spans(text: str) -> list[tuple[str, int, int]]:
    """Kind, start and end of each credential, in the order of the text.

    Where two overlap, the pattern that comes first names what was found.
    """
    if not _may_hold_one(text):
        return []
    starts: list[int] = []
    kept: list[tuple[str, int, int]] = []
    for span in _matches(text):
        place = bisect(starts, span[1])
        before, after = kept[place - 1 : place], kept[place : place + 1]
        if not (before and before[0][2] > span[1]) and not (after and after[0][1] < span[2]):
            starts.insert(place, span[1])
            kept.insert(place, span)
    return kept


def _matches(text: str) -> Iterator[tuple[str, int, int]]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if kind not in _RANDOM or all(mark.search(match[0]) for mark in _MIXED):
                yield kind, *match.span()


def _preview(kind: str, secret: str) -> str:
    if kind == "private_key":
        return "-----BEGIN … PRIVATE KEY-----"
    return f"{secret[:4]}…{secret[-2:]}"


def _texts(value: Any) -> list[str]:
    """Every text in ``value``, keys included, in no particular order."""
    texts: list[str] = []
    pending: list[Any] = [value]
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if is_dict(value):
            items: Any = value.values()
            texts += [key for key in value if type(key) is str]
        else:
            items = value
        for item in items:
            if type(item) is str:
                texts.append(item)
            elif type(item) not in ATOMS and issubclass(type(item), _HOLDERS):
                key = id(cast("object", item))
                if key not in seen:
                    seen.add(key)
                    pending.append(item)
            elif issubclass(type(item), str):
                texts.append(str.__str__(item))
    return texts


def _paths(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Each text with its path, ``headers.Authorization`` or ``files[0].content``."""
    kind = kind_of(value)
    if issubclass(kind, str):
        yield path, str.__str__(value)
    elif not issubclass(kind, _HOLDERS):
        return
    elif depth > MAX_DEPTH:
        yield from ((f"{path}…", text) for text in _texts(value))
    elif is_dict(value):
        for key, item in value.items():
            where = f"{path}.{text_of(key)}" if path else text_of(key)
            if isinstance(key, str):
                yield where, key
            yield from _paths(item, where, depth + 1)
    elif is_collection(value):
        for place, item in enumerate(value):
            yield from _paths(item, f"{path}[{place}]", depth + 1)


class Redactor:
    """Makes values and texts fit for a report: no credential, no value of a redacted argument."""

    def __init__(self, names: Collection[str], calls: Sequence[ToolCall]) -> None:
        self.names = frozenset(names)
        hidden = {text for call in calls for text in self._hidden(call.args or {}, 0)}
        # The longest first, so that no part of one is left because a shorter one stood in it.
        self.hidden = sorted((text for text in hidden if len(text) > 3), key=len, reverse=True)

    def _hidden(self, value: Any, depth: int, named: bool = False) -> Iterator[str]:
        if not self.names or depth > MAX_DEPTH:
            return
        if is_mapping(value):
            for key, item in value.items():
                yield from self._hidden(item, depth + 1, named or key in self.names)
        elif is_sequence(value):
            for item in value:
                yield from self._hidden(item, depth + 1, named)
        elif named and isinstance(value, (str, int, float)) and not isinstance(value, bool):
            yield str(value)

    def text(self, text: str) -> str:
        """The text without credentials and without the values of redacted arguments."""
        for hidden in self.hidden:
            text = text.replace(hidden, REDACTED)
        return without_secrets(text)

    def hides(self, path: str) -> bool:
        """Whether an argument at this path is redacted by name."""
        return bool(self.names) and not self.names.isdisjoint(re.split(r"[.\[\]]+", path))
