"""Our verdict beside that of the leaderboard's own checker, on its own entries."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from leaderboard.answers import RIGHT, answers
from leaderboard.differences import DIFFERENCES, Difference
from leaderboard.verdict import tools_of, verdict

SPEC = importlib.util.find_spec("bfcl_eval")
pytestmark = pytest.mark.skipif(
    SPEC is None, reason="bfcl-eval is installed by `nox -s leaderboard` alone"
)
FILES = [
    *("simple_python", "multiple", "parallel", "parallel_multiple"),
    *("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"),
]
"""Those with one turn and tools in Python."""

Checker = Callable[[list[Any], list[Any], list[Any], str], bool]


@pytest.fixture
def official(monkeypatch: pytest.MonkeyPatch) -> Checker:
    """The official checker of answers.

    Two modules that it imports ask for a hundred packages (clients of models, parsers of Java and
    JavaScript); of neither it uses anything here but that names stay as they are.
    """
    models = ModuleType("bfcl_eval.constants.model_config")
    models.__dict__["MODEL_CONFIG_MAPPING"] = {"any": SimpleNamespace(underscore_to_dot=False)}
    monkeypatch.setitem(sys.modules, models.__name__, models)
    for language in ("java", "js"):
        name = f"{language}_type_converter"
        module = ModuleType(f"bfcl_eval.eval_checker.ast_eval.type_convertor.{name}")
        module.__dict__[name] = None
        monkeypatch.setitem(sys.modules, module.__name__, module)
    checker: Any = importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")
    python = importlib.import_module("bfcl_eval.constants.enums").Language.PYTHON

    def check(functions: list[Any], answer: list[Any], right: list[Any], category: str) -> bool:
        given = copy.deepcopy(answer)
        found = checker.ast_checker(functions, given, right, python, category, "any")
        return bool(found["valid"])

    return check


def entries(category: str) -> Iterator[tuple[list[Any], list[Any]]]:
    """Tools and right answers of each entry of a file."""
    assert SPEC is not None
    assert SPEC.origin is not None
    data, name = Path(SPEC.origin).parent / "data", f"BFCL_v4_{category}.json"
    asked, right = (
        {entry["id"]: entry for entry in map(json.loads, path.read_text("utf-8").splitlines())}
        for path in (data / name, data / "possible_answer" / name)
    )
    for key, entry in right.items():
        yield asked[key]["function"], entry["ground_truth"]


def has_an_answer(right: list[Any]) -> bool:
    """Whether each argument has an answer: two entries list none for some that they require."""
    return all(given for entry in right for args in entry.values() for given in args.values())


def test_the_verdicts_agree(official: Checker):
    """On at least 99.5 % of some 16,400 answers, and on each that has something wrong in it.

    The others are right answers of entries that contradict the tool's schema; a finding says so.
    """
    chance = random.Random(1)
    agree: Counter[bool] = Counter()
    against: Counter[str] = Counter()
    for category in FILES:
        for functions, right in entries(category):
            for kind, answer in answers(right, chance):
                ours = verdict(right, answer).passed
                theirs = official(functions, answer, right, category)
                agree[ours == theirs] += 1
                assert ours or kind not in RIGHT or not has_an_answer(right)
                if ours != theirs:
                    assert kind in RIGHT
                    findings = verdict(right, answer, tools_of(functions)).findings
                    kinds = {finding.kind for finding in findings}
                    assert kinds <= {"wrong_argument", "unknown_argument"}
                    against["required" if "wrong_argument" in kinds else "unknown"] += 1
    total = sum(agree.values())
    print(f"{agree[True]:,} of {total:,} verdicts agree; {against} of the others")  # noqa: T201 - what the session is for
    assert total > 16_000
    assert agree[True] / total >= 0.995
    assert against == {"required": 17, "unknown": 4}


@pytest.mark.parametrize("difference", DIFFERENCES.values(), ids=DIFFERENCES)
def test_the_verdicts_differ_where_the_docs_say(difference: Difference, official: Checker):
    """Kinds that its entries hold no example of."""
    several = "parallel" if len(difference.right) > 1 else "simple"
    theirs = official([difference.function], difference.answer, difference.ground_truth, several)
    assert theirs is difference.theirs
