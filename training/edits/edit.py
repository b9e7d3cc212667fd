"""One edit of a sentence, and what the edits need to know about the place they change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Bound = Literal["", "lower", "upper", "about"]
Relation = Literal["contradicts", "differs", "adds", "same", "less"]
"""What an edited sentence is to the original.

- "contradicts": each excludes the other.
- "differs": neither implies nor excludes the other, so either is unsupported by the other.
- "adds": it says more or is more sure. The original does not support it, but holds, or at least may
  hold, where it does.
- "same": each implies the other.
- "less": the original implies it, and not the other way round.
"""

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
    r"exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|topp(?:ed|ing)|tops|beyond|minimum(?: of)?|"
    r"upwards of|in excess of|no (?:less|fewer) than|"
    r"up to|as (?:many|much) as|(?:can|could|may|might) \w+)\W*$",
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

_QUANTITY = r"[$€£]?\w[\w.,]*%?(?:[ -][\w°%]+){0,2}?,? "
_BEHIND: dict[Bound, re.Pattern[str]] = {
    "upper": re.compile(
        _QUANTITY
        + r"(?:or|and) (?:less|fewer|lower|smaller|shorter|younger|earlier|under|below)\b|"
        r"\w+ at the latest\b",
        re.IGNORECASE,
    ),
    "lower": re.compile(
        _QUANTITY
        + r"(?:or|and) (?:more|greater|higher|larger|longer|older|later|better|over|above|up)\b|"
        r"\w+ at the earliest\b",
        re.IGNORECASE,
    ),
    "about": re.compile(_QUANTITY + r"or so\b", re.IGNORECASE),
}

SEVERAL = re.compile(
    r"\b(?:one of|including|includes?|such as|also|among|amongst|others?|another|again|"
    r"some(?:one|body|thing)?|several|certain|various|many|numerous|few|a number of|sometimes)\b",
    re.I,
)
"""What says that there is, or may be, more of what a sentence names."""

_POSSIBLE = re.compile(r"\b(?:may|might|can|could)\b", re.I)
_IN_CONDITION = re.compile(r"\b(?:if|when|whenever|where|while|unless)\b[^,;.]*$", re.IGNORECASE)
_AFTER_AN = re.compile(
    # "An unlikely", "an hour" and "an 18th", but "a useful", "a one-hour" and "a Ukrainian".
    r"(?![Ee]u|one\b|once\b|uni(?![mn])|us[aeu]|uti)[AEIOaeiou]|[Hh](?:our|onest|onou?r|eir)|"
    r"[$€£]?(?:8|1[18](?!\d))",
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
        relation: What it is to the original.
    """

    kind: str
    text: str
    relation: Relation = "contradicts"


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence after one change that has no kind yet; the fields are those of ``Edit``."""

    text: str
    relation: Relation = "contradicts"


def listed(text: str) -> list[str]:
    """The words of a table."""
    return text.split()


def spliced(text: str, start: int, end: int, new: str) -> str:
    """The text with ``new`` in place of [start, end)."""
    return text[:start] + new + text[end:]


def with_article(text: str, at: int) -> str:
    """The text with "a" or "an" before ``at`` as the word or number there wants it."""
    article = re.search(r"\b([Aa])n? $", text[:at])
    if article is None or not re.match(r"[$€£]?\w", text[at : at + 2]):
        return text
    new = article[1] + ("n " if _AFTER_AN.match(text, at) else " ")
    return spliced(text, article.start(), article.end(), new)


def cased(new: str, model: str) -> str:
    """``new`` in capitals, capitalised or as it is, as ``model`` is."""
    if len(model) > 1 and model.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if model[:1].isupper() else new


def lowered_start(sentence: str) -> str:
    """The sentence as it reads behind an opener: an initial that is no name's in lower case."""
    first = re.match(r"[A-Z][a-z]*(?!\S)", sentence)
    if first is None or first.group().lower() not in _ORDINARY_STARTS:
        return sentence
    return sentence[0].lower() + sentence[1:]


def bound(sentence: str, start: int) -> Bound:
    """How the quantity that begins at ``start`` is bounded: "at least", "up to", "or so"."""
    before = sentence[max(0, start - 30) : start]
    if _UPPER.search(before):
        return "upper"
    if _LOWER.search(before):
        return "lower"
    if _ABOUT.search(before):
        return "about"
    return next((b for b, behind in _BEHIND.items() if behind.match(sentence, start)), "")


def binds(sentence: str, start: int) -> bool:
    """Whether a tighter quantity at ``start`` says more: "has over 12", not "under 12 go free".

    A universal or a relative clause turns a bound round, and so does a subject: a verb of the
    statement itself has to stand right before the bound.
    """
    if bound(sentence, start) in {"", "about"}:
        return True
    before = sentence[:start]
    limits = [found for found in (_UPPER.search(before), _LOWER.search(before)) if found]
    stem = before[: min((found.start() for found in limits), default=len(before))]
    return _MEASURES.search(stem) is not None and not (
        UNIVERSAL.search(sentence) or _SUBORDINATE.search(stem)
    )


def is_among(sentence: str, start: int, end: int) -> bool:
    """Whether what stands at [start, end) may be one of several, of which another is one too."""
    return bool(
        SEVERAL.search(sentence)
        or re.search(r"(?:[,/&(]|\b(?:and|or|both))\s?(?:[a-z]{1,4} )?$", sentence[:start])
        or re.match(r"\s?(?:[,/&(]|(?:and|or|with|as well)\b)", sentence[end:])
    )


def relation_at(sentence: str, start: int) -> Relation:
    """What a sentence with a value that excludes the one at ``start`` is to the sentence.

    What is denied, only possible or only a condition leaves the other value open, and so does what
    goes for some or for all of a kind: others may have risen where some have fallen.
    """
    whole = (NEGATION, UNIVERSAL, SEVERAL, _POSSIBLE)
    if any(pattern.search(sentence) for pattern in whole) or _IN_CONDITION.search(sentence[:start]):
        return "differs"
    return "contradicts"


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


_ORDINARY_STARTS = frozenset(
    listed(
        "a an the this that these those it its he his she her they their we our you your my there "
        "in on at as by for from with without during since until when while after before if "
        "some all many most each every both few several only one two three four five six seven "
        "eight nine ten no none people men women man woman children"
    )
)
