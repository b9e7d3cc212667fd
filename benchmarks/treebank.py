"""Sentences of a treebank in CoNLL-U, joined to paragraphs again, to measure splitters with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cgs_rag.text import Span

_TEXT = re.compile(r"^# text = (.*)$", re.MULTILINE)
_BEGINS = re.compile(r"^# new(?:par|doc)\b", re.MULTILINE)
_LONGEST = 8
"""Sentences of a paragraph, where a treebank names none."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text, and the offsets behind its sentences but for the last, white space not counted."""

    text: str
    ends: frozenset[int]


@dataclass(frozen=True, slots=True)
class Ends:
    """How many ends of sentences were found rightly, found wrongly, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 where nothing is found."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)


def paragraphs(path: Path) -> list[Paragraph]:
    """The paragraphs of more than one sentence in a file; by eights where it marks none."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    marked = sum(1 for block in blocks if _BEGINS.search(block))
    is_marked = 0 < 2 * marked < len(blocks)
    return [_joined(group) for group in _grouped(blocks, is_marked=is_marked) if len(group) > 1]


def compared(paragraph: Paragraph, found: Sequence[Span]) -> Ends:
    """Compare the sentences that a splitter found with those of the treebank."""
    solid = _solid(paragraph.text)
    ends = {_solid(paragraph.text[: span.end]) for span in found} - {solid}
    right = len(ends & paragraph.ends)
    return Ends(right, len(ends) - right, len(paragraph.ends) - right)


def _grouped(blocks: Sequence[str], *, is_marked: bool) -> Iterator[list[tuple[str, str]]]:
    group: list[tuple[str, str]] = []
    for block in blocks:
        text = _TEXT.search(block)
        if text is None:
            continue
        begins = _BEGINS.search(block) if is_marked else len(group) == _LONGEST
        if begins and group:
            yield group
            group = []
        last = block.rstrip().rpartition("\n")[2]
        group.append((text[1].strip(), "" if "SpaceAfter=No" in last else " "))
    yield group


def _joined(group: Sequence[tuple[str, str]]) -> Paragraph:
    text, ends = "", []
    for sentence, gap in group:
        text += sentence
        ends.append(_solid(text))
        text += gap
    return Paragraph(text.rstrip(), frozenset(ends[:-1]))


def _solid(text: str) -> int:
    return len("".join(text.split()))
