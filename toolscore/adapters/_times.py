"""When and how long: what traces write for seconds."""

from __future__ import annotations

import re
from datetime import datetime, timezone

from toolscore.adapters._calls import number_of

_FRACTION = re.compile(r"(?<=\.)\d+")


def seconds_of(written: object) -> float | None:
    """Unix time, in seconds, of a number of seconds or an ISO 8601 text; else None.

    A text without a zone is UTC. More digits than microseconds are cut.

    Example:
        >>> seconds_of("2026-01-01T00:00:01.5Z"), seconds_of(12), seconds_of("noon")
        (1767225601.5, 12, None)
    """
    if isinstance(written, datetime):
        moment = written
    elif not isinstance(written, str):
        return number_of(written)
    else:
        text = _FRACTION.sub(lambda digits: digits[0][:6].ljust(6, "0"), written.strip())
        try:  # before Python 3.11 neither "Z" nor other than 3 or 6 digits could be read
            moment = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in "Zz" else text)
        except ValueError:
            return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    try:
        return moment.timestamp()
    except (OverflowError, ValueError):
        return None
