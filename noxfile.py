"""The version matrix and every check: ``nox`` runs what CI runs, ``nox -s NAME`` one of them."""

from __future__ import annotations

import re
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"

PROJECT = nox.project.load_toml("pyproject.toml")["project"]
FRAMEWORKS = ("langchain", "openai-agents", "llama-index")
# Which interpreters run which end of the supported range. The newest LangChain needs Python 3.11,
# so that on 3.10 "newest" means the newest that installs there.
LEGS = [
    ("3.10", "oldest"),
    ("3.11", "newest"),
    ("3.12", "newest"),
    ("3.13", "newest"),
    ("3.10", "newest"),
]


def floors() -> list[str]:
    """The oldest supported versions, from the extras: ``name>=1.2,<2`` becomes ``name==1.2``."""
    extras = PROJECT["optional-dependencies"]
    lines = [line for name in FRAMEWORKS for line in extras[name]]
    return [re.sub(r">=([^,]+).*", r"==\1", line) for line in lines]


@nox.session
@nox.parametrize(
    ("python", "versions"), LEGS, ids=[f"{python}-{versions}" for python, versions in LEGS]
)
def tests(session: nox.Session, versions: str) -> None:
    """The tests on one interpreter, with the oldest or newest frameworks."""
    pins = floors() + OLD_COMPANIONS if versions == "oldest" else []
    session.install("-e", ".[test]", *pins)
    session.run("python", "-Im", "pytest", *session.posargs)


OLD_COMPANIONS = ["openai==2.19.0"]
"""openai-agents 0.8 admits newer clients than it works with: its own ``Usage()`` fails on them."""


@nox.session
def crewai(session: nox.Session) -> None:
    """Reading CrewAI's outputs, which needs versions that the other frameworks do not admit."""
    session.install("-e", ".", "crewai>=1.15,<2", "pytest>=8.2", "pytest-asyncio>=0.24")
    test = "tests/extract/test_crewai_live.py"
    # its own imports warn
    session.run("python", "-Im", "pytest", "-o", "filterwarnings=default", test, *session.posargs)


@nox.session
def claude(session: nox.Session) -> None:
    """Reading the messages of the Claude Agent SDK, which brings a program of hundreds of MB."""
    session.install("-e", ".", "claude-agent-sdk>=0.1", "pytest>=8.2", "pytest-asyncio>=0.24")
    session.run("python", "-Im", "pytest", "tests/extract/test_claude_agent_sdk.py")


COMPANIONS = ["llama-index-llms-openai-like>=0.5", "openinference-instrumentation-llama-index>=4.3"]
"""LlamaIndex's own model class, and what many run beside us; they keep other packages old."""


@nox.session
def companions(session: nox.Session) -> None:
    """LlamaIndex with packages that cannot be installed beside the newest OpenAI client."""
    session.install("-e", ".[test]", *COMPANIONS)
    files = ("test_end_to_end_llama_index.py", "test_llama_index_instrumented.py")
    session.run("python", "-Im", "pytest", *(f"tests/hooks/{name}" for name in files))


@nox.session
def too_old(session: nox.Session) -> None:
    """LlamaIndex with workflows below the floor: said once, and no run passes."""
    session.install("-e", ".[test]", "llama-index-core==0.14.8")
    session.install("llama-index-workflows==2.15.0")  # the extra alone would refuse it
    session.run("python", "-Im", "pytest", "tests/hooks/test_llama_index_too_old.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Formatting, lint, and a changelog that can be built."""
    session.install("ruff", "towncrier", "-e", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("towncrier", "build", "--draft", "--version", "next", silent=True)


@nox.session
def types(session: nox.Session) -> None:
    """Both type checkers, strict."""
    session.install("-e", ".[test]", "mypy", "pyright")
    session.run("mypy")
    session.run("pyright", "--pythonpath", f"{session.virtualenv.location}/bin/python")


@nox.session
def docs(session: nox.Session) -> None:
    """The site, strictly: a dead link fails."""
    session.install("-e", ".[docs]")
    session.run("mkdocs", "build", "--strict", "--site-dir", f"{session.create_tmp()}/site")


@nox.session
def wheel(session: nox.Session) -> None:
    """What is shipped works when it is installed alone: no framework, no checkout."""
    session.install("build")
    out = Path(session.create_tmp()).resolve()
    for old in out.glob("*.whl"):
        old.unlink()
    session.run("python", "-m", "build", "--outdir", str(out), silent=True)
    [built] = out.glob("*.whl")
    python = str(out / "alone" / "bin" / "python")
    session.run("python", "-m", "venv", "--clear", str(out / "alone"))
    session.run(python, "-m", "pip", "install", "--quiet", str(built), external=True)
    check = (
        "import toolscore, pathlib; assert toolscore.evaluate(['a'], [{'tool': 'a'}]).passed; "
        "home = pathlib.Path(toolscore.__file__).parent; assert (home / 'py.typed').exists(), home"
    )
    session.run(python, "-I", "-c", check, external=True)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Search for input that breaks the adapters: ``-- changes 60`` (target, seconds)."""
    session.install("-e", ".", "atheris", "hypothesis", "pytest")
    target, seconds = session.posargs or ("changes", "60")
    program = str(Path("tests/adapters/fuzz.py").resolve())
    session.chdir(session.create_tmp())  # where libFuzzer leaves what it found
    session.run(
        "python", program, target, seconds, env={"PYTHONPATH": str(Path(program).parents[1])}
    )


@nox.session
def leaderboard(session: nox.Session) -> None:
    """Our verdict against the official checker of the Berkeley Function-Calling Leaderboard.

    Its package pins a hundred others, most of them clients of models; the entries and the checker
    need none of them.
    """
    session.install("-e", ".[schema]", "pytest", "pytest-asyncio")
    session.install("--no-deps", "bfcl-eval==2026.3.23")
    session.run("python", "-Im", "pytest", "-s", "tests/leaderboard", *session.posargs)
