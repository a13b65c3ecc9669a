"""An MCP server that talks over stdio: a process of its own, for the tests of MCP tools."""

from __future__ import annotations

try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:  # before mcp 2
    from mcp.server.fastmcp import FastMCP as Server

server = Server("files")


@server.tool()
def read(path: str) -> str:
    """Read a file."""
    if path == "missing":
        raise ValueError("no such file")
    return f"contents of {path}"


if __name__ == "__main__":
    server.run(transport="stdio")
