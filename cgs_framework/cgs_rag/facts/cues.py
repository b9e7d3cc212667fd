"""Words that call for a value to be worked out, so that it need not stand in the context."""

from __future__ import annotations

import re

from cgs_rag.facts.arithmetic import Operation

_GREW = (
    r"r[io]se[sn]?|rising|rais\w+|increas\w+|gr[eo]w\w*|gain\w*|chang\w+|climb\w*|jump\w*"
    r"|expan\w+|(?<!no )more|up(?! to)"
)
_FELL = (
    r"f[ae]ll(?:s|en|ing)?|drop\w*|decreas\w+|declin\w+|cut|shr[aiu]nk\w*|chang\w+|los[st]\w*"
    r"|reduc\w+|less|fewer|down|sank|discount\w*|off|sav\w+"
)
_CHANGED = rf"{_GREW}|{_FELL}"
_CUES: dict[Operation, str] = {
    "sum": r"total\w*|sum|altogether|together|in all|combined|overall|both|whole|entire\w*"
    r"|all (?:of|two|three|four|five)|including|incl|plus|add(?:s|ed|ing)? up|joint\w*",
    "growth": rf"{_GREW}|higher|larger|bigger|longer|older|faster|dearer|taller|heavier",
    "decline": rf"{_FELL}|lower|smaller|shorter|younger|slower|cheaper|lighter",
    "rest": r"not|without|\w+n['’]t|rest|remain\w*|left|others?|un\w{4,}",
    "difference": rf"{_CHANGED}|differ\w*|left|remain\w*|rest|too|extra|additional\w*|another"
    r"|further|apart|gap|surplus|over the|short|spare|balance|net|later|earlier|margin|lead|ahead"
    r"|behind|exceed\w*|longer|shorter|higher|lower|larger|smaller|bigger|older|younger|taller"
    r"|heavier|lighter|warmer|colder|cooler|hotter|cheaper|dearer|faster|slower|deeper|wider",
    "share": rf"{_CHANGED}|vat|tax\w*|includ\w+|incl|plus|now|net|gross|left|remain\w*|rest"
    r"|deposit|surcharge|service|tip|interest|total\w*|in all|of them|others?",
    "ratio": r"share|proportion|rate|ratio|percentage|part|of",
    "rate": r"total\w*|altogether|in all|overall|all|whole|entire\w*|together|average|mean"
    r"|at most|annual\w*|year\w*|month\w*|week\w*|dai?ly|days?|hour\w*|per|each|every",
    "span": r"li[vf]e[sd]?|aged?|old|last\w*|r[au]n\w*|span\w*|between|apart|took|takes|after|later"
    r"|long|duration|reign\w*|serv\w+",
}
_WORDS = {
    operation: re.compile(rf"(?<!\w)(?:{cues})(?!\w)", re.IGNORECASE)
    for operation, cues in _CUES.items()
}
_APART = re.compile(
    r"\b(?:before|after|later|earlier|within|following|prior|from|until|for|of|exten\w+|delay\w*"
    r"|postpon\w+|last\w*|t[ao]kes?|took|since|by|longer)\b",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:more|less|fewer|higher|lower|longer|shorter) than\W*$", re.IGNORECASE)


def words_beside(claim: str, start: int, end: int) -> str:
    """A claim without a value and its bound: "more than 5" is no "5 more than"."""
    return f"{_BOUND.sub('', claim[:start])} {claim[end:]}"


def calls_for(operation: Operation, words: str) -> bool:
    """Whether a text calls for a value to be worked out in a given way.

    Args:
        operation: How.
        words: The claim without the value, and what was asked.
    """
    pattern = _WORDS.get(operation)
    return pattern is not None and pattern.search(words) is not None


def tells_shift(sentence: str) -> bool:
    """Whether a sentence tells a time by another one: "45 minutes before 09:15"."""
    return _APART.search(sentence) is not None
