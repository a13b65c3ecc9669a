"""``evaluate``: the calls that were made against the calls that were expected."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from toolscore._call import ToolCall
from toolscore._expectation import gold_calls, made_calls
from toolscore._options import Budget, EvaluateOptions, ForbiddenRule, Tools, check_options
from toolscore._result import EvaluationResult, not_scored
from toolscore._run import Expected, Include, Run
from toolscore._scoring.behaviour import behaviour
from toolscore._scoring.containers import kind_of
from toolscore._scoring.defaults import with_defaults
from toolscore._scoring.equality import LENIENT, STRICT
from toolscore._scoring.evaluation import Evaluation
from toolscore._scoring.headline import headline
from toolscore._scoring.sides import Sides
from toolscore._scoring.similarity import Similarity
from toolscore._turns import AgentTrace, AgentTurn

NO_EVENT = (
    "no event of this run was seen, so nothing is known of its calls; run the object that watch() "
    "returned, or pass the handler to the run"
)


def evaluate(
    expected: Expected | None,
    actual: Any,
    weights: Mapping[str, float] | None = None,
    strict: bool = False,
    forbidden: Sequence[str | ForbiddenRule] | None = None,
    *,
    order: Literal["in_order", "any"] = "in_order",
    extra_calls: Literal["penalize", "allow"] = "penalize",
    missing_calls: Literal["penalize", "allow"] = "penalize",
    args: Literal["exact", "allow_extra", "allow_missing", "ignore"] = "exact",
    budget: Budget | None = None,
    include: Collection[Include] = (),
    tools: Tools | None = None,
) -> EvaluationResult:
    """Score the calls made against the calls expected.

    Pure: no clock, no file, no network, no model. The formulas stand in ``docs/scoring.md``.

    Args:
        expected: Names (arguments not checked), mappings (``tool``, ``args``) or ``ToolCall``s.
            ``[]`` expects no call; None means that there is no expectation, and the behaviour is
            scored: did calls fail for good, or repeat themselves?
        actual: The calls made: mappings, ``ToolCall``s, a ``Run`` or an ``AgentTrace``.
        weights: For the classic composite, which then is the score.
        strict: No leniency in comparing values: 1 is not 1.0, " a" is not "a".
        forbidden: Tool names or rules; a call that matches one fails the verdict.
        order: ``any``: the order is not scored.
        extra_calls: ``allow``: calls beyond the expected ones cost nothing.
        missing_calls: ``allow``: expected calls that were not made cost nothing.
        args: Which arguments count; ``exact`` means all of both calls.
        budget: Upper bounds for calls, duration (s), tokens and cost (USD).
        include: Kinds of calls of a ``Run`` scored besides the default ones.
        tools: JSON schemas of the tools' arguments: declared defaults stand for what is left out,
            and unknown and mistyped arguments are findings. Without them, those of the run or of
            the recorded request.

    Returns:
        The result, true when it passed; ``score`` is from 0 to 1.

    Raises:
        ValueError: an option, the expectation or the calls cannot be read; says what to type.

    Example:
        >>> result = evaluate(
        ...     expected=[{"tool": "weather", "args": {"city": "NYC", "unit": "c"}}],
        ...     actual=[{"tool": "weather", "args": {"city": "Boston", "unit": "c"}}],
        ... )
        >>> result.score, result.passed
        (0.75, False)
    """
    options: EvaluateOptions = {}
    given = (
        weights,
        strict,
        forbidden,
        order,
        extra_calls,
        missing_calls,
        args,
        budget,
        include,
        tools,
    )
    if not _are_defaults(given):
        options = check_options(dict(zip(_NAMES, given)))  # noqa: B905 - one value per name
    gold = gold_calls(expected)
    if kind_of(actual) is not list and issubclass(kind_of(actual), Run):
        return score_run(gold, actual, options, by_hand=True)
    made = made_calls(actual, gold, include)
    if options.get("tools") is None and _is_recorded(actual):
        from toolscore._offered import offered  # which lists of calls do not need

        if found := offered(actual):
            options = {**options, "tools": found}
    return _score(gold, made, options)


def _is_recorded(actual: Any) -> bool:
    """Whether this is no list of calls, so that it may tell which tools were offered."""
    if kind_of(actual) is not list:
        return not issubclass(kind_of(actual), (tuple, AgentTrace))
    first: Any = actual[0] if actual else None
    return kind_of(first) is dict and "tool" not in first and "name" not in first


_NAMES = (
    *("weights", "strict", "forbidden", "order", "extra_calls", "missing_calls"),
    *("args", "budget", "include", "tools"),
)
_NO_NAMES: frozenset[str] = frozenset()
_DEFAULTS = (None, False, None, "in_order", "penalize", "penalize", "exact", None, (), None)


def _are_defaults(given: tuple[object, ...]) -> bool:
    try:
        return bool(given == _DEFAULTS)
    except Exception:  # noqa: BLE001 - an option whose ``==`` raises is not the default
        return False


def score_run(
    gold: list[ToolCall] | None,
    run: Run,
    options: EvaluateOptions,
    *,
    redact: Collection[str] = (),
    by_hand: bool = False,
) -> EvaluationResult:
    """The result of one run. ``options`` are checked already (``check_options``).

    A run that was not captured just now (``by_hand``) may hold anything: its calls are read first.
    """
    if by_hand:
        run = _read(run)
    made = list(run.scored_calls(gold, include=options.get("include", ())))
    if run.signals.get("events") is False:
        return not_scored(NO_EVENT, run, gold, redact=redact)
    return _score(gold, made, options, run, redact)


def _read(run: Run) -> Run:
    """The run with calls of our own; the turns of its transcript hold these, too."""
    calls = tuple(made_calls(run))
    own = dict(zip(map(id, run.calls), calls))  # noqa: B905 - one each
    try:
        turns = [
            AgentTurn(turn.role, turn.content, tuple([own.get(id(c), c) for c in turn.tool_calls]))
            for turn in run.transcript.turns
        ]
    except Exception:  # noqa: BLE001 - a transcript made by hand may hold anything; it is not scored
        return replace(run, calls=calls)
    return replace(run, calls=calls, transcript=AgentTrace(tuple(turns)))


def _score(
    gold: list[ToolCall] | None,
    made: list[ToolCall],
    options: EvaluateOptions,
    run: Run | None = None,
    redact: Collection[str] = (),
) -> EvaluationResult:
    how = STRICT if options.get("strict") else LENIENT
    similarity = Similarity(how, options.get("args", "exact"))
    tools = options.get("tools")
    if tools is None and run:
        tools = run.tools
    if tools and gold and made:
        sides = Sides(with_defaults(gold, made, tools), made, similarity, gold)
    else:
        sides = Sides(gold or [], made, similarity)
    score = behaviour if gold is None else headline
    return EvaluationResult(
        Evaluation(
            "behaviour" if gold is None else "expected",
            sides,
            score(sides, options, run),
            options,
            run,
            frozenset(redact) if redact else _NO_NAMES,
        )
    )
