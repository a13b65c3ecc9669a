"""The public API, held to ``api.pyi``: names, parameters, their kinds, their defaults."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import toolscore

API = Path(__file__).parent / "api.pyi"
NOT_YET = {
    # pytest and notebooks
    "ToolscoreFixture", "cases",
}  # fmt: skip
"""What later work adds; a name that exists must leave this list."""

RUNTIME_ONLY = {"Watched", "Watcher", "_Missing", "_Rest"}
"""A proxy, a protocol, and private names of the stub."""

SECTIONS = {
    "toolscore.matchers": "toolscore.matchers",
    "toolscore.agent_trace": "toolscore.agent_trace",
    "toolscore.adapters": "toolscore.adapters",
    "toolscore.extract": "toolscore.extract",
    "toolscore.metrics": "toolscore.metrics",
    "toolscore_integrations.langchain": "toolscore_integrations.langchain",
    "toolscore_integrations.openai_agents": "toolscore_integrations.openai_agents",
    "toolscore_integrations.llama_index": "toolscore_integrations.llama_index",
    "toolscore.pytest_plugin": "toolscore.pytest_plugin",
}


def definitions() -> Iterator[tuple[str, str, ast.stmt]]:
    """(module, qualified name, node) of every class, method and function in the stub."""
    text = API.read_text(encoding="utf-8")
    starts = {
        number: line.removeprefix("# ").strip("- ").split()[0].rstrip(",")
        for number, line in enumerate(text.splitlines(), 1)
        if line.startswith("# -----")
    }
    for node in ast.parse(text).body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        section = starts[max(start for start in starts if start < node.lineno)]
        module = SECTIONS.get(section, "toolscore")
        if node.name in RUNTIME_ONLY:
            continue
        yield module, node.name, node
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield module, f"{node.name}.{member.name}", member
                elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                    yield module, f"{node.name}.{member.target.id}", member


def shape(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[str, str, bool]]:
    """(name, kind, has a default) of each parameter of a stub."""
    found: list[tuple[str, str, bool]] = []
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    defaults = [False] * (len(positional) - len(args.defaults)) + [True] * len(args.defaults)
    for index, (arg, default) in enumerate(zip(positional, defaults, strict=True)):
        kind = "positional" if index < len(args.posonlyargs) else "either"
        found.append((arg.arg, kind, default))
    if args.vararg:
        found.append((args.vararg.arg, "*", False))
    for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append((arg.arg, "keyword", value is not None))
    if args.kwarg:
        found.append((args.kwarg.arg, "**", False))
    return [item for item in found if item[0] not in ("self", "cls")]


KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "either",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def runtime_shape(function: object) -> list[tuple[str, str, bool]]:
    """The same of what is implemented."""
    parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    return [
        (p.name, KINDS[p.kind], p.default is not p.empty)
        for p in parameters
        if p.name not in ("self", "cls")
    ]


def find(module: str, qualified: str) -> object:
    """What stands under that name, or MISSING."""
    try:
        value: object = importlib.import_module(module)
    except ImportError:
        return MISSING
    for part in qualified.split("."):
        if isinstance(value, type):
            declared = {n for k in value.__mro__ for n in vars(k).get("__annotations__", {})}
            if part in declared and part not in vars(value):
                return part
            static = inspect.getattr_static(value, part, MISSING)
            value = getattr(static, "__func__", static)
        else:
            value = getattr(value, part, MISSING)
        if value is MISSING:
            return MISSING
    return value


MISSING = object()


DEFINITIONS = list(definitions())


@pytest.mark.parametrize(("module", "name", "node"), DEFINITIONS, ids=[d[1] for d in DEFINITIONS])
def test_the_api_is_as_agreed(module: str, name: str, node: ast.stmt):
    """Each definition of the stub is there, with the same parameters, or is not there yet."""
    value = find(module, name)
    if name in NOT_YET or name.split(".")[0] in NOT_YET:
        assert value is MISSING, f"{name} exists: take it off NOT_YET"
        return
    assert value is not MISSING, f"{module}.{name} is missing"
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and callable(value):
        assert runtime_shape(value) == shape(node)
        assert inspect.iscoroutinefunction(value) == isinstance(node, ast.AsyncFunctionDef)


def test_what_toolscore_exports_is_in_the_stub():
    """Nothing else is public."""
    defined = {name for module, name, _ in DEFINITIONS if module == "toolscore"}
    text = API.read_text(encoding="utf-8")
    for name in toolscore.__all__:
        assert name in defined or f"\n{name}:" in text or name in text, name
    assert {n for n in toolscore.__all__ if n not in text} == set()
