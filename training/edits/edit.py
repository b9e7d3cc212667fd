"""One edit of a sentence, and what the edits need to know about the place they change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Bound = Literal["", "lower", "upper", "about"]

NEGATION = re.compile(
    r"\b(?:not|cannot|no|none|never|nobody|nothing|nowhere|neither|nor|without|hardly|barely|"
    r"rarely|seldom|unless)\b|n['’]t\b",
    re.IGNORECASE,
)

UNIVERSAL = re.compile(
    r"\b(?:any|all|every|each|if|no|not|whoever|anyone|everyone|without)\b|n['’]t\b", re.I
)

# What goes "up to" 40 goes up to 20 as well, and not to 80.
_LOWER = re.compile(
    r"\b(?:at least|"
    r"(?<!no )(?<!not )(?:more|greater|higher|larger|longer|older|later|better) than|over|above|"
    r"exceed(?:s|ed|ing)?|beyond|minimum(?: of)?|no (?:less|fewer) than|"
    r"up to|as (?:many|much) as)\W*$",
    re.IGNORECASE,
)
_UPPER = re.compile(
    r"\b(?:at most|"
    r"(?<!no )(?<!not )(?:less|fewer|lower|smaller|shorter|younger|earlier) than|under|below|"
    r"within|maximum(?: of)?|no (?:more|later) than|not more than)\W*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|nearly|almost|roughly|some|circa|close to|"
    r"estimated|ca|c)|[~≈])\W*$",
    re.IGNORECASE,
)

_MEASURES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|costs?|takes?|took|lasts?|lasted|weighs?|weighed|"
    r"contains?|contained|includes?|included|reach(?:es|ed)?|scored|won|sold|earned|earns|killed|"
    r"lived|spent|received|grew|rose|fell|covers?|covered|holds?|held|produced|employs?|employed)"
    r"(?: (?:now|still|only|also|currently))?\s+$"
)
_SUBORDINATE = re.compile(r"\b(?:who|whom|whose|which|that|where|when|unless|until)\b", re.I)


@dataclass(frozen=True, slots=True)
class Edit:
    """A sentence after one change.

    Attributes:
        kind: What was changed: "number", "negation", ...
        text: The edited sentence.
        contradicts: Of a breaking edit: False where the edited sentence is merely not stated.
    """

    kind: str
    text: str
    contradicts: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence after one change that has no kind yet; the fields are those of ``Edit``."""

    text: str
    contradicts: bool = True


def listed(text: str) -> list[str]:
    """The words of a table."""
    return text.split()


def spliced(text: str, start: int, end: int, new: str) -> str:
    """The text with ``new`` in place of [start, end)."""
    return text[:start] + new + text[end:]


def with_article(text: str, at: int) -> str:
    """The text with "a" or "an" before ``at`` as the word there wants it."""
    article = re.search(r"\b([Aa])n? $", text[:at])
    if article is None or not text[at : at + 1].isalpha():
        return text
    # "A Ukrainian", but "an unlikely".
    new = article[1] + ("n " if text[at] in "AEIOaeiou" else " ")
    return spliced(text, article.start(), article.end(), new)


def cased(new: str, model: str) -> str:
    """``new`` in capitals, capitalised or as it is, as ``model`` is."""
    if len(model) > 1 and model.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if model[:1].isupper() else new


def lowered_start(sentence: str) -> str:
    """The sentence as it reads behind an opener: an initial that is no name's in lower case."""
    first = re.match(r"(?:[A-Z][a-z]*)(?=\s)", sentence)
    if first is None or first.group() not in _FUNCTION_STARTS:
        return sentence
    return sentence[0].lower() + sentence[1:]


def bound(sentence: str, start: int) -> Bound:
    """How the quantity that begins at ``start`` is bounded: "at least", "up to", "about"."""
    before = sentence[max(0, start - 30) : start]
    if _UPPER.search(before):
        return "upper"
    if _LOWER.search(before):
        return "lower"
    return "about" if _ABOUT.search(before) else ""


def binds(sentence: str, start: int) -> bool:
    """Whether a tighter quantity at ``start`` says more: "has over 12", not "under 12 go free".

    A universal or a relative clause turns a bound round, and so does a subject: a verb of the
    statement itself has to stand right before the bound.
    """
    if bound(sentence, start) in {"", "about"}:
        return True
    before = sentence[:start]
    limits = [found for found in (_UPPER.search(before), _LOWER.search(before)) if found]
    stem = before[: min(found.start() for found in limits)]
    return _MEASURES.search(stem) is not None and not (
        UNIVERSAL.search(sentence) or _SUBORDINATE.search(stem)
    )


def previous_word(sentence: str, start: int) -> str:
    """The word that ends before ``start``, with only white space between; "" where none does."""
    found = re.search(r"([^\W\d_][\w'’.-]*)\s+$", sentence[max(0, start - 40) : start])
    return found.group(1) if found else ""


def next_word(sentence: str, end: int) -> str:
    """The word that begins behind ``end``, with only white space between; "" where none does."""
    found = re.match(r"\s+([^\W\d_][\w'’-]*)", sentence[end:])
    return found.group(1) if found else ""


def states(passage: str, phrase: str) -> bool:
    """Whether the passage holds a phrase at word borders, in whatever case."""
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, phrase.split())) + r"(?!\w)"
    return bool(phrase.strip()) and re.search(pattern, passage, re.IGNORECASE) is not None


_FUNCTION_STARTS = frozenset(
    listed(
        "A An The This That These Those It He She They We You There In On At As By For From "
        "When While After Before If Some All Many Most Each Every Both Its His Her Their Our "
        "My Your Two Three Four Five Six Seven Eight Nine Ten One No None During Since Until "
        "With Without"
    )
)
