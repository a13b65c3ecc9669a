"""Content blocks that are calls: the model's, and those that a provider runs itself."""

from __future__ import annotations

from toolscore._read import read, read_first, read_text
from toolscore._unpack import unpack
from toolscore.adapters._calls import Calls
from toolscore.adapters._content import content_of, text_of

HOSTED = {"origin": "server", "kind": "hosted"}


class Blocks:
    """Reads the blocks of messages: Anthropic's, and LangChain's own spelling of server tools."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def block(self, block: object, *, asks: bool = True) -> bool:
        """One block; False where it has nothing to do with tools.

        ``asks=False``: the message has its calls elsewhere, and this may only repeat them.
        """
        kind = read(block, "type")
        if not isinstance(kind, str):
            return False
        if kind == "tool_use":
            if asks:
                self._calls.ask(read(block, "name"), read(block, "input"), read(block, "id"))
        elif kind in ("server_tool_use", "mcp_tool_use", "server_tool_call"):
            hidden = read_text(read(block, "extras"), "tool_name")
            args = read_first(block, "input", "args")
            self._calls.ask(hidden or read(block, "name"), args, read(block, "id"), **HOSTED)
        elif kind == "tool_result":
            self.result(block, failed=read(block, "is_error") is True)
        elif kind == "server_tool_result":
            output = read(block, "output")
            self._answer(block, "tool_call_id", output, failed=read(block, "status") == "error")
        elif kind == "executable_code":
            args = {"code": read(block, kind), "language": read(block, "language")}
            self._calls.ask("code_interpreter", args, read(block, "id"), **HOSTED)
        elif kind == "code_execution_result":
            failed = read(block, "outcome") not in (None, 1)
            self._answer(block, "tool_call_id", read(block, kind), failed=failed)
        elif kind.endswith("_tool_result"):
            content = read(block, "content")
            failed = read(block, "is_error") is True or _is_error(content)
            self._answer(block, "tool_use_id", content, failed=failed)
        else:
            return False
        return True

    def result(self, block: object, *, failed: bool) -> None:
        """The answer to a call that the client ran."""
        content = read(block, "content")
        error = text_of(content) if failed else None
        result = content_of(content)
        if failed and error == result:
            result = None  # all that there is to it is the error
        call_id = read(block, "tool_use_id")
        self._calls.answer(call_id, result, failed=failed, error=error)

    def _answer(self, block: object, where: str, content: object, *, failed: bool) -> None:
        error = text_of(content) if failed else None
        result = None if failed else content_of(content)
        call = self._calls.answer(read(block, where), result, failed=failed, error=error)
        code = read(content, "return_code")
        if call is not None:
            if isinstance(code, int):
                call.metadata["exit_codes"] = [code]
            if failed and error is None:
                call.result = unpack(content)


def _is_error(content: object) -> bool:
    kind = read(content, "type")
    return isinstance(kind, str) and kind.endswith("_error")
