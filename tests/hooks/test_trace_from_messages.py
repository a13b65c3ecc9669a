"""Agent traces from what the adapters read."""

import asyncio
from typing import Any

import pytest
from agents import Agent, Runner, function_tool
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, messages_to_dict

import toolscore
from toolscore import AgentTrace, TurnRole
from toolscore.agent_trace import parse_openai_style_trace, trace_completed_with_answer
from toolscore_integrations.langchain.demo import ScriptedModel
from toolscore_integrations.openai_agents.demo import ScriptedModel as OpenAIModel

TURNS: list[Any] = [[("search", {"query": "python"})], "Here they are."]

CHAT: list[Any] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "find"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "3 pages"},
    {"role": "assistant", "content": "Done."},
]
ANTHROPIC: list[Any] = [
    {"role": "user", "content": "find"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "search", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "3 pages"},
            {"type": "text", "text": "Hurry."},
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
]
GEMINI: dict[str, Any] = {
    "contents": [
        {"role": "user", "parts": [{"text": "find"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {}}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": "search", "response": {"result": "3 pages"}}}],
        },
        {"role": "model", "parts": [{"text": "Done."}]},
    ]
}
RESPONSES: list[Any] = [
    {"role": "user", "content": "find"},
    {"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "3 pages"},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Done."}],
    },
]
MCP: list[Any] = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {}},
    },
    {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "3 pages"}]}},
]


def search(query: str) -> str:
    """Search the documentation."""
    return f"3 pages about {query}"


def spoken(trace: AgentTrace) -> list[tuple[str, str, list[str]]]:
    """Role, content and called tools of each turn."""
    return [
        (turn.role.value, turn.content, [call.tool for call in turn.tool_calls])
        for turn in trace.turns
    ]


def test_openai_chat_reads_as_the_parser_of_the_seed_reads_it():
    """Two ways in, one trace."""
    assert AgentTrace.from_messages(CHAT) == parse_openai_style_trace(CHAT)


def test_blocks_of_anthropic_become_turns():
    """A result is a tool's turn, though the user's message carries it."""
    assert spoken(AgentTrace.from_messages(ANTHROPIC)) == [
        ("user", "find", []),
        ("assistant", "I look.", ["search"]),
        ("tool", "3 pages", []),
        ("user", "Hurry.", []),
        ("assistant", "Done.", []),
    ]


def test_contents_of_gemini_become_turns():
    """The model is the assistant."""
    trace = AgentTrace.from_messages(GEMINI)

    assert [turn.role.value for turn in trace.turns] == ["user", "assistant", "tool", "assistant"]
    assert [call.tool for call in trace.turns[1].tool_calls] == ["search"]
    assert trace_completed_with_answer(trace)


def test_items_of_the_responses_api_become_turns():
    """Calls are items of their own there, and the turn that asked for them has no text."""
    assert spoken(AgentTrace.from_messages(RESPONSES)) == [
        ("user", "find", []),
        ("assistant", "", ["search"]),
        ("tool", "3 pages", []),
        ("assistant", "Done.", []),
    ]


def test_a_format_without_messages_gives_a_turn_for_each_call_and_answer():
    """An MCP session holds no words."""
    trace = AgentTrace.from_messages(MCP)

    assert [turn.role for turn in trace.turns] == [TurnRole.ASSISTANT, TurnRole.TOOL]
    assert [call.tool for call in trace.turns[0].tool_calls] == ["search"]
    assert trace.turns[1].content == "3 pages"


def test_a_stream_of_chunks_keeps_its_answer():
    """Words come in pieces."""
    pieces = [
        {"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": end}]}
        for word, end in (("Do", None), ("ne.", None), (None, "stop"))
    ]
    call = [
        {
            "choices": [
                {
                    "index": 0,
                    "delta": {
                        "tool_calls": [
                            {"index": 0, "id": "c1", "function": {"name": "a", "arguments": "{}"}}
                        ]
                    },
                    "finish_reason": "tool_calls",
                }
            ]
        }
    ]

    trace = AgentTrace.from_messages([*call, *pieces])

    assert spoken(trace) == [("assistant", "", ["a"]), ("assistant", "Done.", [])]


def dumped(messages: list[Any]) -> list[Any]:
    return [dumpd(message) for message in messages]


@pytest.mark.parametrize("dump", [list, messages_to_dict, dumped])
def test_the_messages_of_a_langchain_run_give_its_transcript(dump: Any):
    """As objects and as each dump: the same turns as those that were captured live."""
    agent = toolscore.watch(create_agent(ScriptedModel(turns=TURNS), [search]))
    state = agent.invoke({"messages": [("user", "find")]})

    trace = AgentTrace.from_messages(dump(state["messages"]))

    assert spoken(trace) == spoken(agent.runs[0].transcript)


def test_system_messages_of_langchain_are_turns_of_the_system():
    """In their place."""
    said = [SystemMessage("Be kind."), HumanMessage("hi"), AIMessage("hello")]

    assert spoken(AgentTrace.from_messages(said)) == [
        ("system", "Be kind.", []),
        ("user", "hi", []),
        ("assistant", "hello", []),
    ]


def test_the_input_list_of_an_openai_run_gives_its_transcript():
    """What the SDK keeps for the next run holds all turns of this one."""
    agent = Agent(name="a", model=OpenAIModel(TURNS), tools=[function_tool(search)])
    watched = toolscore.watch(agent)
    result = asyncio.run(Runner.run(watched, "find"))

    trace = AgentTrace.from_messages(result.to_input_list())

    assert spoken(trace) == spoken(watched.runs[0].transcript)


@pytest.mark.parametrize("messages", [None, "hello", 3, [{"colour": "red"}]])
def test_what_no_adapter_reads_is_refused(messages: object):
    """As ``evaluate`` refuses it."""
    with pytest.raises(ValueError, match=r"pass|takes|format"):
        AgentTrace.from_messages(messages)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "type", "tool_calls", "parts", "name", "input", "id", "text"]
            ),
            inner | st.sampled_from(["user", "assistant", "model", "tool", "tool_use", "text"]),
            max_size=4,
        )
    ),
    max_leaves=8,
)


@pytest.mark.filterwarnings("ignore::toolscore.ToolscoreWarning")
@given(JSON)
def test_any_json_is_a_trace_or_a_value_error(messages: Any):
    """Never another exception, and the trace survives its own JSON."""
    try:
        trace = AgentTrace.from_messages(messages)
    except ValueError:
        return
    assert AgentTrace.from_json(trace.to_json()).to_json() == trace.to_json()
