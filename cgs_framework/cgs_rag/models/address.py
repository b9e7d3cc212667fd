"""The address of a service, and the secrets in it taken apart."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

from cgs_rag.errors import InvalidInputError


class Address(NamedTuple):
    """Where a service listens, and who asks: ``url`` holds no name and no password."""

    url: str
    user: str
    password: str


def without_secrets(text: str) -> str:
    """A text without the name and password of an address in it, for what is told or stored."""
    return re.sub(r"//\S*@", "//", text)


def parsed(url: Any) -> Address:
    """The address of a service, its name and password taken apart from it.

    Raises:
        InvalidInputError: No URL of http or https, or one with a query or fragment.
    """
    wanted = "a URL such as 'http://localhost:11434'"
    if not isinstance(url, str):
        raise InvalidInputError(f"the address of a service must be {wanted}, got {url!r:.60}")
    shown = "a text with '@' in it, not shown here" if "@" in url else repr(url[:80])
    try:
        parts = urlsplit(url.strip())
        port = f":{parts.port}" if parts.port is not None else ""
        host = parts.hostname or ""
    except ValueError:
        raise InvalidInputError(f"the address of a service must be {wanted}, got {shown}") from None
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        raise InvalidInputError(
            f"the address of a service must be {wanted}, without a query, got {shown}"
        )
    place = f"[{host}]{port}" if ":" in host else host + port
    bare = urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", ""))
    return Address(bare, unquote(parts.username or ""), unquote(parts.password or ""))
