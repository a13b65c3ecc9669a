"""A lone argument that was written without its name."""

from __future__ import annotations

from collections import defaultdict

from toolscore.adapters.otel._attempt import Attempt
from toolscore.adapters.otel._joined import Joined
from toolscore.adapters.otel._payload import Arguments


def name_lone_texts(calls: list[Joined]) -> None:
    """Give a bare text the one name that texts have in the other calls of its tool.

    OpenInference writes ``Oslo`` for ``{"city": "Oslo"}``. The model's request has the name; where
    there is none in the export, the tool's other calls may. The text stays in ``raw_arguments``,
    since this is an inference. A call whose result was a message to the model had a request, which
    this export lacks: it is left as it was written.
    """
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for call in calls:
        if call.attempt is not None and call.attempt.arguments.known:
            for name, value in call.attempt.arguments.args.items():
                if isinstance(value, str):
                    texts[call.tool].add(name)
    for call in calls:
        attempt = call.attempt
        if attempt is None or call.turn is not None or not _is_bare(attempt):
            continue
        if len(texts[call.tool]) == 1:
            [name] = texts[call.tool]
            given = attempt.arguments
            attempt.arguments = Arguments({name: given.args["value"]}, given.kept)


def _is_bare(attempt: Attempt) -> bool:
    written = attempt.span.text("input.value")
    kind = attempt.span.text("openinference.span.kind")
    args = attempt.arguments.args
    return kind == "TOOL" and attempt.answer.id is None and args == {"value": written}
