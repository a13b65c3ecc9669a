"""The command ``toolscore``."""

from __future__ import annotations

import sys

USAGE = "the command needs click and rich: pip install 'toolscore-integrations[all]'"


def main() -> None:
    """Run the command line; what it needs beyond the core is asked for by name."""
    try:
        from toolscore._collision import refuse_tool_scorer

        refuse_tool_scorer()
        from toolscore._commands import toolscore
    except ImportError as error:
        missing = (error.name or "").partition(".")[0]
        sys.exit(f"toolscore: {USAGE if missing in ('click', 'rich') else error}")
    toolscore(prog_name="toolscore")


if __name__ == "__main__":
    main()
