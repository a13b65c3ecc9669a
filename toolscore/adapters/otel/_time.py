"""Points in time, in nanoseconds since 1970: what OTLP, SDKs and dumps write."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from toolscore._scoring.containers import is_sequence

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?\s*(Z|[+-]\d\d:?\d\d)?$",
    re.IGNORECASE | re.ASCII,
)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_LATEST = 2**63
"""Nanoseconds that fit OTLP's field: the year 2262."""


def nanoseconds(value: object, unit: int = 1) -> int | None:
    """A point in time, or None: a number in ``unit`` ns, ISO text, seconds with nanoseconds.

    Example:
        >>> nanoseconds("1700000000000000000"), nanoseconds([1700000000, 5])
        (1700000000000000000, 1700000000000000005)
        >>> nanoseconds("1970-01-01T00:00:01.5Z"), nanoseconds(None), nanoseconds(0)
        (1500000000, None, None)
    """
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, datetime):
        return _from_datetime(value)
    if is_sequence(value) and len(value) == 2:
        seconds, rest = _whole(value[0]), _whole(value[1])
        return None if seconds is None or rest is None else _known(seconds * 10**9 + rest)
    number = _whole(value)
    return None if number is None else _known(number * unit)


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if abs(value) < _LATEST else None  # NaN and infinity are not less


def _known(number: int) -> int | None:
    return number if 0 < number < _LATEST else None  # 0: never set


def _from_text(text: str) -> int | None:
    if text.isascii() and text.isdigit():
        return _known(int(text)) if len(text) < 20 else None
    found = _ISO.match(text.strip())
    if found is None:
        return None
    *parts, fraction, zone = found.groups()
    try:
        moment = datetime(*map(int, parts), tzinfo=timezone.utc)  # type: ignore[arg-type, misc]
        shift = _offset(zone)
        whole = (moment - shift - _EPOCH) // timedelta(seconds=1)
    except (ValueError, OverflowError):
        return None
    return _known(whole * 10**9 + int((fraction or "0").ljust(9, "0")))


def _offset(zone: str | None) -> timedelta:
    if zone is None or zone in "Zz":
        return timedelta()
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return timedelta(minutes=-minutes if zone[0] == "-" else minutes)


def _from_datetime(moment: datetime) -> int | None:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    return _known((aware - _EPOCH) // timedelta(microseconds=1) * 1000)
