"""An answer cut into claims and what claims nothing: pure, deterministic, offsets kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from cgs_rag.blocks import Block, Role, blocks
from cgs_rag.clauses import clauses
from cgs_rag.denials import CROSSES, TICKS, denies
from cgs_rag.lists import behind_list
from cgs_rag.sentence_ends import CITATION
from cgs_rag.speech import Kind, kind, lead_in
from cgs_rag.statements import head_may_state, may_state, only_leads_in
from cgs_rag.struck import joined, struck, without_struck
from cgs_rag.text import Span, has_content, sentences_of

_EMPHASIS = re.compile(r"[*_]{1,3}")
_LAST_EMPHASIS = re.compile(r"(?<![*_])[*_]{1,3}$")
_CITED = re.compile(rf"(?<=[.!?…。！？।۔؟\"”’»」』)*_])(?:\s?{CITATION})+$")
_QUOTED = re.compile(r"[\s>]*+")
_CITES = re.compile(r"\W*(?:sources?|references?|citations?)\W*", re.IGNORECASE)
_LONGEST_CITATION = 70
_MOST_MARKS = 4
_ITEMS = frozenset({Role.ITEM, Role.TABLE_HEAD, Role.ROW, Role.PAIR, Role.CODE})
"""What a line that ends with a colon may lead in."""

_STANDING = {Role.HEADING: "heading", Role.TABLE_HEAD: "head of a table", Role.CODE: "code"}

_PLAIN_ENDS = frozenset(".!?:")


@dataclass(frozen=True, slots=True)
class Part:
    """The half-open range [start, end) of an answer, in characters, and what it does.

    Attributes:
        start: Its first character.
        end: Behind its last.
        kind: A claim, an abstention, or neither: white space, markup, headings, heads of tables,
            code, lines that only lead in a list, courtesies.
        role: Of what claims nothing, what it is: "heading", "head of a table", "code", "lead-in",
            "courtesy" (also what only names a source), "struck" (through) or, with nothing to
            read, "markup"; of the rest, "".
    """

    start: int
    end: int
    kind: Kind
    role: str = ""

    @property
    def span(self) -> Span:
        """Where it stands in the answer."""
        return Span(self.start, self.end)

    def of(self, answer: str) -> str:
        """Its characters."""
        return answer[self.start : self.end]


@dataclass(frozen=True, slots=True)
class _Said:
    """A part with content; ``is_standing``: a claim only where nothing else is said."""

    part: Part
    is_standing: bool = False


def parts(answer: str, cut: Callable[[str], Sequence[Span]] = sentences_of) -> tuple[Part, ...]:
    """Cut an answer so that every character is in exactly one part, in order.

    A claim is a sentence, also of a list item; what a semicolon parts where both sides are clauses;
    a row of a table; or a member, line or row of data (see ``records``). A lead-in that denies its
    items ("Not included:") is one claim with all of them, and a cross is of the claim it stands at,
    so that nothing is read as its opposite. White space, markup and citations around it belong to
    it no more. What may be read as a statement is a claim, too, where it stands as a heading, at
    the head of a table, before a list or between fences (see ``statements``). What is struck
    through is stated no more. The rest of these are claims in an answer that says nothing else.

    Args:
        answer: Any text.
        cut: Gives the sentences of a paragraph as spans of it, in order, none overlapping another.
    """
    said = list(_said(answer, cut))
    if all(one.part.kind is Kind.NON_CLAIM for one in said):
        said = [_Said(_revived(answer, one)) for one in said]
    return tuple(_tiled(answer, [one.part for one in said]))


def trimmed(text: str, span: Span) -> Span | None:
    """A span without white space, markup, signs and citations around it; None if nothing is left.

    Emphasis goes where it opens or closes outside the span, or goes around the whole of it.
    """
    if span.start < span.end and text[span.start].isalnum() and text[span.end - 1] in _PLAIN_ENDS:
        return span  # most are so
    if not has_content(span.of(text)):
        return None
    start, end = _without_space(text, span.start, span.end)
    for _ in range(_MOST_MARKS):
        before = start, end
        start, end = _without_emphasis(text, start, _without_citation(text, start, end))
        start, end = _without_space(text, start, end)
        if (start, end) == before:
            break
    return Span(start, end) if has_content(text[start:end]) else None


def _said(answer: str, cut: Callable[[str], Sequence[Span]]) -> Iterator[_Said]:
    found = blocks(answer)
    at, is_cited = 0, False
    while at < len(found):
        block = found[at]
        following = found[at + 1].role if at + 1 < len(found) else None
        said = list(_said_of(answer, block, following, cut))
        at += 1
        last = said[-1].part.of(answer) if said else ""
        if _turns(last, block):
            at = behind_list(answer, found, at)
            start = said[-1].part.start if len(said) > 1 else block.start
            said[-1] = _claimed(answer, Span(start, found[at - 1].end))
        elif is_cited and block.role is Role.ITEM:
            said = [_referred(answer, one) for one in said]
        is_cited = _CITES.fullmatch(last) is not None or (is_cited and block.role is Role.ITEM)
        yield from said


def _claimed(answer: str, span: Span) -> _Said:
    """What a lead-in denies, with it."""
    whole = trimmed(answer, span) or span
    return _Said(Part(whole.start, whole.end, Kind.CLAIM))


def _referred(answer: str, one: _Said) -> _Said:
    """An item of a list of sources, which is none of the claims if it only names one."""
    is_named = kind(f"Source: {one.part.of(answer)}") is Kind.NON_CLAIM
    return _Said(replace(one.part, kind=Kind.NON_CLAIM, role="courtesy"), True) if is_named else one


def _turns(last: str, block: Block) -> bool:
    """Whether the last words of a block say that what it leads in is not so."""
    leads = block.role is Role.HEADING or last.rstrip("*_ ").endswith((":", "："))
    return leads and denies(last)


def _said_of(
    answer: str, block: Block, following: Role | None, cut: Callable[[str], Sequence[Span]]
) -> Iterator[_Said]:
    if block.role in {Role.TEXT, Role.ITEM}:
        yield from _stated(answer, block, cut, leads=following in _ITEMS)
        return
    start, end = _without_space(answer, block.start, block.end)
    whole = Span(start, end)
    if not has_content(whole.of(answer)):
        return
    if _is_standing(whole.of(answer), block.role, following):
        whole = whole if block.role is Role.CODE else trimmed(answer, whole) or whole
        yield _standing(whole, _STANDING[block.role])
    elif block.role is Role.HEADING:
        yield from _stated(answer, block, cut, leads=False)
    else:
        yield _Said(_part(answer, whole))


def _is_standing(text: str, role: Role, following: Role | None) -> bool:
    """Whether a block that is no paragraph only arranges the answer, or shows what to type."""
    if role is Role.HEADING:
        return not may_state(text)
    if role is Role.TABLE_HEAD:
        return following is Role.ROW and not head_may_state(text)
    return role is Role.CODE


def _stated(
    answer: str, block: Block, cut: Callable[[str], Sequence[Span]], *, leads: bool
) -> Iterator[_Said]:
    """The claims, courtesies and abstentions of a paragraph."""
    spans = [
        whole
        for sentence in cut(answer[block.start : block.end])
        for clause in clauses(
            answer, Span(block.start + sentence.start, block.start + sentence.end)
        )
        if (whole := trimmed(answer, clause)) is not None
    ]
    crossed = struck(answer[block.start : block.end])
    spans = joined(spans, [Span(block.start + one.start, block.start + one.end) for one in crossed])
    for at, span in enumerate(spans):
        if leads and at == len(spans) - 1 and only_leads_in(span.of(answer)):
            yield _standing(span, "lead-in")
        else:
            yield from _parted(answer, span)


def _parted(answer: str, span: Span) -> Iterator[_Said]:
    """A sentence without the lead-in that it may begin with, and that lead-in."""
    behind = span.start + lead_in(span.of(answer))
    rest = trimmed(answer, Span(behind, span.end)) if behind > span.start else None
    if rest is not None:
        yield _Said(_part(answer, Span(span.start, behind)))
    yield _Said(_part(answer, rest or span))


def _standing(span: Span, role: str) -> _Said:
    return _Said(Part(span.start, span.end, Kind.NON_CLAIM, role), is_standing=True)


def _part(answer: str, span: Span) -> Part:
    text = without_struck(span.of(answer))
    if not has_content(text):
        return Part(span.start, span.end, Kind.NON_CLAIM, "struck")
    said = kind(text)
    role = "lead-in" if text.rstrip("*_ ").endswith(":") else "courtesy"
    return Part(span.start, span.end, said, role if said is Kind.NON_CLAIM else "")


def _revived(answer: str, one: _Said) -> Part:
    if one.part.role == "struck":
        return replace(one.part, kind=Kind.CLAIM, role="")
    return _part(answer, one.part.span) if one.is_standing else one.part


def _tiled(answer: str, said: Sequence[Part]) -> Iterator[Part]:
    """The parts with content, and what lies between them."""
    end = 0
    for part in said:
        if part.start > end:
            yield Part(end, part.start, Kind.NON_CLAIM, "markup")
        yield part
        end = part.end
    if end < len(answer):
        yield Part(end, len(answer), Kind.NON_CLAIM, "markup")


def _without_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space, signs that stand apart, and the marks of a block quote, around it."""
    while start < end and _is_apart(text[start]):
        start += 1
    if text[start:end].startswith(">") and _begins_line(text, start):
        start = _QUOTED.match(text, start, end).end()  # type: ignore[union-attr]  # it may be empty
    while end > start and _is_apart(text[end - 1]) and not _is_checked(text, end):
        end -= 1
    return start, end


def _is_checked(text: str, end: int) -> bool:
    """Whether the sign before ``end`` says yes to what stands before it: "Waterproof: ✅"."""
    before = text[max(0, end - 6) : end - 1].rstrip(" *_")
    return text[end - 1] in TICKS and before.endswith((":", "："))


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t>")


def _is_apart(character: str) -> bool:
    return character.isspace() or _is_sign(character)


def _is_sign(character: str) -> bool:
    """Whether it is an emoji, a part of one, or invisible; a cross turns a claim round."""
    if character < "\u2000" or character in CROSSES:
        return False
    is_mark = unicodedata.category(character) in {"So", "Sk", "Cf", "Mn"}
    return is_mark and not has_content(character)


def _without_citation(text: str, start: int, end: int) -> int:
    """The end of a span without the citations behind its last mark."""
    found = _CITED.search(text[max(start, end - _LONGEST_CITATION) : end])
    return end - len(found.group()) if found else end


def _without_emphasis(text: str, start: int, end: int) -> tuple[int, int]:
    first = _EMPHASIS.match(text, start, end)
    last = _LAST_EMPHASIS.search(text[max(start, end - 4) : end])
    said = text[start:end]
    if first and last and first.group() == last.group() and said.count(first.group()) == 2:
        return first.end(), end - len(last.group())
    if first and said.count(first.group()) == 1:
        start = first.end()
    if last and said.count(last.group()) == 1:
        end -= len(last.group())
    return start, max(start, end)
