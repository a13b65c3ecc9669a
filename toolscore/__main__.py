"""``python -m toolscore``."""

from toolscore.cli import main

main()
