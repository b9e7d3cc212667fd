"""What data state, as JSON, YAML or CSV have them: the spans of their members, lines and rows."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from enum import StrEnum

from cgs_rag.denials import denies
from cgs_rag.text import Span, has_content


class Layout(StrEnum):
    """How data are written."""

    JSON = "json"
    LINES = "lines"
    ROWS = "rows"


_LINED = frozenset({"yaml", "yml", "toml", "ini", "properties", "json", "json5", "jsonc", "jsonl"})
_ROWED = frozenset({"csv", "tsv", "psv"})
_PLAIN = frozenset({"", "text", "txt", "plaintext", "plain"})
_PAIR = re.compile(r"\s*(?:-\s+)?[\"']?[^\W\d_][\w .-]{0,40}[\"']?\s*:(?:\s+\S.*|\s*)$")
_NO_PAIR = re.compile(r"\s*(?:else|try|finally|except|default|case|pass|public|private)\b")
_BEGINS = re.compile(r"^[^\S\n]*(?=\{\s*[\"}]|\[\s*[\"{\[])", re.MULTILINE)
_ENDS_LINE = re.compile(r"[ \t\r.,;]*(?:\n|$)")
_ANSWER = re.compile(
    r'"(?:(?:final_?)?(?:answer|response|output|result)|text|summary|content|message|explanation'
    r'|reason(?:ing)?|description)"\s*:\s*"(?P<text>.*)"',
    re.IGNORECASE | re.DOTALL,
)
_PARENT = re.compile(r"[:={\[(]\s*$|^\s*\[[^\]]*\]\s*$")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+')
_CLOSES = {"{": "}", "[": "]"}
_LONGEST_ROW = 200
"""In characters: a longer object or list is no row, but has members that state something."""

_MOST_FAILED = 20
_DECODER = json.JSONDecoder()


def layout(text: str, language: str) -> Layout | None:
    """How what stands between two fences is written, if it is data and no program.

    As JSON it is an object or a list, whatever the language is said to be; with none it may be
    pairs of keys and values, too, one on each line.

    Args:
        text: All between the fences.
        language: What is said behind the first, in lower case, or "".
    """
    if _is_json(text):
        return Layout.JSON
    if language in _ROWED:
        return Layout.ROWS
    is_lined = language in _LINED or (language in _PLAIN and _are_pairs(text))
    return Layout.LINES if is_lined else None


def json_within(text: str) -> list[Span]:
    """Where objects and lists of JSON stand on lines of their own, but for lists of numbers.

    Of what begins as one, but is none, the first few are tried.
    """
    found: list[Span] = []
    failed = 0
    for begun in _BEGINS.finditer(text):
        if failed == _MOST_FAILED:
            break
        if found and begun.end() < found[-1].end:
            continue
        try:
            end = _DECODER.raw_decode(text, begun.end())[1]
        except (ValueError, RecursionError):
            failed += 1
            continue
        if _ENDS_LINE.match(text, end):
            found.append(Span(begun.end(), end))
    return found


def only_names(line: str) -> bool:
    """Whether a line of data names what the lines below tell of: "lock:", "[lock]", '"lock": {'."""
    return _PARENT.search(line) is not None


def answer_within(member: str) -> Span | None:
    """The text of a member of JSON that only says it is the answer: of "text", "summary"."""
    found = _ANSWER.fullmatch(member)
    return Span(*found.span("text")) if found else None


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in _CLOSES:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _are_pairs(text: str) -> bool:
    said = [line for line in text.split("\n") if has_content(line)]
    return bool(said) and all(_PAIR.match(one) and not _NO_PAIR.match(one) for one in said)


@dataclass(slots=True)
class _Value:
    """A part of JSON: from its key, if it has one, to its end."""

    start: int
    end: int = 0
    members: list[_Value] = field(default_factory=list)


def members(text: str, span: Span) -> list[Span]:
    """What JSON states: each member of an object, or of a list, in order, with its key.

    One that holds members in turn is one span if it is as a row of a table is, flat and short, or
    if its key turns it round ("not_included"); else its members are the spans.

    Args:
        text: Any.
        span: Of an object or list of JSON in it.
    """
    root = _read(text, span)
    waiting, found = list(reversed(root.members)), []
    while waiting:
        one = waiting.pop()
        if _is_row(text, one):
            found.append(Span(one.start, one.end))
        else:
            waiting.extend(reversed(one.members))
    return found


def _is_row(text: str, value: _Value) -> bool:
    if not value.members:
        return True
    is_flat = not any(one.members for one in value.members)
    is_short = value.end - value.start <= _LONGEST_ROW
    return (is_flat and is_short) or denies(text[value.start : value.members[0].start])


def _read(text: str, span: Span) -> _Value:
    """The JSON of a span as a tree; it is known to be JSON."""
    root = _Value(span.start)
    parents, current = [root], root
    is_new = False
    for token in _TOKEN.finditer(text, span.start, span.end):
        sign = token.group()
        if sign in {",", ":"}:
            is_new = sign == ","
        elif sign in _CLOSES.values():
            parents.pop().end = token.end()
        else:
            if is_new:
                current = _Value(token.start())
                parents[-1].members.append(current)
            current.end = token.end()
            if sign in _CLOSES:
                parents.append(current)
            is_new = sign in _CLOSES
    return root
