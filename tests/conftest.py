"""What holds for every test: no hub, no network, no time limit of an example."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Any

# Before any test imports a model package, which reads these at import.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"

import pytest
from hypothesis import settings

# Before any test is read. How long an example takes says more of the machine than of the code.
settings.register_profile("cgs_rag", deadline=None)
settings.load_profile("cgs_rag")


@pytest.fixture(autouse=True)
def refuse_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that connects to anything but this computer.

    The failure is no ``Exception``, so code that carries on without a service can't swallow it.
    """
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse_unless_local(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse_unless_local(self, address)
        return connect_ex(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)


def _refuse_unless_local(connecting: socket.socket, address: Any) -> None:
    if connecting.family not in (socket.AF_INET, socket.AF_INET6) or _is_loopback(address[0]):
        return
    pytest.fail(
        f"a test tried to connect to {address!r}: tests use no network; give the code a fake, "
        "a mock transport or a server on 127.0.0.1"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
