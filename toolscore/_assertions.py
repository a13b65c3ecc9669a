"""Assertions for tests: expected calls against calls made, or against an agent that is run here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, TypedDict, cast

from typing_extensions import Unpack

from toolscore._evaluate import evaluate
from toolscore._options import Budget, EvaluateOptions, ForbiddenRule, Tools
from toolscore._result import EvaluationResult
from toolscore._run import Expected, Include


class _Rest(TypedDict, total=False):
    order: Literal["in_order", "any"]
    extra_calls: Literal["penalize", "allow"]
    missing_calls: Literal["penalize", "allow"]
    args: Literal["exact", "allow_extra", "allow_missing", "ignore"]
    forbidden: Sequence[str | ForbiddenRule] | None
    budget: Budget | None
    include: Collection[Include]
    tools: Tools | None


def assert_tools(
    expected: Expected,
    actual: Any,
    min_score: float | None = None,
    weights: Mapping[str, float] | None = None,
    strict: bool = False,
    **options: Unpack[_Rest],
) -> EvaluationResult:
    """``evaluate(...).require(min_score=min_score)``: without ``min_score`` it must have passed.

    Raises:
        ToolScoreAssertionError: what was required does not hold; the message is the diff.
        ValueError: see ``evaluate``.

    Example:
        >>> assert_tools(["search"], [{"tool": "search", "args": {"q": "a"}}]).score
        1.0
    """
    __tracebackhide__ = True  # pytest: the failure is in the test, not in here
    result = evaluate(expected, actual, weights, strict, **options)
    return result.require(min_score=min_score)


def test_agent(
    agent: Callable[[str], Any],
    input: str,  # noqa: A002 - the seed's name
    expected: Expected,
    min_score: float | None = None,  # noqa: PT028 - not a test
    **options: Unpack[EvaluateOptions],
) -> EvaluationResult:
    """Run ``agent(input)``, read its calls, and require.

    The calls are those that a watched agent captured in this call, else those in what it returned.

    Raises:
        ToolScoreAssertionError: what was required does not hold; the message is the diff.
        ValueError: no calls can be read from what the agent returned, or see ``evaluate``.

    Example:
        >>> def agent(question):
        ...     return [{"tool": "search", "args": {"q": question}}]
        >>> test_agent(agent, "python", [{"tool": "search", "args": {"q": "python"}}]).score
        1.0
    """
    __tracebackhide__ = True
    before = _runs(agent)
    returned = agent(input)
    if hasattr(returned, "__await__"):
        if hasattr(returned, "close"):
            returned.close()
        raise ValueError(
            "The agent is async: write await test_agent_async(agent, input, expected)."
        )
    return _require(agent, before, returned, expected, min_score, options)


async def test_agent_async(
    agent: Callable[[str], Any],
    input: str,  # noqa: A002 - the seed's name
    expected: Expected,
    min_score: float | None = None,  # noqa: PT028 - not a test
    **options: Unpack[EvaluateOptions],
) -> EvaluationResult:
    """``test_agent`` for an async agent: awaits what ``agent(input)`` returns.

    Raises:
        ToolScoreAssertionError: what was required does not hold; the message is the diff.
        ValueError: no calls can be read from what the agent returned, or see ``evaluate``.
    """
    __tracebackhide__ = True
    before = _runs(agent)
    returned = agent(input)
    if hasattr(returned, "__await__"):
        returned = await returned
    return _require(agent, before, returned, expected, min_score, options)


# pytest would otherwise collect them as tests wherever they are imported.
test_agent.__test__ = False  # type: ignore[attr-defined]
test_agent_async.__test__ = False  # type: ignore[attr-defined]


def _runs(agent: object) -> tuple[object, ...]:
    runs: object = getattr(agent, "runs", ())
    return cast("tuple[object, ...]", runs) if isinstance(runs, tuple) else ()


def _require(
    agent: object,
    before: tuple[object, ...],
    returned: Any,
    expected: Expected,
    min_score: float | None,
    options: EvaluateOptions,
) -> EvaluationResult:
    __tracebackhide__ = True
    new = [run for run in _runs(agent) if not any(run is old for old in before)]
    return evaluate(expected, new[-1] if new else returned, **options).require(min_score=min_score)
