"""Sentences that only say what the context does not: how they are told, and what they speak of.

Patterns for English only.
"""

from __future__ import annotations

import re

SOURCE = (
    r"(?:(?:provided |given |supplied |retrieved |above )?(?:contexts?|documents?|texts?|passages?"
    r"|articles?|excerpts?|search results)"
    r"|(?:provided|given|supplied|retrieved) (?:information|sources?|materials?))"
)
"""What an answer calls its context."""

_PAPER = (
    r"(?:(?:provided |given |supplied |retrieved |above )?(?:manual|documentation|guide(?:line)?s?"
    r"|handbook|report|leaflet|brochure|sources?|snippets?|pages?|excerpts?))"
)
"""What may be called so, too, of which other things are told as well: it "does not cover" them."""

_GOT = r"(?:(?:that )?i (?:was|have been|am) (?:given|provided with)|i have|provided|given)"
_OURS = rf"(?: {_GOT})?"
_THE = r"(?:the|this|that|these|your|my)"
_HERE = rf"(?:{_THE} {SOURCE}{_OURS}|(?:the|this|your) (?:information|sources?|materials?) {_GOT})"
_IS_HERE = re.compile(
    rf",? ?\b(?:in|from|with|within|using|given|by|part of|based on|according to) {_HERE}\b,?"
)
_IS_IN_PAPER = re.compile(rf",? ?\bin {_THE} {_PAPER}{_OURS}\b,?")
_SAYS = (
    r"(?:say|mention|state|specify|contain|provide|include|give|indicate|address|discuss|tell|cover"
    r"|reveal|describe|explain|answer|list)"
)
_ONLY_SAYS = r"(?:say|mention|state|specify|indicate|discuss|tell|reveal|describe|explain)"
_MENTIONS = r"(?:says?|mentions?|states?|specif(?:y|ies)|address(?:es)?|answers?|tells?|describes?)"
_DOES_NOT = r"(?:does not|do not|did not)"
_CANNOT = (
    r"(?:do not|cannot|can not|could not|was unable to|am unable to|unable to|not able to"
    r"|was not able to)"
)
_LEARN = (
    r"(?:know(?! any)|answer|determine|say|tell|find(?: out)?|see(?! any)|confirm|verify|provide"
    r"|give|identify|infer|establish|conclude)"
)
_ANSWER = r"answer(?= (?:it|this|that|your|(?:the|any) questions?|how|wh\w+)\b|$)"
_TOLD = r"(?:mentioned|specified|stated|described|discussed|addressed|listed|given|provided)"
_HELD = rf"(?:{_TOLD}|included|contained|found|available|covered|answered|known|clear|said|there)"
_NEWS = r"(?:information|details?|mention|data|indication|answer|word|statement)"
_ANY = r"(?:(?:any|relevant|specific|further|explicit|such|additional|direct) ){0,2}"
_ENOUGH = r"(?:(?:that|this|the|any|enough|sufficient|relevant|necessary|required|specific) ){1,2}"
_LITTLE = r"(?:no|not enough|not any|insufficient)"
_ON = r"(?:on|about|of|regarding|concerning|as to|for|to)"
_IT = r"(?:(?:this|that|it)|(?:the|an) answer(?: to (?:the|this|that|your) question)?)"
_ASKED = rf"(?:{_IT}|(?:the|this|that|your) question)"
_TOPIC = r"(?: (?P<topic>[a-z'-][a-z' -]*))?"
_SUBJECT = r"(?P<topic>[a-z'-][a-z' -]*?)"
_SORRY = r"(?:i'm |i am )?(?:sorry,? |unfortunately,? )(?:but )?|i apologi[sz]e,? (?:but )?"


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, patterns))


_ANYWHERE = _compiled(
    rf"{_HERE} {_DOES_NOT} {_SAYS}{_TOPIC}",
    rf"{_THE} {_PAPER}{_OURS} {_DOES_NOT} {_ONLY_SAYS}{_TOPIC}",
    rf"(?:{_HERE}|{_THE} {_PAPER}{_OURS}) (?:gives?|contains?|provides?|has|have|includes?"
    rf"|offers?|makes?|holds?) no (?:further |specific |explicit )?{_NEWS}(?: {_ON}{_TOPIC})?",
    rf"(?:{_HERE}|{_THE} {_PAPER}{_OURS}) (?:says?|tells?|states?|mentions?) nothing"
    rf"(?: {_ON}{_TOPIC})?",
    rf"(?:{_HERE}|{_THE} {_PAPER}{_OURS}) (?:is|are) silent (?:on|about){_TOPIC}",
    rf"{_HERE} lacks? {_ANY}(?:(?:enough|sufficient|the) )?{_NEWS}(?: {_ON}{_TOPIC})?",
    rf"{_HERE} (?:is|are) (?:insufficient|not sufficient|not enough)(?: to{_TOPIC})?",
    rf"none of {_HERE} {_MENTIONS}{_TOPIC}",
    rf"nothing is (?:said|stated|mentioned|told) {_ON}{_TOPIC}",
    rf"(?:i'm |i am |i )?{_CANNOT} (?:know(?! any)|{_ANSWER}|determine){_TOPIC}",
    rf"(?:i'm |i am |i )?{_CANNOT} find (?:that|this|it|the answer|an answer|out"
    rf"|{_ANY}(?:information|details?|mention)|anything(?= {_ON} |$)){_TOPIC}",
    rf"i (?:found|see|have) no {_ANY}(?:information|details?|mention)(?: {_ON}{_TOPIC})?",
    rf"i do not have {_ENOUGH}(?:information|details?|context)(?: {_ON}{_TOPIC})?",
    rf"there is {_LITTLE} {_ANY}(?:information|mention|details)"
    rf"(?: (?:about|on|of|regarding|available|provided|given|to){_TOPIC})?",
    rf"{_LITTLE} {_ANY}(?:information|mention|context)(?: (?:of|on|about|regarding){_TOPIC})?"
    rf" (?:is |was |are )?(?:given|provided|available|found|made)",
    rf"{_IT} is not (?:mentioned|specified|stated|said)",
    rf"{_ASKED} (?:cannot|can not|could not) be (?:answered|determined)",
    r"unknown|not (?:mentioned|specified|stated)",
)
"""What only says that something is not told, whether it names its source or not."""

_IN_PAPER = _compiled(
    rf"no {_SUBJECT} (?:is|are) {_TOLD}",
    rf"{_SUBJECT} (?:is|are) not {_TOLD}",
)
"""Likewise, where the sentence says "in the manual" or the like."""

_IN_CONTEXT = _compiled(
    rf"i {_CANNOT} {_LEARN}{_TOPIC}",
    rf"no {_SUBJECT} (?:is|are|was|were) (?:{_TOLD}|found|available)",
    rf"{_SUBJECT} (?:is|are|was|were) not {_HELD}",
    rf"{_SUBJECT} (?:cannot|can not|could not) be (?:found|determined|answered|inferred|confirmed)",
    rf"it is (?:not {_HELD}|unclear|unknown)"
    r"(?: (?P<topic>(?:how|what|when|where|who|why|which|whether|if) [a-z' -]*))?",
    rf"nothing {_MENTIONS}{_TOPIC}",
    rf"there is no reference to{_TOPIC}",
    rf"{_IT} is not(?: in)?",
    rf"not {_HELD}",
)
"""Likewise, where it says "in the context" or "based on the context"."""

_APOLOGY = re.compile(rf"(?:{_SORRY}|(?:unfortunately|however),? )")
_CONTRACTED = ((re.compile(r"\bcan't\b"), "cannot"), (re.compile(r"(?<=[a-z])n't\b"), " not"))
_IS = re.compile(r"^(it|that|there)'s\b")
_TURN = re.compile(
    r"\b(?:but|however|although|though|instead|yet|and|because|since|so|while|whereas|except|than"
    r"|which|(?<=\w )it (?:is|was|has|costs?)"
    r"|that (?!question\b|information\b|detail\b|topic\b)\w+)\b"
)
"""What turns an abstention into a claim of its own, or hides one in it."""

_MOST_WORDS = 16
"""Of an abstention: a longer one says more than that it does not know."""

_GIVEN_BEHIND = re.compile(r" ?\b(?:available|provided|given)$")
_NEWS_BEFORE = re.compile(
    rf"^(?:(?:any|enough|sufficient|further|specific|explicit|the) )*(?:{_NEWS} {_ON} |about |on )"
)
_POINTS_BACK = re.compile(
    r"(?:(?:to|fully|answer|determine|say|tell|know) )*"
    r"(?:(?:that|this|it|the|an?|any|such|your) ?)*"
    r"(?:answer|question|information|details?|topic|subject|point|matter|say|tell|know|so)?"
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
    said = _NEWS_BEFORE.sub("", _GIVEN_BEHIND.sub("", said).strip(), count=1)
    return "" if _POINTS_BACK.fullmatch(said) else said


def _read(plain: str) -> re.Match[str] | None:
    said = _APOLOGY.sub("", plain, count=1) if _APOLOGY.match(plain) else plain
    if len(said.split()) > _MOST_WORDS:
        return None
    for contracted, written in _CONTRACTED:
        said = contracted.sub(written, said)
    said = _IS.sub(r"\1 is", said)
    # What is left says the same of the context, wherever in the sentence it was named.
    bare, is_here = _IS_HERE.subn("", said, count=1)
    bare, is_in_paper = (bare, 1) if is_here else _IS_IN_PAPER.subn("", said, count=1)
    bare = bare.strip()
    if _TURN.search(bare):
        return None
    patterns = (
        *_ANYWHERE,
        *(_IN_PAPER if is_in_paper else ()),
        *(_IN_CONTEXT if is_here else ()),
    )
    return next(filter(None, (one.fullmatch(bare) for one in patterns)), None)
