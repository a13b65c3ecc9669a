"""OpenAI Agents: tools that run elsewhere: at the provider, in an MCP server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents import (
    RunConfig,
    Runner,
    ShellTool,
    set_trace_processors,
    set_tracing_disabled,
)
from agents.mcp import MCPServerStdio
from hooks.scripted_openai_agents import WAYS, build, call, outline, say
from openai.types.responses import (
    ResponseCodeInterpreterToolCall,
    ResponseFileSearchToolCall,
    ResponseFunctionShellToolCall,
    ResponseFunctionShellToolCallOutput,
    ResponseFunctionWebSearch,
)
from openai.types.responses.response_function_shell_tool_call import Action
from openai.types.responses.response_function_shell_tool_call_output import (
    Output,
    OutputOutcomeExit,
)
from openai.types.responses.response_function_web_search import ActionSearch
from openai.types.responses.response_output_item import (
    McpCall,
    McpListTools,
)

ways = pytest.mark.parametrize("way", WAYS)


modes = pytest.mark.parametrize("mode", ["sync", "async", "stream"])


tracing = pytest.mark.parametrize("off", [True, False], ids=["tracing off", "tracing on"])


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    """Tracing is on, as it is by default, but nothing is exported."""
    set_trace_processors([])
    set_tracing_disabled(False)
    yield
    set_tracing_disabled(True)


def echo(text: str) -> str:
    """Say it back."""
    return text


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # older SDKs dump the item
@ways
@modes
def test_what_the_provider_runs_itself(way: Any, mode: str) -> None:
    """No hook is called for these: they are read from the model's answer, in its order."""
    turn = [
        ResponseFunctionWebSearch(
            id="ws1",
            type="web_search_call",
            status="completed",
            action=ActionSearch(type="search", query="cats"),
        ),
        McpListTools(id="ml1", type="mcp_list_tools", server_label="deep", tools=[]),
        McpCall(
            id="mc1",
            type="mcp_call",
            name="ask",
            arguments='{"q": 1}',
            server_label="deep",
            output="42",
        ),
        McpCall.model_construct(
            id="mc2",
            type="mcp_call",
            name="ask",
            arguments='{"q": 2}',
            server_label="deep",
            error={"type": "http_error", "code": 403, "message": "refused"},
        ),
        ResponseFileSearchToolCall(
            id="fs1", type="file_search_call", status="failed", queries=["dogs"]
        ),
        ResponseCodeInterpreterToolCall(
            id="ci1",
            type="code_interpreter_call",
            status="completed",
            code="1+1",
            container_id="k",
            outputs=[{"type": "logs", "logs": "2"}],
        ),
        call("echo", {"text": "a"}, "c1"),
    ]
    recorded = way(build([turn, "done"], [echo]))

    recorded.play(mode)

    run = recorded.run
    assert outline(run) == [
        ("web_search", {"type": "search", "query": "cats"}, "ok", None),
        ("ask", {"q": 1}, "ok", "42"),
        ("ask", {"q": 2}, "error", "refused"),
        ("file_search", {"queries": ["dogs"]}, "error", "the provider says: failed"),
        ("code_interpreter", {"code": "1+1"}, "ok", [{"type": "logs", "logs": "2"}]),
        ("echo", {"text": "a"}, "ok", "a"),
    ]
    hosted = run.calls[:5]
    assert {(c.metadata["kind"], c.metadata["origin"]) for c in hosted} == {("hosted", "server")}
    assert [c.metadata["id"] for c in hosted] == ["ws1", "mc1", "mc2", "fs1", "ci1"]
    assert all(c.duration is None and c.metadata["attempts"] == 1 for c in hosted)
    assert [c.tool for c in run.scored_calls()] == ["echo"]


EXIT_0 = OutputOutcomeExit(type="exit", exit_code=0)


@pytest.mark.skipif("environment" not in ShellTool.__dataclass_fields__, reason="older SDK")
@ways
def test_a_shell_of_the_providers(way: Any) -> None:
    """It runs in the provider's container: its output stands in the same answer."""
    turn = [
        ResponseFunctionShellToolCall(
            id="i1",
            call_id="s1",
            type="shell_call",
            status="completed",
            action=Action(commands=["ls"]),
        ),
        ResponseFunctionShellToolCallOutput(
            id="o1",
            call_id="s1",
            type="shell_call_output",
            status="completed",
            output=[
                Output(
                    stdout="a.txt", stderr="", outcome=OutputOutcomeExit(type="exit", exit_code=0)
                )
            ],
        ),
        say("done"),
    ]
    recorded = way(build([turn], [ShellTool(environment={"type": "container_auto"})]))

    recorded.play()

    [made] = recorded.run.calls
    assert (made.tool, made.args, made.status) == ("shell", {"commands": ["ls"]}, "ok")
    assert (made.metadata["kind"], made.metadata["origin"]) == ("hosted", "server")
    assert made.result[0]["stdout"] == "a.txt"


SERVER = '''
try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server

server = Server("files")


@server.tool()
def read(path: str) -> str:
    """Read a file."""
    if path == "bad":
        raise ValueError("no such file")
    return "text of " + path


server.run()
'''


@pytest.fixture
def server_file(tmp_path: Path) -> Path:
    path = tmp_path / "server.py"
    path.write_text(SERVER)
    return path


@ways
@tracing
def test_a_tool_of_an_mcp_server(way: Any, off: bool, server_file: Path) -> None:
    """A real server: what it answers with ``isError`` failed, though the SDK shows a result."""
    turn = [("read", {"path": "a.txt"}, "m1"), ("read", {"path": "bad"}, "m2")]

    async def main() -> Any:
        params: Any = {"command": sys.executable, "args": [str(server_file)]}
        async with MCPServerStdio(params, client_session_timeout_seconds=30) as server:
            recorded = way(build([turn, "done"], mcp_servers=[server]))
            config = RunConfig(tracing_disabled=off)
            await Runner.run(recorded.agent, "hi", hooks=recorded.hooks, run_config=config)
            assert getattr(server, "custom_data_extractor", None) is None
            return recorded.run

    run = asyncio.run(main())

    good, bad = run.calls
    assert (good.tool, good.status, good.metadata["kind"]) == ("read", "ok", "mcp")
    assert "text of a.txt" in str(good.result)
    assert (bad.status, bad.metadata["error_source"]) == ("error", "mcp.isError")
    assert "Error executing tool read" in (bad.error or "")  # what the server wrote
    assert run.complete
