"""Strategies: JSON that uses the words of the formats, and real traces with changes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from adapters import traces
from hypothesis import strategies as st


def words_of(value: Any) -> Iterator[str]:
    """The keys, and the texts that are short enough to be a word of a format."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from words_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from words_of(item)
    elif isinstance(value, str) and len(value) < 30:
        yield value


WORDS = sorted(
    {word for _, trace in traces.ALL.values() for word in words_of(trace)}
    | {"lc", "kwargs", "data", "observation", "generations", "root", "task", "taskId", "resultType"}
    | {"raw_item", "new_items", "input", "body", "request", "values", "__interrupt__", "calls"}
    | {"human", "system", "function", "AIMessageChunk", "tool_call_chunks", "tool_calls", "model"}
    | {"functionCall", "toolCall", "tool_call", "tool_response", "args", "tool_use", "tool_result"}
    | {"schema", "toolscore.run", "resourceSpans", "spans", "observations", "tool_name", "dynamic"}
    | {"", "$float", "constructor", "not_implemented", "invalid_tool_calls", "tool_kwargs"}
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(min_value=-2, max_value=3)
    | st.just(10**400)
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=4)
    | st.sampled_from(['{"a": 1}', "[1", "[" * 2000, "NaN", '"x"', "{}", "1e999", "\ud800"])
)


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, with the keys and words that the formats use."""
    return st.recursive(
        SCALARS,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=2), inner, max_size=5)
        ),
        max_leaves=25,
    )


@st.composite
def mutated(draw: st.DrawFn, trace: Any) -> Any:
    """The trace with one to four nodes deleted, replaced, moved or doubled."""
    holder = [copy.deepcopy(trace)]
    for _ in range(draw(st.integers(1, 4))):
        places = list(_places(holder))
        container, key = draw(st.sampled_from(places))
        what = draw(st.sampled_from(["delete", "replace", "double", "swap", "wrap"]))
        if what == "replace":
            container[key] = draw(json_values())
        elif what == "swap":
            other, place = draw(st.sampled_from(places))
            container[key] = copy.deepcopy(other[place])
        elif what == "wrap":
            container[key] = draw(st.sampled_from([[container[key]], {"data": container[key]}]))
        elif container is holder:
            continue
        elif what == "delete":
            del container[key]
        elif isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        else:
            container[draw(st.sampled_from(WORDS))] = copy.deepcopy(container[key])
    return holder[0]


def _places(container: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(container) if isinstance(container, dict) else range(len(container))
    for key in keys:
        yield container, key
        if isinstance(container[key], (dict, list)):
            yield from _places(container[key])
