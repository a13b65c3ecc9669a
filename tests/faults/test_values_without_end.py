"""Values that cost more than they weigh: nothing that a tool returns may fill the memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest

from toolscore._snapshot import snapshot

LIMIT = 4096


def shared(levels: int) -> list[Any]:
    """A list that holds itself twice per level: 2**levels leaves in ``levels`` objects."""
    value: list[Any] = [1]
    for _ in range(levels):
        value = [value, value]
    return value


class Endless(Mapping[int, int]):
    """A mapping whose keys never end, as a lazy one may be."""

    def __getitem__(self, key: int) -> int:
        return key

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[int]:
        number = 0
        while True:
            yield number
            number += 1


class EndlessList(list[Any]):
    """A list that never stops giving."""

    def __iter__(self) -> Iterator[Any]:
        while True:
            yield 1


class Spawns:
    """A model whose fields are two more of it, each time they are read."""

    model_fields: ClassVar[dict[str, Any]] = {}

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        return {"left": Spawns(), "right": Spawns()}


@pytest.mark.parametrize(
    "value",
    [
        shared(50),
        [[] for _ in range(100_000)],
        [{} for _ in range(100_000)],
        [b""] * 100_000,
        [1.0] * 100_000,
        {"k" * 1000 + str(number): None for number in range(1000)},
        {"k" * 10_000_000: 1},
        {1 << (8 * 100_000): 1},
        [1 << (8 * 1000)] * 1000,
        Endless(),
        EndlessList(),
        Spawns(),
    ],
    ids=[
        *("shared", "empty lists", "empty dicts", "empty bytes", "floats", "long keys", "one key"),
        *("an integer as key", "integers", "endless mapping", "endless list", "spawning"),
    ],
)
def test_a_copy_is_as_small_as_the_limit_whatever_it_is_made_of(value: Any):
    """Empty containers, keys and integers take room too; the copy says that it was cut."""
    copied, cut = snapshot(value, LIMIT)

    assert cut
    assert weight(copied) <= 2 * LIMIT


def weight(value: Any) -> int:
    """About the bytes that a copy keeps."""
    if isinstance(value, dict):
        entries: dict[Any, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return 8 + sum(weight(key) + weight(item) for key, item in entries.items())
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return 8 + sum(weight(item) for item in items)
    if isinstance(value, int):
        return max(8, value.bit_length() // 8)
    return len(value) if isinstance(value, (str, bytes)) else 8


class Unreadable:
    """Raises when it is shown."""

    def __repr__(self) -> str:
        raise RuntimeError("repr")


@pytest.mark.parametrize("value", [Unreadable(), [Unreadable()], {"a": Unreadable()}])
def test_a_value_that_cannot_be_read_is_not_whole(value: Any):
    """What stands in its place cannot be compared, so the copy says that it lacks something."""
    assert snapshot(value, LIMIT)[1]
