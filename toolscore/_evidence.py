"""Evidence that a hook keeps itself, and makes into calls when the run is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from toolscore._call import ToolCall
from toolscore._guard import log
from toolscore._run import Run, RunStatus
from toolscore._transcript import Transcript


class Merged(NamedTuple):
    """The calls of a run, what it has to say of them, and the schemas of the tools offered."""

    calls: Sequence[ToolCall]
    warnings: Sequence[str] = ()
    """Each makes the run incomplete."""
    tools: Mapping[str, Mapping[str, Any]] = {}


class Evidence(Protocol):
    """What a hook saw of the calls of a run: copies, and no objects of the user's program."""

    dropped: int
    """How many calls were left out for ``max_calls``."""

    def close(self, status: RunStatus) -> None:
        """The run ended: so did the calls that were open."""

    def merged(self) -> Merged:
        """The calls, in request order; may be asked for at any time after ``close``."""
        ...


@dataclass(frozen=True)
class Draft:
    """The record of a run that has ended, but for its calls."""

    run: Run
    evidence: Evidence
    transcript: Transcript

    def finish(self) -> Run:
        """The record."""
        try:
            merged = self.evidence.merged()
        except Exception as error:  # noqa: BLE001 - the rest of the record is right
            log.exception("the calls of a run could not be merged")
            merged = Merged((), [f"merging failed: {type(error).__name__}: {error}"[:500]])
        run = self.run
        return replace(
            run,
            calls=tuple(merged.calls),
            transcript=self.transcript.build(merged.calls),
            complete=run.complete and not merged.warnings,
            warnings=tuple(dict.fromkeys((*run.warnings, *merged.warnings))),
            tools={**run.tools, **merged.tools},
            signals={**run.signals, "events": run.signals["events"] or bool(merged.calls)},
        )
