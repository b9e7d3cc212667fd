"""Finding in the context what an LLM says it quotes from it: verbatim but for space and case."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from cgs_rag.text import Span
from cgs_rag.types import Passage

_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\S+",
        "a an the this that these those it its he she they we i you him her them his their our my "
        "your me us and or but nor of to at by for with from as in on into onto upon out off up "
        "down over under about above after before between during through against among within "
        "without per via is are was were be been being am do does did done has have had having can "
        "could will would shall should may might must so if then than also too very just only "
        "there here who whom whose what which when where why how s t",
    )
)
"""Words that are in every text and speak of nothing; "not" and "no" do."""

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
"""Marks that an LLM writes in another form than it read them."""

_AROUND = " \"'"
_BEFORE = _AROUND + ".…"
_BEHIND = _BEFORE + ",;:"
_FIRST_UNSPACED = "\u0e00"
"""From Thai on, many scripts put no space between words, so a quote may end inside one."""

_JOINTS = ".,'’"
"""What may stand inside a number or a word."""

_SIGNS = "-−+"

_STEM = 5
"""So many first letters make two forms of a word one, as a rule."""


class Quotable:
    """The chunks of a context, made ready to find quotes in.

    Args:
        chunks: The texts.
    """

    def __init__(self, chunks: Sequence[str]) -> None:
        self._chunks = tuple(chunks)

    def find(self, quote: str) -> Passage | None:
        """Where a quote stands, the first place, or None.

        White space, upper and lower case, invisible characters and the form of quotation marks and
        dashes do not matter; neither do quotation marks and dots around the quote. It has to begin
        and end where words and numbers do, and to hold a word that means something by itself.
        """
        wanted = _folded(quote).text.strip(_AROUND).lstrip(_BEFORE).rstrip(_BEHIND)
        if not content_words(wanted):
            return None
        for index, folded in enumerate(self._folded):
            text = self._chunks[index]
            for span in folded.spans_of(wanted):
                if not _is_inside(text, span.start) and not _is_inside(text, span.end):
                    return Passage(index, span.start, span.end, span.of(text))
        return None

    @cached_property
    def _folded(self) -> list[_Folded]:
        return [_folded(chunk) for chunk in self._chunks]


def content_words(text: str) -> set[str]:
    """What a text speaks of: its numbers, and its words but for "the", "is" and the like.

    Of a word only the beginning, so that forms of one word are alike; of scripts that put no space
    between words, each pair of characters.
    """
    found: set[str] = set()
    for word in re.findall(r"\w+", text.casefold()):
        if word[0] >= _FIRST_UNSPACED:
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in _FUNCTION_WORDS:
            found.add(word if word[0].isdigit() else word[:_STEM])
    return found


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text in the form in which quotes are looked for.

    Attributes:
        text: That form.
        offsets: For each of its characters the offset of the one it is of.
    """

    text: str
    offsets: array[int]

    def spans_of(self, wanted: str) -> Iterator[Span]:
        """Where a text in that form stands: spans of the text before, of whole characters.

        The "e" of "é" is none.
        """
        last = len(self.text) - 1
        at = self.text.find(wanted)
        while at >= 0:
            to = at + len(wanted) - 1
            is_cut = at > 0 and self.offsets[at - 1] == self.offsets[at]
            is_cut |= to < last and self.offsets[to + 1] == self.offsets[to]
            if not is_cut:
                yield Span(self.offsets[at], self.offsets[to] + 1)
            at = self.text.find(wanted, at + 1)


def _folded(text: str) -> _Folded:
    kept: list[str] = []
    offsets = array("q")
    for offset, character in enumerate(text):
        if character.isspace():
            form = "" if kept and kept[-1] == " " else " "
        elif unicodedata.category(character) == "Cf":
            form = ""
        else:
            form = unicodedata.normalize("NFD", character.casefold()).translate(_ALIKE)
        kept.extend(form)
        offsets.extend([offset] * len(form))
    return _Folded("".join(kept), offsets)


def _is_inside(text: str, at: int) -> bool:
    """Whether an offset parts a word or a number: "can't", "3.5", "1,500" and "-5" too."""
    if not 0 < at < len(text):
        return False
    before, behind = text[at - 1], text[at]
    around = text[max(0, at - 2) : at - 1], text[at + 1 : at + 2]
    if before in _SIGNS and behind.isdigit():
        return not around[0].isalnum()  # but "10-20" is two numbers
    if behind in _JOINTS:
        return _is_joined(before, behind, around[1])
    if before in _JOINTS:
        return _is_joined(around[0], before, behind)
    is_spaced = before < _FIRST_UNSPACED and behind < _FIRST_UNSPACED
    is_mark = unicodedata.category(behind).startswith("M")
    return is_spaced and before.isalnum() and (behind.isalnum() or is_mark)


def _is_joined(before: str, joint: str, behind: str) -> bool:
    """Whether a mark stands inside a number or a word, and not at its end."""
    if joint in ".,":
        return before.isdigit() and behind.isdigit()
    return before.isalnum() and behind.isalnum()
