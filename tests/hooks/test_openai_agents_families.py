"""OpenAI Agents: the tools that are no plain functions: the provider's, MCP servers', shells, patches."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    ApplyPatchTool,
    Computer,
    ComputerTool,
    CustomTool,
    LocalShellTool,
    RunConfig,
    Runner,
    ShellTool,
    set_trace_processors,
    set_tracing_disabled,
)
from agents.editor import ApplyPatchResult
from agents.mcp import MCPServerStdio
from agents.tool import ShellCallOutcome, ShellCommandOutput, ShellResult
from hooks.scripted_openai_agents import WAYS, build, call, outline
from openai.types.responses import (
    ResponseApplyPatchToolCall,
    ResponseCodeInterpreterToolCall,
    ResponseComputerToolCall,
    ResponseCustomToolCall,
    ResponseFileSearchToolCall,
    ResponseFunctionShellToolCall,
    ResponseFunctionWebSearch,
)
from openai.types.responses.response_computer_tool_call import ActionWait
from openai.types.responses.response_apply_patch_tool_call import OperationDeleteFile
from openai.types.responses.response_function_shell_tool_call import Action
from openai.types.responses.response_function_web_search import ActionSearch
from openai.types.responses.response_output_item import (
    LocalShellCall,
    LocalShellCallAction,
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


class Kaboom(Exception):
    """What these tools raise."""


def echo(text: str) -> str:
    """Say it back."""
    return text


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


def shell_call(number: int, command: str) -> ResponseFunctionShellToolCall:
    return ResponseFunctionShellToolCall(
        id=f"i{number}",
        call_id=f"s{number}",
        type="shell_call",
        status="completed",
        action=Action(commands=[command]),
    )


@ways
@tracing
def test_a_shell(way: Any, off: bool) -> None:
    """A command that ends with another code than 0 is no failure of the tool; one that raises is."""

    async def executor(request: Any) -> ShellResult:
        [command] = request.data.action.commands
        if command == "raise":
            raise Kaboom("no shell")
        code = 2 if command == "bad" else 0
        return ShellResult(
            output=[
                ShellCommandOutput(
                    command=command,
                    stdout=command,
                    outcome=ShellCallOutcome(type="exit", exit_code=code),
                )
            ]
        )

    turn = [shell_call(1, "good"), shell_call(2, "bad"), shell_call(3, "raise")]
    recorded = way(build([turn, "done"], [ShellTool(executor=executor)]))

    recorded.play(run_config=RunConfig(tracing_disabled=off))

    calls = recorded.run.calls
    assert [(c.tool, c.args, c.status) for c in calls] == [
        ("shell", {"commands": ["good"]}, "ok"),
        ("shell", {"commands": ["bad"]}, "ok"),
        ("shell", {"commands": ["raise"]}, "error"),
    ]
    assert [c.metadata.get("exit_codes") for c in calls[:2]] == [[0], [2]]
    assert "no shell" in (calls[2].error or "")


@ways
def test_a_local_shell(way: Any) -> None:
    """Its call and its result."""
    request = LocalShellCall(
        id="i1",
        call_id="l1",
        type="local_shell_call",
        status="completed",
        action=LocalShellCallAction(command=["ls"], env={}, type="exec"),
    )
    recorded = way(build([[request], "done"], [LocalShellTool(executor=lambda request: "files")]))

    recorded.play()

    assert outline(recorded.run) == [
        ("local_shell", {"command": ["ls"], "env": {}, "type": "exec"}, "ok", "files")
    ]


class Editor:
    """Refuses one of the files, by status."""

    def delete_file(self, operation: Any) -> ApplyPatchResult:
        if operation.path == "raise":
            raise Kaboom("read-only")
        status: Any = "failed" if operation.path == "bad" else "completed"
        return ApplyPatchResult(status=status, output=f"{operation.path} {status}")

    create_file = update_file = delete_file


@ways
@tracing
def test_a_patch(way: Any, off: bool) -> None:
    """An editor that says that it failed did, raising or not."""
    turn = [
        ResponseApplyPatchToolCall(
            id=f"i{number}",
            call_id=f"p{number}",
            type="apply_patch_call",
            status="completed",
            operation=OperationDeleteFile(type="delete_file", path=path),
        )
        for number, path in enumerate(["good", "bad", "raise"])
    ]
    recorded = way(build([turn, "done"], [ApplyPatchTool(editor=Editor())]))

    recorded.play(run_config=RunConfig(tracing_disabled=off))

    assert [(c.tool, c.args, c.status) for c in recorded.run.calls] == [
        ("apply_patch", {"type": "delete_file", "path": "good"}, "ok"),
        ("apply_patch", {"type": "delete_file", "path": "bad"}, "error"),
        ("apply_patch", {"type": "delete_file", "path": "raise"}, "error"),
    ]


class Screen(Computer):
    """A computer that shows one picture, or fails."""

    environment: Any = "browser"
    dimensions = (8, 8)

    def __init__(self, *, broken: bool) -> None:
        self.broken = broken

    def screenshot(self) -> str:
        return "cGljdHVyZQ=="

    def wait(self) -> None:
        if self.broken:
            raise Kaboom("no screen")

    def click(self, *args: Any) -> None: ...
    def double_click(self, *args: Any) -> None: ...
    def scroll(self, *args: Any) -> None: ...
    def type(self, *args: Any) -> None: ...
    def move(self, *args: Any) -> None: ...
    def keypress(self, *args: Any) -> None: ...
    def drag(self, *args: Any) -> None: ...


@ways
@pytest.mark.parametrize("broken", [False, True])
def test_a_computer(way: Any, broken: bool) -> None:
    """Its action is the arguments; one that raises fails, and the run may die of it."""
    request = ResponseComputerToolCall(
        id="i1",
        call_id="k1",
        type="computer_call",
        status="completed",
        pending_safety_checks=[],
        action=ActionWait(type="wait"),
    )
    recorded = way(build([[request], "done"], [ComputerTool(computer=Screen(broken=broken))]))

    try:
        recorded.play()
    except Exception as error:
        assert broken
        assert "no screen" in repr(error) + repr(error.__cause__)

    [made] = recorded.run.calls
    assert (made.tool, made.args, made.status) == (
        "computer",
        {"type": "wait"},
        "error" if broken else "ok",
    )


def custom(off: bool) -> tuple[Any, RunConfig]:
    async def invoke(context: Any, text: str) -> str:
        if text == "raise":
            raise Kaboom("no grammar")
        return text.upper()

    tool = CustomTool(name="shout", description="Shout.", on_invoke_tool=invoke)
    return tool, RunConfig(tracing_disabled=off)


@ways
@tracing
@pytest.mark.parametrize("text", ["hey", "raise"])
def test_a_custom_tool(way: Any, off: bool, text: str) -> None:
    """Its text is the argument; with tracing off the SDK hides its failures, and the run says so."""
    tool, config = custom(off)
    request = ResponseCustomToolCall(
        type="custom_tool_call", name="shout", input=text, call_id="x1", id="i1"
    )
    recorded = way(build([[request], "done"], [tool]))

    try:
        recorded.play(run_config=config)
    except Exception:
        assert text == "raise"

    run = recorded.run
    [made] = run.calls
    assert (made.tool, made.args) == ("shout", {"input": text})
    if text == "hey":
        assert (made.status, made.result) == ("ok", "HEY")
    assert made.status == "error" or text == "hey" or not run.complete
    assert run.complete is not off or made.status == "error"


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
    """A real server process: what it answers with ``isError`` failed, though the SDK shows a result."""
    turn = [("read", {"path": "a.txt"}, "m1"), ("read", {"path": "bad"}, "m2")]

    async def main() -> Any:
        params: Any = {"command": sys.executable, "args": [str(server_file)]}
        async with MCPServerStdio(params, client_session_timeout_seconds=30) as server:
            recorded = way(build([turn, "done"], mcp_servers=[server]))
            config = RunConfig(tracing_disabled=off)
            await Runner.run(recorded.agent, "hi", hooks=recorded.hooks, run_config=config)
            assert server.custom_data_extractor is None
            return recorded.run

    run = asyncio.run(main())

    good, bad = run.calls
    assert (good.tool, good.status, good.metadata["kind"]) == ("read", "ok", "mcp")
    assert "text of a.txt" in str(good.result)
    assert (bad.status, bad.metadata["error_source"]) == ("error", "mcp.isError")
    assert "Error executing tool read" in (bad.error or "")  # what the server wrote
    assert run.complete
