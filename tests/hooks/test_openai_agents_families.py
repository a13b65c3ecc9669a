"""OpenAI Agents: tools that are no functions: the provider's, MCP servers', shells, patches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import agents
import pytest
from agents import (
    ApplyPatchTool,
    Computer,
    ComputerTool,
    LocalShellTool,
    RunConfig,
    ShellTool,
    set_trace_processors,
    set_tracing_disabled,
)
from agents.editor import ApplyPatchResult
from agents.tool import ShellCallOutcome, ShellCommandOutput, ShellResult
from hooks.scripted_openai_agents import WAYS, build, needs, outline
from openai.types.responses import (
    ResponseApplyPatchToolCall,
    ResponseComputerToolCall,
    ResponseCustomToolCall,
    ResponseFunctionShellToolCall,
)
from openai.types.responses.response_apply_patch_tool_call import OperationDeleteFile
from openai.types.responses.response_computer_tool_call import ActionWait
from openai.types.responses.response_function_shell_tool_call import Action
from openai.types.responses.response_output_item import (
    LocalShellCall,
    LocalShellCallAction,
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


class KaboomError(Exception):
    """What these tools raise."""


def echo(text: str) -> str:
    """Say it back."""
    return text


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
    """A command that ends with another code than 0 is no failure of the tool; an error is."""

    async def executor(request: Any) -> ShellResult:
        [command] = request.data.action.commands
        if command == "raise":
            raise KaboomError("no shell")
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
    recorded = way(build([[request], "done"], [LocalShellTool(executor=lambda _: "files")]))

    recorded.play()

    assert outline(recorded.run) == [
        ("local_shell", {"command": ["ls"], "env": {}, "type": "exec"}, "ok", "files")
    ]


class Editor:
    """Refuses one of the files, by status."""

    def delete_file(self, operation: Any) -> ApplyPatchResult:
        if operation.path == "raise":
            raise KaboomError("read-only")
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
            raise KaboomError("no screen")

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

    with pytest.raises(KaboomError, match="no screen") if broken else nullcontext():
        recorded.play()

    [made] = recorded.run.calls
    assert (made.tool, made.args, made.status) == (
        "computer",
        {"type": "wait"},
        "error" if broken else "ok",
    )


def custom(off: bool) -> tuple[Any, RunConfig]:
    async def invoke(context: Any, text: str) -> str:
        if text == "raise":
            raise KaboomError("no grammar")
        return text.upper()

    tool = agents.CustomTool(name="shout", description="Shout.", on_invoke_tool=invoke)
    return tool, RunConfig(tracing_disabled=off)


@needs("CustomTool")
@ways
@tracing
@pytest.mark.parametrize("text", ["hey", "raise"])
def test_a_custom_tool(way: Any, off: bool, text: str) -> None:
    """Its text is the argument; with tracing off the SDK hides failures, and the run says so."""
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
