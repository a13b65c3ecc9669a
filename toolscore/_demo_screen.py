"""The demo on a terminal: a row for each run, a column for each framework, then the diffs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolscore._demo import Outcome, Scenario
from toolscore._result import EvaluationResult


def show(scenarios: Sequence[Scenario], outcomes: Sequence[Outcome]) -> None:
    """Print the outcomes; plain text where the output is not a terminal."""
    console = Console()
    frameworks = list(dict.fromkeys(outcome.framework for outcome in outcomes))
    by_cell = {(outcome.scenario.name, outcome.framework): outcome for outcome in outcomes}
    table = Table(title="One travel agent, four runs", title_justify="left")
    table.add_column("run")
    for framework in frameworks:
        table.add_column(framework)
    for scenario in scenarios:
        cells = [_cell(by_cell[scenario.name, framework]) for framework in frameworks]
        table.add_row(scenario.name, *cells)
    console.print(table)
    for problem in dict.fromkeys(f"{o.framework}: {o.problem}" for o in outcomes if o.problem):
        console.print(Text(problem, style="yellow"), soft_wrap=True)
    for scenario in scenarios:
        _explain(console, scenario, [by_cell[scenario.name, f] for f in frameworks])


def _cell(outcome: Outcome) -> Text:
    if outcome.result is None:
        return Text("not installed", style="yellow")
    verdict = "PASSED" if outcome.result.passed else "FAILED"
    wrong = "" if outcome.right else f" (should be {outcome.scenario.score:.2f})"
    style = "green" if outcome.result.passed else "red"
    return Text(f"{verdict} {outcome.result.score:.2f}{wrong}", style=style)


def _explain(console: Console, scenario: Scenario, cells: Sequence[Outcome]) -> None:
    """The score in words and the diff, once if all frameworks agree, else for each."""
    texts: dict[str, list[str]] = {}
    for cell in cells:
        if cell.result is not None:
            texts.setdefault(_text(cell.result, console), []).append(cell.framework)
    for text, frameworks in texts.items():
        same = "the same in all frameworks" if len(texts) == 1 else ", ".join(frameworks)
        console.print()
        console.print(Text(f"{scenario.name} ({same})", style="bold"))
        console.print(Text.from_ansi(text), soft_wrap=True)


def _text(result: EvaluationResult, console: Console) -> str:
    return f"{result}\n{result.diff(color=console.is_terminal)}"
