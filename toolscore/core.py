"""Names under the path that users of tool-scorer import them from; ``toolscore`` has the same."""

from toolscore._assertions import assert_tools, test_agent, test_agent_async
from toolscore._errors import ToolScoreAssertionError
from toolscore._evaluate import evaluate
from toolscore._load import evaluate_trace, load_gold_standard, load_trace
from toolscore._result import EvaluationResult

__all__ = [
    "EvaluationResult",
    "ToolScoreAssertionError",
    "assert_tools",
    "evaluate",
    "evaluate_trace",
    "load_gold_standard",
    "load_trace",
    "test_agent",
    "test_agent_async",
]
