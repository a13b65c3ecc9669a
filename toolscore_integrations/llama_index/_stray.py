"""Tools and agents that run where nothing tells of which run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping

from llama_index.core.tools import BaseTool

from toolscore_integrations.llama_index._call_span import ToolSpan, runs_in_a_thread
from toolscore_integrations.llama_index._run_span import RunSpan
from toolscore_integrations.llama_index._script_span import PredictSpan
from toolscore_integrations.llama_index._span import Span
from toolscore_integrations.llama_index._versions import THREADS_FORGET

FORGOT = (
    "a tool or agent ran in the thread of the synchronous tool {tool}, which with this version of "
    "llama-index-core does not know its run: upgrade, or make {tool} asynchronous"
)


def hear_of_stray(
    kinds: tuple[type[Span], ...],
    instance: object,
    roots: Mapping[str, Span],
    open_spans: Mapping[str, tuple[Span, ...]],
) -> None:
    """Tell the runs that may lack this call.

    That happens in a thread which was started without the run's context. If it is a tool of an
    agent that runs now, that run may lack this call. If it is the thread of a synchronous tool, the
    run of that tool lacks it.
    """
    thread = threading.current_thread()
    if kinds[0] not in (ToolSpan, RunSpan, PredictSpan) or thread is threading.main_thread():
        return
    if THREADS_FORGET and thread.name.startswith("asyncio_"):
        for span in [s for spans in list(open_spans.values()) for s in spans]:
            if isinstance(span, ToolSpan) and runs_in_a_thread(span.tool):
                span.call.run.warn(FORGOT.format(tool=span.call.tool))
    elif isinstance(instance, BaseTool) and not _in_a_loop():
        for root in list(roots.values()):
            if isinstance(root, RunSpan):
                root.hear_of_stray(instance)


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
