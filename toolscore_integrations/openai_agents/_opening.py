"""How a run begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from agents import Agent, RunState
from agents.tool_context import ToolContext

from toolscore import Recorder
from toolscore_integrations.openai_agents._call import Asked
from toolscore_integrations.openai_agents._items import id_of, read, request_of
from toolscore_integrations.openai_agents._leg import Leg
from toolscore_integrations.openai_agents._place import Place
from toolscore_integrations.openai_agents._signals import mcp, probe
from toolscore_integrations.openai_agents._toolbox import Toolbox

NO_PROBE = (
    "this version of openai-agents hides the errors of tools from us: one that failed may look as "
    "if it had returned"
)
INFERRED = (
    "the end of the run was inferred from the hooks: run it with Runner.run, looked up on Runner"
)


def open_leg(
    recorder: Recorder,
    agent: Agent[Any],
    given: Callable[[str], Any],
    place: Place | None,
) -> Leg:
    """Begin to record a run that ``Runner`` is called for; ``given`` finds its arguments."""
    state: Any = given("input")
    resumed = isinstance(state, RunState)
    asked = getattr(cast("Any", state), "_original_input", None) if resumed else state
    within = None if place is None else enclosing(place, given("context"))
    outer = None if place is None else place.leg
    parent = None if outer is None else outer.run
    run = recorder.start_run(input=asked, agent=agent.name, thread_id=_thread(given), parent=parent)
    run.signals.update(probe=probe.open, mcp=mcp.open, run_end=True)
    if not probe.open:
        run.warn(NO_PROBE)
    leg = Leg(recorder, run, driven=True, outer=outer, within=within)
    if resumed:
        _resume(leg, agent, state)
    else:
        leg.began(asked)
    return leg


def infer_leg(recorder: Recorder, agent: Agent[Any]) -> Leg:
    """Begin to record a run of which only hooks are seen."""
    run = recorder.start_run(agent=agent.name)
    run.signals.update(probe=probe.open, mcp=mcp.open, run_end=False)
    run.warn(INFERRED, incomplete=False)
    return Leg(recorder, run, driven=False)


def enclosing(place: Place, context: object) -> Asked | None:
    """The call that a run which begins in this place is a part of."""
    if place.asked is not None and place.asked.running:
        return place.asked
    if isinstance(context, ToolContext):  # an agent as a tool that goes on after an approval
        for asked in place.leg.asked:
            if not asked.done and asked.request.id == context.tool_call_id:
                return asked
    return None


def _thread(given: Callable[[str], Any]) -> str | None:
    """What links this run to another one, as far as the user said."""
    names = (
        read(given("session"), "session_id"),
        given("conversation_id"),
        read(given("run_config"), "group_id"),
    )
    return next((name for name in names if isinstance(name, str)), None)


def _resume(leg: Leg, agent: Agent[Any], state: Any) -> None:
    """What was asked for before the pause, and not answered: no event of the SDK repeats it."""
    responses = getattr(state, "_model_responses", None) or ()
    generated = getattr(state, "_generated_items", None) or ()
    answered = {
        id_of(item.raw_item)
        for item in generated
        if str(read(item.raw_item, "type")).endswith("_output")
    }
    current: Agent[Any] = getattr(state, "_current_agent", None) or agent
    items = read(responses[-1], "output") if responses else ()
    leg.step = 0
    toolbox = Toolbox(current, leg.collected.limit)
    for item in items or ():
        request = request_of(item)
        if request is not None and not request.on_server and request.id not in answered:
            leg.request(request, current, toolbox)
