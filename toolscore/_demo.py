"""What ``toolscore demo`` plays: a travel agent on a good day and on three bad ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from toolscore._result import EvaluationResult

Asked: TypeAlias = tuple[str, dict[str, Any]]
"""(tool, arguments) of one call that the scripted model asks for."""


@dataclass(frozen=True)
class Scenario:
    """One run: what the scripted model does, turn by turn; the last turn is its answer."""

    name: str
    turns: Sequence[Sequence[Asked] | str]
    score: float
    payment_fails: int = 0


class Demo(Protocol):
    """An entry point of group ``toolscore.demos``: plays a scenario with a real agent, watched."""

    def __call__(
        self, scenario: Scenario, tools: Sequence[Callable[..., str]], expected: Sequence[Any], /
    ) -> EvaluationResult:
        """The score of the run."""
        ...


EXPECTED = [
    {"tool": "find_flights", "args": {"city": "Oslo", "day": "Friday"}},
    {"tool": "book_flight", "args": {"flight": "SK 27"}},
]
FIND: Asked = ("find_flights", {"city": "Oslo", "day": "Friday"})
BOOK: Asked = ("book_flight", {"flight": "SK 27"})
SCENARIOS = [
    Scenario("perfect", [[FIND], [BOOK], "You fly to Oslo on Friday."], score=1.0),
    Scenario(
        "wrong argument",
        [[("find_flights", {"city": "Bergen", "day": "Friday"})], [BOOK], "You fly on Friday."],
        score=1.75 / 2,
    ),
    Scenario(
        "failed, then recovered",
        [[FIND], [BOOK], [BOOK], "You fly to Oslo on Friday."],
        score=2 / 2.1,
        payment_fails=1,
    ),
    Scenario("missing call", [[FIND], "There is a flight on Friday."], score=1 / 2),
]


def tools_of(scenario: Scenario) -> list[Callable[..., str]]:
    """The agent's tools: plain functions, new for each run."""
    failures = [scenario.payment_fails]

    def find_flights(city: str, day: str) -> str:
        """Find flights to a city on a day."""
        return f"SK 27 to {city}, {day} 9:40"

    def book_flight(flight: str) -> str:
        """Book a flight and pay for it."""
        if failures[0]:
            failures[0] -= 1
            raise TimeoutError("the payment service did not answer")
        return f"{flight} is booked"

    return [find_flights, book_flight]


@dataclass(frozen=True)
class Outcome:
    """What one framework did in one scenario."""

    framework: str
    scenario: Scenario
    result: EvaluationResult | None = None
    problem: str | None = None

    @property
    def right(self) -> bool:
        """Whether the score is the one that was worked out by hand."""
        return self.result is not None and abs(self.result.score - self.scenario.score) < 1e-9


def play(scenarios: Sequence[Scenario]) -> list[Outcome]:
    """Every scenario in every framework that is installed; one that is not is an outcome, too."""
    from importlib.metadata import entry_points

    outcomes: list[Outcome] = []
    for entry in sorted(entry_points(group="toolscore.demos"), key=lambda e: e.name):
        try:
            demo: Demo = entry.load()
        except ImportError as error:
            outcomes.extend(Outcome(entry.name, s, problem=str(error)) for s in scenarios)
            continue
        outcomes.extend(
            Outcome(entry.name, s, result=demo(s, tools_of(s), EXPECTED)) for s in scenarios
        )
    return outcomes
