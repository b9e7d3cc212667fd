"""An answer with its parts marked and its evidence numbered, for consoles and for web pages."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from cgs_rag.telling import excerpt, printable
from cgs_rag.types import Evidence


class Mark(StrEnum):
    """What is to be seen of a part of an answer."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNCHECKED = "unchecked"
    NONE = "none"


class Part(NamedTuple):
    """A part of an answer.

    Attributes:
        start: Offset in the answer.
        end: Offset behind it.
        mark: What is to be seen of it.
        why: What there is to say of it, or "".
        evidence: The context spans that decided.
    """

    start: int
    end: int
    mark: Mark
    why: str = ""
    evidence: tuple[Evidence, ...] = ()


class Piece(NamedTuple):
    """A part with the numbers of its evidence, from 1 on."""

    text: str
    mark: Mark
    why: str
    numbers: tuple[int, ...]


_ANSI = {Mark.UNSUPPORTED: "31", Mark.UNCHECKED: "33"}
_SIGNS = {Mark.SUPPORTED: "✓", Mark.UNSUPPORTED: "✗", Mark.UNCHECKED: "?"}
_STYLES = {
    Mark.SUPPORTED: "background:none;color:inherit",
    Mark.UNSUPPORTED: "background:#fde2e1;color:#a30b00",
    Mark.UNCHECKED: "background:#fff3cd;color:#664d03",
}


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer in pieces that follow each other without a gap.

    Attributes:
        pieces: All of it, in order.
        evidence: The context spans, each once; the first is number 1.
    """

    pieces: tuple[Piece, ...]
    evidence: tuple[Evidence, ...]

    @classmethod
    def of(cls, answer: str, parts: Iterable[Part]) -> Marked:
        """Mark the parts of an answer, in order; what lies between them is not marked.

        Args:
            answer: The text.
            parts: Rising and apart from each other.
        """
        pieces: list[Piece] = []
        numbers: dict[tuple[int, int, int], int] = {}
        evidence: list[Evidence] = []
        at = 0
        for part in parts:
            if at < part.start:
                pieces.append(Piece(answer[at : part.start], Mark.NONE, "", ()))
            for one in part.evidence:
                place = (one.chunk, one.start, one.end)
                if numbers.setdefault(place, len(evidence) + 1) > len(evidence):
                    evidence.append(one)
            mine = dict.fromkeys(numbers[(e.chunk, e.start, e.end)] for e in part.evidence)
            pieces.append(Piece(answer[part.start : part.end], part.mark, part.why, tuple(mine)))
            at = part.end
        if at < len(answer):
            pieces.append(Piece(answer[at:], Mark.NONE, "", ()))
        return cls(tuple(pieces), tuple(evidence))


def in_colour(marked: Marked) -> str:
    """The answer with ANSI codes: unsupported parts red, unchecked ones yellow.

    Behind each part stand the numbers of its evidence. Control characters of the answer itself are
    spelt out; its lines stay.
    """
    told = []
    for piece in marked.pieces:
        text = "\n".join(printable(line) for line in piece.text.split("\n"))
        colour = _ANSI.get(piece.mark)
        told.append(f"\x1b[{colour}m{text}\x1b[0m" if colour else text)
        told.append(_numbers(piece))
    return "".join(told)


def in_lines(marked: Marked) -> list[str]:
    """One line for each part that is marked, with its sign, its words and its evidence."""
    return [
        f"  {_SIGNS[piece.mark]} “{printable(excerpt(piece.text))}”{_remark(piece)}"
        for piece in marked.pieces
        if piece.mark is not Mark.NONE
    ]


def evidence_lines(marked: Marked) -> list[str]:
    """One line for each context span, with its number and place."""
    return [
        f"  [{number}] chunk {one.chunk}, {one.start}-{one.end}: “{printable(excerpt(one.text))}”"
        for number, one in enumerate(marked.evidence, 1)
    ]


def html_fragment(marked: Marked, title: str) -> str:
    """A fragment for the body of a page: the answer, then its evidence; all texts escaped.

    Args:
        marked: The answer.
        title: What stands above it.
    """
    pieces = "".join(map(_html_of, marked.pieces))
    evidence = "".join(
        f'<li value="{number}">{html.escape(one.text)} <small>(chunk {one.chunk}, '
        f"{one.start}–{one.end})</small></li>"
        for number, one in enumerate(marked.evidence, 1)
    )
    return (
        f'<section class="cgs-answer"><p><strong>{html.escape(title)}</strong></p>'
        f'<p style="white-space:pre-wrap">{pieces}</p>'
        + (f'<ol class="cgs-evidence">{evidence}</ol>' if evidence else "")
        + "</section>"
    )


def html_page(
    fragments: Iterable[str | tuple[str, str]], title: str = "Answers and evidence"
) -> str:
    """A whole web page.

    Args:
        fragments: For each answer its HTML, as ``to_html`` of a result gives, or a heading and it.
        title: Of the page.
    """
    pairs = (("", one) if isinstance(one, str) else one for one in fragments)
    parts = "\n".join(
        (f"<h2>{html.escape(head)}</h2>\n" if head else "") + body for head, body in pairs
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title></head>\n"
        '<body style="max-width:50em;margin:2em auto;padding:0 1em;font-family:sans-serif">\n'
        f"{parts}\n</body></html>\n"
    )


def _html_of(piece: Piece) -> str:
    text = html.escape(piece.text)
    if piece.mark is Mark.NONE:
        return text
    numbers = _numbers(piece)
    return (
        f'<mark class="cgs-{piece.mark}" style="{_STYLES[piece.mark]}" '
        f'title="{html.escape(f"{piece.mark}: {piece.why}" if piece.why else piece.mark)}">'
        f"{text}</mark>{f'<sup>{numbers.strip()}</sup>' if numbers else ''}"
    )


def _numbers(piece: Piece) -> str:
    if not piece.numbers:
        return ""
    near = "near " if piece.mark is Mark.UNSUPPORTED else ""
    return f" [{near}{', '.join(map(str, piece.numbers))}]"


def _remark(piece: Piece) -> str:
    return _numbers(piece) + (f"  {printable(piece.why)}" if piece.why else "")
