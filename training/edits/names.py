"""The names of a sentence, and the edit that puts another one."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import lru_cache

from training.edits.dates import MONTHS, WEEKDAYS
from training.edits.edit import (
    Change,
    is_among,
    listed,
    previous_word,
    relation_at,
    spliced,
    with_article,
)

_NATIONS = {
    place: people
    for place, people in (
        entry.split("/")
        for entry in listed(
            "France/French Germany/German England/English Spain/Spanish Italy/Italian "
            "Japan/Japanese China/Chinese Russia/Russian India/Indian Canada/Canadian "
            "Mexico/Mexican Brazil/Brazilian Australia/Australian Ireland/Irish Scotland/Scottish "
            "Wales/Welsh Sweden/Swedish Norway/Norwegian Denmark/Danish Finland/Finnish "
            "Poland/Polish Greece/Greek Turkey/Turkish Egypt/Egyptian Iran/Iranian Iraq/Iraqi "
            "Israel/Israeli Korea/Korean Vietnam/Vietnamese Thailand/Thai Portugal/Portuguese "
            "Austria/Austrian Hungary/Hungarian Belgium/Belgian Switzerland/Swiss "
            "Argentina/Argentine Chile/Chilean Cuba/Cuban Nigeria/Nigerian Kenya/Kenyan "
            "Ukraine/Ukrainian America/American Britain/British Netherlands/Dutch Peru/Peruvian "
            "Pakistan/Pakistani Indonesia/Indonesian Malaysia/Malaysian Colombia/Colombian"
        )
    )
}
_CITIES = listed(
    "London Paris Berlin Madrid Rome Tokyo Beijing Moscow Delhi Toronto Chicago Boston "
    "Sydney Melbourne Dublin Edinburgh Vienna Prague Warsaw Athens Cairo Baghdad "
    "Jerusalem Seoul Hanoi Lisbon Amsterdam Brussels Zurich Geneva Stockholm Oslo "
    "Copenhagen Helsinki Budapest Houston Dallas Denver Seattle Miami Atlanta Detroit "
    "Philadelphia Manchester Liverpool Glasgow Mumbai Shanghai Milan Venice Naples Munich "
    "Hamburg Cologne"
)
_STATES = listed(
    "California Texas Florida Ohio Michigan Oregon Nevada Arizona Alaska Hawaii Utah Iowa"
)
_CONTINENTS = listed("Africa Europe Asia Australia Antarctica")
_BRITISH = frozenset(
    listed("Britain British England English Scotland Scottish Wales Welsh Ireland Irish")
)
_SORTS = (
    dict.fromkeys(_NATIONS, "country")
    | dict.fromkeys(_NATIONS.values(), "people")
    | dict.fromkeys(_CITIES, "city")
    | dict.fromkeys(_STATES, "state")
    | dict.fromkeys(_CONTINENTS, "continent")
)
_MADE_UP = {"country", "people", "city", "state"}
_GIVEN = frozenset(
    listed(
        "James John Robert Michael William David Richard Joseph Thomas Charles Christopher "
        "Daniel Matthew Anthony Donald Steven Paul Andrew Joshua Kenneth Kevin Brian George "
        "Edward Ronald Timothy Jason Jeffrey Ryan Jacob Gary Nicholas Eric Jonathan Stephen "
        "Larry Justin Scott Brandon Benjamin Samuel Gregory Frank Alexander Raymond Patrick "
        "Dennis Jerry Tyler Aaron Jose Adam Henry Nathan Peter Zachary Kyle Walter Harold "
        "Jeremy Carl Keith Roger Arthur Terry Lawrence Albert Joe Ethan Willie Jesse Ralph "
        "Roy Louis Philip Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah "
        "Karen Lisa Nancy Betty Sandra Margaret Ashley Kimberly Emily Donna Michelle Carol "
        "Amanda Melissa Deborah Stephanie Rebecca Laura Helen Sharon Cynthia Kathleen Amy "
        "Angela Anna Ruth Brenda Pamela Nicole Katherine Catherine Christine Samantha Debra "
        "Janet Rachel Carolyn Emma Maria Heather Diane Julie Joyce Evelyn Frances Joan "
        "Christina Kelly Lauren Martha Judith Cheryl Megan Andrea Ann Alice Jean Doris "
        "Jacqueline Kathryn Hannah Olivia Gloria Marie Teresa Sara Janice Julia Judy Theresa "
        "Beverly Denise Marilyn Danielle Brittany Diana Abigail Jane Lori Hans Karl Johann "
        "Friedrich Wilhelm Ludwig Pierre Jacques Giovanni Antonio Luis Carlos Juan Ivan "
        "Vladimir Nikolai Otto Max Martin Simon Luke Oliver Harry Leo Ben Tom Bill Bob Jim "
        "Mike Steve Dan Dave Tim Chris Nick Alex Sam Fred Ted Kate Lucy Sophie Clara Eva "
        "Isaac Abraham Moses Noah Oscar Felix Victor Alfred Ernest Edgar Edmund Ronnie Ryan"
    )
)
_TITLES = frozenset(listed("Mr Mrs Ms Dr Sir Lady Lord President Prince Princess King Queen Pope"))
_KINDS_OF_BODY = listed(
    "University College School Company Corporation Inc Ltd Party Church Museum Institute "
    "Society Association Agency Department Ministry Committee Council Court Bank Airlines "
    "Records Studios Group Foundation Library Hospital League Club Pictures Entertainment "
    "Productions Awards Festival"
)
_KINDS_OF_PLACE = listed(
    "River Lake Mountain Mountains Island Islands County Street Avenue Park Bay Valley "
    "Sea Ocean City Bridge Station Airport Castle Palace Cathedral Province State"
)
NO_NAMES = frozenset(
    MONTHS
    + WEEKDAYS
    + listed(
        "I The A An This That These Those He She It They We You In On At As By For From When "
        "While After Before If But And Or So Not No Yes Its His Her Their Our My Your There "
        "Here What Which Who How Why Where Mr Mrs Ms Dr Also However Although Many Most Some "
        "All Both Each Other One Two Three First Second Then Thus Since Until During With "
        "Without Of To Internet God Christmas Easter DNA RNA PCR Table Figure Fig Section "
        "Please Web Website Site Policy Privacy Services Service Terms English AM PM BC AD CE "
        "USA Abstract Methods Results"
    )
)
_NAME = re.compile(
    r"(?<![\w'’.@/#&-])(?:[A-Z][a-z]+(?:['’][a-z]{2,})?|[A-Z][a-z]+[A-Z][a-z]+|[A-Z]\.)"
    r"(?:(?: of(?: the)?| de| van| von)? [A-Z][a-z]+| [A-Z]\.)*"
    r"(?![\w@/&-]|\.\w| [(&\d]| [A-Z]|['’] ?[A-Z])"
)
_JOINED = re.compile(r"\b(?:and|or|nor|both|between|with|also|known|called|aka)\b|[,;/&()]")
_SOLE_BEFORE = re.compile(
    r"\b(?:(?:is|was) the capital of|(?:is|was|are|were) (?:(?:born|founded|built|located|situated|"
    r"buried) in|(?:written|directed|founded|built|invented|discovered|designed|composed|painted|"
    r"created|killed|murdered) by)) (?:the )?$"
)
_SOLE_BEHIND = re.compile(r" is the capital of\b")
_FAR = 300
"""Characters between two names that no one sentence holds."""

_MOST = 12
"""Names of a sentence that are tried; every one of them is held against those of the passage."""

_SPEAKS = re.compile(
    r" (?:said|says|wrote|writes|won|told|married|became|argued|born|directed|played|plays|stars|"
    r"starred|wanted|decided|refused|sang|joined|died|claimed|believes|believed|himself|herself)\b"
)
_AFTER_SENTENCE = re.compile(r"[.!?:•\n\"“”(]['\"”)]*\s*$")


@dataclass(frozen=True, slots=True)
class Name:
    """A capitalised name of a text.

    Attributes:
        start: Offset of its first character.
        end: Offset behind its last.
        text: The name.
        sort: "person", "people", "body", "country", "city", "state", "continent" or "place" with
            its last word; with "?" where only the words around it tell,
            and "" where nothing does.
    """

    start: int
    end: int
    text: str
    sort: str


@lru_cache(maxsize=64)
def names(text: str) -> tuple[Name, ...]:
    """The names of a text.

    At the start of a sentence only a name that the tables know is one.
    """
    found = []
    for place in _NAME.finditer(text):
        first = place.group().split()[0]
        sort = _sort_in(text, *place.span(), place.group())
        before = text[max(0, place.start() - 6) : place.start()]
        starts = not before.strip() or _AFTER_SENTENCE.search(before) is not None
        if set(place.group().split()) & NO_NAMES or (starts and not sort):
            continue
        if len(first) > 2:
            found.append(Name(*place.span(), place.group(), sort))
    return tuple(found)


def _sort_in(text: str, start: int, end: int, name: str) -> str:
    """What a name names: by the tables, or as a person or place by the words around it."""
    sort = sort_of(name)
    if sort or not 2 <= len(name.split()) <= 3 or " of " in name:
        return sort
    before = previous_word(text, start)
    after = re.match(r"(?:'s|’s)? ?[.,;)]|$| (?:and|who|in|on|at|to|from|by|for)\b", text[end:])
    if _SPEAKS.match(text, end) and before not in {"the", "The"}:
        return "person?"
    if after is not None and before in {"by", "actor", "singer", "director", "player", "president"}:
        return "person?"
    return "place?" if after is not None and before in {"in", "near"} else ""


def sort_of(name: str) -> str:
    """What a name names, as far as tables tell: see ``Name.sort``."""
    parts = name.split()
    if name in _SORTS:
        return _SORTS[name]
    if parts[-1] in _KINDS_OF_PLACE and len(parts) > 1:
        return f"place {parts[-1]}"
    ends_as_body = len(parts) > 1 and parts[-1] in _KINDS_OF_BODY
    if ends_as_body or (parts[0] in _KINDS_OF_BODY and "of" in parts):
        return "body"
    if parts[0] in _TITLES or (parts[0] in _GIVEN and "of" not in parts and len(parts) <= 4):
        return "person"
    return ""


def other_name(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """Another name for one of the sentence: of the passage, or one that the tables know."""
    pairs = [
        (name, other)
        for name in names(sentence)[:_MOST]
        if not sentence[name.end :].startswith(("'s ", "’s ", ":"))
        for other in other_names(name, sentence, passage)
    ]
    if not pairs:
        return None
    name, other = rng.choice(pairs)
    text = spliced(sentence, name.start, name.end, other)
    # What holds of one may hold of the other, unless there is but one of which it can.
    is_sole = _is_sole_value(sentence, name) and not is_among(sentence, name.start, name.end)
    relation = relation_at(sentence, name.start) if is_sole else "differs"
    return Change(with_article(text, name.start), relation)


def other_names(name: Name, sentence: str, passage: str) -> list[str]:
    """Names of the same sort that neither overlap with ``name`` nor stand beside it."""
    stated = [
        other
        for other in names(passage)[: 10 * _MOST]
        if name.sort
        and other.sort.rstrip("?") == name.sort.rstrip("?")
        and _is_apart(name, other.text, sentence)
    ]
    fitting = {
        other.text
        for other in stated
        if _are_unjoined(name.text, other, passage)
        and (" " in other.text or " " not in name.text or name.sort in _SORTS.values())
    }
    if not fitting and name.sort in _MADE_UP:
        fitting = {other for other, sort in _SORTS.items() if sort == name.sort}
    return sorted(
        other
        for other in fitting
        if _is_apart(name, other, sentence) and _differs(name, other, passage)
    )


def _is_sole_value(sentence: str, name: Name) -> bool:
    """Whether only one name can stand where this one does."""
    return bool(
        _SOLE_BEFORE.search(sentence[: name.start])
        or (name.start == 0 and _SOLE_BEHIND.match(sentence, name.end))
    )


def _differs(name: Name, other: str, passage: str) -> bool:
    """Whether a made up name is not in the passage, nor the place and its people."""
    if name.text in _BRITISH and other in _BRITISH:
        return False  # one may be part of the other
    if other not in passage:
        return all(related not in passage for related in (_NATIONS.get(other, "\0"),))
    return other != name.text


def _is_apart(name: Name, other: str, sentence: str) -> bool:
    words = set(other.lower().split()) - {"of", "the"}
    return not words & set(re.findall(r"\w+", sentence.lower())) and name.text != other


def _are_unjoined(name: str, other: Name, passage: str) -> bool:
    """Whether no place of the passage puts two names side by side, as one thing or as a list."""
    for found in re.finditer(re.escape(name), passage):
        first, second = sorted([(found.start(), found.end()), (other.start, other.end)])
        if second[0] - first[1] > _FAR:
            continue
        between = passage[first[1] : second[0]]
        same_sentence = not re.search(r"[.!?]\s", between)
        if same_sentence and (len(between) < 8 or _JOINED.search(between)):
            return False
    return True
