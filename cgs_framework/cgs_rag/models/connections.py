"""Kept connections to a service, each of one process, and answers of bounded size and time."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Mapping
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

import httpx

from cgs_rag.errors import InvalidInputError
from cgs_rag.models.address import Address, is_own

LARGEST = 128 * 2**20
"""Bytes of an unpacked answer at most; the longest that is asked for, of each token of a large
vocabulary, is some 30 MB."""


class EndlessAnswerError(httpx.ReadTimeout):
    """An answer began and did not come to its end in time."""


class Connections:
    """Sends requests to one address; may be shared between threads, and outlives a fork.

    Args:
        address: Where, and the name and password that are sent.
        token: Sent as bearer token; "" sends none.
        transport: What takes the place of the network, for tests.
    """

    def __init__(
        self, address: Address, token: str, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._address = address
        self._token = token
        self._transport = transport
        self._lock = threading.Lock()
        self._open: httpx.Client | None = None
        self._process = os.getpid()

    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None, timeout: httpx.Timeout
    ) -> httpx.Response:
        """The whole answer to a request.

        Raises:
            InvalidInputError: The proxy of the environment can't be used.
            EndlessAnswerError: It did not come to its end in as long as there may be silence.
            httpx.RequestError: As of httpx; ``DecodingError`` of an answer over ``LARGEST`` bytes.
        """
        client = self._client()
        request = client.build_request(method, self._address.url + path, json=body, timeout=timeout)
        found: SimpleQueue[_Sent] = SimpleQueue()
        # httpx bounds each silence, not the whole: headers that drip would be waited for for ever.
        Thread(target=lambda: found.put(_sent(client, request, timeout)), daemon=True).start()
        try:
            answer, error = found.get(timeout=_longest(timeout))
        except Empty:
            self._forget(client)
            raise EndlessAnswerError("it has no end", request=request) from None
        if error is not None:
            raise error
        return answer

    def close(self) -> None:
        """Close them; the next request opens new ones."""
        with self._lock:
            client, self._open = self._open, None
        if client is not None:
            client.close()

    def _forget(self, client: httpx.Client) -> None:
        """Open new connections for what comes; those in use are left to who uses them."""
        with self._lock:
            if self._open is client:
                self._open = None

    def _client(self) -> httpx.Client:
        with self._lock:
            # Two processes on one connection would get each other's answers.
            if self._open is None or self._process != os.getpid():
                self._open, self._process = self._opened(), os.getpid()
                # Nobody has to close a service: its connections go with it.
                weakref.finalize(self, self._open.close)
            return self._open

    def _opened(self) -> httpx.Client:
        user, password = self._address.user, self._address.password
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        try:
            return httpx.Client(
                auth=(user, password) if user or password else None,
                headers=headers,
                transport=self._transport,
                # What goes to this computer itself is no proxy's to read.
                trust_env=not is_own(self._address),
            )
        except (ImportError, ValueError, httpx.InvalidURL) as error:
            # The message may hold the address of a proxy, and that a password.
            raise InvalidInputError(
                f"the proxy of the environment can't be used ({type(error).__name__}): look at "
                "HTTP_PROXY, HTTPS_PROXY and ALL_PROXY (a SOCKS proxy needs python -m pip install "
                "'httpx[socks]'), or except the service in NO_PROXY"
            ) from None


class _Sent(NamedTuple):
    """What came of a request: an answer, or else an error."""

    answer: httpx.Response
    error: BaseException | None


def _longest(timeout: httpx.Timeout) -> float | None:
    """Seconds until the end of an answer has to be there.

    Those to connect, and twice the silence: once for its beginning and once for the rest.
    """
    if timeout.read is None:
        return None
    return (timeout.connect or timeout.read) + 2 * timeout.read


def _sent(client: httpx.Client, request: httpx.Request, timeout: httpx.Timeout) -> _Sent:
    try:
        return _Sent(_whole(client, request, timeout), None)
    except BaseException as error:  # noqa: BLE001 -- raised again where it was asked for
        return _Sent(httpx.Response(0), error)


def _whole(client: httpx.Client, request: httpx.Request, timeout: httpx.Timeout) -> httpx.Response:
    """The answer, read to its end."""
    answer = client.send(request, stream=True)
    try:
        end = monotonic() + (timeout.read or float("inf"))
        content = bytearray()
        for part in answer.iter_bytes():
            content += part
            if len(content) > LARGEST:
                raise httpx.DecodingError(
                    f"it is longer than {LARGEST:,} bytes", request=answer.request
                )
            if monotonic() > end:
                raise EndlessAnswerError("it has no end", request=answer.request)
    finally:
        answer.close()
    # Its headers tell how it came packed, which it is no more.
    headers = {k: v for k, v in answer.headers.items() if k != "content-encoding"}
    return httpx.Response(
        answer.status_code,
        headers=headers,
        content=bytes(content),
        extensions=answer.extensions,
        request=answer.request,
    )
