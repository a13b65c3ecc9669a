"""A third party's framework and its hook, installed into a folder as pip would."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

FRAMEWORK = '''
"""A framework of somebody else's: an agent plays a list of (tool, args)."""


class Agent:
    def __init__(self, tools):
        self.tools = {tool.__name__: tool for tool in tools}
        self.listeners = []

    def run(self, plan):
        answers = []
        for listener in self.listeners:
            listener.started(self, plan)
        try:
            for name, args in plan:
                for listener in self.listeners:
                    listener.calling(self, name, args)
                try:
                    answer = self.tools[name](**args)
                except Exception as error:
                    answer = error
                for listener in self.listeners:
                    listener.called(self, name, answer)
                answers.append(str(answer))
        finally:
            for listener in self.listeners:
                listener.ended(self, answers)
        return answers


class Scored(Agent):
    """It has a score of its own."""

    score = "mine"


class Callable(Agent):
    def __call__(self, plan):
        return self.run(plan)
'''

HOOK = '''
"""The hook, as its author would write it."""

from tinyagents import Agent
from toolscore import Attachment


class Listener:
    def __init__(self, recorder):
        self.recorder = recorder
        self.call = None

    def started(self, agent, plan):
        self.recorder.start_run(id(agent), input=plan).seen()

    def calling(self, agent, name, args):
        self.call = self.recorder.run(id(agent)).request(name, args)
        self.call.start()

    def called(self, agent, name, answer):
        if isinstance(answer, Exception):
            self.call.fail(answer)
        else:
            self.call.finish(answer)

    def ended(self, agent, answers):
        self.recorder.run(id(agent)).end(output=answers[-1] if answers else None)


def attach(agent, recorder):
    """Record ``agent``; None if it is not ours."""
    if not isinstance(agent, Agent):
        return None
    listener = Listener(recorder)
    agent.listeners.append(listener)
    return Attachment(agent, lambda: agent.listeners.remove(listener))


def not_mine(agent, recorder):
    return None


def broken(agent, recorder):
    raise RuntimeError("this hook is broken")
'''


@pytest.fixture
def tinyagents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The framework, importable, with its hook registered."""
    yield from install(tmp_path, monkeypatch, "tinyagents = toolscore_tinyagents:attach")


def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str) -> Iterator[ModuleType]:
    """Put both modules and the metadata of their distribution on the path."""
    (tmp_path / "tinyagents.py").write_text(FRAMEWORK, encoding="utf-8")
    (tmp_path / "toolscore_tinyagents.py").write_text(HOOK, encoding="utf-8")
    metadata = tmp_path / "toolscore_tinyagents-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: toolscore-tinyagents\nVersion: 1.0\n", encoding="utf-8"
    )
    (metadata / "entry_points.txt").write_text(f"[toolscore.watchers]\n{entry}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("tinyagents")
    for name in ("tinyagents", "toolscore_tinyagents"):
        sys.modules.pop(name, None)
