"""Markers of sources in an answer: "[1]", "(Source 2)", "[Doc 3, p. 4]", "according to chunk 5"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SOURCE = (
    r"(?:(?:retrieved|provided) )?(?:sources?|doc(?:ument|s|uments)?s?\.?|chunks?|passages?"
    r"|excerpts?|contexts?|snippets?|references?|refs?\.?|citations?|cit\.|articles?)"
)
_NUMBER = r"(?:no\. ?|#|№)?\d{1,3}(?:[.:]\d{1,3})?"
_PLACE = rf"(?:pages?|pp?\.|sections?|sec\.|§|lines?|chapters?|ch\.|paragraphs?|para\.) ?{_NUMBER}"
_NEXT = rf"(?:{_SOURCE} ?)?{_NUMBER}|{_PLACE}"
_LIST = rf"(?:{_SOURCE}:? ?{_NUMBER})(?:(?:, ?| ?& ?| and |; ?|, and | ?[-–] ?)(?:{_NEXT})){{0,6}}"
_NUMBERS = r"\^?\d{1,3}(?:(?:, ?| ?[-–] ?)\d{1,3}){0,6}"
_SEE = r"(?:(?:see|cf\.|from|per|source:|sources:|ref:|according to|as (?:in|per|stated in)) )?"
_MARKER = rf"[(\[【{{]{_SEE}{_LIST}[)\]】}}]"
_CITED = re.compile(rf"[^\S\n]?{_MARKER}", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"(?:(?<=[\w)\"”’%])|(?<!\bin)(?<!\bof)(?<!\bto)(?<!\bsee)(?<!\bby)(?<!\band)(?<!\bor)"
    rf"(?<!\bis)(?<!\bare)(?<!\bwas)(?<![:=,|])(?<!\bwith)(?<!\bfrom)[^\S\n])(?:\[{_NUMBERS}\])+(?=\s?(?:[.,;:!?]|$))",
    re.IGNORECASE,
)
_ATTRIBUTED = re.compile(
    rf"^(?:according to|as (?:stated|noted|mentioned|described) in|as per|per|based on|in)"
    rf" (?:the )?{_LIST},? (?=\w)"
    rf"|,? (?:according to|as (?:stated|noted|mentioned|described) in|as per) (?:the )?{_LIST}"
    rf"(?=[.!?]?$)",
    re.IGNORECASE,
)
_ONLY = re.compile(rf"(?:(?:{_MARKER}|\[{_NUMBERS}\])[\s,;.]*)+", re.IGNORECASE)
_LABEL = re.compile(rf"{_SOURCE}:? ?{_NUMBER}", re.IGNORECASE)
_LONGEST = 200


def is_citation(sentence: str) -> bool:
    """Whether a sentence is nothing but markers in brackets."""
    return len(sentence) <= _LONGEST and _ONLY.fullmatch(sentence.strip()) is not None


def without_citations(claim: str, context: Sequence[str] = ()) -> str:
    """A claim as it stands without the markers of sources that it cites; never blank.

    Not where a marker is what the claim speaks of ("as shown in [1]"), where it is code, and not
    the label of a source that a chunk itself uses ("Document 7").

    Args:
        claim: The text.
        context: The chunks that it is checked against.
    """
    if not any(letter.isdigit() for letter in claim) or "`" in claim:
        return claim
    said = _CITED.sub(lambda found: _kept(found, context), claim)
    said = _NUMBERED.sub("", said)
    said = _ATTRIBUTED.sub(lambda found: _kept(found, context), said)
    if not re.search(r"[^\W\d_]", said):
        return claim
    is_begun = claim[:1].isupper() and said[:1].islower() and said != claim
    return said[:1].upper() + said[1:] if is_begun else said


def _kept(found: re.Match[str], context: Sequence[str]) -> str:
    """The marker where the context has its label, else nothing."""
    labels = [label[0].lower() for label in _LABEL.finditer(found[0])]
    texts = [chunk.lower() for chunk in context]
    return found[0] if any(label in text for label in labels for text in texts) else ""
