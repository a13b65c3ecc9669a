"""Every code block of the README, the docs and the docstrings runs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from documentation.docs_namespace import namespace
from pytest_examples import CodeExample, EvalExample, find_examples

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("toolscore", "toolscore_integrations")


def modules() -> list[str]:
    """Every module of both packages that can be imported here."""
    found = list(PACKAGES)
    for package in PACKAGES:
        top = importlib.import_module(package)
        found += [m.name for m in pkgutil.walk_packages(top.__path__, f"{package}.")]
    return [name for name in found if not name.endswith("__main__")]


def pages() -> list[CodeExample]:
    """The Python blocks of the README and the docs."""
    examples = find_examples(ROOT / "README.md", ROOT / "docs")
    return [example for example in examples if example.prefix.startswith("python")]


@pytest.mark.usefixtures("loop")
@pytest.mark.parametrize("example", pages(), ids=str)
def test_a_block_of_the_docs_runs(
    example: CodeExample, eval_example: EvalExample, capsys: pytest.CaptureFixture[str]
):
    """In a namespace with a scripted model and tools; what it says that it prints, it prints."""
    eval_example.run(example, module_globals=namespace())
    says = [line[3:] for line in example.source.splitlines() if line.startswith("#> ")]
    assert not says or capsys.readouterr().out.splitlines() == says


@pytest.mark.parametrize("name", modules())
def test_the_examples_of_the_docstrings_run(name: str):
    """And print what they say."""
    module: Any = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for test in finder.find(module, name, globs=dict(vars(module))):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
