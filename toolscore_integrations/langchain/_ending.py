"""How a run ended, and what it is closed with."""

from __future__ import annotations

from langchain_core.messages import AIMessage, BaseMessage

from toolscore import OpenRun, ToolCall
from toolscore._run import RunStatus
from toolscore_integrations.langchain._calls import Reconciled
from toolscore_integrations.langchain._captured_run import CapturedRun
from toolscore_integrations.langchain._messages import text_of
from toolscore_integrations.langchain._shapes import as_list, as_mapping

PARTIAL_USAGE = "usage is too low: the tokens of {missing} answers of models are not known"
CANCELLATIONS = frozenset({"CancelledError", "GeneratorExit", "KeyboardInterrupt"})
"""What stops a run from outside. By name: asyncio's is not the only ``CancelledError``."""


def is_cancellation(error: BaseException) -> bool:
    """Whether this stopped the run from outside."""
    return bool(CANCELLATIONS & _names(error))


def is_interrupt(error: BaseException) -> bool:
    """Whether a graph waits for a person. By name: LangGraph may be absent."""
    return "GraphInterrupt" in _names(error)


def is_handoff(error: BaseException) -> bool:
    """Whether a graph hands over to the graph around it."""
    return "ParentCommand" in _names(error)


def _names(error: BaseException) -> set[str]:
    return {cls.__name__ for cls in type(error).__mro__}


def status_of(seen: CapturedRun, error: BaseException | None) -> RunStatus:
    """The status of a run whose root ended, with this error if any."""
    if error is None:
        return "interrupted" if seen.interrupted else "error" if seen.exhausted else "ok"
    if is_interrupt(error):
        return "interrupted"
    return "cancelled" if is_cancellation(error) else "error"


def close(
    seen: CapturedRun, status: RunStatus, outputs: object = None, error: BaseException | None = None
) -> None:
    """Reconcile the evidence and end the run."""
    run = seen.open
    reconciled = Reconciled(seen, status, seen.offered)
    run.set_calls(reconciled.calls)
    if seen.cut:
        run.drop(seen.cut)
    add_unheard_usage(run, seen)
    write_transcript(run, seen, reconciled)
    output = output_of(outputs) if error is None else None
    if output is None and error is None and status == "ok" and reconciled.turns:
        output = next((t.text for t in reversed(reconciled.turns) if t.scope is None), None)
    shown = None if error is not None and is_interrupt(error) else error or seen.exhausted
    run.end(status, output=output, error=shown)


def add_unheard_usage(run: OpenRun, seen: CapturedRun) -> None:
    """Add the tokens of models that no event told of, or say that some are not in the sum."""
    unheard = [turn.usage for turn in seen.turns if turn.usage is not None]
    missing = seen.uncounted
    if any(turn.by_model for turn in seen.turns):
        # such a message may also be a rewritten answer, whose tokens are in the sum already
        missing += len(unheard)
    else:
        # before Python 3.11 LangGraph tells handlers nothing of models that async nodes call
        for usage in unheard:
            run.add_usage(usage)
    if missing and (seen.counted or unheard):
        run.warn(PARTIAL_USAGE.format(missing=missing), incomplete=False)


def write_transcript(run: OpenRun, seen: CapturedRun, reconciled: Reconciled) -> None:
    """The turns as they were spoken: the user's, each model's with its step, and the tools'."""
    for role, text in seen.heard:
        run.message(role, text)
    by_step: dict[int, list[ToolCall]] = {}
    for call in reconciled.calls:
        if not call.metadata["depth"] and call.metadata["step"] is not None:
            by_step.setdefault(call.metadata["step"], []).append(call)
    for turn in reconciled.turns:
        if turn.scope is not None:
            continue
        step = reconciled.step(turn)
        if turn.by_model and turn.node.prompt:
            run.message("system", turn.node.prompt)
        run.message("assistant", turn.text, step=step)
        for call in by_step.get(step, ()):
            shown = call.metadata.get("model_visible_result", call.result)
            if shown is not None:
                run.message("tool", text_of(shown))


def output_of(outputs: object) -> str | None:
    """The final answer, where what the run gave holds one."""
    if isinstance(outputs, str):
        return outputs
    if isinstance(outputs, BaseMessage):
        return text_of(outputs.content)
    state = as_mapping(outputs) or {}
    output, messages = state.get("output"), as_list(state.get("messages"))
    if isinstance(output, str):
        return output
    last = messages[-1] if messages else None
    return text_of(last.content) if isinstance(last, AIMessage) else None
