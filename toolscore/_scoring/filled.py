"""Expected arguments whose tool declares a default for them."""

from __future__ import annotations

from typing import Any, TypeGuard

from toolscore._scoring.equality import OptionalKey


class Filled(OptionalKey):
    """An expected value, and the declared default that stands for it where it is left out.

    ``given`` is False where the expectation leaves the argument out too: then ``value`` is the
    default, and counts against a call that has the argument.
    """

    def __init__(self, value: Any, default: Any, *, given: bool) -> None:
        super().__init__(value)
        self.default, self.given = default, given

    def __repr__(self) -> str:
        return repr(self.value)


def within(value: Any) -> Any:
    """What is compared where the argument is there."""
    return value.value if type(value) is Filled else value


def stands(value: object) -> TypeGuard[Filled]:
    """Whether a default stands in for this expected value where the argument is left out."""
    return type(value) is Filled and value.given


def is_expected(args: dict[Any, Any], name: Any) -> bool:
    """Whether the expectation itself names the argument."""
    return name in args and (type(args[name]) is not Filled or args[name].given)
