"""OpenInference's instrumentors, as the peer that records the same frameworks.

They are not installed with the tests: ``pip install openinference-instrumentation-langchain
opentelemetry-sdk`` (or ``-openai-agents``, ``-llama-index``) into the environment of the benchmark.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from importlib.util import find_spec

INSTRUMENTORS = {
    "langchain": ("langchain", "LangChainInstrumentor"),
    "langchain-sync": ("langchain", "LangChainInstrumentor"),
    "openai-agents": ("openai_agents", "OpenAIAgentsInstrumentor"),
    "llama-index": ("llama_index", "LlamaIndexInstrumentor"),
}


def openinference(framework: str) -> Callable[[], AbstractContextManager[None]] | None:
    """Records into memory as long as the block goes on; None where it is not installed."""
    name, kind = INSTRUMENTORS[framework]
    where = f"openinference.instrumentation.{name}"
    try:
        if find_spec(where) is None:
            return None
    except ModuleNotFoundError:
        return None
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    # it says for each span that the conversation has more parts than a span may have attributes
    logging.getLogger("opentelemetry").setLevel(logging.ERROR)
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    instrumentor = getattr(import_module(where), kind)()

    @contextmanager
    def recording() -> Iterator[None]:
        instrumentor.instrument(tracer_provider=provider, skip_dep_check=True)
        try:
            yield
        finally:
            instrumentor.uninstrument()
            if not spans.get_finished_spans():
                raise SystemExit(f"{where} recorded nothing")
            spans.clear()

    return recording
