"""Sentences that only say what the context does not: how they are told, and what they speak of.

Patterns for English only.
"""

from __future__ import annotations

import re

SOURCE = (
    r"(?:(?:provided |given |supplied |retrieved |above )?(?:contexts?|documents?|texts?|passages?"
    r"|articles?|excerpts?)"
    r"|(?:provided|given|supplied|retrieved) (?:information|sources?|materials?))"
)
"""What an answer calls its context."""

_PAPER = (
    r"(?:(?:provided |given |supplied |retrieved |above )?(?:manual|documentation|guide(?:line)?s?"
    r"|handbook|report|leaflet|brochure|sources?|snippets?|pages?|excerpts?))"
)
"""What may be called so, too, of which other things are told as well: it "does not cover" them."""

_OURS = r"(?: (?:that )?(?:i (?:was|have been|am) (?:given|provided with)|i have|provided|given))?"
_THE = r"(?:the|this|that|these|your|my)"
_HERE = rf"{_THE} {SOURCE}{_OURS}"
_IN_HERE = rf"in (?:{_HERE}|{_THE} {_PAPER}{_OURS})"
_SAYS = (
    r"(?:say|mention|state|specify|contain|provide|include|give|indicate|address|discuss|tell|cover"
    r"|reveal|describe|explain|answer|list)"
)
_ONLY_SAYS = r"(?:say|mention|state|specify|indicate|discuss|tell|reveal|describe|explain)"
_DOES_NOT = r"(?:does not|doesn't|do not|don't|did not|didn't)"
_CANNOT = (
    r"(?:do not|don't|cannot|can't|can not|could not|couldn't|was unable to|am unable to|unable to"
    r"|not able to)"
)
_GIVEN = r"(?:mentioned|specified|stated|provided|given|available|known)"
_TOLD = r"(?:mentioned|specified|stated|described|discussed|addressed|listed|given|provided)"
_NEWS = r"(?:information|details?|mention|data|indication|answer|word|statement)"
_ON = r"(?:on|about|of|regarding|concerning|as to|for|to)"
_TOPIC = r"(?: (?P<topic>[a-z'-][a-z' -]*))?"
_SORRY = r"(?:i'm |i am )?(?:sorry,? |unfortunately,? )(?:but )?"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:based on|according to) (?:the|this) {SOURCE},? i {_CANNOT}{_TOPIC}",
        rf"{_HERE} {_DOES_NOT} {_SAYS}{_TOPIC}",
        rf"{_THE} {_PAPER}{_OURS} {_DOES_NOT} {_ONLY_SAYS}{_TOPIC}",
        rf"(?:{_HERE}|{_THE} {_PAPER}{_OURS}) (?:gives?|contains?|provides?|has|have|includes?"
        rf"|offers?|makes?|holds?) no (?:further |specific |explicit )?{_NEWS}(?: {_ON}{_TOPIC})?",
        rf"(?:{_HERE}|{_THE} {_PAPER}{_OURS}) (?:says?|tells?|states?|mentions?) nothing"
        rf"(?: {_ON}{_TOPIC})?",
        rf"(?:{_HERE}|{_THE} {_PAPER}{_OURS}) (?:is|are) silent (?:on|about){_TOPIC}",
        rf"nothing is (?:said|stated|mentioned|told)(?: {_IN_HERE})? {_ON}{_TOPIC}",
        rf"no (?P<topic>[a-z'-][a-z' -]*?) (?:is|are) {_TOLD} {_IN_HERE}",
        rf"(?P<topic>[a-z'-][a-z' -]*?) (?:is|are) not {_TOLD} {_IN_HERE}",
        rf"(?:i'm |i am |i )?{_CANNOT} (?:know(?! any)|answer|determine){_TOPIC}",
        rf"(?:i'm |i am |i )?{_CANNOT} find "
        rf"(?:that|this|it|the answer|any (?:information|details?|mention)|an answer|out){_TOPIC}",
        rf"i (?:found|see|have) no (?:information|details?|mention) {_ON}{_TOPIC}",
        rf"there is (?:no|not enough|insufficient) (?:information|mention|details)(?: {_IN_HERE})?"
        rf"(?: (?:about|on|of|regarding|available|provided|given){_TOPIC})?",
        rf"(?:no|not enough|insufficient) (?:information|mention|context)"
        rf"(?: (?:of|on|about|regarding){_TOPIC})?"
        rf" (?:is |was |are )?(?:given|provided|available|found|made)(?: {_IN_HERE})?",
        rf"(?:this|that|it|the answer) is not (?:mentioned|specified|stated|said)(?: {_IN_HERE})?",
        rf"(?:this|that|it|the answer) is not {_GIVEN} in {_HERE}",
        rf"(?:this|that|it|the answer) is not (?:in|part of) {_HERE}",
        rf"unknown|not (?:mentioned|specified|stated)|not {_GIVEN} in {_HERE}",
    )
)
_APOLOGY = re.compile(rf"(?:{_SORRY}|(?:unfortunately|however),? )")
_TURN = re.compile(
    r"\b(?:but|however|although|though|instead|yet|and|because|since|so|while|whereas|except|than"
    r"|which|(?<=\w )it (?:is|was|has|costs?)"
    r"|that (?!question\b|information\b|detail\b|topic\b)\w+)\b"
)
"""What turns an abstention into a claim of its own, or hides one in it."""

_MOST_WORDS = 16
"""Of an abstention: a longer one says more than that it does not know."""

_SOURCE_BEHIND = re.compile(rf" ?\b(?:{_IN_HERE}|(?:available|provided|given))$")
_NEWS_BEFORE = re.compile(
    rf"^(?:(?:any|enough|sufficient|further|specific|explicit|the) )*(?:{_NEWS} {_ON} |about |on )"
)
_POINTS_BACK = re.compile(
    r"(?:(?:that|this|it|the|an?|any|such|your) ?)*"
    r"(?:answer|question|information|details?|topic|subject|point|matter|so)?"
)


def is_abstention(plain: str) -> bool:
    """Whether a sentence only says that the context, or who answers, does not know.

    Args:
        plain: The sentence in small letters, with plain apostrophes and no mark at its end.
    """
    return _read(plain) is not None


def topic(plain: str) -> str:
    """What an abstention says to be told nowhere; "" where it only points back to the question.

    Args:
        plain: An abstention, as for ``is_abstention``.
    """
    found = _read(plain)
    said = (found.groupdict().get("topic") or "") if found is not None else ""
    said = _NEWS_BEFORE.sub("", _SOURCE_BEHIND.sub("", said).strip(), count=1)
    return "" if _POINTS_BACK.fullmatch(said) else said


def _read(plain: str) -> re.Match[str] | None:
    said = _APOLOGY.sub("", plain, count=1) if _APOLOGY.match(plain) else plain
    if len(said.split()) > _MOST_WORDS or _TURN.search(said):
        return None
    return next(filter(None, (one.fullmatch(said) for one in _PATTERNS)), None)
