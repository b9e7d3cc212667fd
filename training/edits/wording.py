"""Other words for the same: contractions, synonyms, and the active voice."""

from __future__ import annotations

import random
import re

from training.edits.dates import MONTHS, WEEKDAYS
from training.edits.edit import cased, listed, next_word, previous_word, spliced, with_article

_CONTRACTIONS = {
    f"{word} not": f"{word}n't"
    for word in listed("is are was were does do did has have had would could should")
} | {"will not": "won't", "cannot": "can't"}
_EXPANSIONS = {short: long for long, short in _CONTRACTIONS.items()}
_EXPANSIONS |= {
    "it's": "it is",
    "he'll": "he will",
    "she'll": "she will",
    "they'll": "they will",
    "we'll": "we will",
    "you'll": "you will",
    "they're": "they are",
    "we're": "we are",
    "you're": "you are",
    "i'm": "I am",
    "i've": "I have",
    "we've": "we have",
    "they've": "they have",
    "you've": "you have",
}
_SAME = """
approximately / about, roughly / about, almost / nearly, nearly / almost, in order to / to
purchased / bought, purchasing / buying, large / big, began to / started to, started to / began to
also known as / also called, due to / because of, because of / due to, prior to / before
numerous / many, assist / help, assists / helps, assisted / helped, obtain / get
currently / at present, frequently / often, often / frequently, mainly / mostly, primarily / mainly
several / a number of, located in / situated in, situated in / located in, film / movie
such as / like, whole / entire, quickly / rapidly, rapidly / quickly, mistake / error
requires / needs, sufficient / enough, enormous / huge, huge / enormous, wealthy / rich
children / kids, humans / people, couch / sofa, sofa / couch, doctor / physician
physician / doctor, automobile / car, autumn / fall, entire / whole, in addition to / besides
demonstrated that / showed that, demonstrate that / show that, possess / have, reside in / live in
resides in / lives in, in spite of / despite, despite / in spite of, each year / every year
worldwide / around the world, at the moment / right now, utilize / use, utilizes / uses
utilized / used, attempted to / tried to, regarding / about
"""
_UNSAFE = {
    "large": {"by", "at", "intestine", "scale", "number", "numbers", "amount", "amounts", "part"}
    | {"proportion", "extent", "quantity", "quantities", "majority", "fraction", "and", "as"},
    "film": {"a", "in", "of", "on", "with", "thin", "festival", "coated", "forming"},
    "due": {"is", "are", "was", "were", "be", "been", "in"},
    "because": {"is", "are", "was", "were", "be", "it's", "that's"},
    "regarding": {"concerns"},
    "such": {"is", "are"},
    "requires": {"that"},
    "obtain": {"we"},
    "whole": {"the", "as", "a", "number", "numbers"},
    "several": {"the", "of", "these", "all"},
    "sufficient": {"for", "a", "is", "are", "be"},
    "numerous": {"the", "are", "is", "more"},
    "quickly": {"as", "more", "most"},
    "frequently": {"more", "most", "less", "asked", "as"},
    "often": {"more", "most", "less", "how", "as", "too", "so"},
    "children": {"and"},
    "humans": {"in"},
    "assist": {"the", "an"},
    "assists": {"and"},
    "mistake": {"a", "by"},
    "doctor": {"a", "the", "who", "of"},
}
_DONE_BY = (
    "acquired|adapted|approved|attacked|awarded|composed|cooked|created|damaged|defeated|delivered|"
    "designed|destroyed|developed|directed|discovered|edited|established|elected|examined|founded|hosted|"
    "illustrated|introduced|invented|launched|managed|opened|organised|organized|owned|painted|"
    "performed|photographed|planned|produced|proposed|published|recorded|released|repaired|signed|"
    "sponsored|tested|translated|visited|washed"
)
_PASSIVE = re.compile(
    r"^(?P<what>(?:The [a-z]+(?: [a-z]+)?|[A-Z][\w-]*(?: [A-Z][\w-]*)*)) (?:was|were) "
    rf"(?P<verb>{_DONE_BY})"
    r" by (?P<who>(?:the [a-z]+|[A-Z][a-z]+(?: [A-Z][a-z]+)*))"
    r"(?P<stop> ?\.|(?: (?:in|on) (?:[A-Z][a-z]+ )?\d{1,4}) ?\.)$"
)

_NO_AGENTS = frozenset(
    listed(
        "sea lake river road coast shore bridge sun fire hand mail train winter spring summer "
        "autumn fall end weekend evening morning afternoon night time way"
    )
)
_DETERMINERS = frozenset(listed("the a an its his her their this these that those"))


def contraction(sentence: str, rng: random.Random) -> str | None:
    """A contraction put for what it stands for, or the other way round."""
    places = list(_CONTRACTED.finditer(sentence))
    if not places:
        return None
    found = rng.choice(places)
    key = found.group().lower().replace("’", "'").replace(" n't", "n't")
    new = _EXPANSIONS.get(key) or _CONTRACTIONS[key]
    if " Not" in found.group():
        return None  # a title
    after = sentence[found.end() :]
    if key == "it's" and re.match(r" (?:been|become|had|gone|\w+ed|\w+en|got|own|made)\b", after):
        return None
    return spliced(sentence, *found.span(), cased(new, found.group()[:1]))


def synonym(sentence: str, rng: random.Random) -> str | None:
    """One word or phrase for another that means the same."""
    places = [found for found in _SYNONYM.finditer(sentence) if _is_safe(sentence, found)]
    if not places:
        return None
    found = rng.choice(places)
    new = cased(_SYNONYMS[found.group().lower()], found.group()[:1])
    return with_article(spliced(sentence, *found.span(), new), found.start())


def active_voice(sentence: str, rng: random.Random) -> str | None:
    """A simple passive sentence with a regular verb in the active voice."""
    del rng
    found = _PASSIVE.match(sentence)
    if found is None or found["what"].split()[0] in {
        "It",
        "He",
        "She",
        "They",
        "This",
        "That",
        "I",
    }:
        return None
    who, what = found["who"], found["what"]
    if who in MONTHS or who in WEEKDAYS or who.split()[-1] in _NO_AGENTS:
        return None
    who = who[0].upper() + who[1:]
    what = "the" + what[3:] if what.startswith("The ") else what
    return f"{who} {found['verb']} {what}{found['stop']}"


def _is_safe(sentence: str, found: re.Match[str]) -> bool:
    words = found.group().lower().split()
    before = previous_word(sentence, found.start()).lower()
    after = next_word(sentence, found.end()).lower()
    in_name = found.group()[0].isupper() and found.start() > 0
    glued = sentence[found.end() : found.end() + 1] in {"-", "'", "’"}
    if in_name or glued:
        return False
    if words == ["due", "to"] and after not in _DETERMINERS:
        return False  # due to arrive
    if words[-1] in {"approximately", "roughly", "almost", "nearly"}:
        return (
            re.match(
                r" \d|[ ](?:half|all|every|one|two|three|four|five|ten)\b", sentence[found.end() :]
            )
            is not None
        )
    return not _UNSAFE.get(words[0], set()) & {before, after}


def _synonyms() -> dict[str, str]:
    entries = [entry.strip() for entry in _SAME.replace("\n", ",").split(",") if entry.strip()]
    return dict(entry.split(" / ") for entry in entries)


_SYNONYMS = _synonyms()
_SYNONYM = re.compile(
    r"(?<![\w'’-])(?:" + "|".join(sorted(_SYNONYMS, key=len, reverse=True)) + r")(?!\w)",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(
    r"(?<![\w'’-])(?:"
    + "|".join(
        [key.replace("'", "['’]") for key in _EXPANSIONS]
        + [f"{key[:-3]} n['’]t" for key in _EXPANSIONS if key.endswith("n't")]
        + list(_CONTRACTIONS)
    )
    + r")(?![\w-])",
    re.IGNORECASE,
)
