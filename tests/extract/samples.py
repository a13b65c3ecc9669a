"""Real-shaped results of frameworks, by name: the extractor that reads it, and the result."""

from __future__ import annotations

from typing import Any

ALL: dict[str, tuple[str, Any]] = {
    "pydantic-ai": ("from_pydantic_ai", [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "hi"}]},
        {"kind": "response", "timestamp": "2026-01-01T00:00:00Z", "parts": [
            {"part_kind": "tool-call", "tool_name": "a", "args": '{"x": 1}', "tool_call_id": "c1"},
            {"part_kind": "native-tool-call", "tool_name": "b", "args": {}, "tool_call_id": "c2"}]},
        {"kind": "request", "parts": [
            {"part_kind": "tool-return", "tool_name": "a", "content": [1], "tool_call_id": "c1",
             "outcome": "retried", "retry": {"cause": "unknown_tool"}},
            {"part_kind": "retry-prompt", "tool_name": "b", "content": [{"loc": ["x"]}],
             "tool_call_id": "c2"}]}]),
    "openai agents": ("from_openai_agents", {
        "input": "hi", "new_items": [
            {"type": "tool_call_item", "agent": {"name": "helper"}, "raw_item": {
                "type": "function_call", "call_id": "c1", "name": "a", "arguments": '{"x": 1}'}},
            {"type": "tool_call_output_item", "output": "1", "raw_item": {
                "type": "function_call_output", "call_id": "c1", "output": "1"}},
            {"type": "handoff_call_item", "raw_item": {
                "type": "function_call", "call_id": "c2", "name": "transfer_to_b",
                "arguments": "{}"}}],
        "interruptions": [{"type": "tool_approval_item", "raw_item": {
            "type": "function_call", "call_id": "c3", "name": "pay", "arguments": "{}"}}]}),
    "claude agent sdk": ("from_claude_agent_sdk", [
        {"type": "system", "subtype": "init"},
        {"type": "assistant", "parent_tool_use_id": None, "message": {
            "id": "m", "role": "assistant", "content": [
                {"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": "x"}}]}},
        {"type": "assistant", "parent_tool_use_id": "t1", "message": {
            "role": "assistant", "content": [
                {"type": "tool_use", "id": "t2", "name": "mcp__s__a", "input": {"x": 1}}]}},
        {"type": "user", "parent_tool_use_id": "t1", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t2", "content": "no", "is_error": True}]}},
        {"type": "result", "subtype": "success", "permission_denials": [
            {"tool_name": "a", "tool_use_id": "t2", "tool_input": {"x": 1}}]}]),
    "crewai": ("from_crewai", {"tasks_output": [
        {"agent": "r", "tool_failures": [
            {"tool_name": "a", "tool_args": {"x": 1}, "failure": {"message": "no"}}],
         "messages": [
            {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {
                "name": "a", "arguments": '{"x": 1}'}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "1"}]},
        {"agent": "r", "tool_failures": [], "messages": [{
            "role": "assistant",
            "content": "Action: a\nAction Input: {}\nObservation: 1"}]}]}),
    "crewai events": ("from_crewai", [
        {"type": "tool_usage_started", "tool_name": "a", "tool_args": {"x": 1}, "timestamp": 1.5},
        {"type": "tool_usage_finished", "tool_name": "a", "tool_args": {"x": 1}, "output": [1],
         "started_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:00:01Z"},
        {"tool_name": "b", "tool_args": '{"x": 1}', "result": "1"}]),
}  # fmt: skip
