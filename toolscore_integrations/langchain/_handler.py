"""The callback handler that users attach by hand."""

from __future__ import annotations

from typing import Any

from typing_extensions import Self, Unpack

from toolscore import CaptureOptions, ExpectedFor, Recorder, Recording
from toolscore_integrations.langchain._events import Events
from toolscore_integrations.langchain._runs import OpenRuns


class ToolscoreCallbackHandler(Recording, Events):
    """Records and scores every run that it is given to.

    Give it to the agent, in the config of a run or bound with ``with_config``, not to a tool or a
    model inside it: what happens outside of what it was given to is not seen. One handler may serve
    any number of runs at the same time; a copy of it records into the same record.

    Args:
        expected: As in ``toolscore.watch``.
        **options: As in ``toolscore.watch``.

    Raises:
        ValueError: The expectation or an option is not one.

    Example:
        >>> from langchain_core.runnables import RunnableLambda
        >>> handler = ToolscoreCallbackHandler(expected=[])
        >>> RunnableLambda(str.upper).invoke("hi", config={"callbacks": [handler]})
        'HI'
        >>> handler.score.passed
        True
    """

    def __init__(
        self, expected: ExpectedFor | None = None, **options: Unpack[CaptureOptions]
    ) -> None:
        self._use(Recorder(expected, **options))

    @classmethod
    def of(cls, recorder: Recorder, runs: OpenRuns | None = None) -> Self:
        """A handler that records into an existing recorder."""
        handler = cls.__new__(cls)
        handler._use(recorder, runs)
        return handler

    def _use(self, recorder: Recorder, runs: OpenRuns | None = None) -> None:
        super().__init__()
        recorder.framework = "langchain"
        self._recorder = recorder
        self._runs = runs or OpenRuns(recorder)

    @property
    def ignore_retry(self) -> bool:
        """Retries of a model are no calls."""
        return True

    @property
    def ignore_custom_event(self) -> bool:
        """Custom events are the user's."""
        return True

    # -- copies

    def __copy__(self) -> Self:
        """Itself: a copied agent keeps recording, and no event counts twice."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Itself, as above."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets a handler with an empty record."""
        return type(self).of, (self._recorder,)
