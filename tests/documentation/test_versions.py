"""The supported versions stand in the extras; what a page says of them is the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FLOORS = dict(
    re.findall(r'"([a-z-]+)>=([0-9.]+),', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
)
PAGES = sorted((ROOT / "docs" / "frameworks").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_names_the_oldest_versions_of_the_extras(page: Path):
    """In its first paragraph: each distribution that it names with a version."""
    opening = page.read_text(encoding="utf-8").split("\n## ")[0]
    named = dict(re.findall(r"((?:lang|llama|openai-a)[a-z-]+) ([0-9]+(?:\.[0-9]+)+)", opening))
    assert named
    assert {name: FLOORS[name] for name in named} == named
