"""What the events say of the place that they happen in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage
from typing_extensions import TypeIs

from toolscore_integrations.langchain._ending import is_cancellation, is_interrupt
from toolscore_integrations.langchain._evidence import Node
from toolscore_integrations.langchain._inputs import heard_in
from toolscore_integrations.langchain._outcome import failed, finished

PARTIAL = (
    "the handler was given to a tool or a model inside the agent, not to the agent: only the "
    "events of that part were seen"
)


def listen(node: Node, inputs: object) -> None:
    """Keep what the user said, for the transcript; a script's first words are those that count."""
    node.run.heard = node.run.heard or heard_in(inputs)


def chain_ended(node: Node, outputs: object) -> None:
    """A node's update is evidence; a graph that ended waits for a person if a node of it does."""
    if node.task is not None:
        node.run.updated(node, outputs)
    if node.graphs and node.scope is None:
        node.run.interrupted = node.interrupted


def chain_failed(node: Node, error: BaseException) -> None:
    """A pause goes up to the graph; a cancellation goes down to the tools."""
    if node.parent is not None and is_interrupt(error):
        node.parent.interrupted = True
    elif is_cancellation(error):
        node.run.cancelled(node)


def tool_ended(node: Node, output: object) -> None:
    """A tool returned."""
    if node.attempt is not None:
        finished(node.run, node.attempt, output)


def tool_failed(node: Node, error: BaseException) -> None:
    """A tool raised."""
    if node.attempt is not None:
        failed(node.attempt, error)


def model_answered(node: Node, message: object) -> None:
    """A model answered, if it was a message."""
    if isinstance(message, AIMessage):
        node.run.replied(node, message)


def warn_if_inside(node: Node, metadata: Mapping[str, Any] | None) -> None:
    """A run that begins inside of a graph is a part of another one, which we do not see."""
    if node.parent is None and metadata and "langgraph_node" in metadata:
        node.run.open.warn(PARTIAL)


def is_giving_up(said: object, log: str) -> TypeIs[str]:
    """Whether this is not the model's answer: that one would be in the log, too."""
    return isinstance(said, str) and not log and said.startswith("Agent stopped due to ")
