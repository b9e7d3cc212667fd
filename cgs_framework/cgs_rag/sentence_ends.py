"""Where the sentences of a paragraph end: pure, deterministic, linear."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgs_rag.enclosures import Enclosure, around, enclosures

_NEVER = frozenset(
    re.findall(
        r"\S+",
        "mr mrs ms dr prof mme mlle messrs sra srta vs v cf viz e.g i.e bzw ggf evtl डॉ प्रो श्री",
    )
)
"""Abbreviations that never end a sentence."""

_NEVER_CAPITAL = frozenset(
    re.findall(r"\S+", "Gen Col Lt Capt Sgt Rev Hon Gov Sen Rep Pres Mt Maj Adm Supt Fr Ald")
)
"""Titles, which in small letters are words or end one."""

_SELDOM = frozenset(
    re.findall(
        r"\S+",
        "sr jr st ft al inc ltd co corp bros dept univ ave blvd approx ca est max min jan feb mar "
        "apr jun jul aug sep sept oct nov dec ee uu mrd mio chr hl assoc",
    )
)
"""Abbreviations that end a sentence only before a word that begins one."""

_BEFORE_NUMBERS = frozenset(
    re.findall(r"\S+", "no nos nr fig figs eq eqs sec ch chap vol pp p ed art op para tab n°")
)
"""Abbreviations before a number, words elsewhere."""

_STARTERS = frozenset(
    re.findall(
        r"\S+",
        "a an the this that these those it its he she they we i you his her their our there here "
        "in on at as by for from when while after before but and however if so no not then how "
        "what why where although though since because unlike despite during until unless also "
        "most many some such each every both another other others several according overall "
        "additionally furthermore moreover therefore thus hence nevertheless meanwhile finally "
        "nobody everyone yes please",
    )
)
"""Words that, capitalised behind an abbreviation ("the U.S. It was"), begin a sentence."""

_BEFORE_LETTERS = frozenset(
    re.findall(
        r"\S+",
        "vitamin vitamins plan type types class grade category group option hepatitis appendix "
        "section team part point points phase step figure table level model exhibit schedule zone "
        "gate hall room building block unit variant version influenza",
    )
)
"""Words behind which a single letter is no initial of a name."""

_BEHIND_HOURS = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Jan|Feb|Mar|Apr|May\b|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    r"|[A-Z]{2,4}\b|Mr|Ms|Dr|[^A-Z])"
)
"""What may stand behind "a.m." in its sentence."""

_BEFORE_ORDINALS = frozenset({"am", "vom", "bis", "zum", "im", "der", "den", "dem", "des", "das"})
"""German words before a number with a full stop, as in "am 3. Mai"."""

_SAID = (
    r"(?:said|says|asked|asks|replied|added|wrote|noted|explained|warned|argued|cried|shouted|told"
    r"|answered|whispered|claimed|stated|insisted|recalled|concluded|remarked|continued|exclaimed)"
)
_ATTRIBUTION = re.compile(
    rf"(?:(?:[Tt]he )?\w+(?: [^\W\d_]+){{0,2}}? {_SAID}\b)"
    r"|と|[^，。！？、\s]{0,5}?(?:说|說|问|問|喊|答道|叫道)[，。：！？]"
)
"""What goes on behind a quotation that itself ends with a mark: who said it."""

_CLOSERS = r"(?:[\"'\)\]\}»”’」』）】》*_`~]|[\u00a0\u202f ]»)*+"
CITATION = (
    r"(?:\[\^?\d{1,3}(?:[,–-] ?\d{1,3}){0,9}\]"
    r"|【\d{1,3}(?::\d{1,3})?(?:†[\w.-]{0,30})?】|[¹²³⁰⁴-⁹]{1,3})"
)
"""A pattern: "[1, 2]", "【4:0†source】", "¹"; it holds numbers and a name without spaces only."""

_CITED = rf"(?:[^\S\n]?{CITATION})*+"
_WIDE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_SIGNS = "\u2600-\u27bf\U0001f000-\U0001faff"
_STOP = re.compile(
    rf"""
      (?P<full>[。！？｡।॥۔؟።։။]+{_CLOSERS}{_CITED})     # scripts that need no space behind
    | (?P<tight>(?<![.!?…])[!?]++{_CLOSERS})(?=[{_WIDE}])
    | (?P<stop>(?<![.!?…])[.!?…]++{_CLOSERS}“?{_CITED})(?=[\s{_SIGNS}]|$)
    """,
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]+$")
_FIRST_WORD = re.compile(r"[^\W_]+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]|(?:Ph|[MBD])\.(?:D|Sc|Phil|Ed|Eng)")
_IS_INITIAL = re.compile(r"[^\W\d_]\.")
_NUMBER = re.compile(r"[^\w(]*\d{1,3}")
_NUMBERED = re.compile(r"[:：]\s+1$")
_SENTENCE_END = frozenset(".!?…。！？｡।॥۔؟")


def sentence_ends(paragraph: str) -> list[int]:
    """The offsets behind each sentence of a text without blank lines; its length is the last.

    Abbreviations, initials, numbers of lists and decimals end nothing, nor does what stands in
    brackets or is quoted inside a sentence.
    """
    paired = enclosures(paragraph)
    is_small = paragraph.islower()
    ends = [0]
    for found in _STOP.finditer(paragraph):
        if _is_held(paragraph, found, paired):
            continue
        kind = found.lastgroup
        if kind != "stop" or _stops(paragraph, found, ends[-1], is_small=is_small):
            ends.append(found.end())
    if ends[-1] < len(paragraph):
        ends.append(len(paragraph))
    return ends[1:]


def _is_held(text: str, found: re.Match[str], paired: Sequence[Enclosure]) -> bool:
    """Whether a mark stands in code, in brackets or in a quotation that a sentence goes around."""
    one = around(paired, found.start())
    if one is None:
        return False
    if one.is_code:
        return True
    before = text[max(0, one.start - 20) : one.start].rstrip()
    is_inside = before != "" and before[-1] not in _SENTENCE_END
    if found.end() >= one.end:
        if one.is_quote:
            return _goes_on(text, found)
        return is_inside and found.lastgroup == "full"
    if is_inside:
        return True
    following = text[one.end : one.end + 40].lstrip()
    return one.is_quote and _is_small_letter(following)


def _is_small_letter(text: str) -> bool:
    return text[:1].isalpha() and text[0].islower()


def _goes_on(text: str, found: re.Match[str]) -> bool:
    """Whether a sentence goes on behind a quotation: "Stop!" Mary said."""
    if found.group()[0] in ".…":
        return False  # before "she said" stands a comma then
    return _ATTRIBUTION.match(text[found.end() : found.end() + 60].lstrip()) is not None


def _stops(text: str, found: re.Match[str], start: int, *, is_small: bool) -> bool:
    """Whether a mark before a space ends the sentence that began at ``start``."""
    mark = found.group()
    following = text[found.end() : found.end() + 40].lstrip()
    if not following.strip(".… \n"):
        return True
    is_lower = _is_small_letter(following) and not following[1:2].isupper() and not is_small
    if mark[0] in "!?":
        is_bare = mark.rstrip("!?") == "" and mark != "!"
        return is_bare or not is_lower
    is_left_out = text[found.start() - 1 : found.start()] == "[" and "]" in mark
    if following[0] == "." or is_lower or is_left_out:
        return False
    is_full_stop = mark[0] == "." and mark[1:2] != "."
    before = text[max(start, found.start() - 40) : found.start()]
    return not (is_full_stop and _is_abbreviated(before, following))


def _is_abbreviated(before: str, following: str) -> bool:
    """Whether a full stop belongs to the word before it: a title, initials, a list number."""
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    name = word.group()
    if name.lower() in _BEFORE_NUMBERS:
        return following[0].isdigit()
    if name.lower() in _NEVER or name in _NEVER_CAPITAL:
        return True
    if _INITIALS.fullmatch(name):
        return _is_initial(name, before, following)
    if name.lower() in _SELDOM:
        return not _begins(following)
    return _is_ordinal(before)


def _is_initial(name: str, before: str, following: str) -> bool:
    """Whether a full stop behind one letter, or dotted ones, ends no sentence."""
    if name.lower() in {"a.m", "p.m"}:
        return _BEHIND_HOURS.match(following) is not None and not _begins(following)
    if len(name) == 1 and name.islower() and before.strip() == name:
        return True  # "a. The first", an item
    earlier = before.split()[-2:-1] or [""]
    is_unit = earlier[0][-1:].isdigit() and len(name) == 1 and name.islower()
    return not (is_unit or _is_letter(name, earlier[0]) or _begins(following))


def _is_letter(name: str, earlier: str) -> bool:
    """Whether a single letter names a thing ("vitamin C") or is the word "I"."""
    if len(name) > 1:
        return False
    return earlier.lower() in _BEFORE_LETTERS or (name == "I" and earlier.islower())


def _is_ordinal(before: str) -> bool:
    """Whether a full stop behind a number makes it that of a list, or a German ordinal."""
    if _NUMBER.fullmatch(before) or _NUMBERED.search(before):
        return True
    *_, earlier, name = ["", *before.split()]
    return name.isdigit() and len(name) < 3 and earlier.lower() in _BEFORE_ORDINALS


def _begins(following: str) -> bool:
    """Whether the next word begins a sentence for sure."""
    word = _FIRST_WORD.match(following)
    if word is None or _IS_INITIAL.match(following):
        return False
    return word.group().lower() in _STARTERS
