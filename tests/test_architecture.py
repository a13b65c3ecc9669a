"""The structure: which way imports point, how long modules are, what is public."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "toolscore"
HOOKS = ROOT / "toolscore_integrations"
MODULES = sorted([*CORE.rglob("*.py"), *HOOKS.rglob("*.py")])
FRAMEWORKS = {"langchain", "openai_agents", "llama_index"}
OUTSIDE_CORE = {"wrapt", "typing_extensions"}


def imports(path: Path) -> set[str]:
    """The modules that a file imports anywhere, type checking included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the arrows"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=str)
def test_the_core_imports_the_standard_library_only(path: Path):
    """No framework, no hook; the CLI alone may use what the extra ``cli`` installs."""
    allowed = set(sys.stdlib_module_names) | OUTSIDE_CORE | {"toolscore"}
    if path.name in ("_commands.py", "_demo_screen.py"):
        allowed |= {"click", "rich"}
    roots = {name.partition(".")[0] for name in imports(path)}
    assert roots <= allowed, roots - allowed


@pytest.mark.parametrize("path", sorted(HOOKS.rglob("*.py")), ids=str)
def test_no_hook_imports_another(path: Path):
    """A framework is a room of its own: removing it breaks nothing else."""
    own = path.relative_to(HOOKS).parts[0].removesuffix(".py")
    others = {f"toolscore_integrations.{name}" for name in FRAMEWORKS - {own}}
    assert not {name for name in imports(path) if name.startswith(tuple(others))}


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_a_module_stays_under_300_lines(path: Path):
    """A longer one asks for a second room."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_no_module_is_a_drawer():
    """A file is named after the one noun or verb in it."""
    assert not [p for p in MODULES if p.stem.strip("_") in {"utils", "util", "helpers", "common"}]


def printed(program: str) -> str:
    """What a fresh interpreter prints."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_importing_the_core_loads_no_framework_and_nothing_heavy():
    """``import toolscore`` in a fresh interpreter: none of these are in ``sys.modules``."""
    heavy = "langchain_core langgraph agents llama_index workflows click rich wrapt jinja2"
    heavy += " scipy numpy importlib.metadata asyncio logging dataclasses"
    program = (
        f"import sys; bare = set(sys.modules); import toolscore; new = set(sys.modules) - bare; "
        f"print([m for m in {heavy.split()!r} if m in new])"
    )
    assert printed(program) == "[]"


def test_evaluating_lists_loads_no_framework():
    """The evaluator works where no framework is installed."""
    program = (
        "import sys, toolscore; toolscore.evaluate(['a'], [{'tool': 'a'}]); "
        "print([m for m in ('langchain_core', 'agents', 'wrapt') if m in sys.modules])"
    )
    assert printed(program) == "[]"


@pytest.mark.parametrize("package", ["toolscore", "toolscore_integrations"])
def test_every_name_in_all_exists(package: str):
    """``__all__`` of every public module names what is there, sorted, each once."""
    top = importlib.import_module(package)
    names = [package]
    names += [m.name for m in pkgutil.walk_packages(top.__path__, f"{package}.")]
    for name in names:
        if any(part.startswith("_") for part in name.split(".")):
            continue
        module = importlib.import_module(name)
        public = getattr(module, "__all__", None)
        if public is None:
            continue
        assert len(public) == len(set(public)), name
        for item in public:
            assert hasattr(module, item), f"{name}.{item}"


def test_dir_shows_the_public_names():
    """Completion in a notebook finds what is lazily loaded."""
    import toolscore

    assert set(toolscore.__all__) <= set(dir(toolscore))
    with pytest.raises(AttributeError, match="no attribute 'evaluat'"):
        toolscore.evaluat  # noqa: B018 - the access is the test
