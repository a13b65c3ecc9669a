"""The commands of ``toolscore``."""

from __future__ import annotations

import click

from toolscore._demo import SCENARIOS, play
from toolscore._demo_screen import show


@click.group()
@click.version_option(package_name="toolscore-integrations")
def toolscore() -> None:
    """Did your agent call the right tools?"""


@toolscore.command()
def demo() -> None:
    """Play four runs with real agents of each framework, watched and scored; needs no key.

    Exits with 0 when each run got the score that it should, with 1 otherwise.
    """
    outcomes = play(SCENARIOS)
    show(SCENARIOS, outcomes)
    raise SystemExit(0 if outcomes and all(outcome.right for outcome in outcomes) else 1)
