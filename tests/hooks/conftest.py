"""What the tests of several frameworks, or several files of one, set up alike."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hooks.loopback import Loopback, serving


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A provider on 127.0.0.1."""
    with serving() as running:
        yield running


@pytest.fixture
def restored() -> Iterator[None]:
    """No recorder of another test holds the OpenAI SDK wrapped, and this one lets go of it."""
    from hooks.seams_openai_agents import wrapped

    if wrapped():
        gc.collect()
    assert not wrapped()
    yield
    if wrapped():
        gc.collect()
    assert not wrapped()
