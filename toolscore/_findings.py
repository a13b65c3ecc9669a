"""What is wrong, in sentences that hold their figures, worst first."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolscore._call import ToolCall
from toolscore._finding import RANK, Finding, FindingKind
from toolscore._scoring.behaviour import loops
from toolscore._scoring.containers import is_dict
from toolscore._scoring.copied import copied
from toolscore._scoring.evaluation import Evaluation
from toolscore._scoring.headline import EXTRA_CALL, FORBIDDEN_CALL, ORDER_WEIGHT, RECOVERED_CALL
from toolscore._scoring.json_schema import schema_problems
from toolscore._scoring.matcher_errors import matcher_errors
from toolscore._scoring.one_line import one_line
from toolscore._scoring.outcome import FAILURE_FACTOR
from toolscore._scoring.say_difference import say_difference
from toolscore._scoring.secrets import Redactor, secrets_in
from toolscore._scoring.sides import NAME_CREDIT, Match
from toolscore._shown import text_of

_COMPARED = 100
"""Names, and characters of each, that are looked through for the one that was meant."""
__all__ = ["Finding", "FindingKind", "find"]


def find(evaluation: Evaluation, redactor: Redactor) -> tuple[Finding, ...]:
    """All findings; those that fail the verdict come first, the worst of them at the top."""
    found = [_shown(finding) for finding in _Finder(evaluation, redactor).all()]
    found.sort(key=lambda f: (not f.fails, RANK[f.kind], f.expected[:1] or f.actual[:1]))
    return tuple(found)


def _shown(finding: Finding) -> Finding:
    path = None if finding.path is None else one_line(finding.path)
    return replace(finding, message=one_line(finding.message), path=path)


class _Finder:
    def __init__(self, evaluation: Evaluation, redactor: Redactor) -> None:
        self.evaluation, self.redactor = evaluation, redactor
        self.sides, self.headline = evaluation.sides, evaluation.headline
        self.gold, self.made = evaluation.sides.gold, evaluation.sides.made
        self.options = evaluation.options
        self._not_called: list[str] | None = None  # expected tools, once they are needed

    def all(self) -> Iterator[Finding]:
        if self.evaluation.basis == "not_scored":
            return
        yield from self._run()
        if self.evaluation.basis == "expected":
            yield from self._missing()
            for match in self.headline.matches:
                yield from self._pair(match)
            yield from self._beyond()
            yield from self._out_of_order()
            yield from self._matcher_errors()
        else:
            yield from self._failures()
        yield from self._repeats()
        yield from self._policy()
        yield from self._schemas()
        yield from self._secrets()

    def _text(self, text: object) -> str:
        return self.redactor.text(" ".join(text_of(text).split())[:300])

    def _why(self, call: ToolCall) -> str:
        return f": {self._text(call.error)}" if call.error and call.error != "True" else ""

    def _run(self) -> Iterator[Finding]:
        run = self.evaluation.run
        if run is None:
            return
        if run.status != "ok":
            why = f": {self._text(run.error)}" if run.error else ""
            yield Finding("run_failed", f"the run ended as {run.status!r}, not 'ok'{why}")
        if not run.complete:
            what = (
                self._text("; ".join(map(text_of, run.warnings))) or "the capture does not say what"
            )
            yield Finding("incomplete_capture", f"calls may be missing from this record: {what}")

    def _missing(self) -> Iterator[Finding]:
        met = {match.expected for match in self.headline.matches}
        allowed = self.options.get("missing_calls") == "allow"
        total = len(self.gold)
        for i, call in enumerate(self.gold):
            if i not in met:
                cost = "allowed" if allowed else f"0 of 1, over {total} expected"
                text = f"{call.tool} was not called (expected call {i + 1} of {total}: {cost})"
                yield Finding("missing", text, (i,), fails=not allowed)

    def _pair(self, match: Match) -> Iterator[Finding]:
        i, j, similarity = match
        call, ending = self.made[j], self.sides.outcomes[j]
        where = (i,), (j,)
        if similarity < 1.0:
            yield from self._arguments(match)
        if ending.factor < 1.0:
            how = "failed" if ending.failed else f"was not completed ({call.status})"
            worth = self.sides.worth(similarity, j)
            figures = f"{worth / ending.factor:.4g} * {FAILURE_FACTOR} = {worth:.4g}"
            yield Finding("failed", f"{call.tool} {how}{self._why(call)} ({figures})", *where)
        elif not ending.meets:
            yield Finding("unresolved", f"{call.tool} waits for a person", *where)
        elif call.status == "unfinished":
            yield self._unfinished(j)

    def _unfinished(self, j: int) -> Finding:
        text = f"{self.made[j].tool} started, and nothing more was heard of it"
        return Finding("unresolved", text, (), (j,), fails=False)

    def _arguments(self, match: Match) -> Iterator[Finding]:
        i, j, similarity = match
        gold, made = self.gold[i], self.made[j]
        right, total = self.sides.similarity.agreements(gold.args, made.args)
        whole = similarity * total
        part = f"{right}" if abs(whole - right) < 1e-9 else f"{whole:.4g}"
        worth = NAME_CREDIT + (1 - NAME_CREDIT) * similarity
        figures = (
            f"{part} of {total} argument{'s' * (total != 1)} right: "
            f"{NAME_CREDIT} + {1 - NAME_CREDIT} * {part}/{total} = {worth:.4g}"
        )
        differences = self.sides.similarity.differences(gold.args, made.args)
        for number, difference in enumerate(differences):
            kind, text = say_difference(difference, self.redactor)
            note = f" ({figures})" if not number else ""
            path = self.redactor.text(difference.path)
            yield Finding(kind, f"{made.tool}: {text}{note}", (i,), (j,), path)

    def _beyond(self) -> Iterator[Finding]:
        """Calls without an expected one."""
        used = {match.actual for match in self.headline.matches}
        alone = [j for j in range(len(self.made)) if j not in used]
        allowed = self.options.get("extra_calls") == "allow"
        cost = "allowed" if allowed else f"adds {EXTRA_CALL} to the divisor"
        forgiven = "allowed" if allowed else f"adds {RECOVERED_CALL} to the divisor"
        instead = self._in_place_of_recovered(alone)
        for j in alone:
            call, ending = self.made[j], self.sides.outcomes[j]
            if j in self.headline.recovered:
                text = f"{call.tool} failed{self._why(call)}, and was made good later ({forgiven})"
                yield Finding("recovered", text, (), (j,), fails=False)
                continue
            again = "again " if call.tool in self.sides.gold_places else ""
            how = " and failed" if ending.failed else ""
            text = f"{call.tool} was called {again}beyond what is expected{how}"
            text += f" (for a failure made good: {forgiven})" if j in instead else f" ({cost})"
            text += self._meant(call.tool)
            yield Finding("extra", text, (), (j,), fails=not allowed and j not in instead)
            if call.status == "unfinished":
                yield self._unfinished(j)

    def _in_place_of_recovered(self, alone: Sequence[int]) -> frozenset[int]:
        """Calls that cost what a failure made good does, since such a one met an expected call."""
        left = Counter(self.made[j].tool for j in self.headline.recovered.difference(alone))
        instead: list[int] = []
        for j in alone if left else ():
            if j not in self.headline.recovered and left[self.made[j].tool]:
                left[self.made[j].tool] -= 1
                instead.append(j)
        return frozenset(instead)

    def _meant(self, tool: str) -> str:
        """The expected tool that was not called and whose name is nearly that of this one."""
        if tool in self.sides.gold_places:
            return ""
        if self._not_called is None:
            made = self.sides.made_places
            names = [name for name in self.sides.gold_places if name not in made]
            self._not_called = names[:_COMPARED]
        close = difflib.get_close_matches(tool[:_COMPARED], self._not_called, 1, 0.8)
        return f"; was {close[0]!r} meant?" if close else ""

    def _out_of_order(self) -> Iterator[Finding]:
        headline = self.headline
        if headline.keeps_order:
            return
        kept = {match.expected for match in headline.ordered if match in set(headline.matches)}
        late = [match for match in headline.matches if match.expected not in kept]
        late = late or list(headline.matches)
        names = ", ".join(dict.fromkeys(self.made[match.actual].tool for match in late))
        loss = ORDER_WEIGHT * (headline.matched - headline.in_order)
        figures = (
            f"{headline.in_order:.4g} of {headline.matched:.4g} in order: "
            f"-{ORDER_WEIGHT} * {headline.matched - headline.in_order:.4g} = -{loss:.4g}"
        )
        yield Finding(
            "out_of_order",
            f"{names}: called out of order ({figures})",
            tuple(match.expected for match in late),
            tuple(match.actual for match in late),
        )

    def _matcher_errors(self) -> Iterator[Finding]:
        met = {match.expected: match for match in self.headline.matches}
        for i, path, text in matcher_errors(self.sides.given, self.sides.similarity.errors):
            message = f"{self.gold[i].tool}: the matcher of {path} raised {self._text(text)}"
            match = met.get(i)
            fails = match is not None and match.similarity < 1.0
            where = (match.actual,) if match else ()
            yield Finding("matcher_error", message, (i,), where, self.redactor.text(path), fails)

    def _failures(self) -> Iterator[Finding]:
        for j, ending in enumerate(self.sides.outcomes):
            call = self.made[j]
            if j in self.headline.recovered:
                text = f"{call.tool} failed{self._why(call)}, and was made good later (half of use)"
                yield Finding("recovered", text, (), (j,), fails=False)
            elif ending.failed:
                text = f"{call.tool} failed{self._why(call)} (of no use)"
                yield Finding("failed", text, (), (j,))
            elif ending.factor < 1.0:
                text = f"{call.tool} was not completed ({call.status}; of no use)"
                yield Finding("failed", text, (), (j,), fails=False)
            elif call.status in ("interrupted", "unfinished"):
                how = "waits for a person" if call.status == "interrupted" else "has no known end"
                yield Finding("unresolved", f"{call.tool} {how}", (), (j,), fails=False)

    def _repeats(self) -> Iterator[Finding]:
        for loop in loops(self.sides):
            text = f"{self.made[loop[0]].tool} was called {len(loop)} times in a row, all alike"
            fails = self.evaluation.basis == "behaviour"
            yield Finding("loop", text, (), tuple(loop), fails=fails)
        kind = self.sides.made_keys
        for j in range(1, len(self.made)):
            before, call = self.made[j - 1], self.made[j]
            same = before.tool == call.tool and kind[j - 1] == kind[j]
            if same and self.sides.outcomes[j - 1].failed:
                text = f"{call.tool} was repeated after it failed, with nothing changed"
                yield Finding("blind_retry", text, (), (j - 1, j), fails=False)

    def _policy(self) -> Iterator[Finding]:
        rules = self.options.get("forbidden") or ()
        for j, number in self.headline.forbidden:
            rule = rules[number]
            reason = "" if isinstance(rule, str) else self._text(rule.get("reason", ""))
            why = f"{reason}; " if reason else ""
            cost = f"adds {FORBIDDEN_CALL} to the divisor"
            if self.evaluation.basis == "behaviour":
                cost = "the score stays"
            text = f"{self.made[j].tool} must not be called like this ({why}{cost})"
            yield Finding("forbidden", text, (), (j,))
        for excess in self.headline.excess:
            bound = f"the budget is {excess.bound:g} {excess.name}"
            known = excess.found is not None
            spent = f"{excess.found:g} were spent" if known else "what was spent is not known"
            yield Finding("over_budget", f"{bound}, and {spent}")

    def _schemas(self) -> Iterator[Finding]:
        known: dict[str, Mapping[str, Any]] = {}
        for j, call in enumerate(self.made):
            if call.tool not in known:
                known[call.tool] = self._schema(call.tool)
            schema = known[call.tool]
            if schema and "raw_arguments" not in call.metadata:
                for kind, path, text in schema_problems(schema, call.args or {}):
                    message = self._text(f"{call.tool}: {path} {text}")
                    yield Finding(kind, message, (), (j,), self.redactor.text(path), fails=False)

    def _schema(self, tool: str) -> Mapping[str, Any]:
        try:
            schema = copied(self.evaluation.tools.get(tool))
        except Exception:  # noqa: BLE001 - of a run that was made by hand: it says nothing then
            return {}
        return schema if is_dict(schema) else {}

    def _secrets(self) -> Iterator[Finding]:
        for secret in secrets_in(self.made):
            path, kind = secret["path"], secret["kind"].replace("_", " ")
            text = f"{secret['tool']}: {path} holds what looks like a credential ({kind})"
            index = secret["index"]
            yield Finding("secret", self._text(text), (), (index,), path, fails=False)
