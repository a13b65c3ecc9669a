"""The provider on 127.0.0.1 itself: were it unlike the real one, the others would prove little."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from anthropic.types import Message, RawMessageStreamEvent
from hooks import loopback_chat, loopback_messages, loopback_responses
from hooks.loopback import Cut, Fails, Loopback, serving
from hooks.loopback_reply import Reply, pieces, written
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

AWKWARD = '{"n": 123456789, "text": "\\u00e9\\ud83d\\ude00 \\"\\\\\\n"}'
ANSWERS = [
    "déjà 😀 vu",
    [("add", AWKWARD, "c1"), ("add", {"a": 1}, "c2")],
    ["first", ("add", AWKWARD, "c1")],
]
IDS = ["text", "calls", "both"]
BROKEN = (openai.APIConnectionError, httpx.HTTPError)
"""Older clients let through what ``httpx`` raises while a stream is read."""
USER = {"role": "user", "content": "hi"}


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as running:
        yield running


def client(server: Loopback, max_retries: int = 0) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.url, api_key="none", max_retries=max_retries)


def data(event: bytes) -> str:
    """What a server-sent event says."""
    return event.decode().split("data: ", 1)[1].strip()


@pytest.mark.parametrize("answer", ANSWERS, ids=IDS)
def test_chat_completions_have_the_shape_that_the_client_types_require(answer: Any) -> None:
    """Every document and chunk validates; the client itself would take anything."""
    request = {"model": "m", "messages": [USER], "stream_options": {"include_usage": True}}
    reply = Reply("x", request, written(answer))

    ChatCompletion.model_validate(loopback_chat.plain(reply))
    *chunks, last = loopback_chat.events(reply)
    for chunk in chunks:
        ChatCompletionChunk.model_validate_json(data(chunk))
    assert data(last) == "[DONE]"


@pytest.mark.parametrize("answer", ANSWERS, ids=IDS)
def test_responses_have_the_shape_that_the_client_types_require(answer: Any) -> None:
    """Every document and event validates, and the events are numbered."""
    reply = Reply("x", {"model": "m", "input": "hi"}, written(answer))
    event_type: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)

    Response.model_validate(loopback_responses.plain(reply))
    events = [event_type.validate_json(data(e)) for e in loopback_responses.events(reply)]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert (events[0].type, events[-1].type) == ("response.created", "response.completed")


@pytest.mark.parametrize("answer", ANSWERS, ids=IDS)
def test_messages_have_the_shape_that_the_client_types_require(answer: Any) -> None:
    """Every document and event validates, and the blocks come one after the other."""
    reply = Reply("x", {"model": "m", "messages": [USER]}, written(answer))
    event_type: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)

    Message.model_validate(loopback_messages.plain(reply))
    told = [json.loads(data(e)) for e in loopback_messages.events(reply)]
    events = [event_type.validate_python(each) for each in told if each["type"] != "ping"]
    assert (events[0].type, events[-1].type) == ("message_start", "message_stop")
    begun = [event.index for event in events if event.type == "content_block_start"]
    assert begun == list(range(len(reply.parts)))


def test_pieces_are_cut_inside_escapes_and_numbers() -> None:
    """Each backslash ends a piece or is cut off from its escape; no piece holds a whole number."""
    cut = pieces(AWKWARD)

    assert "".join(cut) == AWKWARD
    assert "\\u00" in cut
    assert "\\" in cut
    assert not [piece for piece in cut if "123456789" in piece]


def test_streamed_calls_are_interleaved_and_arrive_whole(server: Loopback) -> None:
    """The client puts the pieces of two parallel calls together by their index."""
    server.play([("add", AWKWARD, "c1"), ("add", AWKWARD.replace("1", "7"), "c2")])
    whole = {0: "", 1: ""}
    indices = []

    with client(server) as opened:
        stream = opened.chat.completions.create(model="scripted", messages=[USER], stream=True)
        for chunk in stream:
            for delta in chunk.choices[0].delta.tool_calls or []:
                whole[delta.index] += delta.function.arguments
                indices.append(delta.index)

    assert whole == {0: AWKWARD, 1: AWKWARD.replace("1", "7")}
    assert indices[:6] == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("items", "turns"),
    [
        ("hi", 0),
        ([USER], 0),
        ([USER, {"type": "message", "role": "assistant"}], 1),
        ([USER, {"type": "function_call"}, {"type": "function_call"}], 1),
        ([USER, {"type": "function_call"}, {"type": "function_call_output"}], 1),
        (
            [
                USER,
                {"type": "function_call"},
                {"type": "function_call_output"},
                {"type": "function_call"},
            ],
            2,
        ),
        ([USER, {"type": "function_call"}, {"type": "function_call_output"}, USER], 0),
    ],
)
def test_the_turn_is_read_from_the_conversation(items: Any, turns: int) -> None:
    """Several calls of one turn count once; a new message of the user starts over."""
    assert loopback_responses.answered({"input": items}) == turns


@pytest.mark.parametrize(
    ("turn", "error"),
    [
        (Fails(500), openai.InternalServerError),
        (Fails(429), openai.RateLimitError),
        (Cut("x"), BROKEN),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_faults_reach_the_client_as_its_own_errors(
    server: Loopback, turn: Any, error: Any, stream: bool
) -> None:
    """A status, and a connection that breaks in the middle."""
    server.play(turn)

    with client(server) as opened, pytest.raises(error):
        list(opened.responses.create(model="scripted", input="hi", stream=stream))


def test_a_retry_of_the_client_gets_the_answer(server: Loopback) -> None:
    """The first request of a turn fails, the client's second one does not."""
    server.play(Fails(429, then="better"))

    with client(server, max_retries=2) as opened:
        answer = opened.responses.create(model="scripted", input="hi")

    assert answer.output_text == "better"
    first, second = server.taken()
    assert first == second
