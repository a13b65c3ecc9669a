"""What ``toolscore.watch`` calls for agents of this SDK."""

from __future__ import annotations

from typing import Any

from agents import Agent

from toolscore import Attachment, Recorder
from toolscore_integrations.openai_agents._leg import FRAMEWORK
from toolscore_integrations.openai_agents._runner import watching


def attach(agent: Any, recorder: Recorder) -> Attachment[Any] | None:
    """Record the runs of an ``agents.Agent``; None for anything else, a session included.

    The agent is left alone: until the last recorder is detached, ``Runner`` is wrapped.
    """
    if not isinstance(agent, Agent):
        return None
    recorder.framework = FRAMEWORK
    return Attachment[Any](agent, watching.add(agent, recorder))
