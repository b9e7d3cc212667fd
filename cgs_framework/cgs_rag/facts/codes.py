"""What is compared letter by letter: addresses, versions, identifiers, telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cgs_rag.facts.scanning import digit_starts, matches_at
from cgs_rag.facts.spelled import SCALES
from cgs_rag.facts.units import units
from cgs_rag.facts.values import Fact, Label

_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'“”]+[^\s<>\"'“”.,;:!?)\]}*`]", re.IGNORECASE)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NAMED = re.compile(r"(?<![\w.,/-])(?:(?:[vV]ersion|Release)[^\S\n]+v?|[vV]\.?[^\S\n]?)$")
_PROGRAM = re.compile(
    r"\b(?:Python|Java|PHP|Ruby|Node(?:\.js)?|Go|Rust|Perl|Kotlin|Swift|Scala|TypeScript|Android|iOS"
    r"|macOS|Ubuntu|Debian|Fedora|Linux|Django|Rails|PostgreSQL|Postgres|MySQL|Redis|OpenSSL|CUDA"
    r"|Kubernetes|Docker|PyTorch|TensorFlow|Bluetooth|USB|HDMI|PCIe|TLS|HTTP)[^\S\n]$"
)
"""What stands before a version, on its line."""

_DOTTED = re.compile(r"\d+(?:\.\d+){0,6}(?:-?(?:rc|beta|alpha)\.?\d*)?(?!\w|[.,]\d)", re.IGNORECASE)
_NO_VERSION = re.compile(r"\d{1,3}(?:\.\d{3})+|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d")
"""Numbers with dots between the thousands, and dates."""

_MEASURES = re.compile(rf"[^\S\n]?(?:%|(?:{'|'.join(SCALES)}|times)\b|(?!in\b)(?P<unit>[^\W\d_]+))")
"""What a number goes on with, maybe: by a scale or unit it is no version ("Java 8.5 million")."""

_TRAILING = re.compile(r"(?:\.0)+$")
"""Zeros that tell no other version."""

_GLUE = frozenset(".,/-_")
_TOKEN = re.compile(r"[\w-]++")
_MIXED = re.compile(r"[\d_]")
_LONGEST = 80
_PHONE = re.compile(
    r"(?<![\w./-])(?:\+\d{1,3}[^\S\n]?[ \u00a0\d().-]{5,18}\d|\(\d{2,5}\)[ \u00a0\d-]{5,14}\d"
    r"|0\d{1,4}[ /-]\d{2,5}(?:[ -]?\d{2,5}){1,3}|\d{3}[-.]\d{3}[-.]\d{4})(?![\w]|\.\d)"
)
# Letters and digits in one word, or words joined by underscores: "ERR_42", "CD-200", "max_retries".
_IDENTIFIER = re.compile(
    r"(?<![\w.@/#-])(?!\d{4}-\d\d-\d\dT)(?:"
    r"(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z][A-Za-z]*[-_]?\d[\w-]*(?:[-_][\w]+)*"
    r"|[A-Za-z]+\d[A-Za-z\d]*[A-Z][\w-]*"
    r"|[A-Za-z]\w*_\w*[A-Za-z\d]"
    r"|(?=[a-f\d]*\d)(?=[a-f\d]*[a-f])[a-f\d]{7,40}"
    r"|(?=[\w-]*[A-Z])\d+[-_][A-Z\d]+(?:[-_][A-Z\d]+)*"
    r")(?![\w@])"
)
_NOT_IDENTIFIER = re.compile(
    r"(?:\d+(?:st|nd|rd|th|s|[a-z]{1,3})|(?:mid|late|early|pre|post)-?\d+s?|[A-Z][a-z]+-\d{1,2}"
    r"|(?i:covid|type|phase|figure|fig|table|section|fy|cy)-?\d{1,4}|[A-Z][a-z]+\d{1,4})",
)
_SEPARATORS = re.compile(r"[\s().-]+")


def codes(text: str) -> Iterator[Fact]:
    """The addresses, versions, telephone numbers and identifiers of a text."""
    yield from _addresses(text)
    starts = digit_starts(text)
    # A telephone number may begin with a plus or a bracket, a version with a word.
    for found in matches_at(_PHONE, text, _before(text, starts, "+(")):
        digits = "".join(re.findall(r"\d+", found[0]))
        if 7 <= len(digits) <= 15:
            yield _code(found.span(), text, "phone" + digits[-9:].lstrip("0"))
    for start in starts:
        yield from _version(text, start)
    for found in matches_at(_IDENTIFIER, text, _word_starts(text)):
        if not _NOT_IDENTIFIER.fullmatch(found[0]):
            yield _code(found.span(), text, _SEPARATORS.sub("", found[0].lower()))


def _addresses(text: str) -> Iterator[Fact]:
    if "://" in text or "www." in text.lower():
        for found in _URL.finditer(text):
            address = re.sub(r"^https?://|/$", "", found[0].lower())
            yield _code(found.span(), text, address.removeprefix("www."))
    if "@" in text:
        for found in _EMAIL.finditer(text):
            yield _code(found.span(), text, found[0].lower())


def _before(text: str, starts: Sequence[int], signs: str) -> Iterator[int]:
    for start in starts:
        yield start - 1 if start and text[start - 1] in signs else start


def _word_starts(text: str) -> Iterator[int]:
    """Where words begin that hold a digit or an underscore; very long ones are no identifiers."""
    for found in _TOKEN.finditer(text):
        if len(found[0]) <= _LONGEST and _MIXED.search(found[0]):
            yield found.start()


def _version(text: str, start: int) -> Iterator[Fact]:
    number = _DOTTED.match(text, start)
    if number is None:
        return
    named = _NAMED.search(text, max(0, start - 12), start)
    is_programs = (
        "." in number[0]
        and _PROGRAM.search(text, max(0, start - 12), start) is not None
        and not _is_measured(text, number.end())
    )
    is_dotted = number[0].count(".") > 1 and not _NO_VERSION.fullmatch(number[0])
    if named is not None or is_programs or (is_dotted and text[start - 1 : start] not in _GLUE):
        begin = named.start() if named is not None else start
        yield _code((begin, number.end()), text, "v" + number[0].lower())


def _is_measured(text: str, end: int) -> bool:
    found = _MEASURES.match(text, end)
    return found is not None and (found["unit"] is None or bool(units(found["unit"])))


def same_code(one: str, other: str) -> bool:
    """Whether a code names another one: "v2.1" also "v2.1.3", not the reverse; "v3.0" is "v3".

    But "v3.0" does not name "v3.4".
    """
    if one == other:
        return True
    if one.startswith("v") and other.startswith("v") and one[1:2].isdigit():
        is_same = _TRAILING.sub("", one) == _TRAILING.sub("", other)
        return is_same or other.startswith(one + ".")
    return one.startswith("phone") and other.startswith("phone") and _same_ending(one, other)


def _same_ending(one: str, other: str) -> bool:
    return one[5:].endswith(other[5:]) or other[5:].endswith(one[5:])


def _code(span: tuple[int, int], text: str, plain: str) -> Fact:
    return Fact("code", *span, text[slice(*span)], Label((plain,)))
