"""A real HTTP server on this computer, for what a mock transport can't show: connections."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A request as it came in."""

    method: str
    target: str
    headers: dict[str, str]
    body: Any


class Raw(NamedTuple):
    """An answer that is not plain JSON."""

    status: int
    content_type: str
    content: bytes


DROP = "drop"
"""What an answer function returns to have the connection cut without an answer."""

DROP_AFTER = "drop after"
"""Likewise to have it cut behind an answer of ``{}``, without a word of warning."""

Answer = Callable[[Asked], "tuple[int, Any] | Raw | str"]


class LocalServer:
    """Counts what it is asked.

    Attributes:
        url: Where it listens.
        asked: The requests, in order.
        n_connections: How many connections were opened.
    """

    def __init__(self, answer: Answer, port: int = 0) -> None:
        self.asked: list[Asked] = []
        self.n_connections = 0
        self._lock = threading.Lock()
        self._answer = answer
        self._connections: set[socket.socket] = set()
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", port), type("Handler", (_Handler,), {"served": self})
        )
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def serve(self) -> None:
        self._server.serve_forever(poll_interval=0.02)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def kill(self) -> None:
        """Stop at once, with all connections, as a process that is killed does."""
        self.stop()
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def opened(self, connection: socket.socket) -> None:
        with self._lock:
            self.n_connections += 1
            self._connections.add(connection)

    def closed(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.discard(connection)

    def answer(self, asked: Asked) -> tuple[int, Any] | Raw | str:
        with self._lock:
            self.asked.append(asked)
        return self._answer(asked)


class _Handler(BaseHTTPRequestHandler):
    """Reads a request and gives the answer that its ``served`` makes of it."""

    protocol_version = "HTTP/1.1"  # which keeps connections
    disable_nagle_algorithm = True  # or each answer on a kept connection waits 40 ms
    served: LocalServer

    def setup(self) -> None:
        super().setup()
        self.served.opened(self.connection)

    def finish(self) -> None:
        self.served.closed(self.connection)
        with suppress(OSError):
            super().finish()

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except ConnectionError:
            self.close_connection = True

    def do_GET(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def log_message(self, *arguments: Any) -> None:
        pass

    def _reply(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length)) if length else None
        asked = Asked(self.command, self.path, dict(self.headers.items()), body)
        found = self.served.answer(asked)
        if found == DROP:
            self.close_connection = True
            return
        raw = found if isinstance(found, Raw) else _json(found)
        self.send_response(raw.status)
        self.send_header("Content-Type", raw.content_type)
        self.send_header("Content-Length", str(len(raw.content)))
        self.end_headers()
        self.wfile.write(raw.content)
        self.close_connection = found == DROP_AFTER


def _json(found: tuple[int, Any] | str) -> Raw:
    status, content = found if isinstance(found, tuple) else (200, {})
    return Raw(status, "application/json", json.dumps(content).encode())


@contextmanager
def serving(answer: Answer, port: int = 0) -> Iterator[LocalServer]:
    """A server that runs as long as the block does."""
    server = LocalServer(answer, port)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
