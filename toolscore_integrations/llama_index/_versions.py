"""Which versions tell what this hook needs."""

from __future__ import annotations

import functools
import re
import warnings
from importlib.metadata import version

from llama_index.core.tools import function_tool

from toolscore import ToolscoreWarning
from toolscore._guard import log

OLDEST = (2, 16)
THREADS_FORGET = not hasattr(function_tool, "contextvars")
"""Before core 0.14.22 a synchronous tool ran in a thread that did not know its run."""


@functools.cache
def too_old() -> str | None:
    """What is wrong with the installed ``llama-index-workflows``, or None; logged once.

    Before 2.16 the span of a run ends when the run has started, so that calls cannot be told apart
    by their runs.
    """
    installed = version("llama-index-workflows")
    numbers = tuple(int(n) for n in re.findall(r"\d+", installed)[:2])
    if numbers >= OLDEST:
        return None
    problem = (
        f"llama-index-workflows {installed} does not tell when a run ends: runs may be mixed or "
        "missing. Run: pip install -U 'toolscore-integrations[llama-index]'"
    )
    log.warning(problem)
    return problem


def warn_if_too_old() -> None:
    """Tell the user, who is attaching just now."""
    problem = too_old()
    if problem is not None:
        warnings.warn(problem, ToolscoreWarning, stacklevel=3)
