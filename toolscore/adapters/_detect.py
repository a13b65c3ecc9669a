"""Which format a trace has: all of its items are asked, not the first one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from toolscore._read import read, read_first, read_text
from toolscore._scoring.containers import is_dict, is_mapping, is_sequence
from toolscore.adapters._actions import is_action
from toolscore.adapters._content import blocks_of
from toolscore.adapters._responses import HOSTED, LOCAL
from toolscore.adapters._spoken import opened
from toolscore.adapters.otel._spans import holds_spans

FRAMEWORKS = ("pydantic_ai", "openai_agents", "claude_agent_sdk", "crewai")
"""Formats that have a reader in ``toolscore.extract`` and no adapter."""

_MAX_DEPTH = 8
_HELD = (
    *("messages", "input", "output", "new_items", "request", "response", "body", "data"),
    *("params", "result", "message"),
)
_ITEMS = frozenset({"function_call", "custom_tool_call", "mcp_call", *LOCAL, *HOSTED})
_SPOKEN = frozenset({"output_text", "input_text", "input_image", "input_file", "refusal"})
"""What the messages of OpenAI's Responses API are made of, and those of no other."""
_STATES = ("intermediate_steps", "__interrupt__", "values")
_AROUND = frozenset(
    {"messages", "choices", "calls", "request", "response", "body", "data", "params", "result"}
)
_CHAT = frozenset(
    {"role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "audio"}
)
_ARGS = ("args", "arguments", "input")
_PARTS = ("functionCall", "functionResponse", "function_response")


class Votes:
    """What the items seen so far say. Mere texts say little: many formats have them."""

    def __init__(self) -> None:
        self._votes: Counter[str] = Counter()
        self._talk = False

    def see(self, items: Iterable[object]) -> None:
        """Ask each of these items."""
        for item in items:
            self._ask(item, 0)

    @property
    def format(self) -> str | None:
        """The format that most items have; None where none was recognised.

        LangChain comes first: what it writes may hold messages of others.
        """
        for name in FRAMEWORKS:
            if self._votes[name]:
                return name
        if self._votes["langchain"]:
            return "langchain"
        for name, count in self._votes.most_common(1):
            if count:
                return name
        return "openai" if self._talk else None

    def _ask(self, item: object, depth: int) -> None:
        if is_sequence(item) and not hasattr(item, "_fields"):
            if depth < _MAX_DEPTH:
                if len(item) == 2 and is_action(opened(item[0])[1]):
                    self._votes["langchain"] += 1
                for inner in item:
                    self._ask(inner, depth + 1)
            return
        if item is None or isinstance(item, (str, bytes, int, float)):
            return
        name = _own(item)
        if name is not None:
            self._votes[name] += 1
            return
        if isinstance(read(item, "role"), str):
            self._talk = True
            return
        for key in _HELD if depth < _MAX_DEPTH else ():
            inner = read(item, key)
            if is_mapping(inner) or is_sequence(inner):
                self._talk = self._talk or key == "messages"
                self._ask(inner, depth + 1)


def _own(item: object) -> str | None:
    """The format that this item cannot be without."""
    if is_dict(item) and "role" in item and _CHAT.issuperset(item):
        content = item.get("content")
        if (content is None or isinstance(content, str)) and item["role"] != "model":
            # most items are such messages, and need not be asked all the rest
            return "openai" if _is_openai(item) else None
    if read(item, "schema") == "toolscore.run":
        return "run"
    framework = _framework(item)
    if framework is not None:
        return framework
    if _is_mcp(item):
        return "mcp"
    if holds_spans(item) or is_sequence(read_first(item, "resourceSpans", "resource_spans")):
        return "otel"
    for ask, name in (
        (_is_langchain, "langchain"),
        (_is_openai, "openai"),
        (_is_gemini, "gemini"),
        (_is_anthropic, "anthropic"),
    ):
        if ask(item):
            return name
    return "custom" if _is_custom(item) else None


def _framework(item: object) -> str | None:
    """The framework that this is a message or an event of, one of a list."""
    # its readers are made of the adapters' parts
    from toolscore.extract._frameworks import framework_of

    return framework_of([item])


def _is_custom(item: object) -> bool:
    """Whether this is a call, or a list of them, in no format but their own."""
    if read_first(item, "tool", "tool_name", "calls") is not None:
        return True
    if isinstance(read(item, "role"), str):
        return False
    return (
        is_sequence(read(item, "tool_calls"))
        or read(item, "function") is not None
        or (read(item, "name") is not None and read_first(item, *_ARGS) is not None)
        or (is_mapping(item) and "name" in item and item.keys() <= {"name", "id"})
    )


def _is_mcp(item: object) -> bool:
    message = read(item, "message")
    return (
        read(item, "jsonrpc") is not None
        or read(item, "format") == "mcp"
        or read(item, "method") == "tools/call"
        or (read(message, "jsonrpc") is not None)
        or type(item).__module__.partition(".")[0] in ("mcp", "mcp_types")
    )


def _is_langchain(item: object) -> bool:
    kind, inner = opened(item)
    if kind is not None or read(item, "lc") is not None:
        return True
    if read(item, "tool_input") is not None or read(item, "action_input") is not None:
        return True
    if read(item, "type") in ("tool_call", "invalid_tool_call", "AgentAction"):
        return read(item, "name") is not None
    if is_action(opened(read(item, "action"))[1]):
        return True
    if not is_mapping(inner):
        return False
    if any(inner.get(key) is not None for key in _STATES):
        return True
    # an entry for each node of a graph that ran
    values = () if _AROUND & inner.keys() else inner.values()
    return any(is_mapping(value) and is_sequence(value.get("messages")) for value in values)


def _is_openai(item: object) -> bool:
    kind, told = read(item, "type"), read(item, "object")
    if isinstance(told, str) and told.startswith(("chat.completion", "response")):
        return True
    if read(item, "choices") is not None or is_sequence(read(item, "new_items")):
        return True
    if isinstance(kind, str) and read(item, "tool") is None:
        if kind.startswith("response.") or kind in _ITEMS or kind.endswith("_call_output"):
            return True
        if kind == "message" and isinstance(read(item, "role"), str):
            spoken = any(read_text(block, "type") in _SPOKEN for block in blocks_of(item))
            return spoken or isinstance(read(item, "content"), str)
    if read(read(item, "raw_item"), "type") is not None:
        return True
    if isinstance(read(item, "role"), str):
        if read(item, "role") in ("tool", "function") and read(item, "content") is not None:
            return True
        calls = read(item, "tool_calls")
        legacy = read(item, "function_call")
        return (is_sequence(calls) and len(calls) > 0) or read(legacy, "name") is not None
    function = read(item, "function")
    return read(function, "name") is not None and read(item, "id") is not None


def _is_gemini(item: object) -> bool:
    if read(item, "role") == "model" or is_sequence(read(item, "candidates")):
        return True
    if is_sequence(read(item, "contents")) or is_sequence(read(item, "parts")):
        return True
    call = read(item, "function_call")
    return read_first(item, *_PARTS) is not None or (
        read(call, "name") is not None and read(item, "role") is None
    )


def _is_anthropic(item: object) -> bool:
    if read(item, "type") in ("message", "assistant", "user"):
        return isinstance(read(item, "role") or read(read(item, "message"), "role"), str)
    kinds = [read(block, "type") for block in (*blocks_of(item), item)]
    return any(
        isinstance(kind, str) and kind.endswith(("tool_use", "tool_result")) for kind in kinds
    ) or is_sequence(read(read(item, "params"), "messages"))
