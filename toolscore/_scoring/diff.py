"""Expected and made calls side by side, aligned by the pairs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from toolscore._call import ToolCall
from toolscore._plain import brief
from toolscore._scoring.evaluation import Evaluation
from toolscore._scoring.one_line import one_line
from toolscore._scoring.secrets import REDACTED, Redactor
from toolscore._scoring.sides import Match
from toolscore._shown import text_of

_COLORS = {"=": "32", "~": "33", "-": "31", "+": "36"}
_WIDEST = 60


def diff(evaluation: Evaluation, redactor: Redactor, *, color: bool = False) -> str:
    """A line per call: ``=`` met, ``~`` met in part, ``-`` missing, ``+`` extra."""
    cells = ((mark, one_line(a), one_line(b)) for mark, a, b in _rows(evaluation, redactor))
    rows = [("", "expected", "made"), *cells]
    width = min(_WIDEST, max(len(left) for _, left, _ in rows))
    lines = [f"{mark:1} {left:{width}}  {right}".rstrip() for mark, left, right in rows]
    if color:
        lines = [
            f"\x1b[{_COLORS[line[0]]}m{line}\x1b[0m" if line[0] in _COLORS else line
            for line in lines
        ]
    return "\n".join(lines)


def _rows(evaluation: Evaluation, redactor: Redactor) -> Iterator[tuple[str, str, str]]:
    sides = evaluation.sides
    partner = {match.expected: match for match in evaluation.headline.matches}
    used = {match.actual for match in partner.values()}
    extra = deque(j for j in range(len(sides.made)) if j not in used)
    for i, call in enumerate(sides.given):
        match = partner.get(i)
        if match is None:
            yield "-", _call(call, redactor), "(not called)"
            continue
        while extra and extra[0] < match.actual:
            yield _extra(evaluation, extra.popleft(), redactor)
        yield _pair(evaluation, match, redactor)
    for j in extra:
        yield _extra(evaluation, j, redactor)


def _pair(evaluation: Evaluation, match: Match, redactor: Redactor) -> tuple[str, str, str]:
    sides = evaluation.sides
    gold, made = sides.given[match.expected], sides.made[match.actual]
    met = match.similarity == 1.0 and sides.outcomes[match.actual].meets
    return "=" if met else "~", _call(gold, redactor), _made(made, redactor)


def _extra(evaluation: Evaluation, j: int, redactor: Redactor) -> tuple[str, str, str]:
    expects = evaluation.basis == "expected"
    return (
        "+" if expects else " ",
        "(not expected)" if expects else "",
        _made(evaluation.sides.made[j], redactor),
    )


def _call(call: ToolCall, redactor: Redactor) -> str:
    if call.args is None:
        return f"{call.tool}(...)"
    args = [
        f"{name}={REDACTED if redactor.hides(name) else brief(value, redactor)}"
        for name, value in ((text_of(name), value) for name, value in call.args.items())
    ]
    return redactor.text(f"{call.tool}({', '.join(args)})")


def _made(call: ToolCall, redactor: Redactor) -> str:
    text = _call(ToolCall(call.tool, call.args or {}), redactor)
    if call.status in (None, "ok"):
        return text
    why = f": {' '.join(call.error.split())[:200]}" if call.error and call.error != "True" else ""
    return redactor.text(f"{text}  [{call.status}{why}]")
