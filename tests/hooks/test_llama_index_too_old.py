"""LlamaIndex with a version of its workflows that does not tell what a record needs."""

# without postponed annotations: the framework reads those of the tools as they are
import pytest
from hooks.contract import add
from hooks.scripted_llama_index import build, run

import toolscore
from toolscore import ToolscoreWarning
from toolscore_integrations.llama_index import ToolscoreEventHandler
from toolscore_integrations.llama_index._versions import too_old

pytestmark = pytest.mark.skipif(too_old() is None, reason="nox -s too_old installs one")
TURNS = [[("add", {"a": 1, "b": 2}, "c1")], "done"]


def test_watching_warns_and_no_run_passes(caplog: pytest.LogCaptureFixture):
    """One warning and one line in the log; whatever was recorded, nothing is said to be right."""
    bare = build(TURNS, [add])
    too_old.cache_clear()
    with pytest.warns(ToolscoreWarning, match="llama-index-workflows .* does not tell"):
        agent = toolscore.watch(bare, expected=["add"])

    for _ in range(2):
        assert str(run(agent)) == "done"

    assert agent.runs
    assert not any(recorded.complete for recorded in agent.runs)
    assert not any(agent.scores)
    [said] = [r.getMessage() for r in caplog.records if r.name == "toolscore"]
    assert "pip install -U" in said


@pytest.mark.filterwarnings("ignore::toolscore.ToolscoreWarning")
def test_a_handler_passes_no_run_either():
    """It warns when it is made."""
    with ToolscoreEventHandler(expected=["add"]) as handler:
        assert str(run(build(TURNS, [add]))) == "done"

    assert not any(recorded.complete for recorded in handler.runs)
    assert not handler.score
