"""A model provider on 127.0.0.1, for the real model clients.

It speaks OpenAI's Chat Completions (``loopback_chat``) and Responses (``loopback_responses``) and
Anthropic's Messages (``loopback_messages``), plain and streamed, and plays a script: the turns of
the model, one by one. Which turn a request gets depends on nothing but its conversation, so that
runs at the same time do not mix.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from hooks import loopback_chat, loopback_messages, loopback_responses
from hooks.loopback_reply import Answer, Reply, written

DIALECTS = {
    "/v1/chat/completions": loopback_chat,
    "/v1/responses": loopback_responses,
    "/v1/messages": loopback_messages,
}
CHANGING_HEADERS = frozenset({"idempotency-key", "x-stainless-retry-count"})
"""What the clients make anew for each request."""


@dataclass(frozen=True)
class Fails:
    """An HTTP error; the clients' own retries (``max_retries``) get ``then``."""

    status: int
    then: Answer | None = None


@dataclass(frozen=True)
class Cut:
    """An answer whose connection breaks: after so many events, or in the middle of the body."""

    answer: Answer
    events: int = 3


@dataclass(frozen=True)
class Hangs:
    """No answer, until the test is over; the server's ``hanging`` is set when it begins."""


Turn: TypeAlias = "Answer | Fails | Cut | Hangs"


@dataclass(frozen=True)
class Seen:
    """A request as it came in."""

    path: str
    body: bytes
    headers: tuple[tuple[str, str], ...]

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)


class Loopback(ThreadingHTTPServer):
    """The provider: ``play`` the model's turns, give ``url`` to a client, read ``requests``."""

    daemon_threads = True
    request_queue_size = 128  # the default of 5 resets the connections of runs at the same time

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Seen] = []
        self.faults: list[BaseException] = []
        self.hanging = threading.Event()
        self.over = threading.Event()
        self._scripts: dict[str, Sequence[Turn]] = {}
        self._guard = threading.Lock()

    @property
    def url(self) -> str:
        """The ``base_url`` of a client."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def play(self, *turns: Turn, model: str = "scripted") -> None:
        """What the model of this name answers, turn by turn, after each message of the user."""
        self._scripts[model] = turns

    def seen(self, request: Seen) -> None:
        """Keep a request."""
        with self._guard:
            self.requests.append(request)

    def taken(self) -> list[Seen]:
        """The requests up to now, in an order that does not depend on threads; and forget them."""
        with self._guard:
            taken, self.requests = self.requests, []
        return sorted(taken, key=lambda request: (request.path, request.body))

    def turn(self, request: Mapping[str, Any], step: int) -> Turn:
        """The turn that the script holds for this step."""
        return self._scripts[request["model"]][step]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep what went wrong in a handler; the fixture fails the test with it."""
        fault = sys.exc_info()[1]
        # a client may leave a stream whenever it likes
        if fault is not None and not isinstance(fault, ConnectionError):
            self.faults.append(fault)


@contextmanager
def serving() -> Iterator[Loopback]:
    """A provider that runs, on a port of its own, until the block ends."""
    with Loopback() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()
    assert not server.faults


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Loopback

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kept = sorted(
            (name.lower(), value)
            for name, value in self.headers.items()
            if name.lower() not in CHANGING_HEADERS
        )
        self.server.seen(Seen(self.path, body, tuple(kept)))
        # each request has a connection of its own: no client keeps a socket open after its test
        self.close_connection = True
        dialect, asked = DIALECTS[self.path], json.loads(body)
        step = dialect.answered(asked)
        turn = self.server.turn(asked, step)
        if isinstance(turn, Hangs):
            self.server.hanging.set()
            self.server.over.wait()
            return None
        if isinstance(turn, Fails):
            retried = int(self.headers.get("x-stainless-retry-count", "0"))
            if turn.then is None or not retried:
                return self._fail(turn.status)
            turn = turn.then
        stop = turn.events if isinstance(turn, Cut) else None
        answer = turn.answer if isinstance(turn, Cut) else turn
        name = hashlib.sha256(body).hexdigest()[:24]
        reply = Reply(name, asked, written(answer), step)
        if asked.get("stream"):
            return self._stream(dialect.events(reply), stop)
        return self._answer(200, dialect.plain(reply), cut=stop is not None)

    def _fail(self, status: int) -> None:
        error = {
            "message": f"scripted {status}",
            "type": "server_error",
            "param": None,
            "code": None,
        }
        self._answer(status, {"error": error})

    def _answer(self, status: int, document: Any, *, cut: bool = False) -> None:
        body = json.dumps(document, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.send_header("retry-after-ms", "1")  # the clients' back-off would take half a second
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)

    def _stream(self, events: Iterator[bytes], stop: int | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        for number, event in enumerate(events):
            if number == stop:
                return  # without the last chunk: to the client the connection broke
            for part in _in_two(event):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
                self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base
        """Say nothing on stderr."""


def _in_two(event: bytes) -> tuple[bytes, ...]:
    """An event in two packets, cut inside its first character of several bytes if it has one."""
    wide = next((at for at, byte in enumerate(event) if byte >= 0xC0), len(event) // 2)
    return event[: wide + 1], event[wide + 1 :]
