"""Attach to an agent that is watched, or to a script that calls model and tools by hand."""

from __future__ import annotations

import warnings
from typing import Any, cast

from langchain_core.callbacks import BaseCallbackHandler, BaseCallbackManager
from langchain_core.runnables import Runnable

from toolscore import Attachment, Recorder, Session, ToolscoreWarning
from toolscore_integrations.langchain._handler import ToolscoreCallbackHandler
from toolscore_integrations.langchain._offers import tools_of
from toolscore_integrations.langchain._runs import Caution, OpenRuns
from toolscore_integrations.langchain._script import attach_script
from toolscore_integrations.langchain._self_test import keeps_callbacks
from toolscore_integrations.langchain._shapes import as_list, as_mapping

DROPS = (
    "this version of {package} drops the handlers of a watched agent when a run is given callbacks "
    "of its own: upgrade {package}, or pass ToolscoreCallbackHandler in the config of each run"
)
REMOTE = (
    "the graph runs on a server, where its tools are not seen: watch it there, or score the "
    "messages that it returns with toolscore.evaluate"
)


def attach(agent: Any, recorder: Recorder) -> Attachment[Any] | None:
    """Record the runs of a LangChain runnable or LangGraph graph; None for anything else.

    The runnable itself is left alone: what is recorded is the copy with our handler in its config,
    which every way to run it passes on (batches, streams, pipes, retries, subgraphs).
    """
    if isinstance(agent, Session):
        return attach_script(agent, recorder)
    if not isinstance(agent, Runnable):
        return None
    return _attach(cast("Any", agent), recorder)


def _attach(agent: Runnable[Any, Any], recorder: Recorder) -> Attachment[Any]:
    runs = OpenRuns(recorder, _caution(agent))
    runs.tools = tools_of(agent)
    handler = ToolscoreCallbackHandler.of(recorder, runs)
    bound = agent.with_config(callbacks=_with(_bound_callbacks(agent), handler))

    def detach() -> None:
        runs.stopped = True

    return Attachment(bound, detach)


def _caution(agent: Runnable[Any, Any]) -> Caution | None:
    """What is known beforehand to be missing from the runs; said once, here, to who watches."""
    caution = None
    if any(cls.__name__ == "RemoteGraph" for cls in type(agent).__mro__):
        caution = Caution(REMOTE, incomplete=True)
    elif not keeps_callbacks(graph=hasattr(agent, "nodes") and hasattr(agent, "channels")):
        package = "langgraph" if hasattr(agent, "nodes") else "langchain-core"
        # the runs that are dropped are not seen at all; those that are seen lack nothing
        caution = Caution(DROPS.format(package=package), incomplete=False)
    if caution is not None:
        warnings.warn(caution.text, ToolscoreWarning, stacklevel=7)
    return caution


def _bound_callbacks(agent: object) -> object:
    """The callbacks that the user bound to it: ``with_config`` of a binding would replace them."""
    config = as_mapping(getattr(agent, "config", None))
    return None if config is None else config.get("callbacks")


def _with(bound: object, handler: BaseCallbackHandler) -> Any:
    if isinstance(bound, BaseCallbackManager):
        manager: Any = cast("Any", bound).copy()
        manager.add_handler(handler)
        return manager
    return [*(as_list(bound) or ()), handler]
