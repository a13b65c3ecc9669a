"""LangChain's events, as evidence of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from langchain_core.agents import AgentAction, AgentFinish
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, Generation, LLMResult

from toolscore import Recorder
from toolscore._guard import never_raise
from toolscore_integrations.langchain._inputs import prompt_in
from toolscore_integrations.langchain._offers import is_bound_to_schema, offered_in
from toolscore_integrations.langchain._readings import (
    chain_ended,
    chain_failed,
    is_giving_up,
    listen,
    model_answered,
    tool_ended,
    tool_failed,
    warn_if_inside,
)
from toolscore_integrations.langchain._runs import OpenRuns

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler as HandlerBase
else:
    # LangGraph tells only subclasses of its own class that a graph stopped before one of its nodes
    try:
        from langgraph.callbacks import GraphCallbackHandler as HandlerBase
    except ImportError:
        from langchain_core.callbacks import BaseCallbackHandler as HandlerBase


class Events(HandlerBase):
    """The part of the handler that LangChain calls. Nothing in it raises, waits or writes."""

    # sync and inline: no thread hop per event under asyncio, and no event loop to be bound to
    run_inline = True
    raise_error = False
    _recorder: Recorder
    _runs: OpenRuns

    @property
    def ignore_retry(self) -> bool:
        """Retries of a model are no calls."""
        return True

    @property
    def ignore_custom_event(self) -> bool:
        """Custom events are the user's."""
        return True

    # -- the tree

    @never_raise
    def on_chain_start(
        self,
        /,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        """A graph, a node of it, or any other runnable starts."""
        node = self._runs.enter(run_id, parent_run_id, metadata, inputs, name)
        if node is None:
            return
        seen, graph = node.run, node.parent
        if graph is None:
            listen(node, inputs)
            if not seen.dispatched(node, inputs):
                seen.begun(node, inputs)
        elif metadata and "langgraph_node" in metadata and node.ns != graph.ns:
            node.become_task(graph, metadata)
            if not seen.dispatched(node, inputs) and not graph.settled:
                graph.settled = seen.begun(node, inputs)

    @never_raise
    def on_chain_end(self, /, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """It ended; the update of a graph's node says what the model was shown."""
        self._runs.leave(run_id, chain_ended, outputs)

    @never_raise
    def on_chain_error(self, /, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """It raised, was cancelled, or waits for a person."""
        self._runs.leave(run_id, chain_failed, error=error)

    @never_raise
    def on_interrupt(self, /, event: Any) -> None:
        """A graph stopped before or after one of its nodes, or inside it."""
        node = None if event.run_id is None else self._runs.find(event.run_id)
        if node is not None:
            node.interrupted = True

    @never_raise
    def on_retriever_start(
        self,
        /,
        serialized: dict[str, Any],
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """A retriever is no tool, but models and tools may run inside it."""
        self._runs.enter(run_id, parent_run_id, metadata, query)

    @never_raise
    def on_retriever_end(self, /, documents: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """A retriever ended."""
        self._runs.leave(run_id)

    @never_raise
    def on_retriever_error(self, /, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A retriever raised."""
        self._runs.leave(run_id, error=error)

    # -- attempts

    @never_raise
    def on_tool_start(
        self,
        /,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
        name: str | None = None,
        tool_call_id: str | None = None,
        **kwargs: Any,
    ) -> None:
        """A tool begins to run; ``inputs`` is what the model sent, without injected values."""
        node = self._runs.enter(run_id, parent_run_id, metadata, inputs or input_str)
        if node is None:
            return
        if node.parent is None:
            warn_if_inside(node, metadata)
        # name is what the user renamed the run to; the tool's own name is in serialized
        tool = (serialized or {}).get("name") or name or "unknown"
        node.run.attempt(node, tool, inputs, input_str, tool_call_id)

    @never_raise
    def on_tool_end(self, /, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool returned."""
        self._runs.leave(run_id, tool_ended, output)

    @never_raise
    def on_tool_error(self, /, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool raised."""
        self._runs.leave(run_id, tool_failed, error=error)

    # -- requests

    @never_raise
    def on_chat_model_start(
        self,
        /,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """A chat model is asked."""
        self._asked(run_id, parent_run_id, metadata, messages[0] if messages else None, kwargs)

    @never_raise
    def on_llm_start(
        self,
        /,
        serialized: dict[str, Any],
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """A text model is asked."""
        self._asked(run_id, parent_run_id, metadata, prompts[0] if prompts else None, kwargs)

    def _asked(
        self,
        run_id: UUID,
        parent_run_id: UUID | None,
        metadata: dict[str, Any] | None,
        inputs: object,
        details: Mapping[str, Any],
    ) -> None:
        node = self._runs.enter(run_id, parent_run_id, metadata, inputs)
        if node is None:
            return
        warn_if_inside(node, metadata)
        if node.parent is None:
            listen(node, inputs)
        node.prompt = prompt_in(inputs)
        if node.scope is not None:
            node.scope.models = True
        node.structured = is_bound_to_schema(details.get("options") or {})
        for tool, schema in offered_in(details.get("invocation_params") or {}):
            if tool not in node.run.offered:
                node.run.offered.add(tool)
                node.run.open.offer(tool, schema)

    @never_raise
    def on_llm_end(self, /, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """A model answered: what it asks for is known, whether or not any of it will run."""
        generations = cast("Sequence[Sequence[object]]", response.generations)
        first = generations[0][0] if generations and generations[0] else None
        message = first.message if isinstance(first, ChatGeneration) else None
        if message is None and isinstance(first, Generation):
            message = AIMessage(first.text)
        self._runs.leave(run_id, model_answered, message)

    @never_raise
    def on_llm_error(self, /, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A model failed."""
        self._runs.leave(run_id, error=error)

    @never_raise
    def on_agent_action(self, /, action: AgentAction, *, run_id: UUID, **kwargs: Any) -> None:
        """An ``AgentExecutor`` is about to run a tool."""
        node = self._runs.find(run_id)
        if node is not None:
            call_id = getattr(action, "tool_call_id", None)
            node.run.acted(node, action.tool, action.tool_input, call_id)

    @never_raise
    def on_agent_finish(self, /, finish: AgentFinish, *, run_id: UUID, **kwargs: Any) -> None:
        """An ``AgentExecutor`` is done, with an answer of its own if it may take no more turns."""
        node = self._runs.find(run_id)
        said = finish.return_values.get("output")
        if node is not None and node.scope is None:
            node.run.exhausted = said if is_giving_up(said, finish.log) else None

    def _trouble(self, where: str, error: Exception) -> None:
        self._recorder.trouble(where, error)
