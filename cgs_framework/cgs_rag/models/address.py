"""The address of a service and the key for it, and how their secrets are kept."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from cgs_rag.errors import InvalidInputError

_CREDENTIALS = re.compile(r"\b(Basic|Bearer) (?=\S*[\d=])[\w+/.~-]{4,}=*")

_TELLING = 3
"""Characters of a secret that are too many to be told."""


OLLAMA_MODEL, OLLAMA_URL = "llama3.2", "http://localhost:11434"
"""What is asked of Ollama, and where, unless told otherwise."""


OPENAI_URL = "https://api.openai.com/v1"


def openai_url() -> str:
    """Where the service with OpenAI's interface listens: as the environment says, else OpenAI's.

    Raises:
        InvalidInputError: The environment variable holds no address.
    """
    url = os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
    try:
        parsed(url)
    except InvalidInputError as error:
        raise InvalidInputError(f"the environment variable OPENAI_BASE_URL: {error}") from None
    return url


def openai_key() -> str:
    """The key for such services, of the environment; "" where it has none.

    Raises:
        InvalidInputError: The environment variable holds what no header can carry.
    """
    try:
        return printable_key(os.environ.get("OPENAI_API_KEY", ""))
    except InvalidInputError as error:
        raise InvalidInputError(f"the environment variable OPENAI_API_KEY: {error}") from None


class Address(NamedTuple):
    """Where a service listens, and who asks: ``url`` holds no name and no password."""

    url: str
    user: str
    password: str


def without_secrets(text: str) -> str:
    """A text without the name and password of an address in it, for what is told or stored."""
    return re.sub(r"(?<=:)//.*@", "//", text, flags=re.DOTALL)


def parsed(url: Any) -> Address:
    """The address of a service, its name and password taken apart from it.

    Raises:
        InvalidInputError: No URL of http or https; or one with a query, a fragment, or "@" in its
            path, which may be the rest of a password.
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
    if "@" in parts.path:
        raise InvalidInputError(
            f"the address of a service must be {wanted}, with '/' in a password as %2F and '@' in "
            f"a path as %40, got {shown}"
        )
    place = f"[{host}]{port}" if ":" in host else host + port
    bare = urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", ""))
    return Address(bare, unquote(parts.username or ""), unquote(parts.password or ""))


def is_own(address: Address) -> bool:
    """Whether it is one of this computer that only this computer reaches, without encryption."""
    parts = urlsplit(address.url)
    host = parts.hostname or ""
    try:
        number = ip_address(host)
        # 0.0.0.0 is what a service that listens everywhere calls itself.
        is_here = number.is_loopback or number.is_unspecified
    except ValueError:
        is_here = host == "localhost" or host.endswith(".localhost")
    return parts.scheme == "http" and is_here


def secrets(address: Address, key: str) -> tuple[str, ...]:
    """What nobody may be told: the key, the password, and the form in which it is sent."""
    sent = b64encode(f"{address.user}:{address.password}".encode()).decode()
    told = (key, *((sent, address.password) if address.password else ()))
    # As they are, and as an address, JSON or Python spells them.
    spelt = {
        form
        for one in filter(None, told)
        for form in (one, quote(one), quote(one, safe=""), json.dumps(one)[1:-1], repr(one)[1:-1])
    }
    return tuple(sorted(spelt, key=lambda form: (-len(form), form)))


def hidden(text: str, secrets: Sequence[str]) -> str:
    """A text with stars in the place of secrets."""
    for secret in secrets:
        text = text.replace(secret, "***")
    # Those for a proxy are not ours to know, but it may say them back.
    return _CREDENTIALS.sub(r"\1 ***", text)


def hidden_to_its_end(text: str, secrets: Sequence[str]) -> str:
    """Likewise of a text that was cut, perhaps within a secret: its beginning goes, too."""
    text = hidden(text, secrets)
    for secret in secrets:
        for length in range(len(secret) - 1, _TELLING - 1, -1):
            if text.endswith(secret[:length]):
                return f"{text[:-length]}***"
    return text


def printable_key(token: object) -> str:
    """A key that a header can carry; raises ``InvalidInputError`` for another."""
    if not isinstance(token, str):
        raise InvalidInputError(f"the API key must be a text, got {type(token).__name__}")
    bare = token.strip()
    if not (bare.isascii() and bare.isprintable()):
        raise InvalidInputError(
            "the API key holds a character that no header can carry (it is not shown here): it "
            "must be ASCII on one line"
        )
    return bare
