"""What is put into a framework is taken out again, whatever went wrong in between."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from hooks import scripted_llama_index
from llama_index_instrumentation import get_dispatcher

import toolscore
from toolscore import EvaluationResult, Recorder
from toolscore_integrations.llama_index import ToolscoreEventHandler


def handlers() -> list[Any]:
    """What stands on LlamaIndex's dispatcher, without what other tests may have left to collect."""
    gc.collect()
    root = get_dispatcher()
    return [*root.span_handlers, *root.event_handlers]


@pytest.mark.guarding
def test_a_run_that_could_not_be_recorded_leaves_nothing_on_the_dispatcher(
    monkeypatch: pytest.MonkeyPatch,
):
    """Not even the end of it can be told; the handlers go all the same."""
    before = handlers()
    watched = toolscore.watch(scripted_llama_index.build(["done"], []))

    def fault(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Recorder, "start_run", fault)
    assert str(scripted_llama_index.run(watched)) == "done"
    watched.unwatch()
    del watched

    assert handlers() == before


def test_a_handler_whose_sink_leads_back_to_it_is_collected():
    """A sink that reads ``handler.score`` must not keep the handler, and us, for ever."""
    before = handlers()

    def use() -> None:
        seen: list[bool] = []

        def sink(result: EvaluationResult) -> None:
            seen.append(handler.score is result)

        handler = ToolscoreEventHandler(on_score=sink)
        agent = scripted_llama_index.build(["done"], [])

        async def main() -> None:
            with handler:
                await agent.run(user_msg="hi")

        asyncio.run(main())
        assert seen == [True]

    use()

    assert handlers() == before
