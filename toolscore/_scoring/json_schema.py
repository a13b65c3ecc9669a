"""Arguments against a tool's whole schema, by the package ``jsonschema`` (extra ``schema``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from itertools import islice
from typing import Any

from toolscore._scoring.containers import is_list
from toolscore._scoring.schema import (
    SAY_REQUIRED,
    SAY_UNKNOWN,
    Problem,
    Schema,
    below,
    say_branches,
    say_listed,
    say_type,
    unknown_names,
    value_problems,
)
from toolscore._shown import in_short

_MOST = 100
_UNSAFE = ("pattern", "patternProperties", "unevaluatedProperties", "format")
"""Not run: the pattern of a stranger's schema could take for ever on a value of the model's."""


def schema_problems(schema: Mapping[str, Any], args: Mapping[str, Any]) -> list[Problem]:
    """What the schema has against the arguments; both are plain copies (``copied``).

    Without the package, or where it cannot read the schema, names, types, listed values and
    required arguments alone are looked at.
    """
    read = Schema(schema)
    unknown = list(unknown_names(read, args))
    make = _library()
    if make is not None:
        try:
            return [*unknown, *_translated(read, make(schema).iter_errors(args))]
        except Exception:  # noqa: BLE001, S110 - a broken schema costs what it would have told
            pass
    return [*unknown, *islice(value_problems(read, args), _MOST)]


@lru_cache(maxsize=1)
def _library() -> Callable[[Mapping[str, Any]], Any] | None:
    """What makes a validator of a schema; it fetches nothing and runs no pattern."""
    try:
        validators: Any = import_module("jsonschema.validators")
        registry = import_module("referencing").Registry()
    except ImportError:
        return None

    def make(schema: Mapping[str, Any]) -> Any:
        kind = validators.validator_for(schema, validators.Draft202012Validator)
        types = kind.TYPE_CHECKER.redefine("array", _is_array)
        checks: dict[str, Any] = dict.fromkeys(_UNSAFE, _passes)
        further = kind.VALIDATORS["additionalProperties"]

        def additional(validator: Any, wanted: Any, value: Any, part: Any) -> Any:
            return () if "patternProperties" in part else further(validator, wanted, value, part)

        checks["additionalProperties"] = additional
        return validators.extend(kind, checks, type_checker=types)(schema, registry=registry)

    return make


def _is_array(_checker: Any, value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _passes(*_: Any) -> tuple[()]:
    return ()


def _translated(root: Schema, errors: Iterator[Any]) -> Iterator[Problem]:
    said: set[Problem] = set()
    for error in islice(errors, _MOST):
        for problem in _problems(root, error):
            if problem not in said:
                said.add(problem)
                yield problem


def _problems(root: Schema, error: Any) -> Iterator[Problem]:
    path = ""
    for step in error.absolute_path:
        path = f"{path}[{step}]" if isinstance(step, int) else below(path, step)
    word, wanted, value = error.validator, error.validator_value, error.instance
    if word == "type":
        names: list[Any] = wanted if is_list(wanted) else [wanted]
        yield Problem("wrong_type", path, say_type(value, names))
    elif word == "enum":
        yield Problem("wrong_argument", path, say_listed(wanted))
    elif word in ("anyOf", "oneOf"):
        branches = [Schema(root.root, branch) for branch in wanted]
        yield Problem("wrong_type", path, say_branches(branches, value))
    elif word == "required":
        for name in wanted:
            if name not in value:
                yield Problem("wrong_argument", below(path, name), SAY_REQUIRED)
    elif word == "additionalProperties":
        known = error.schema.get("properties", {})
        for name in value if path else ():  # of the tool itself they are told already
            if name not in known:
                yield Problem("unknown_argument", below(path, name), SAY_UNKNOWN)
    else:
        text = f"does not meet {word} {in_short(wanted)} in the schema of the tool"
        yield Problem("wrong_argument", path, text)
