"""Spans that frameworks really write: pydantic-ai's own, and those of the MCP SDK."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from adapters.otel_spans import recorder
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings

from toolscore import ToolCall, evaluate, from_pydantic_ai
from toolscore.adapters.otel import calls_from_otel

pytestmark = pytest.mark.usefixtures("loop")


def instrumented(form: Any) -> tuple[Agent[None, str], InMemorySpanExporter]:
    """An agent with a scripted model, and the spans that it writes."""
    provider, exporter = recorder()
    turns = iter([
        [ToolCallPart("search", {"query": "a"}, "c1"),
         ToolCallPart("weather", {"city": "Oslo"}, "c2")],
        [ToolCallPart("nosuch", {"x": 1}, "c3")],
        [ToolCallPart("weather", {"city": "nowhere"}, "c4")],
        [TextPart("done")],
    ])  # fmt: skip

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=next(turns))

    agent: Agent[None, str] = Agent(FunctionModel(model), name="helper", retries=5)

    @agent.tool_plain
    def search(query: str) -> list[str]:
        return [f"pages about {query}"]

    @agent.tool_plain
    def weather(city: str) -> str:
        if city == "nowhere":
            raise ModelRetry("try another")
        return "18C"

    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider, version=form))
    return agent, exporter


@pytest.fixture(autouse=True)
def not_instrumented_afterwards() -> Iterator[None]:
    """The setting is pydantic-ai's own, for all agents."""
    yield
    Agent.instrument_all(False)


ADVICE = "\n\nFix the errors and try again."
"""What older versions of pydantic-ai add for the model, in the spans alone."""


def shape(call: ToolCall) -> tuple[Any, ...]:
    """What of a call must not depend on how it was recorded."""
    result, error = (
        text.removesuffix(ADVICE) if isinstance(text, str) else text
        for text in (call.result, call.error)
    )
    return call.tool, call.args, result, call.status, call.metadata["step"], error


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Instrumentation format")
@pytest.mark.parametrize("form", [2, 5])
def test_pydantic_ai_tells_the_same_in_its_spans_and_its_messages(form: Any):
    """Each call once, with its step, result and failure, in the old format and the current one."""
    agent, exporter = instrumented(form)
    result = agent.run_sync("hi")

    calls = calls_from_otel(exporter.get_finished_spans())

    assert [call.metadata["id"] for call in calls] == ["c1", "c2", "c3", "c4"]
    assert [call.metadata["agent"] for call in calls] == ["helper"] * 4
    expected = [(c["tool"], c["args"], c["result"], c["metadata"]["status"], c["metadata"]["step"],
                 c["error"]) for c in from_pydantic_ai(result)]  # fmt: skip
    assert [shape(call) for call in calls] == expected
    gold = [
        {"tool": "search", "args": {"query": "a"}},
        {"tool": "weather", "args": {"city": "Oslo"}},
    ]
    assert evaluate(gold, exporter.get_finished_spans()).score == evaluate(gold, result).score


RECORDING = """
import atexit, json, sys
from pathlib import Path
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)

@atexit.register
def save():
    texts = [span.to_json() for span in exporter.get_finished_spans()]
    Path(sys.argv[1]).write_text(json.dumps(texts))
"""
SERVER = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("tests")

@server.tool()
def weather(city: str) -> str:
    if city == "nowhere":
        raise ValueError("no such city")
    return "18C"

server.run()
"""
CLIENT = """
import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    server = StdioServerParameters(command=sys.executable, args=sys.argv[2:])
    async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as session:
        await session.initialize()
        await session.list_tools()
        await session.call_tool("weather", {"city": "Oslo"})
        await session.call_tool("weather", {"city": "nowhere"})

anyio.run(main)
"""


@pytest.mark.skipif(version("mcp") < "2", reason="the MCP SDK writes spans since its version 2")
def test_a_call_over_mcp_is_one_although_client_and_server_wrote_spans(tmp_path: Path):
    """Two processes with an export each; the server's span has the name, and says what failed."""
    programs = {"client": RECORDING + CLIENT, "server": RECORDING + SERVER}
    for name, program in programs.items():
        (tmp_path / f"{name}.py").write_text(program)
    paths = ["client.py", "client.json", "server.py", "server.json"]
    command = [sys.executable, *(str(tmp_path / path) for path in paths)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    client, server = (
        json.loads((tmp_path / f"{name}.json").read_text()) for name in ("client", "server")
    )

    for spans in ([*client, *server], [*server, *client]):
        calls = calls_from_otel(spans)
        assert [(call.tool, call.metadata["kind"]) for call in calls] == [("weather", "mcp")] * 2
        assert [call.status for call in calls] == [None, "error"]
        assert [call.metadata.get("result_known") for call in calls] == [False, None]
    assert len(calls_from_otel(client)) == len(calls_from_otel(server)) == 2
