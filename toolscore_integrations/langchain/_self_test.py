"""Whether the installed versions pass a handler on that is bound to a runnable.

Some drop it when the config of a run has callbacks too, and the agent would run unseen.
"""

from __future__ import annotations

from contextvars import Context
from functools import cache
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import Runnable, RunnableLambda
from langsmith import tracing_context  # pyright: ignore[reportUnknownVariableType]
from typing_extensions import TypedDict


class _Probe(BaseCallbackHandler):
    run_inline = True

    def __init__(self) -> None:
        self.runs = 0

    def on_chain_start(self, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("parent_run_id") is None:
            self.runs += 1


@cache
def keeps_callbacks(*, graph: bool) -> bool:
    """Run a trivial thing with one handler bound and one in the config: each must see it once.

    In a context of its own and untraced, so that no handler of the user's hears of it.
    """
    return Context().run(_both_hear, graph)


def _both_hear(graph: bool) -> bool:
    bound, given = _Probe(), _Probe()
    with tracing_context(enabled=False):
        runnable = _graph() if graph else RunnableLambda(_pass_on)
        runnable.with_config(callbacks=[bound]).invoke({"text": "hi"}, {"callbacks": [given]})
    return (bound.runs, given.runs) == (1, 1)


def _pass_on(state: Any) -> Any:
    return state


class _State(TypedDict):
    text: str


def _graph() -> Runnable[Any, Any]:
    from langgraph.graph import END, START, StateGraph  # pyright: ignore[reportMissingTypeStubs]

    graph: Any = StateGraph(_State)
    graph.add_node("pass_on", _pass_on)
    graph.add_edge(START, "pass_on")
    graph.add_edge("pass_on", END)
    compiled: Runnable[Any, Any] = graph.compile()
    return compiled
