"""What all tests share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "guarding: makes our own code fail, and expects the log line that says so"
    )


@pytest.fixture(autouse=True)
def no_hidden_failure(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """A guard keeps our failures from the user's run; here it must not keep them from us."""
    yield
    if request.node.get_closest_marker("guarding"):
        return
    hidden = [
        record.getMessage()
        for record in caplog.get_records("call")
        if record.name == "toolscore" and record.levelno >= logging.ERROR
    ]
    assert not hidden, f"our own code failed inside a guard: {hidden}"


@pytest.fixture
def loop() -> Iterator[None]:
    """A loop for the ``run_sync`` of frameworks, which otherwise make one and leave it open."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    asyncio.set_event_loop(None)
    made.close()


@pytest.fixture(autouse=True)
def no_network_services(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing leaves the machine: no tracing service, no key that a client would use."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
