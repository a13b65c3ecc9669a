"""OpenTelemetry spans as tool calls, whatever convention their instrumentation writes."""

from toolscore.adapters.otel._adapter import OTelAdapter, calls_from_otel, tool_calls_from_otel

__all__ = ["OTelAdapter", "calls_from_otel", "tool_calls_from_otel"]
