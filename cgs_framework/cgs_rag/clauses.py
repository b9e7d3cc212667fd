"""Whether a phrase is a clause that can stand alone, and where semicolons part clauses.

A verb is found by word lists, for English above all: where none is found, a phrase is none and
nothing is parted, the cautious reading. Of other languages the commonest verbs are known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgs_rag.enclosures import around, enclosures
from cgs_rag.text import Span

_VERBS = frozenset(
    re.findall(
        r"\S+",
        "is are was were am be been isn't aren't wasn't weren't has have had hasn't haven't "
        "hadn't do does did don't doesn't didn't can cannot can't could couldn't will won't "
        "would wouldn't shall should shouldn't may might must it's that's there's he's she's "
        "they're we're you're i'm "
        # Past and present forms that are seldom anything else.
        "became becomes began begins brought came comes went goes got gets gave gives grew "
        "grows knew knows kept keeps led left lost made makes met paid said says sold sent "
        "spent stood stands took takes taught thought told won wrote writes rose fell held "
        "holds found built bought broke chose drew drove ate felt flew forgot froze hid hung "
        "lay lies lives rang ran sang sank sat saw sees shook shot slept spoke speaks stole "
        "stuck swam threw understood woke wore rebuilt stayed lived died moved worked remained "
        "arrived returned closed opened ended started continued increased decreased declined "
        "dropped climbed doubled tripled agreed happened occurred appeared lasted retired "
        "served succeeded failed graduated emigrated travelled traveled expanded collapsed "
        "include contain require consist remain allow provide enable prevent belong depend "
        "describe explain exist happen occur refer seem tend become believe consider receive "
        "contains includes consists requires remains allows provides enables supports prevents "
        "belongs depends describes explains exists happens means occurs refers relates tends "
        "appears seems arrives asks believes buys considers costs covers creates decides "
        "defines delivers differs eats enters equals follows forms improves increases indicates "
        "involves joins lasts leads learns leaves loses offers opens operates owns pays "
        "performs plays prefers produces protects receives recommends reduces returns runs "
        "sells serves shows sits specifies spends starts stops suggests uses wants weighs works "
        "wins "
        # German, French, Spanish, Italian, Portuguese, Dutch.
        "ist sind war waren hat haben hatte wird werden wurde kann können muss liegt gibt "
        "kostet est sont était étaient ont avait peut doit fut coûte c'est está están fue "
        "fueron tiene tienen era eran puede cuesta hay è sono ha hanno può costa é são foi tem "
        "têm pode heeft zijn wordt है हैं था थी थे होता होती होते",
    )
)

_ALSO_NOUNS = frozenset(
    re.findall(
        r"\S+",
        "costs covers forms offers plays returns runs shows starts stops uses works means leads "
        "increases lives saw left leaves may might found can will built sold lost held spent",
    )
)
"""Verbs only before what they take: a number, a name, an article, a pronoun."""

_NO_SUBJECTS = frozenset(
    re.findall(
        r"\S+",
        "a an the this that these those of to in on at by for from with as and or but its his her "
        "their our your my newly not no very more most",
    )
)
"""Words directly behind which a past form is a participle: "a dried plum"."""

_SUBORDINATE = frozenset(
    re.findall(
        r"\S+",
        "which who whom whose that where when while because although though if unless until since "
        "as whereas including excluding such e.g i.e to than rather especially namely not nor",
    )
)
"""How a phrase begins that leans on what stands before it."""

_CONJUNCTIONS = frozenset(
    re.findall(r"\S+", "if that when because which who whom whose where although unless whether")
)
"""Words whose verb, behind them, is not that of the phrase."""

_BEFORE_THAT = frozenset(
    {"after", "before", "beyond", "with", "of", "at", "by", "for", "from", "in"}
)
"""Words behind which "that" is a pronoun."""

_AUXILIARIES = frozenset(
    re.findall(
        r"\S+",
        "is are was were isn't aren't wasn't weren't has have had hasn't haven't hadn't do does "
        "did don't doesn't didn't can cannot can't could couldn't will won't would wouldn't must "
        "may might shall should",
    )
)
"""Verbs that, as the last word, stand for another: "the keys do not; the lock does"."""

_SUBJECTS = frozenset({"i", "he", "she", "we", "they", "nobody", "everyone"})
_OTHER_SUBJECTS = frozenset({"it", "you", "this", "these", "those"})
_TAKEN = re.compile(
    r"(?:a|an|the|this|that|these|those|its|his|her|their|our|no|not|it|him|them|us|about|around"
    r"|up|down|only|over|under|between|nearly|almost|together|alone|well)$|\W*\d|[A-Z$€£]"
)
_WORD = re.compile(r"[^\s,;:()\"“”।!?*]*[^\s,;:()\"“”।!?*.]")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_WIDE_VERB = re.compile(
    r"[是有在为為会會能可将將被了属屬位成用需叫]|(?<![主重首])要|です|ます|だった|でした|ある|いる|した"
)
_SEMICOLON = re.compile(r"&#?\w{1,8};|(?P<mark>;(?=\s)|[；؛])")
_FEWEST_WIDE = 4
_MOST_WORDS = 60
"""So many words of a phrase are looked at."""


def is_clause(phrase: str, *, is_first: bool = True) -> bool:
    """Whether a phrase has a subject and a finite verb, as far as its words tell.

    Args:
        phrase: The words.
        is_first: Whether it begins a sentence, so that its first capital tells nothing.
    """
    if len(_WIDE.findall(phrase[:200])) >= _FEWEST_WIDE:
        return _WIDE_VERB.search(phrase[:200], 1) is not None
    found = [match.group().replace("’", "'") for match in _words(phrase)]
    if len(found) < 2 or found[0].lower() in _SUBORDINATE:
        return False
    if not is_first and found[0][0].isupper():
        found.insert(0, "")
    if found[-1].lower() in _AUXILIARIES:
        found.pop()
    return any(_is_verb(found, at) for at in range(1, _main(found)))


def _main(found: Sequence[str]) -> int:
    """How many words stand before the first clause inside the phrase."""
    for at, word in enumerate(found[1:], 1):
        is_pronoun = word.lower() == "that" and found[at - 1].lower() in _BEFORE_THAT
        if word.lower() in _CONJUNCTIONS and not is_pronoun:
            return at
    return len(found)


def clauses(text: str, span: Span) -> list[Span]:
    """A sentence parted at the semicolons that have a clause on both sides.

    None in brackets, quotation marks or code parts anything, nor those of an enumeration. The
    semicolons, and the space behind them, belong to no clause.
    """
    sentence = span.of(text)
    marks = [match.start() for match in _SEMICOLON.finditer(sentence) if match["mark"]]
    if not marks:
        return [span]
    inside = enclosures(sentence)
    marks = [at for at in marks if around(inside, at) is None]
    whole = [
        is_clause(sentence[before + 1 : mark], is_first=before < 0)
        for before, mark in _between(marks, len(sentence))
    ]
    found, start, is_before = [], 0, whole[0]
    for mark, is_behind in zip(marks, whole[1:], strict=True):
        if is_before and is_behind:
            found.append(Span(span.start + start, span.start + mark))
            start = mark + 1
        # What is not parted keeps the verb of either side.
        is_before = is_before or is_behind
    return [*found, Span(span.start + start, span.end)]


def _between(marks: Sequence[int], length: int) -> list[tuple[int, int]]:
    return list(zip([-1, *marks], [*marks, length], strict=True))


def _words(phrase: str) -> list[re.Match[str]]:
    found = []
    for match in _WORD.finditer(phrase):
        found.append(match)
        if len(found) == _MOST_WORDS:
            break
    return found


def _is_verb(found: Sequence[str], at: int) -> bool:
    word, before = found[at].lower(), found[at - 1].lower()
    if before in _SUBJECTS:
        return word not in _NO_SUBJECTS
    if before in _NO_SUBJECTS and word not in _VERBS:
        return False
    following = found[at + 1] if at + 1 < len(found) else ""
    is_taking = _TAKEN.match(following) is not None
    if word in _ALSO_NOUNS:
        return before in _OTHER_SUBJECTS or (is_taking and before not in _NO_SUBJECTS)
    if word in _VERBS:
        return before not in {"to", "a", "an", "the"}
    is_past = word.endswith("ed") and len(word) > 4
    is_named = at > 1 and found[at - 1][0].isupper()
    return is_past and (is_taking or is_named or before in _OTHER_SUBJECTS)
