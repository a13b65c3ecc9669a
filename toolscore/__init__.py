"""Did your agent call the right tools? Capture and a deterministic score after each run.

    import toolscore

    agent = toolscore.watch(agent, expected=[{"tool": "search", "args": {"query": "python"}}])
    agent.invoke(...)          # the agent as before
    print(agent.score)         # the result of the last run

The names below are the public API; each is loaded when it is first used, so that importing the
package costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing ``typing`` for it would cost more than all the rest here
if TYPE_CHECKING:
    from typing import Any

    from toolscore._assertions import assert_tools, test_agent, test_agent_async
    from toolscore._call import Kind, Origin, Status, ToolCall
    from toolscore._capture_options import CaptureOptions, ExpectedFor, Sink
    from toolscore._errors import (
        AgentError,
        AgentFormatError,
        ToolScoreAssertionError,
        ToolscoreError,
        ToolscoreWarning,
        UnwatchableAgentError,
    )
    from toolscore._evaluate import evaluate
    from toolscore._findings import Finding, FindingKind
    from toolscore._load import TraceFormat, evaluate_trace, load_gold_standard, load_trace
    from toolscore._open_call import OpenCall
    from toolscore._open_run import OpenRun
    from toolscore._options import Budget, EvaluateOptions, ForbiddenRule, Tools
    from toolscore._recorder import Attachment, Recorder, Watcher
    from toolscore._result import MISSING, ArgumentDifference, EvaluationResult, Pair
    from toolscore._run import Expected, ExpectedCall, Include, Run, RunStatus, Usage
    from toolscore._saved_runs import load_runs
    from toolscore._scores import Recording, Scores
    from toolscore._session import Session
    from toolscore._turns import AgentTrace, AgentTurn, TurnRole
    from toolscore._watch import session, watch
    from toolscore._watched import Watch, Watched
    from toolscore.extract import (
        auto_extract,
        from_anthropic,
        from_claude_agent_sdk,
        from_crewai,
        from_gemini,
        from_langgraph,
        from_openai,
        from_openai_agents,
        from_otel,
        from_pydantic_ai,
    )
    from toolscore.matchers import ANY, Approx, Contains, IsType, OneOf, Regex

_HOMES = {
    "_assertions": ("assert_tools", "test_agent", "test_agent_async"),
    "_call": ("Kind", "Origin", "Status", "ToolCall"),
    "_capture_options": ("CaptureOptions", "ExpectedFor", "Sink"),
    "_errors": (
        "AgentError",
        "AgentFormatError",
        "ToolScoreAssertionError",
        "ToolscoreError",
        "ToolscoreWarning",
        "UnwatchableAgentError",
    ),
    "_evaluate": ("evaluate",),
    "_findings": ("Finding", "FindingKind"),
    "_load": ("TraceFormat", "evaluate_trace", "load_gold_standard", "load_trace"),
    "_open_call": ("OpenCall",),
    "_open_run": ("OpenRun",),
    "_options": ("Budget", "EvaluateOptions", "ForbiddenRule", "Tools"),
    "_recorder": ("Attachment", "Recorder", "Watcher"),
    "_result": ("MISSING", "ArgumentDifference", "EvaluationResult", "Pair"),
    "_run": ("Expected", "ExpectedCall", "Include", "Run", "RunStatus", "Usage"),
    "_saved_runs": ("load_runs",),
    "_scores": ("Recording", "Scores"),
    "_session": ("Session",),
    "_turns": ("AgentTrace", "AgentTurn", "TurnRole"),
    "_watch": ("session", "watch"),
    "_watched": ("Watch", "Watched"),
    "extract": (
        "auto_extract",
        "from_anthropic",
        "from_claude_agent_sdk",
        "from_crewai",
        "from_gemini",
        "from_langgraph",
        "from_openai",
        "from_openai_agents",
        "from_otel",
        "from_pydantic_ai",
    ),
    "matchers": ("ANY", "Approx", "Contains", "IsType", "OneOf", "Regex"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "ANY",
    "MISSING",
    "AgentError",
    "AgentFormatError",
    "AgentTrace",
    "AgentTurn",
    "Approx",
    "ArgumentDifference",
    "Attachment",
    "Budget",
    "CaptureOptions",
    "Contains",
    "EvaluateOptions",
    "EvaluationResult",
    "Expected",
    "ExpectedCall",
    "ExpectedFor",
    "Finding",
    "FindingKind",
    "ForbiddenRule",
    "Include",
    "IsType",
    "Kind",
    "OneOf",
    "OpenCall",
    "OpenRun",
    "Origin",
    "Pair",
    "Recorder",
    "Recording",
    "Regex",
    "Run",
    "RunStatus",
    "Scores",
    "Session",
    "Sink",
    "Status",
    "ToolCall",
    "ToolScoreAssertionError",
    "Tools",
    "ToolscoreError",
    "ToolscoreWarning",
    "TraceFormat",
    "TurnRole",
    "UnwatchableAgentError",
    "Usage",
    "Watch",
    "Watched",
    "Watcher",
    "assert_tools",
    "auto_extract",
    "evaluate",
    "evaluate_trace",
    "from_anthropic",
    "from_claude_agent_sdk",
    "from_crewai",
    "from_gemini",
    "from_langgraph",
    "from_openai",
    "from_openai_agents",
    "from_otel",
    "from_pydantic_ai",
    "load_gold_standard",
    "load_runs",
    "load_trace",
    "session",
    "test_agent",
    "test_agent_async",
    "watch",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("toolscore-integrations")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'toolscore' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"toolscore.{home}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "adapters", "agent_trace", "extract", "matchers", "metrics"]
