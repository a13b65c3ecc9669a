"""The deterministic tool-call verdicts of other libraries, written down from what they document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from toolscore import ToolCall

Calls = Sequence[ToolCall]


def key(call: ToolCall) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """Name and arguments, comparable."""
    return call.tool, tuple(sorted((call.args or {}).items()))


def keys(calls: Calls) -> list[Any]:
    return [key(call) for call in calls]


def names(calls: Calls) -> list[str]:
    return [call.tool for call in calls]


def is_subsequence(wanted: Sequence[Any], made: Sequence[Any]) -> bool:
    left = iter(made)
    return all(item in left for item in wanted)


def holds_all(wanted: Sequence[Any], made: Sequence[Any]) -> bool:
    return not Counter(wanted) - Counter(made)


def deepeval(gold: Calls, made: Calls, *, with_args: bool) -> bool:
    """Each expected tool takes a call that is not taken; equal calls count as one object."""
    if not gold:
        return not made
    total, taken = 0.0, set[Any]()
    for wanted in gold:
        scores = [
            (1.0 if not with_args else share(wanted, call), -place)
            for place, call in enumerate(made)
            if call.tool == wanted.tool and key(call) not in taken
        ]
        best, place = max(scores, default=(0.0, 0))
        if best:
            total += best
            taken.add(key(made[-place]))
    return total == len(gold)


def share(wanted: ToolCall, call: ToolCall) -> float:
    expected, found = wanted.args or {}, call.args or {}
    union = expected.keys() | found.keys()
    return len(expected.items() & found.items()) / len(union) if union else 1.0


def ragas(gold: Calls, made: Calls, *, flexible: bool) -> bool:
    """Names alike place by place (sorted first where flexible), and the expected arguments."""
    if flexible:
        gold, made = sorted(gold, key=key), sorted(made, key=key)
    return names(gold) == names(made) and all(
        all((call.args or {}).get(name) == value for name, value in (wanted.args or {}).items())
        and (wanted.args or not call.args)
        for wanted, call in zip(gold, made, strict=True)
    )


def ragas_f1(gold: Calls, made: Calls) -> bool:
    return bool(gold) and set(keys(gold)) == set(keys(made))


def of_success(calls: Calls) -> list[ToolCall]:
    return [call for call in calls if not call.is_error]


def any_repeats(gold: Calls, made: Calls) -> bool:
    """A call stands twice in one of the lists."""
    return any(len(set(keys(calls))) < len(calls) for calls in (gold, made))


def expects_nothing(gold: Calls, made: Calls) -> bool:
    """Nothing was expected."""
    return not gold


def never(gold: Calls, made: Calls) -> bool:
    return False


def bare_or_sorted(gold: Calls, made: Calls) -> bool:
    """No argument is expected where there are some, or a tool stands twice (pairs by sorting)."""
    return no_arguments(gold, made) or len(set(names(gold))) < len(gold)


def no_arguments(gold: Calls, made: Calls) -> bool:
    """An expected call has no arguments."""
    return any(not call.args for call in gold)


@dataclass(frozen=True)
class Mode:
    """A verdict of another library's, ours for it, and where the two may differ."""

    theirs: Callable[[Calls, Calls], bool]
    ours: dict[str, Any]
    differs: Callable[[Calls, Calls], bool] = never


ANY: dict[str, Any] = {"order": "any"}
MORE: dict[str, Any] = {"extra_calls": "allow"}
FEWER: dict[str, Any] = {"missing_calls": "allow"}
NAMES: dict[str, Any] = {"args": "ignore"}
BESIDES: dict[str, Any] = {"args": "allow_extra"}


def superset(gold: Calls, made: Calls) -> bool:
    return holds_all(keys(gold), keys(made))


def subset(gold: Calls, made: Calls) -> bool:
    return holds_all(keys(made), keys(gold))


def exact(gold: Calls, made: Calls) -> bool:
    return keys(gold) == keys(made)


def in_order(gold: Calls, made: Calls) -> bool:
    return is_subsequence(keys(gold), keys(made))


MODES: dict[str, Mode] = {
    "agentevals strict": Mode(exact, {}),
    "agentevals unordered": Mode(lambda g, m: superset(g, m) and subset(g, m), ANY),
    "agentevals superset": Mode(superset, ANY | MORE),
    "agentevals subset": Mode(subset, ANY | FEWER),
    "ADK exact": Mode(exact, {}),
    "ADK in order": Mode(in_order, MORE),
    "ADK any order": Mode(superset, ANY | MORE),
    "Vertex exact match": Mode(exact, {}),
    "Vertex in-order match": Mode(in_order, MORE),
    "Vertex any-order match": Mode(superset, ANY | MORE),
    "Vertex precision 1": Mode(lambda g, m: set(keys(m)) <= set(keys(g)), ANY | FEWER, any_repeats),
    "Vertex recall 1": Mode(lambda g, m: set(keys(g)) <= set(keys(m)), ANY | MORE, any_repeats),
    "DeepEval names": Mode(
        lambda g, m: deepeval(g, m, with_args=False),
        ANY | MORE | NAMES,
        lambda g, m: any_repeats(g, m) or not g,
    ),
    "DeepEval arguments": Mode(
        lambda g, m: deepeval(g, m, with_args=True),
        ANY | MORE,
        lambda g, m: any_repeats(g, m) or not g,
    ),
    "DeepEval arguments and order": Mode(
        lambda g, m: in_order(g, m) and bool(g or not m), MORE, expects_nothing
    ),
    "Ragas accuracy": Mode(lambda g, m: ragas(g, m, flexible=False), BESIDES, no_arguments),
    "Ragas flexible order": Mode(
        lambda g, m: ragas(g, m, flexible=True), ANY | BESIDES, bare_or_sorted
    ),
    "Ragas F1": Mode(ragas_f1, ANY, lambda g, m: any_repeats(g, m) or not g),
    "pydantic-evals tools": Mode(
        lambda g, m: Counter(names(g)) == Counter(names(of_success(m))),
        ANY | NAMES,
    ),
    "pydantic-evals trajectory": Mode(lambda g, m: names(g) == names(of_success(m)), NAMES),
}
