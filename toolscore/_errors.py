"""The library's errors and its one warning."""


class ToolscoreError(Exception):
    """Base of the library's errors."""


class UnwatchableAgentError(ToolscoreError, TypeError):
    """``watch`` found no hook for the agent; the message says what to install."""


class ToolScoreAssertionError(AssertionError):
    """An expectation was not met; the message is the diff."""


class AgentError(ToolscoreError):
    """Base of the agent-trace errors (seed: agent traces)."""


class AgentFormatError(AgentError, ValueError):
    """A transcript lacks a required field, or is not a transcript."""


class ToolscoreWarning(UserWarning):
    """Only ever raised from a call that the user makes, never from inside a run."""
