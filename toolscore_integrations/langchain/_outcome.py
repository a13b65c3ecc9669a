"""How the run of a tool ended."""

from __future__ import annotations

from toolscore._open_call import describe
from toolscore_integrations.langchain._ending import is_cancellation, is_handoff, is_interrupt
from toolscore_integrations.langchain._evidence import Attempt
from toolscore_integrations.langchain._ledger import Ledger
from toolscore_integrations.langchain._messages import is_command, own_message, text_of
from toolscore_integrations.langchain._shapes import as_list

PARENT = "__parent__"
"""LangGraph's ``Command.PARENT``: the graph around this one."""


def finished(run: Ledger, attempt: Attempt, output: object) -> None:
    """It returned: a message says itself whether that was a failure."""
    message = own_message(output, attempt.id)
    commands: list[object] = []
    if message is not output:
        commands = [part for part in as_list(output) or [output] if is_command(part)]
    attempt.handoff = any(
        getattr(command, "graph", None) == PARENT and bool(getattr(command, "goto", None))
        for command in commands
    )
    if message is None:
        # the update of a state is no result, and holds what belongs to the host
        attempt.result, attempt.truncated = run.copy(None if commands else output)
        attempt.stop("ok")
        return
    attempt.result, attempt.truncated = run.copy(message.content)
    artifact: object = message.artifact
    attempt.artifact = None if artifact is None else run.copy(artifact)[0]
    attempt.id = message.tool_call_id if attempt.id is None else attempt.id
    if message.status == "error":
        attempt.error, attempt.error_source = text_of(attempt.result), "tool_message"
    attempt.stop("error" if message.status == "error" else "ok")


def failed(attempt: Attempt, error: BaseException) -> None:
    """It raised, which need not be a failure: LangGraph pauses and hands over by exceptions."""
    if is_interrupt(error):
        attempt.stop("interrupted")
        return
    if is_handoff(error):
        attempt.handoff = True
        attempt.stop("ok")
        return
    limit = attempt.node.run.open.recorder.options.max_value_bytes
    attempt.error, attempt.error_type = describe(error, limit)
    attempt.error_source = "exception"
    attempt.stop("cancelled" if is_cancellation(error) else "error")
