"""A watched agent: the agent itself, with its scores."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import wrapt
from typing_extensions import Unpack

from toolscore._capture_options import ExpectedFor
from toolscore._context import enter
from toolscore._errors import ToolscoreWarning
from toolscore._options import EvaluateOptions
from toolscore._recorder import Attachment, Recorder
from toolscore._scores import Recording

if TYPE_CHECKING:
    Attach = Callable[[object, Recorder], Attachment[Any]]


class Watch(Recording):
    """The controls of a watched agent: ``watched`` itself, or ``watched.toolscore``."""

    def __init__(self, original: object, recorder: Recorder, attach: Attach) -> None:
        self._original = original
        self._recorder = recorder
        self._attach = attach
        self._attachment: Attachment[Any] | None = attach(original, recorder)
        self._instrumented = self._attachment.agent

    def expecting(
        self, expected: ExpectedFor | None, **options: Unpack[EvaluateOptions]
    ) -> Watched:
        """The same agent under another expectation, with scores of its own.

        Sinks and limits are shared; the first watched object keeps its expectation and its scores.

        Example:
            >>> from langchain_core.runnables import RunnableLambda
            >>> from toolscore import watch
            >>> agent = watch(RunnableLambda(str.upper), expected=["search"])
            >>> quiet = agent.expecting([])
            >>> quiet.invoke("hi"), quiet.score.passed, len(agent.scores)
            ('HI', True, 0)
        """
        return self.again(expected, options)

    def again(self, expected: ExpectedFor | None, options: Mapping[str, Any]) -> Watched:
        """Another recorder on the agent as it was before it was watched."""
        chosen = self._recorder.options.expecting(expected, options)
        return Watch(self._original, Recorder.of(chosen), self._attach).proxy()

    def unwatch(self) -> Any:
        """Stop recording; returns the agent as it was. Idempotent; the record stays readable."""
        attachment, self._attachment = self._attachment, None
        if attachment is not None:
            attachment.detach()
        return self._original

    def proxy(self) -> Watched:
        """The object that the user works with."""
        kind = CallableWatched if callable(self._instrumented) else Watched
        return kind(self, self._instrumented)

    @property
    def recorder(self) -> Recorder:
        """Where the runs are kept; for hooks, which are handed the proxy by the user's program."""
        return self._recorder

    @property
    def original(self) -> Any:
        """The agent as it was."""
        return self._original


OURS = ("score", "scores", "runs", "session", "expecting", "unwatch")

if TYPE_CHECKING:

    class Watched(Watch, Any):  # type: ignore[misc]  # an Any base: checkers take it for the agent
        """Your agent, with its scores: every other attribute is the agent's own."""

        __wrapped__: Any

        def __init__(self, controls: Watch, agent: object) -> None: ...

        @property
        def toolscore(self) -> Watch:
            """The same members, for agents that have an attribute named ``score`` or the like."""
            ...

    class CallableWatched(Watched):
        """A watched agent that is called like a function."""

else:

    class Watched(wrapt.ObjectProxy):
        """Your agent, with its scores: every other attribute is the agent's own.

        The proxy intercepts nothing: what records is inside the object that it wraps.
        """

        def __init__(self, controls, agent):
            super().__init__(agent)
            self._self_toolscore = controls
            theirs = [name for name in OURS if _has(agent, name)]
            self._self_ours = frozenset(OURS) - frozenset(theirs)
            if theirs:
                warnings.warn(
                    f"{type(agent).__name__} has its own {', '.join(theirs)}: read ours as "
                    f"watched.toolscore.{theirs[0]}.",
                    ToolscoreWarning,
                    stacklevel=4,
                )

        def __getattr__(self, name):
            if name == "toolscore":
                return self._self_toolscore
            if name in self._self_ours:
                return getattr(self._self_toolscore, name)
            enter()  # what is called next may start a run in a task of its own
            return getattr(self.__wrapped__, name)

        def __dir__(self):
            return sorted({*dir(self.__wrapped__), *self._self_ours, "toolscore"})

        # Copy and pickle behave as those of the agent: a proxy in their place would be a surprise.
        def __copy__(self):
            return copy.copy(self.__wrapped__)

        def __deepcopy__(self, memo):
            return copy.deepcopy(self.__wrapped__, memo)

        def __reduce_ex__(self, protocol):
            return self.__wrapped__.__reduce_ex__(protocol)

        def __repr__(self):
            return repr(self.__wrapped__)

    class CallableWatched(Watched):
        """A watched agent that is called like a function."""

        def __call__(self, *args, **kwargs):
            enter()
            return self.__wrapped__(*args, **kwargs)


def _has(agent: object, name: str) -> bool:
    """``hasattr``, also for a property that raises whatever it likes."""
    try:
        return hasattr(agent, name)
    except Exception:  # noqa: BLE001 - the user's property
        return True


def watch_of(agent: object) -> Watch | None:
    """The controls behind a watched agent, or None for any other object."""
    if not issubclass(
        type(agent), Watched
    ):  # not isinstance: a proxy is an instance of its agent's class
        return None
    controls: Watch = cast("Any", agent)._self_toolscore
    return controls
