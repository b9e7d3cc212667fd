"""Words that exclude each other, as tables to read, and the edit that exchanges them."""

from __future__ import annotations

import random
import re

from training.edits.edit import (
    Change,
    cased,
    listed,
    next_word,
    previous_word,
    relation_at,
    spliced,
    states,
    with_article,
)

_BOTH_WAYS = """
higher / lower, highest / lowest, larger / smaller, largest / smallest, greater / smaller
greatest / smallest, bigger / smaller, biggest / smallest, longer / shorter, longest / shortest
older / younger, oldest / youngest, faster / slower, fastest / slowest, earlier / later
earliest / latest, better / worse, stronger / weaker, strongest / weakest, thicker / thinner
wider / narrower, deeper / shallower, cheaper / costlier, heavier / lighter, warmer / cooler
hotter / colder, richer / poorer, closer to / farther from, more than / less than
at least / at most, maximum / minimum, majority / minority, first half / second half
before / after, above / below, inside / outside, indoors / outdoors, upstairs / downstairs
upward / downward, upstream / downstream, the first / the last
north / south, northern / southern, northeast / southwest, northwest / southeast
northeastern / southwestern, northwestern / southeastern, western / eastern, west of / east of
the west / the east, on the left / on the right
to the left / to the right, left side / right side, left hand / right hand
male / female, males / females, man / woman, men / women, boy / girl, boys / girls
father / mother, fathers / mothers, son / daughter, sons / daughters, brother / sister
brothers / sisters, husband / wife, king / queen, uncle / aunt, nephew / niece
grandfather / grandmother, boyfriend / girlfriend
increase in / decrease in, increases in / decreases in, rise in / fall in
bought / sold, buys / sells, buying / selling, won / lost, wins / loses, winning / losing
winner / loser, began in / ended in, begins in / ends in, rises / falls, rising / falling
lent / borrowed, opened / closed, opens / closes, arrived / departed
arrives / departs, success / failure, successful / unsuccessful, successfully / unsuccessfully
possible / impossible, legal / illegal, legally / illegally, able to / unable to
available / unavailable, public / private, publicly / privately, internal / external
positive / negative, positively / negatively, active / inactive, directly / indirectly
common / rare, strong / weak, deep / shallow, major / minor
advantage / disadvantage, advantages / disadvantages, strengths / weaknesses, victory / defeat
friend / enemy, friends / enemies, loved / hated, loves / hates
dead / alive, awake / asleep, happy / sad, wet / dry, rich / poor, hot / cold, true / false
guilty / innocent, morning / evening, benign / malignant, acute / chronic, sufficient / insufficient
temporary / permanent, temporarily / permanently, voluntary / mandatory, optional / mandatory
upregulated / downregulated, up-regulated / down-regulated, early in / late in
susceptible to / resistant to, sensitive to / insensitive to, opt in to / opt out of
expensive / cheap, easy / difficult, safe / dangerous, quickly / slowly, loudly / quietly
likely / unlikely, domestic / foreign, rural / urban, ancestor / descendant
predecessor / successor, import / export, imports / exports, exporter / importer, ally / enemy
buyer / seller, employer / employee, landlord / tenant, ascending / descending
vertical / horizontal, standing / sitting, best / worst, more likely / less likely
more common / less common, more effective / less effective
"""
_ONE_WAY = """
gained / lost, empty / full, hired / fired
promoted / inhibited, tall / short, married / divorced, entered / left, was born in / died in
was born on / died on, without / with, smiling / crying, running / sleeping, winter / summer
more often / less often, more important / less important, more severe / less severe
more frequently / less frequently, more popular / less popular, more susceptible / less susceptible
more expensive / less expensive, more difficult / less difficult, the most / the least
mild / severe, safely / dangerously, poorly / well, fewer / more, cheaper / more expensive
"""
_VERBS = """
increase / decrease, import / export, allow / forbid, include / exclude, accept / reject
reduce / increase, raise / lower, improve / worsen, connect / disconnect, appear / disappear
agree / disagree, encourage / discourage, strengthen / weaken, widen / narrow, activate / deactivate
enable / disable, overestimate / underestimate, attach / detach, accelerate / slow, hide / reveal
inhale / exhale, lengthen / shorten, expand / shrink, permit / forbid, confirm / deny
support / oppose, approve / reject, join / leave, lock / unlock, succeed / fail, praise / criticize
simplify / complicate, protect / endanger, enhance / impair, prevent / cause, enter / leave
minimize / maximize, inhibit / promote, upgrade / downgrade, legalize / outlaw, unite / divide
"""
_IRREGULAR = {
    "hide": ("hides", "hid", "hiding", "hidden"),
    "forbid": ("forbids", "forbade", "forbidding", "forbidden"),
    "leave": ("leaves", "left", "leaving", "left"),
    "shrink": ("shrinks", "shrank", "shrinking", "shrunk"),
    "permit": ("permits", "permitted", "permitting", "permitted"),
}
_SPEAKERS = frozenset(listed("to will can may would could should must might not they we you did"))
_PASSIVE = frozenset(listed("is are was were be been being has have had get gets got not also"))
_NOT_BEFORE = frozenset(listed("no any once or one most even how ever"))
_PARTICLES = frozenset(listed("away out off up down back over"))
_IN_PLACE_NAME = re.compile(r"(?:[Tt]he )?(?:North|South|East|West)(?:ern|east\w*|west\w*)? [A-Z]")
_TRADE = re.compile(
    r"bought|sold|buy(?:s|ing)|sell(?:s|ing)|lent|borrowed|(?:im|ex)port(?:s|ed|ing)?"
)
_PARTNER = re.compile(r"(?: \w+){0,4} (?:to|from)\b")
_GLUED = re.compile(r"-\w|['’]s?\b")


def opposite(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """One word or phrase of the sentence exchanged for its opposite."""
    places = [found for found in _ANY.finditer(sentence) if _is_free(sentence, found)]
    if not places:
        return None
    found = rng.choice(places)
    options = [
        new
        for new in _opposites(sentence, found)
        if not states(sentence, new) and not _is_stated(sentence, passage, found, new)
    ]
    if not options:
        return None
    new = rng.choice(options)
    text = spliced(sentence, *found.span(), cased(new, found.group()))
    # What goes for men may go for women too, what was before may go on after, who won five games
    # may have lost five, and "at least 3" leaves "at most 3" open.
    is_open = found.group().lower().startswith("at ") or found.group().lower() in _OPEN
    # What does not increase need not decrease; but a "without" that goes was the negation itself.
    denied = text if new == "with" else sentence
    relation = "differs" if is_open else relation_at(denied, found.start())
    return Change(with_article(text, found.start()), relation)


def _is_free(sentence: str, found: re.Match[str]) -> bool:
    """Whether a word stands for itself: in no compound, idiom or title."""
    before = previous_word(sentence, found.start()).lower()
    after = next_word(sentence, found.end()).lower()
    word = found.group().lower()
    if _GLUED.match(sentence, found.end()) or sentence[found.start() - 1 : found.start()] == "-":
        return False
    if before in _NOT_BEFORE or re.match(r" or (?:less|more|not)\b", sentence[found.end() :]):
        return False
    if {f"{before} {word}", f"{word} {after}"} & _IDIOMS or after in _PARTICLES:
        return False
    if _IN_PLACE_NAME.match(sentence, found.start()):
        return False
    # What is sold is bought, and nothing is borrowed to someone.
    if _TRADE.fullmatch(word) and (before in _PASSIVE or _PARTNER.match(sentence, found.end())):
        return False
    is_title = found.group()[0].isupper() and found.start() > 0
    return not is_title or word in _DIRECTIONS


def _opposites(sentence: str, found: re.Match[str]) -> list[str]:
    word = found.group().lower()
    options = list(_WORDS.get(word, ()))
    before = previous_word(sentence, found.start()).lower()
    for form, new in _FORMS.get(word, ()):
        # A base form is also a noun, and a form in -s is often a plural.
        is_verb = form != "base" or before in _SPEAKERS
        if form == "past" and before in _PASSIVE:
            continue
        if form == "participle" and before not in _PASSIVE:
            continue
        if is_verb:
            options.append(new)
    return sorted(set(options))


def _is_stated(sentence: str, passage: str, found: re.Match[str], new: str) -> bool:
    """Whether the passage puts the opposite beside the same neighbour."""
    after = next_word(sentence, found.end())
    before = previous_word(sentence, found.start())
    both = rf"{re.escape(found.group())} (?:and|or|to|nor) {re.escape(new)}|" + (
        rf"{re.escape(new)} (?:and|or|to|nor) {re.escape(found.group())}"
    )
    return (
        (bool(after) and states(passage, f"{new} {after}"))
        or (bool(before) and states(passage, f"{before} {new}"))
        or re.search(both, passage, re.IGNORECASE) is not None
    )


def inflected(verb: str) -> dict[str, str]:
    """The forms of a verb: base, s, past, ing and participle."""
    if verb in _IRREGULAR:
        return dict(
            zip(("base", "s", "past", "ing", "participle"), (verb, *_IRREGULAR[verb]), strict=True)
        )
    stem = verb[:-1] if verb.endswith("e") else verb
    is_y = verb.endswith("y") and verb[-2] not in "aeiou"
    s = (
        verb[:-1] + "ies"
        if is_y
        else verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")
    )
    past = verb[:-1] + "ied" if is_y else stem + "ed"
    return {"base": verb, "s": s, "past": past, "ing": stem + "ing", "participle": past}


def _pairs(table: str) -> list[tuple[str, str]]:
    entries = [entry.strip() for entry in table.replace("\n", ",").split(",") if entry.strip()]
    return [(left, right) for left, right in (entry.split(" / ") for entry in entries)]


def _words() -> dict[str, set[str]]:
    words: dict[str, set[str]] = {}
    for left, right in _pairs(_BOTH_WAYS):
        words.setdefault(left, set()).add(right)
        words.setdefault(right, set()).add(left)
    for left, right in _pairs(_ONE_WAY):
        words.setdefault(left, set()).add(right)
    return words


def _forms() -> dict[str, set[tuple[str, str]]]:
    forms: dict[str, set[tuple[str, str]]] = {}
    one_way = {
        "reduce",
        "raise",
        "accelerate",
        "permit",
        "approve",
        "enhance",
        "prevent",
        "protect",
    }
    one_way |= {"expand", "enter", "join", "confirm", "inhibit", "support", "succeed", "unite"}
    for left, right in _pairs(_VERBS):
        ways = [(left, right)] if left in one_way else [(left, right), (right, left)]
        for old, new in ways:
            inflections = inflected(new)
            for form, written in inflected(old).items():
                forms.setdefault(written, set()).add((form, inflections[form]))
    return forms


_DIRECTIONS = frozenset(listed("north south northern southern western eastern"))
_IDIOMS = frozenset(
    entry.strip()
    for entry in """
        after all, named after, look after, looked after, looking after, soon after, day after
        shortly after, immediately after, before long, never before, shortly before
        immediately before, the above, above described, above mentioned, the below
        below described, see below, at best, best known, best selling, best friend, best friends
        best interests, do best, best practices, in common, common in, the common, common cold
        common law, common sense, common stock, the major, major league, major general
        first name, higher education, sooner or later, later years, the latest, at the latest
        most likely, man made, lost a, lost all, was lost, were lost, lost its, opened up
        tested positive, false positive, tested negative, false negative, private ltd
        private limited, the public, in public, public limited, public domain, without any
        without being, without limitation, without prior, without notice, without warning
        won over, domestic violence, gross domestic, if not included, the fewer, the more
        any more, as well, well as, well known, better known, the better, for better
        at the first, at the last, for the first, for the last, sister to, sister group
        sister taxon, sister city, sister clade, sister species, sister company, mother tongue
        big brother, north pole, south pole, true to, dead sea, hot dog
        hot spot, no later, the king, king of
        """.replace("\n", ",").split(",")
)
_OPEN = frozenset(
    listed(
        "male female males females men women boys girls fathers mothers sons daughters "
        "won lost wins loses before after"
    )
) | {"first half", "second half", "the first", "the last"}
_WORDS = _words()
_FORMS = _forms()
_ANY = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(sorted(map(re.escape, {*_WORDS, *_FORMS}), key=len, reverse=True))
    + r")(?!\w)",
    re.IGNORECASE,
)
