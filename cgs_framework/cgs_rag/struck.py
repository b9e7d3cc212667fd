"""Text that is struck through, and so not stated: ~~so~~, or in a tag of HTML."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from cgs_rag.text import Span

_MARK = re.compile(r"(?<!~)~~(?!~)|</?(?:s|del|strike)>|\n[^\S\n]*\n", re.IGNORECASE)
_CLOSES = {"~~": "~~", "<s>": "</s>", "<del>": "</del>", "<strike>": "</strike>"}


def struck(text: str) -> list[Span]:
    """Where a text is struck through, the marks included, in order; never over a blank line."""
    return [span for span, _ in _found(text)]


def without_struck(text: str) -> str:
    """A text as it is stated: without what is struck through, and the white space before that."""
    return _spliced(text, ((span, "") for span, _ in _found(text)))


def without_marks(text: str) -> str:
    """A text as it would be stated if nothing of it were struck through."""
    return _spliced(text, ((span, inside.of(text)) for span, inside in _found(text)))


def joined(spans: Sequence[Span], whole: Sequence[Span]) -> list[Span]:
    """Some spans, in order, those as one between which one of others, in order too, goes on."""
    found: list[Span] = []
    for span in spans:
        at = bisect_left(whole, span.start, key=_start) - 1
        if found and at >= 0 and whole[at].start < found[-1].end < whole[at].end:
            span = Span(found.pop().start, span.end)
        found.append(span)
    return found


def _start(span: Span) -> int:
    return span.start


def _found(text: str) -> Iterator[tuple[Span, Span]]:
    """What is struck, with and without its marks."""
    if "~~" not in text and "</" not in text:
        return
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        sign = mark[0].lower()
        if (
            opened is not None
            and sign == _CLOSES[opened[0].lower()]
            and _closes(text, mark.start())
        ):
            yield Span(opened.start(), mark.end()), Span(opened.end(), mark.start())
            opened = None
        elif sign.isspace():
            opened = None
        elif opened is None and sign in _CLOSES and not text[mark.end() : mark.end() + 1].isspace():
            opened = mark


def _closes(text: str, at: int) -> bool:
    return not text[at - 1].isspace()


def _spliced(text: str, found: Iterator[tuple[Span, str]]) -> str:
    parts, end = [], 0
    for span, instead in found:
        before = text[end : span.start]
        parts += [before if instead else before.rstrip(" "), instead]
        end = span.end
    return "".join((*parts, text[end:])) if parts else text
