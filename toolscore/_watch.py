"""Find the hook that knows an agent, and let it attach."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from typing_extensions import Unpack

from toolscore._capture_options import CaptureOptions, ExpectedFor
from toolscore._errors import ToolscoreWarning, UnwatchableAgentError
from toolscore._recorder import Attachment, Recorder, Watcher
from toolscore._session import Session
from toolscore._watched import Watch, Watched, watch_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "toolscore.watchers"


def watch(
    agent: object, expected: ExpectedFor | None = None, **options: Unpack[CaptureOptions]
) -> Watched:
    """The agent, recorded and scored after each run.

    Use what it returns as you used the agent: every method and every ``isinstance`` check goes
    through to the framework's own object. ``watch`` of a watched agent is its ``expecting``.

    Args:
        agent: A LangChain runnable, LangGraph graph, OpenAI ``Agent``, LlamaIndex agent or
            workflow, or the agent of a third party's hook.
        expected: The calls that should be made: names, mappings with ``tool`` and ``args``, or
            ``ToolCall``s; or a function from the run's input to such a list. ``[]`` expects no
            call; None scores behaviour.
        **options: Switches of ``evaluate``, sinks (``on_score``, ``on_run``) and limits.

    Raises:
        UnwatchableAgentError: No installed hook knows the agent; the message says what to install.
        ValueError: The expectation or an option is not one.

    Example:
        >>> from langchain_core.runnables import RunnableLambda
        >>> agent = watch(RunnableLambda(lambda text: text.upper()), expected=[])
        >>> agent.invoke("hi")
        'HI'
        >>> agent.score.passed
        True
    """
    known = watch_of(agent)
    if known is not None:
        return known.again(expected, options)
    recorder = Recorder(expected, **options)
    return Watch(agent, recorder, attach).proxy()


def attach(agent: object, recorder: Recorder) -> Attachment[Any]:
    """Ask each hook that may know the agent's class, along its whole MRO."""
    if recorder.disabled:
        return Attachment(agent, lambda: None)
    problems: list[str] = []
    for entry in _candidates(type(agent)):
        try:
            watcher: Watcher = entry.load()
            attachment = watcher(agent, recorder)
        except ToolscoreWarning:  # the user turned warnings into errors
            raise
        except Exception as error:  # noqa: BLE001 - a hook that is broken must not hide the next
            problems.append(f"{entry.name} ({entry.value}): {type(error).__name__}: {error}")
            continue
        if attachment is not None:
            recorder.framework = recorder.framework or entry.name
            return attachment
    raise UnwatchableAgentError(_explanation(agent, problems))


def attach_session(session: Session) -> Callable[[], None]:
    """Let every hook whose framework is imported record what code calls by hand in a session."""
    detaches: list[Callable[[], None]] = []
    loaded: set[str] = set()
    for entry in _entries():
        if entry.name not in sys.modules or entry.value in loaded:
            continue
        loaded.add(entry.value)
        try:
            attachment = entry.load()(session, session.recorder)
        except Exception as error:  # noqa: BLE001 - as above
            session.recorder.trouble(f"hook {entry.name}", error)
            continue
        if attachment is not None:
            detaches.append(attachment.detach)

    def detach() -> None:
        for stop in detaches:
            stop()

    return detach


def session(expected: ExpectedFor | None = None, **options: Unpack[CaptureOptions]) -> Session:
    """Record a script that calls model and tools by hand (LangChain, LlamaIndex), as one run.

    Example:
        >>> from langchain_core.tools import tool
        >>> @tool
        ... def double(number: int) -> int:
        ...     \"\"\"Twice the number.\"\"\"
        ...     return 2 * number
        >>> with session(expected=["double"]) as script:
        ...     double.invoke({"number": 21})
        42
        >>> script.result.passed
        True
    """
    recorder = Recorder(expected, **options)
    return Session(recorder, recorder.options, attach_session)


def _entries() -> list[EntryPoint]:
    from importlib.metadata import entry_points  # slow to import, and only needed here

    return list(entry_points(group=GROUP))


def _candidates(kind: type) -> Iterator[EntryPoint]:
    """The entry points for the classes of an agent, most derived first, each once."""
    entries = _entries()
    seen: set[str] = set()
    for cls in kind.__mro__:
        root = cls.__module__.partition(".")[0]
        for entry in entries:
            if entry.name == root and entry.value not in seen:
                seen.add(entry.value)
                yield entry


def _explanation(agent: object, problems: list[str]) -> str:
    mistake = _mistake(agent)
    if mistake is not None:
        return f"{mistake} watch() takes an agent: watch(create_agent(...))."
    kind = type(agent)
    installed = ", ".join(sorted({entry.name for entry in _entries()})) or "none"
    broken = "".join(f" Hook {problem}." for problem in problems)
    return (
        f"No hook for {kind.__module__}.{kind.__qualname__}. Installed hooks: {installed}.{broken} "
        "If its framework is LangChain, run: pip install 'toolscore-integrations[langchain]' "
        "(or [openai-agents], [llama-index]). To add a framework, see docs/extend-framework.md."
    )


def _mistake(agent: object) -> str | None:
    """What is easily passed in place of an agent, and what to write instead."""
    kind = type(agent).__name__
    if agent is None:
        return "That is None."
    if isinstance(agent, type):
        return f"{agent.__name__} is a class: pass an object of it, {agent.__name__}(...)."
    if inspect.isawaitable(agent):
        if inspect.iscoroutine(agent):
            agent.close()
        return f"{kind} is a run that was started: watch the agent, then run it."
    if inspect.isroutine(agent):
        return f"{agent.__name__} is a function: if it makes the agent, call it."
    if isinstance(agent, (str, bytes, int, float, list, tuple, dict, set)):
        return f"That is a {kind}: watch each agent by itself."
    return None
