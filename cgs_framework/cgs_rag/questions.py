"""What a question asks for: whether something is so, or what to do or say.

By words of English; a question in another language asks for neither.
"""

from __future__ import annotations

import re

_AUXILIARY = (
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|has|have|had|may|might"
    r"|must|need|ain)(?:n['’]?t|not)?"
)
_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_BEGINS = re.compile(rf"(?:(?:and|but|so|then|well|ok|okay|please),? )*{_AUXILIARY}\b")
_WHETHER = re.compile(
    r"\b(?:whether|(?:tell|know|say|check|see|confirm|wonder|ask)\w*(?: me)? if)\b"
)
_ASKS_FOR_WORDS = re.compile(
    r"(?:can|could|will|would|may) (?:you|i|we|someone|anyone)(?: please| kindly| also| just)? "
    r"(?:tell|explain|give|list|describe|summari[sz]e|show|provide|help|write|name|clarify|find"
    r"|compare|say|outline|elaborate|walk|share|define|have|get|ask|see|answer|translate|extract"
    r"|identify|recommend|suggest|point)\b"
    rf"|do (?:you|we) (?:happen to )?know {_WH}\b"
)
_STATES = re.compile(rf"(?!.*\b{_WH}\b)\S+ \S+")


def asks_whether(question: str) -> bool:
    """Whether a sentence asks if something is so, so that "Absolutely!" is an answer to it.

    One that asks to be told, shown or helped does not, unless it is to be told whether.
    """
    plain = " ".join(question.lower().split()).strip("\"'“”‘’*_ ")
    if _WHETHER.search(plain):
        return True
    if _BEGINS.match(plain):
        return _ASKS_FOR_WORDS.match(plain) is None
    return plain.endswith("?") and _STATES.match(plain) is not None
