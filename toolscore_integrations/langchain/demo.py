"""The demo's travel agent, as a LangChain agent on LangGraph with a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain.agents.middleware import wrap_tool_call
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from toolscore import EvaluationResult, watch
from toolscore._demo import Scenario


class ScriptedModel(BaseChatModel):
    """Answers with the turns of a script, one after the other."""

    turns: list[Any]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """The script knows its tools."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        number = sum(isinstance(message, AIMessage) for message in messages)
        turn = self.turns[number]
        if isinstance(turn, str):
            message = AIMessage(turn)
        else:
            calls = [
                {"name": tool, "args": arguments, "id": f"call_{number}_{index}"}
                for index, (tool, arguments) in enumerate(turn)
            ]
            message = AIMessage("", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


@wrap_tool_call
def go_on(request: Any, handler: Callable[[Any], Any]) -> Any:
    """Tell the model of an error, so that it can try again."""
    try:
        return handler(request)
    except Exception as error:  # noqa: BLE001 - whatever a tool raises
        call_id = request.tool_call["id"]
        return ToolMessage(f"Error: {error}", tool_call_id=call_id, status="error")


def play(
    scenario: Scenario, tools: Sequence[Callable[..., str]], expected: Sequence[Any]
) -> EvaluationResult:
    """Watch the agent, run it once, and give its score."""
    model = ScriptedModel(turns=list(scenario.turns))
    agent = watch(create_agent(model, list(tools), middleware=[go_on]), expected=expected)
    agent.invoke({"messages": [("user", "Book me a flight to Oslo on Friday.")]})
    return agent.score
