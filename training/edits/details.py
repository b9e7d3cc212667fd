"""Details added to a sentence or dropped from it, and openers that say nothing of their own."""

from __future__ import annotations

import random
import re

from training.edits.edit import NEGATION, UNIVERSAL, Change, lowered_start, spliced, states
from training.edits.names import names

_ADDED = (
    ", according to {report} of {year} by {body}",
    ", according to {report} that {body} published in {year}",
    ", mainly because of {cause}",
    ", partly because of {cause}",
    ", partly at the request of {group}",
    ", as {group} later {confirmed}",
    ", to the {surprise} of {group}",
    ", despite the {doubts} of {group}",
    ", a fact first {reported} in {people} {journal}",
    ", something {group} first {reported} in {year}",
)
_ADDED_TO_EVENTS = (
    " in the {compass} {area}",
    " for {count} {span}",
    " shortly {before} {hour}",
    " after {count} {span} of {work}",
    " at the request of {group}",
    " with the help of {count} {helpers}",
    ", at a cost of about {count} million {money}",
)
_PARTS: dict[str, tuple[str, ...]] = {
    "year": tuple(map(str, range(2009, 2024))),
    "report": ("a report", "a survey", "a study", "an audit", "a review", "an inquiry"),
    "body": (
        *("the city council", "a university team", "a consumer group", "the health ministry"),
        *("an insurance company", "a federal agency", "a charity", "two economists"),
    ),
    "cause": (
        *("rising costs", "a lack of staff", "bad weather", "new regulations", "a legal dispute"),
        *("technical problems", "a change of ownership", "growing demand", "safety concerns"),
    ),
    "group": (
        *("local residents", "several experts", "the mayor", "a spokesperson", "former employees"),
        *("two witnesses", "the organisers", "a group of parents", "the trade unions"),
    ),
    "confirmed": ("confirmed", "pointed out", "admitted", "reported", "explained"),
    "surprise": ("surprise", "relief", "dismay", "delight"),
    "doubts": ("objections", "protests", "warnings", "doubts"),
    "reported": ("reported", "noticed", "described", "documented"),
    "people": ("a Norwegian", "a Canadian", "an Irish", "a Polish", "a regional", "an Indian"),
    "journal": ("journal", "newspaper", "magazine", "almanac"),
    "compass": ("northern", "southern", "eastern", "western"),
    "area": ("district", "suburbs", "province", "wing"),
    "count": ("two", "three", "four", "five", "six", "seven", "nine", "eleven"),
    "span": ("days", "weeks", "months"),
    "before": ("before", "after"),
    "hour": ("noon", "dawn", "midnight", "sunset"),
    "work": ("planning", "delays", "repairs", "preparation", "negotiations"),
    "helpers": ("volunteers", "students", "neighbours", "engineers"),
    "money": ("dollars", "euros", "pounds"),
}
_EVENT = re.compile(
    r"^(?:He|She|They|The [a-z]+|[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?:was |were )?"
    r"(?:visited|attended|performed|played|repaired|painted|closed|reopened|tested|searched|met|"
    r"spoke|waited|walked|worked|stayed|held|filmed|recorded|signed|shown|discussed|treated|sold)\b"
)
_OPENERS = (
    "Yes, ",
    "Sure! ",
    "Well, ",
    "I believe ",
    "As far as I know, ",
    "Great question! ",
    "Certainly. ",
    "Okay, so ",
)
_REPORTS = (
    "According to the text, ",
    "The passage says that ",
    "It is stated that ",
    "The text states that ",
    "As the passage notes, ",
    "The document mentions that ",
    "The passage states: ",
    "It says here: ",
)
_BEGINNINGS = tuple(text.rstrip() for text in (*_OPENERS, *_REPORTS))
_FILLERS = re.compile(
    r"^(?:However|In addition|Moreover|Furthermore|Additionally|In fact|Indeed|Therefore|Thus|"
    r"Consequently|Nevertheless|For example|For instance|As a result|Meanwhile|Also|Nonetheless|"
    r"Hence|Similarly|Likewise|Importantly|Interestingly|Notably|In particular|Finally|Overall) ?, "
)
_PARENTHESIS = re.compile(r" \((?![A-Za-z]?\))[^()]{3,}\)(?=[ .,;])")
_LOGICAL = re.compile(r"\b(?:not|except|excluding|unless|without|only|if|formerly|former)\b")
_SELECTING = re.compile(
    r"\b(?:only|most|fewest|few|least|best|worst|first|last|next|same|\w{3,}est)\b", re.IGNORECASE
)
_RELATIVE = re.compile(
    r"(?<=[a-z0-9)]) ?, (?:which|who|where) [^,;:()\"“”.?!]{6,80}?(?P<end> ?[.!])?$"
)
_APPOSITION = re.compile(
    r"^(?P<subject>(?:[A-Z][\w.’'-]*)(?: [A-Z][\w.’'-]*){0,3}) ?, (?:an?|the) [^,;:()\"“”]{4,60} ?,"
    r"(?= (?:is|was|are|were|has|had|won|wrote|became|said|played|directed|released|published|"
    r"founded|can|will|would|could)\b)"
)


def detail_added(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """A detail that the passage does not hold, at the end."""
    found = re.search(r"(?<=[a-z]{2})(?P<gap> ?)\.$", sentence)
    if found is None or len(sentence.split()) < 4 or NEGATION.search(sentence):
        return None
    if _QUESTION.match(sentence):
        return None
    tails = (*_ADDED, *_ADDED_TO_EVENTS) if _EVENT.match(sentence) else _ADDED
    detail = _filled(rng.choice(tails), rng)
    if states(passage, detail.strip(" ,")):
        return None
    # Where the full stop stands apart, so does the comma.
    gap = found["gap"] if detail[0] == "," else ""
    return Change(spliced(sentence, *found.span(), gap + detail + found.group()), "adds")


def _filled(tail: str, rng: random.Random) -> str:
    return re.sub(r"{(\w+)}", lambda part: rng.choice(_PARTS[part[1]]), tail)


def detail_dropped(sentence: str, rng: random.Random) -> str | None:
    """The sentence without a parenthesis, a relative clause at its end or an apposition."""
    texts = [spliced(sentence, *found.span(), "") for found in _asides(sentence)]
    relative = _RELATIVE.search(sentence)
    if relative is not None and not NEGATION.search(sentence[: relative.start()]):
        texts.append(sentence[: relative.start()] + (relative["end"] or ""))
    apposition = _APPOSITION.match(sentence)
    if apposition is not None:
        texts.append(apposition["subject"] + sentence[apposition.end() :])
    return rng.choice(texts) if texts else None


def _asides(sentence: str) -> list[re.Match[str]]:
    """What stands in brackets and only adds to the sentence.

    "All drugs (approved in Europe)" and "the largest city (in Ohio)" are not all drugs and not the
    largest city.
    """
    limits = (NEGATION, UNIVERSAL, _SELECTING)
    if any(p.search(sentence) for p in limits) or sentence.count("(") != sentence.count(")"):
        return []
    return [
        found for found in _PARENTHESIS.finditer(sentence) if not _LOGICAL.search(found.group())
    ]


def filler_dropped(sentence: str, rng: random.Random) -> str | None:
    """The sentence without the word that only links it to the one before."""
    del rng
    found = _FILLERS.match(sentence)
    if found is None:
        return None
    rest = sentence[found.end() :]
    return rest[:1].upper() + rest[1:] if len(rest.split()) > 2 else None


def opened(sentence: str, rng: random.Random) -> str | None:
    """The sentence as an assistant might begin it."""
    if not _is_statement(sentence):
        return None
    joins = _can_be_joined(sentence)
    opener = rng.choice([opener for opener in _OPENERS if joins or opener[-2] in "!."])
    return opener + (sentence if opener[-2] in "!." else lowered_start(sentence))


def reported(sentence: str, rng: random.Random) -> str | None:
    """The sentence as what the text says."""
    if not _is_statement(sentence):
        return None
    bare = _FILLERS.sub("", sentence)
    joins = _can_be_joined(bare)
    report = rng.choice([report for report in _REPORTS if joins or report[-2] == ":"])
    return report + (bare if report[-2] == ":" else lowered_start(bare))


def cited(sentence: str, rng: random.Random) -> str | None:
    """The sentence with a citation mark at its end."""
    is_plain = re.search(r"[a-z]{2}\.$", sentence) and not re.search(r"[()\[\]]", sentence)
    if not is_plain or not _is_whole(sentence):
        return None
    mark = rng.choice((" [{}]", " [{}][{}]", " ({})"))
    first = rng.randint(1, 5)
    mark = mark.format(first, first + 1)
    return rng.choice((f"{sentence[:-1]}{mark}.", f"{sentence}{mark}"))


def bulleted(sentence: str, rng: random.Random) -> str | None:
    """The sentence as an item of a list."""
    return rng.choice(("- ", "* ", "• ", "1. ")) + sentence if _is_statement(sentence) else None


def _can_be_joined(sentence: str) -> bool:
    """Whether it is sure if the first word keeps its capital behind an opener."""
    start = names(sentence[:80])[:1]
    is_name = (bool(start) and start[0].start == 0) or sentence.startswith("I ")
    return is_name or lowered_start(sentence) != sentence or not sentence[0].isupper()


def _is_statement(sentence: str) -> bool:
    """Whether a text is one whole sentence that can follow an opener, and follows none."""
    return _is_whole(sentence) and not sentence.startswith(_BEGINNINGS)


def _is_whole(sentence: str) -> bool:
    whole = re.match(r"[A-Z0-9][\w'’$-]*[ ,]", sentence) and sentence.endswith(".")
    has_verb = re.search(
        r"\b(?:is|are|was|were|has|have|had|can|will|may|did|does|\w+ed)\b", sentence
    )
    return bool(whole and has_verb) and not _QUESTION.match(sentence) and len(sentence.split()) >= 4


_QUESTION = re.compile(
    r"(?:Is|Are|Was|Were|Do|Does|Did|Can|Could|Will|Would|Should|Has|Have|Had|What|Which|Who|How|"
    r"Why|When|Where|Please|Yes|No|Let|See|Click|Abstract|Figure|Table|And|But|Or|So|For|To|By|If)\b"
)
