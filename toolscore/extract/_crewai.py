"""CrewAI: outputs of crews, tasks and agents."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_list, read_text
from toolscore._scoring.canonical import canonical_arguments
from toolscore._scoring.containers import is_sequence
from toolscore._unpack import unpack
from toolscore.adapters._calls import Calls, arguments_of
from toolscore.adapters._formats import calls_of
from toolscore.adapters._plain import as_dicts
from toolscore.adapters._source import refuse
from toolscore.adapters._times import seconds_of

_MARKS = ("\nAction:", "\nAction Input:", "\nObservation:")


def from_crewai(source: Any) -> list[dict[str, Any]]:
    """The calls in a CrewAI output.

    Args:
        source: A ``CrewOutput``, ``TaskOutput`` or ``LiteAgentOutput`` (from their messages, both
            of models that call functions and of those that write ``Action:``); an agent or a crew
            (from ``tools_results``, which leaves out what failed); such a list; tool events; or
            their dumps.

    Returns:
        Dicts as of ``from_openai``. CrewAI tells the model of failures in words: a call failed when
        the output lists it under ``tool_failures``.

    Raises:
        ValueError: this is nothing of CrewAI's, or a call in it has no tool's name.

    Source:
        ``toolscore.from_crewai`` of tool-scorer.

    Example:
        >>> done = [{"tool_name": "search", "tool_args": {"q": "a"}, "result": "3 hits"}]
        >>> [call] = from_crewai({"tools_results": done})
        >>> call["tool"], call["args"], call["result"]
        ('search', {'q': 'a'}, '3 hits')
    """
    return as_dicts(crewai_calls(source))


def is_crewai(source: object) -> bool:
    """Whether this is an output, a list of tool results, or a list that holds an event."""
    if is_sequence(source):
        return any(_is_entry(item) for item in source)
    if is_sequence(read(source, "messages")) and read(source, "tool_failures") is not None:
        return True
    return is_sequence(read(source, "tasks_output")) or is_sequence(read(source, "tools_results"))


def crewai_calls(source: object) -> list[ToolCall]:
    """The calls.

    Raises:
        ValueError: see ``from_crewai``.
    """
    tasks = read(source, "tasks_output")
    if is_sequence(tasks):
        return [call for task in tasks for call in crewai_calls_of_task(task)]
    if is_sequence(read(source, "messages")):
        return crewai_calls_of_task(source)
    entries = source if is_sequence(source) else read(source, "tools_results")
    if entries is None and is_sequence(read(source, "agents")):
        entries = [
            e for agent in read_list(source, "agents") for e in read_list(agent, "tools_results")
        ]
    if not is_sequence(entries):
        raise refuse("from_crewai", source, "outputs of crews and agents, and their tool results")
    return _entries(entries)


def crewai_calls_of_task(task: object) -> list[ToolCall]:
    """The calls in the messages of one task's output."""
    messages = read_list(task, "messages")
    native = any(read(message, "tool_calls") for message in messages)
    calls = calls_of(messages, "openai") if native else _written(messages)
    agent = read_text(task, "agent", "agent_role")
    for call in calls:
        if agent is not None:
            call.metadata["agent"] = agent
    _fail(calls, read_list(task, "tool_failures"))
    return calls


def _written(messages: Iterable[object]) -> list[ToolCall]:
    """Calls that a model wrote as text, and CrewAI answered in the same message."""
    calls = Calls()
    for message in messages:
        text = read(message, "content")
        if read(message, "role") != "assistant" or not isinstance(text, str):
            continue
        calls.step += 1
        _, action, rest = f"\n{text}".partition(_MARKS[0])
        tool, given, rest = rest.partition(_MARKS[1])
        written, observed, result = rest.partition(_MARKS[2])
        if not (action and given and tool.strip()):
            continue
        call = calls.ask(tool.strip(), written.strip())
        if observed:
            calls.close(call, result.strip())
    return calls.finish()


def _fail(calls: list[ToolCall], failures: Iterable[object]) -> None:
    """Mark the calls that the output lists as failed: the oldest of that name and arguments."""
    alike: defaultdict[object, deque[ToolCall]] = defaultdict(deque)
    for call in calls:
        alike[_key(call.tool, call.args)].append(call)
    for failure in failures:
        queue = alike[_key(read(failure, "tool_name"), read(failure, "tool_args"))]
        if not queue:
            continue
        call, told = queue.popleft(), read(failure, "failure")
        message = read_text(told, "message") or "the tool reported a failure"
        call.metadata |= {"status": "error", "is_error": True, "error": message}
        if (code := read_text(told, "code")) is not None:
            call.metadata["error_type"] = code


def _key(tool: object, written: object) -> object:
    return tool if isinstance(tool, str) else None, canonical_arguments(arguments_of(written)[0])


def _is_entry(item: object) -> bool:
    return read_text(item, "tool_name") is not None and read(item, "tool_args") is not None


def _entries(entries: Iterable[object]) -> list[ToolCall]:
    calls = Calls()
    begun: defaultdict[object, deque[ToolCall]] = defaultdict(deque)
    for entry in entries:
        kind = read_text(entry, "type") or ""
        if kind == "tool_failure_detected" or (kind and not _is_entry(entry)):
            continue  # told again at the end of the call; another event
        if not _is_entry(entry):
            raise refuse("from_crewai", entry, "tool results with tool_name and tool_args")
        key = _key(read(entry, "tool_name"), read(entry, "tool_args"))
        if kind == "tool_usage_started" or not begun[key]:
            call = calls.ask(read(entry, "tool_name"), read(entry, "tool_args"))
        else:
            call = begun[key].popleft()
        if kind == "tool_usage_started":
            call.timestamp = seconds_of(read(entry, "timestamp"))
            call.metadata["status"] = "unfinished"
            begun[key].append(call)
        else:
            _end(calls, call, entry)
    return calls.finish()


def _end(calls: Calls, call: ToolCall, entry: object) -> None:
    failure = read(entry, "failure")
    error = read(entry, "error")
    if error is None and failure is not None:
        error = read_text(failure, "message") or "the tool reported a failure"
    result = unpack(
        read(entry, "output") if read(entry, "result") is None else read(entry, "result")
    )
    calls.close(call, result, failed=error is not None, error=unpack(error))
    started, ended = (seconds_of(read(entry, name)) for name in ("started_at", "finished_at"))
    if started is not None and ended is not None:
        call.timestamp, call.duration = started, max(ended - started, 0.0)
    if read(entry, "from_cache") is True:
        call.metadata |= {"origin": "synthesized", "attempts": 0}
