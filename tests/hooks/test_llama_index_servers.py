"""LlamaIndex: the tools of an MCP server."""

import sys
from pathlib import Path

import pytest
from hooks.scripted_llama_index import build

import toolscore

mcp = pytest.importorskip("llama_index.tools.mcp")

SERVER = '''
try:
    from mcp.server.fastmcp import FastMCP
except ImportError:  # mcp 2 gave it another name
    from mcp.server import MCPServer as FastMCP

server = FastMCP("calculator")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def crash(x: int) -> int:
    """Fail."""
    raise ValueError(f"bad {x}")


server.run("stdio")
'''


async def test_a_tool_of_an_mcp_server_fails_when_the_server_says_so(tmp_path: Path):
    """A real server over stdio: the framework takes its error for a result, the record does not."""
    path = tmp_path / "server.py"
    path.write_text(SERVER)
    client = mcp.BasicMCPClient(sys.executable, args=[str(path)])
    tools = await mcp.McpToolSpec(client).to_tool_list_async()
    turn = [("add", {"a": 1, "b": 2}, "m1"), ("crash", {"x": 9}, "m2")]
    agent = toolscore.watch(build([turn, "done"], tools))

    await agent.run("hi")

    [recorded] = agent.runs
    fine, failed = recorded.calls
    assert {c.metadata["kind"] for c in recorded.calls} == {"mcp"}
    assert (fine.args, fine.status, fine.result["content"][0]["text"]) == (
        {"a": 1, "b": 2},
        "ok",
        "3",
    )
    assert (failed.args, failed.status, failed.result) == ({"x": 9}, "error", None)
    assert "Error executing tool crash" in (failed.error or "")
    assert failed.metadata["error_source"] == "mcp"
    assert recorded.complete
