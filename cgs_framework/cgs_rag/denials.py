"""What turns round what stands beside it: crosses, and lead-ins as "Not included:"."""

from __future__ import annotations

import re

from cgs_rag.struck import without_marks, without_struck
from cgs_rag.text import has_content

CROSSES = "✗✘☒✖✕❌❎🚫⛔👎"
"""Signs that deny what they stand at."""

TICKS = "✅✓☑✔"
"""Signs that affirm it."""

EMPTY_BOX = r"(?<!\w)\[ \]"
"""The box of an item that is not so, or not done."""

_UNTRUE = (
    r"false(?:ly|hoods?)?|(?:un|not )true|lies|myths?|(?:mis|pre)conceptions?|fallac(?:y|ies)"
    r"|misinformation|misunderstandings?|wrong(?:ly)?|incorrect(?:ly)?|inaccura(?:te|te?ly|cies)"
    r"|mis(?:taken(?:ly)?|stated|leading)|fake[sd]?|fabricat(?:ed|ions?)|fiction(?:al)?|invented"
    r"|made[ -]up|imaginary|hoax(?:es)?|rumou?r(?:s|ed)?|alleg(?:ed(?:ly)?|ations?)|unconfirmed"
    r"|supposed(?:ly)?|unproven|disprove[dns]?|debunk(?:s|ed)?|refute[ds]?"
)
_ABSENT = (
    r"not|no|non|never|cannot|nobody|nothing|none|neither|nor|without|lack(?:s|ed|ing)?"
    r"|miss(?:es|ing)|absent|absence|exclu(?:des?|ded|ding|sions?)|omit(?:s|ted)?|omissions?"
    r"|except(?:ions?|ing)?|avoid(?:s|ed|ing)?|contrary|opposites?|instead|rather than|unlike"
    r"|hypothetical(?:ly)?|den(?:y|ies|ied)|reject(?:s|ed)?|refuse[ds]?|fail(?:s|ed)? to"
    r"|contradict(?:s|ed)?|impossible|un(?:supported|available|able|suitable|safe|affected|related"
    r"|covered|included|necessary|known)|in(?:valid|compatible|capable|eligible|effective)"
    r"|prohibit(?:s|ed|ions?)?|forb(?:id|ids|idden|ade)|ban(?:s|ned)?|disallow(?:s|ed)?|removed?"
    r"|discontinued|free (?:of|from)|donts?"
)
_DENIES = re.compile(
    rf"\b(?:{_UNTRUE}|{_ABSENT})\b|n['’]t\b|[{CROSSES}]|{EMPTY_BOX}", re.IGNORECASE
)
_DENIES_NOTHING = re.compile(
    r"\b(?:not (?:only|just|merely|least)|without (?:further|more) ado|no\. ?\d+|no doubt|no matter"
    r"|nothing but)\b|n['’]t (?:only|just|forget)\b",
    re.IGNORECASE,
)
"""Phrases in which such a word denies nothing of what follows."""

_CALLS_UNTRUE = re.compile(
    rf"[^\n]{{0,120}}?\b(?:{_UNTRUE})\b[^\n]{{0,120}}"
    r"(?:[:：][ *_]*\n|\n(?=\s*(?:[-*+•>]|\d{1,3}[.)])))",
    re.IGNORECASE,
)
"""A line above others that it calls untrue."""

_CROSSED = re.compile(rf"(?:(?:[{CROSSES}]\ufe0f?|{EMPTY_BOX})\s*)+")
_TIMES = re.compile(rf"(?<=\d)( ?)[{CROSSES}]\ufe0f?( ?)(?=\d)")
_TICKED = re.compile(rf"[{TICKS}]\ufe0f?|(?<!\w)\[[xX]\]")
_TICKED_FIRST = re.compile(r"\[[xX]\]\s+")
_MAY_BE_MARKED = re.compile(r"\n|\[[ xX]\]|~~|</")


def denies(line: str) -> bool:
    """Whether a line says of what follows that it is not so, or may do; a question does not.

    By words of English: "The lock lacks the following:", "Myths".
    """
    said = line.rstrip(" \t\r\n*_")
    plain = _DENIES_NOTHING.sub("", said.replace("_", " "))
    return not said.endswith(("?", "？")) and _DENIES.search(plain) is not None


def spelt(claim: str) -> str:
    """A claim for a model that knows no crosses, and takes "Lies:" for a name: with words instead.

    "❌ Waterproof" is "Not: Waterproof", "Waterproof: ❌" is "Waterproof: no"; what denies
    something itself is only rid of its cross. Between numbers it multiplies: "1920✕1080". An
    empty box is a cross. What is struck through is left out; where it is all, it is denied.
    """
    if claim.isascii() and not _MAY_BE_MARKED.search(claim):
        return claim  # most are so
    stated = without_struck(claim)
    claim = stated if has_content(stated) else f"It is not true that: {without_marks(claim)}"
    claim = _TICKED_FIRST.sub("", claim, count=1) if claim.startswith("[") else claim
    claim = _TIMES.sub(r"\1×\2", claim)
    crossed = _CROSSED.match(claim)
    if crossed:
        rest = claim[crossed.end() :]
        claim = rest if denies(rest) else f"Not: {rest}"
    untrue = _CALLS_UNTRUE.match(claim)
    if untrue:
        claim = f"It is not true that:\n{claim[untrue.end() :]}"
    return _TICKED.sub("yes", _CROSSED.sub("no ", claim)).rstrip()
