"""The switches of ``evaluate``, ``watch`` and every handler, and their check."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, TypeAlias, TypedDict, cast, get_args

from toolscore._call import is_there
from toolscore._run import Include
from toolscore._scoring.containers import MANY, is_mapping
from toolscore._scoring.copied import base_of, copied, plain_key
from toolscore._scoring.scalars import LARGEST
from toolscore._shown import in_short, text_of

Tools: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Tool name to the JSON schema of its arguments."""


class Budget(TypedDict, total=False):
    """Upper bounds (inclusive); one exceeded fails the verdict and leaves the score alone.

    Attributes:
        calls: Calls scored.
        duration: Of the run, in seconds.
        tokens: Of all models in the run, input and output.
        cost: Of the calls, in USD.
    """

    calls: int
    duration: float
    tokens: int
    cost: float


class ForbiddenRule(TypedDict, total=False):
    """A call that must not be made.

    Attributes:
        tool: The tool's name.
        args: Arguments that must all match (values, matchers, or the JSON that stands for them);
            other arguments do not matter.
        reason: Why, for the finding.
    """

    tool: str
    args: Mapping[str, Any]
    reason: str


class EvaluateOptions(TypedDict, total=False):
    """The switches of ``evaluate``, ``watch`` and every handler; the same everywhere.

    Attributes:
        order: ``in_order`` (default), or ``any``: order is not scored.
        extra_calls: ``penalize`` (default), or ``allow``.
        missing_calls: ``penalize`` (default), or ``allow``.
        args: ``exact`` (default); ``allow_extra``: arguments beyond the expected ones do not count;
            ``allow_missing``: expected ones left out do not count; ``ignore``.
        strict: No leniency in comparing values: 1 is not 1.0, " a" is not "a".
        weights: For the classic composite, which then is the score.
        forbidden: Tool names or rules; a call that matches one fails the verdict.
        budget: Upper bounds.
        include: Kinds of calls scored besides the default ones.
        tools: JSON schemas of the tools' arguments: declared defaults stand for what is left out,
            and unknown and mistyped arguments are findings.
    """

    order: Literal["in_order", "any"]
    extra_calls: Literal["penalize", "allow"]
    missing_calls: Literal["penalize", "allow"]
    args: Literal["exact", "allow_extra", "allow_missing", "ignore"]
    strict: bool
    weights: Mapping[str, float] | None
    forbidden: Sequence[str | ForbiddenRule] | None
    budget: Budget | None
    include: Collection[Include]
    tools: Tools | None


DEFAULT_WEIGHTS: Mapping[str, float] = {
    "selection_accuracy": 0.4,
    "argument_f1": 0.3,
    "sequence_accuracy": 0.2,
    "redundant_rate": 0.1,
    "required_call_recall": 0.0,
}
"""Of the classic composite (tool-scorer's); custom ones are merged with these."""

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "order": ("in_order", "any"),
    "extra_calls": ("penalize", "allow"),
    "missing_calls": ("penalize", "allow"),
    "args": ("exact", "allow_extra", "allow_missing", "ignore"),
}
_MEANT = {"unordered": "any", "ordered": "in_order", "strict": "in_order", "ignore": "allow"}
"""What other libraries call it, where the nearest spelling would be the opposite."""
_INCLUDE: tuple[str, ...] = get_args(Include)
_BUDGET = ("calls", "duration", "tokens", "cost")


def check_options(options: Mapping[str, Any]) -> EvaluateOptions:
    """The options, copied; ValueError for unknown names, bad values, weights, rules or bounds."""
    checked: dict[str, Any] = {}
    for name, value in options.items():
        if name not in _CHOICES and name not in _CHECKS:
            raise ValueError(not_one_of("option", name, (*_CHOICES, *_CHECKS)))
        try:
            checked[name] = _checked(name, value)
        except ValueError:
            raise
        except Exception as error:
            raise ValueError(
                f"{name}={in_short(value)} cannot be read ({type(error).__name__}): give it in "
                "lists, dicts, texts and numbers."
            ) from error
    return cast("EvaluateOptions", checked)


def _checked(name: str, value: object) -> object:
    if name not in _CHOICES:
        return _CHECKS[name](value)
    value = base_of(value)
    if type(value) is not str or value not in _CHOICES[name]:
        raise ValueError(not_one_of(f"value of {name}=:", value, _CHOICES[name]))
    return value


def composite_weights(weights: Mapping[str, float] | None) -> dict[str, float]:
    """The weights merged with the defaults, divided by their sum."""
    merged = {**DEFAULT_WEIGHTS, **(weights or {})}
    total = math.fsum(merged.values())
    return merged if total == 1.0 else {name: value / total for name, value in merged.items()}


def not_one_of(what: str, found: object, right: Iterable[str]) -> str:
    """Says what was found, what is probably meant, and what would be right."""
    names, text = list(right), text_of(found)[:100]
    meant = _MEANT.get(text)
    close = [meant] if meant in names else difflib.get_close_matches(text, names, 1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return f"Unknown {what} {in_short(found)}.{hint} Right are: {', '.join(names)}."


def _strict(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"strict= takes True or False, not {in_short(value)}.")
    return value


def _weights(value: object) -> dict[str, float] | None:
    if value is None:
        return None
    if not is_mapping(value):
        raise ValueError(
            f"weights= takes a mapping, not {in_short(value)}: "
            "write weights={'argument_f1': 0.5}."
        )
    weights: dict[str, float] = {}
    for name, weight in cast("dict[str, Any]", copied(value)).items():
        if name not in DEFAULT_WEIGHTS:
            raise ValueError(not_one_of("weight", name, DEFAULT_WEIGHTS))
        if not _is_number(weight) or not 0 <= weight <= LARGEST:
            raise ValueError(
                f"The weight of {name!r} is {in_short(weight)}: a finite number from 0 would be "
                "right."
            )
        weights[name] = float(weight)
    if not math.fsum({**DEFAULT_WEIGHTS, **weights}.values()):
        raise ValueError("All weights are zero, defaults included: give one a value above 0.")
    return weights


def _forbidden(value: object) -> list[ForbiddenRule] | None:
    if value is None or type(value) is _Rules:
        return value
    if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence):
        raise ValueError(
            f"forbidden= takes a list of tool names or rules, not {in_short(value)}: "
            "write forbidden=['delete_all'] or forbidden=[{'tool': 'run', 'args': {...}}]."
        )
    rules = list(islice(cast("Sequence[object]", value), MANY))
    if len(rules) == MANY:
        raise ValueError(f"forbidden= takes fewer than {MANY:,} rules.")
    return _Rules([_rule(number, rule) for number, rule in enumerate(rules)])


class _Rules(list[ForbiddenRule]):
    """Rules that were read: options are checked again when they are merged, ``$literal`` is not."""


def _rule(number: int, given: object) -> ForbiddenRule:
    plain = copied(given)
    rule: dict[str, Any] = {"tool": plain} if type(plain) is str else {}
    if type(plain) is dict:
        rule = cast("dict[str, Any]", plain)
    if unknown := [name for name in rule if name not in ("tool", "args", "reason")]:
        raise ValueError(
            f"Forbidden rule {number}: " + not_one_of("key", unknown[0], ("tool", "args", "reason"))
        )
    if type(rule.get("tool")) is not str or not rule["tool"]:
        raise ValueError(
            f"Forbidden rule {number} is {in_short(given)}: it needs a tool's name, "
            "'delete_all' or {'tool': 'run', 'args': {'command': Contains('rm')}}."
        )
    args = rule.get("args")
    if args is not None and type(args) is not dict:
        raise ValueError(
            f"The args of forbidden rule {number} are {in_short(args)}: a mapping by name would be "
            "right."
        )
    checked: ForbiddenRule = {"tool": rule["tool"]}
    if args:
        from toolscore._forms import read_forms  # reads the matchers, which few options need

        try:
            checked["args"] = read_forms(args)
        except ValueError as error:
            raise ValueError(f"Forbidden rule {number}: {error}") from error
    if is_there(rule.get("reason")):
        checked["reason"] = text_of(rule["reason"])
    return checked


def _budget(value: object) -> Budget | None:
    if value is None:
        return None
    if not is_mapping(value):
        raise ValueError(
            f"budget= takes a mapping, not {in_short(value)}: write budget={{'calls': 5}}."
        )
    bounds = cast("dict[str, Any]", copied(value))
    for name, bound in bounds.items():
        if name not in _BUDGET:
            raise ValueError(not_one_of("bound in budget=", name, _BUDGET))
        if not _is_number(bound) or not (0 <= bound <= LARGEST or bound == math.inf):
            raise ValueError(
                f"budget {name!r} is {in_short(bound)}: a number from 0 would be right."
            )
    return cast("Budget", bounds)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _include(value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Collection):
        raise ValueError(f"include= takes a list, not {in_short(value)}: write include=['nested'].")
    kinds = tuple(plain_key(kind) for kind in islice(cast("Collection[str]", value), MANY))
    for kind in kinds:
        if kind not in _INCLUDE:
            raise ValueError(not_one_of("kind in include=", kind, _INCLUDE))
    return kinds


def _tools(value: object) -> Tools | None:
    if value is None:
        return None
    if not is_mapping(value):
        raise ValueError(
            f"tools= takes a mapping from name to JSON schema, not {type(value).__name__}: "
            "write tools={'search': {'type': 'object', 'properties': {...}}}."
        )
    schemas = cast("dict[object, object]", copied(value))
    for name, schema in schemas.items():
        if type(name) is not str or type(schema) is not dict:
            raise ValueError(
                f"tools={{{in_short(name)}: {in_short(schema)}}}: a name with a JSON schema would "
                "be right."
            )
    return cast("Tools", schemas)


_CHECKS = {
    "strict": _strict,
    "weights": _weights,
    "forbidden": _forbidden,
    "budget": _budget,
    "include": _include,
    "tools": _tools,
}
