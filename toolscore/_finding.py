"""One finding: what is wrong, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

FindingKind: TypeAlias = Literal[
    "missing",
    "extra",
    "wrong_argument",
    "unknown_argument",
    "wrong_type",
    "out_of_order",
    "failed",
    "recovered",
    "blind_retry",
    "loop",
    "forbidden",
    "over_budget",
    "secret",
    "unresolved",
    "incomplete_capture",
    "run_failed",
    "matcher_error",
]

_WORST_FIRST: tuple[FindingKind, ...] = (
    "run_failed",
    "forbidden",
    "incomplete_capture",  # before what may only be missing because it was not seen
    "missing",
    "failed",
    "matcher_error",
    "wrong_argument",
    "wrong_type",
    "unknown_argument",
    "unresolved",
    "extra",
    "loop",
    "out_of_order",
    "over_budget",
    "secret",
    "blind_retry",
    "recovered",
)
RANK = {kind: rank for rank, kind in enumerate(_WORST_FIRST)}
"""Of each kind, the lower the worse."""


@dataclass(frozen=True)
class Finding:
    """One thing wrong (or, for ``recovered``, worth knowing), said in a sentence with its figures.

    Attributes:
        kind: What it is.
        message: The sentence.
        expected: Indices into ``gold_calls``.
        actual: Indices into ``trace_calls``.
        path: Of the argument, ``filters.city``.
        fails: Whether it alone makes ``passed`` False.
    """

    kind: FindingKind
    message: str
    expected: tuple[int, ...] = ()
    actual: tuple[int, ...] = ()
    path: str | None = None
    fails: bool = True
