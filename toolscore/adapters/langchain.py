"""Traces of LangChain and LangGraph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolscore._call import ToolCall
from toolscore._read import read, read_first
from toolscore._scoring.containers import is_mapping, is_sequence
from toolscore.adapters._actions import Actions, is_action
from toolscore.adapters._base import BaseAdapter
from toolscore.adapters._calls import Calls
from toolscore.adapters._chat import Chat
from toolscore.adapters._source import items_of, refuse
from toolscore.adapters._spoken import Spoken, opened

__all__ = ["LangChainAdapter"]

_MAX_WRAPPERS = 8
_ROLES = ("user", "human", "assistant", "ai", "system", "tool", "function", "developer")


class LangChainAdapter(BaseAdapter):
    """Messages as objects or as any dump of them, graph states, tool calls, and agent actions.

    Read are ``messages_to_dict``, ``dumps`` and ``dumpd``, ``model_dump``, messages in the form of
    OpenAI; states and streams of LangGraph; ``intermediate_steps`` and lists of ``AgentAction``;
    lists of LangChain's ``ToolCall``. A message that comes twice with one id counts once.

    Source:
        ``toolscore.adapters.LangChainAdapter`` of tool-scorer; ``langchain-core``.

    Example:
        >>> legacy = [{"tool": "search", "tool_input": {"query": "Python"}, "log": "Invoking"}]
        >>> modern = [{"name": "search", "args": {"query": "Python"}, "id": "call_123"}]
        >>> LangChainAdapter().parse(legacy)[0].args, LangChainAdapter().parse(modern)[0].args
        ({'query': 'Python'}, {'query': 'Python'})
    """

    def parse(self, trace_data: dict[str, Any] | list[Any]) -> list[ToolCall]:
        """The calls of messages, of a state, of actions, or of a list of those.

        Raises:
            ValueError: this is no such trace, or a call in it has no tool's name.
        """
        return self.read_items(items_of(trace_data, type(self).__name__))

    def read_items(self, items: Iterable[object]) -> list[ToolCall]:
        """The same from the items one by one."""
        reader = _Reader()
        for item in items:
            reader.read(item, 0)
        return reader.finish()


class _Reader:
    def __init__(self) -> None:
        self._calls = Calls()
        self._chat = Chat(self._calls)
        self._spoken = Spoken(self._calls, self._chat)
        self._actions = Actions(self._calls)
        self._streamed = False
        """Whether this is the stream of an executor."""

    def finish(self) -> list[ToolCall]:
        """The calls, once all was read."""
        self._spoken.end()
        return self._calls.finish()

    def read(self, item: object, depth: int) -> None:
        """A message, an action, a call, or something that holds those."""
        if depth > _MAX_WRAPPERS:
            raise ValueError(
                f"LangChainAdapter found more than {_MAX_WRAPPERS} lists and objects around the "
                "messages: pass the messages alone."
            )
        if is_sequence(item) and not hasattr(item, "_fields"):  # a state's snapshot is a tuple too
            if not self._pair(item, depth):
                self._all(item, depth)
            return
        kind, inner = opened(item)
        if kind is not None:
            self._spoken.message(kind, inner)
        elif isinstance(read(inner, "role"), str):
            self._chat.message(inner)
        elif is_action(inner):
            self._actions.action(inner)
        elif is_action(read(inner, "action")):
            self._actions.observed(opened(read(inner, "action"))[1], read(inner, "observation"))
        elif not (self._tool_call(inner) or self._state(inner, depth) or self._bare(inner)):
            raise refuse("LangChainAdapter", item, "messages, tool calls, actions or states")

    def _pair(self, pair: list[Any] | tuple[Any, ...], depth: int) -> bool:
        """An action and its observation, a message or a piece of a stream with its origin."""
        if len(pair) not in (2, 3):
            return False
        *origin, second = pair
        if all(_is_origin(one) for one in origin):
            if len(pair) == 2 and origin[0] in _ROLES:
                return True  # a message: who, and what
            if isinstance(second, str):
                return False
            self.read(second, depth + 1)
            return True
        if len(pair) == 3:
            return False
        first = pair[0]
        kind, inner = opened(first)
        if is_action(inner) and not is_action(opened(second)[1]):
            self._actions.observed(inner, second)
            return True
        if kind is not None and is_mapping(second) and _is_remark(second):
            self.read(first, depth + 1)
            return True
        return False

    def _tool_call(self, item: object) -> bool:
        name, args = read(item, "name"), read(item, "args")
        if read(item, "type") == "invalid_tool_call":
            self._spoken.message("ai", {"invalid_tool_calls": [item]})
        elif name is not None and (args is not None or read(item, "type") == "tool_call"):
            self._calls.ask(name, args, read(item, "id"), step=None)
        else:
            return read(item, "return_values") is not None
        return True

    def _bare(self, item: object) -> bool:
        """A call or an action without arguments."""
        if read(item, "tool") is not None:
            self._actions.action(item)
        elif read(item, "name") is not None:
            self._calls.ask(read(item, "name"), None, read(item, "id"), step=None)
        else:
            return False
        return True

    def _state(self, state: object, depth: int) -> bool:
        """What a run gave: steps of an executor, or messages, of one node or of several."""
        steps, actions = read(state, "steps"), read(state, "actions")
        found = is_sequence(steps) or is_sequence(actions)
        self._streamed = self._streamed or found
        if not found:
            steps = read(state, "intermediate_steps")
            found = is_sequence(steps)
            steps = () if self._streamed else steps  # the end of a stream has all of them again
        for action in actions if is_sequence(actions) else ():
            self._actions.announce(opened(action)[1])
        for step in steps if is_sequence(steps) else ():
            self.read(step, depth + 1)
        if not found:
            for name in ("messages", "values", "value"):
                held = read(state, name)
                if is_sequence(held) or is_mapping(held):
                    found = True
                    self.read(held, depth + 1)
        if not found and is_mapping(state):
            found = self._update(state, depth)
        if read_first(state, "__interrupt__", "interrupts"):
            found = True
            self._interrupt()
        return found or (is_mapping(state) and "output" in state)

    def _update(self, update: Any, depth: int) -> bool:
        """An entry for each node that ran, with what it wrote."""
        written = [value for value in update.values() if value is not None]
        known = [value for value in written if read(value, "messages") is not None]
        for value in known:
            self.read(read(value, "messages"), depth + 1)
        return bool(known) or (bool(update) and not written)

    def _interrupt(self) -> None:
        """The graph waits for a person: so do the calls of its last turn."""
        for call in reversed(self._calls.made):
            if call.metadata.get("step") != self._calls.step:
                break
            call.metadata.setdefault("status", "interrupted")

    def _all(self, items: Iterable[object], depth: int) -> None:
        for item in items:
            self.read(item, depth + 1)


def _is_origin(value: object) -> bool:
    """The mode of a LangGraph stream, or where in the graph a piece of it came from."""
    if is_sequence(value):
        return all(isinstance(name, str) for name in value)
    return isinstance(value, str)


def _is_remark(second: Any) -> bool:
    """What LangGraph's stream of messages puts beside each: where it came from."""
    return opened(second)[0] is None and "role" not in second and "tool_calls" not in second
