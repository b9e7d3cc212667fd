"""Whether a heading, the head of a table, a line before a list or a line of code states something.

What a reader may take for a statement is one: where the words leave a doubt, it is a claim.
"""

from __future__ import annotations

import html
import re
import unicodedata

from cgs_rag.clauses import is_clause
from cgs_rag.text import has_content

_MARKUP = re.compile(r"</?\w{1,10}>|\]\([^()\s]*\)|\[\^?\d{1,3}\]$|[\[*_`~¹²³]")
_ORDER = re.compile(
    r"^(?:(?:step|section|part|chapter|option)\s+\d{1,2}\b[.:)]?|\d{1,2}(?:\.\d{1,2})*[.)](?=\s)"
    r"|[a-zA-Z]\.(?=\s)|[一二三四五六七八九十]{1,3}、)\s*(?=[^\W\d]|$)",
    re.IGNORECASE,
)
_NUMBER_WORDS = (
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six"
    r"|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|dozens?"
)
_BEHIND_PARTICIPLES = (
    r"by|in|after|before|for|from|since|due|to|on|at|with|because|as|during|under|over|off|out"
)
_NO_EVENTS = (
    r"required|needed|covered|included|used|proposed|recommended|considered|discussed|involved"
    r"|described|listed|mentioned|provided|supported|requested|expected|related|based|compared"
    r"|asked|limited|advanced|detailed|started|learned"
)
_EVENT = rf"(?!(?:{_NO_EVENTS})\b)\w{{2,}}(?<!e)ed"
_TOLD = re.compile(
    rf"\b(?:{_NUMBER_WORDS})\b|[〇零一二三四五六七八九十百千万億亿兩两]{{2}}"
    r"|\b(?:not|never|cannot|nobody|nothing|none|neither)\b|n['’]t\b|\bno\s+\w"
    rf"|\b(?:{_EVENT}|sold|made|built|held|lost|won|taken|stolen|hit|shot|dead|born|withdrawn)"
    rf"\s+(?:{_BEHIND_PARTICIPLES})\b"
    r"|(?<=\w{4})[.!?…]\s+\w|[。！？।].|,[^,]*\?|,\s*(?:which|who|whose)\b",
    re.IGNORECASE,
)
"""Figures, denials, events, a sentence before the end."""

_BEHIND_COLON = re.compile(r"[:：]\s*[^\s:：]|\s(?:[–—→=]|-{1,2}>?)\s")
"""What parts a title from what is told of it."""
_LOOSE_VERB = re.compile(
    r"(?<=[^\W\d_]\s)(?<!\bthe\s)(?<!\ban\s)(?<!\ba\s)(?!(?:always|perhaps|sometimes|towards|its|this|his|as|others?)\b)"
    r"[^\W\d_]+[^\W\d_suiSUI]s\s+"
    r"(?!(?:of|for|and|or|in|to|on|at|by|with|from|vs|per|that|which|who|between|as|about|when|how"
    r"|overview|summary|list|table|section|details|guide|analysis|comparison|page|report|data"
    r"|breakdown|history|examples?|explained)\b)[^\W_]",
    re.IGNORECASE,
)
"""A word as "kills", which may be a noun, between two that a noun seldom stands between."""

_LOOSE_EVENT = re.compile(
    r"(?<=[^\W\d_]\s)(?<!\b(?:an|of|to|in|on|by|or)\s)(?<!\ba\s)(?<!ly\s)"
    rf"(?<!\b(?:the|and|for|its|our)\s)(?<!\b(?:most|more|your|with|less)\s){_EVENT}\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:what|how|why|when|where|who|which)\b", re.IGNORECASE)
_MOST_HEADING_WORDS = 8

_SOURCE = re.compile(
    r"^(?:based on|according to|from) (?:the|this|your) (?:\w+ )?"
    r"(?:contexts?|documents?|texts?|passages?|information|articles?|sources?),? ",
    re.IGNORECASE,
)
_PRESENTS = re.compile(
    r"^(?:the following (?:\w+ ){0,2}(?:is|are) (?:required|needed|recommended|available|true)$"
    r"|let (?:me|us) \w+$|the \w+ below (?:shows?|lists?|gives?|summari[sz]es?)\b"
    r"|(?:here|below)(?:['’]s| is| are)(?: (?:how|what) (?:it|this|you|we|they) \w+$)?"
    r"|there are (?:several|many|some|various|different|multiple)(?= \w+$))",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"(?:\b(?:(?:is|are)(?: (?:listed|given|shown|described|explained|summari[sz]ed) below)?"
    r"|was|were|will|would|should|must|do|does|has|have|had|needs?|requires?|supports?|offers?"
    r"|provides?|comprises?|features?|covers?|lists?|found|says|shows|gives|receives?|gets?|uses?"
    r"|(?:(?:can|could|may|might) )?(?:contain|include|be used (?:for|to|as))|can|could|may"
    r"|includes|included|contains|(?:consists?|made up|made) of|ist|sind|est|sont|es|son|sono|são"
    r"|zijn|incluyen?|enthält|umfasst))?"
    r"(?:\s*\b(?:(?:the )?following(?: (?!is\b|are\b|was\b|were\b)\w+){0,2}|as follows"
    r"|these(?: (?!is\b|are\b|was\b|were\b)\w+)?|this)|[是为為有]|包括|包含|如下)?$",
    re.IGNORECASE,
)
"""Words from which the items go on, or that only point at them."""

_MOST_LEAD_WORDS = 15
_LONGEST_LEAD = 200

_CODE_SIGNS = re.compile(
    r"[{}<>=;|\\@^~$#&*_`\[\]]|\w\(|::|->|//|(?<!\S)--?\w|\S/\S|[^\W\d]\.\w"
    r"|\bNone\b|^from \S{1,80} import\b"
    r"|^(?:if|for|while|with|else|try|class|case|when)\b[^.!?\d]*:$"
)
_NAME_IN_CODE = re.compile(r"_|[a-z]\.[a-z]")
_NONE = re.compile(r"\bis(?: not)? None\b")
_BETWEEN_RUNS = re.compile(
    r"[{}<>=;|\\@^~#&*+%_`\[\]\"“”()]+|//+|(?<!\w)'|'(?!\w)|\\n|(?<!\S)-{1,2}(?!\d)"
)
_KEYWORDS = frozenset(
    re.findall(
        r"\S+",
        "elif return assert import def raise except yield const var int float double char bool "
        "void switch select insert delete create alter drop echo pip npm npx apt apt-get brew git "
        "cd ls sudo docker kubectl curl wget python python3 cargo sleep kill chmod mkdir cp mv rm "
        "cat grep ssh ping tail goto mov jmp export exit async await",
    )
)
"""How a line of code begins, among the languages that need no sign, and seldom a sentence."""

_FUNCTION_WORD = re.compile(
    r"\b(?:the|an?|this|that|its|was|were|are|has|had|by|after|of)\b", re.IGNORECASE
)
_PLAIN_WORD = re.compile(r"[^\W\d_]{2,}")
_FIGURE = re.compile(
    r"(?<![\w.])(?<!\w-)\d{1,9}(?:[.,]\d{1,9}){0,3}(?!\w)|[\u3400-\u9fff\u3040-\u30ff]\s?\d"
)
_COMMENT = re.compile(r"(?:^|\s)(?:#+|//|--|/\*)\s(.*)")
_QUANTITY = re.compile(
    r"[€£¥]\s?\d|\d\s?[€£¥]|\d (?:euros?|dollars?|pounds|cents|percent|people|deaths?|dead"
    r"|years?|months?|days?|hours?|minutes?|million|billion|kg|km)\b",
    re.IGNORECASE,
)


_VERDICT = re.compile(r"\W*(?:yes|no|yep|nope|true|false|correct|incorrect|wrong)\b", re.IGNORECASE)
"""How a heading begins that answers a question."""


def may_state(title: str) -> bool:
    """Whether a heading, or a cell at the head of a table, may be read as a statement.

    It is where it is a clause, or holds a figure, a denial, an event ("Recalled in May"), a colon
    before more words, or so many words that it can't only name what follows. A question is one
    only where it tells a figure or the like.
    """
    plain = _ORDER.sub("", _readable(title), count=1)
    if _tells(plain) or len(plain.split()) > _MOST_HEADING_WORDS or _BEHIND_COLON.search(plain):
        return True
    if _VERDICT.match(plain):
        return True
    if plain.endswith((".", "!", "。", "！", "।")):
        return True
    is_question = plain.endswith(("?", "؟", ";")) or _ASKS.match(plain) is not None
    return not is_question and _may_be_clause(_without_capitals(plain.rstrip(": ")))


def head_may_state(head: str) -> bool:
    """The same of the line at the head of a table, cell by cell and read in one go."""
    cells = [cell for cell in head.split("|") if has_content(cell)]
    return any(map(may_state, cells)) or is_clause(" ".join(_readable(head).lower().split("|")))


def only_leads_in(line: str) -> bool:
    """Whether a line only leads in what stands below: "The system requires:", "Key dates:".

    It ends with a colon, is short, tells no figure, and has no verb but one that the items below
    go on from.
    """
    plain = _readable(line)
    is_short = len(line) < _LONGEST_LEAD and len(plain.split()) <= _MOST_LEAD_WORDS
    if not is_short or not plain.endswith(":"):
        return False
    said = _SOURCE.sub("", plain.rstrip(": "), count=1)
    if _tells(said):
        return False
    said = _PRESENTS.sub("", said, count=1)
    bare = said[: _LEADS.search(said).start()]  # type: ignore[union-attr]  # it may be empty
    return not _may_be_clause(bare) and not _BEHIND_COLON.search(bare)


def is_code(line: str) -> bool:
    """Whether a line between two fences is code: no clause, not even in a comment or a string.

    Without signs of code, prose with a figure is none either.
    """
    line = _without_invisible(line).strip()
    words = " ".join(word for word in line.split() if not _NAME_IN_CODE.search(word))
    if any(
        is_clause(run)
        for run in _BETWEEN_RUNS.split(_NONE.sub(" ", words))
        if not _begins_code(run)
    ):
        return False
    comment = _COMMENT.search(line)
    if _QUANTITY.search(line) or (comment is not None and _tells_in_comment(comment[1])):
        return False
    return _CODE_SIGNS.search(line) is not None or _begins_code(line) or not _is_prose(line)


def _tells_in_comment(comment: str) -> bool:
    is_told = _FIGURE.search(comment) is not None or _TOLD.search(comment) is not None
    return is_told and _PLAIN_WORD.search(comment) is not None and not _CODE_SIGNS.search(comment)


def _is_prose(line: str) -> bool:
    words = _PLAIN_WORD.findall(line)
    is_phrase = (len(words) > 3 and not line.endswith(",")) or (
        len(words) > 2 and _FUNCTION_WORD.search(line) is not None
    )
    has_figure = bool(words) and _FIGURE.search(line) is not None
    return is_phrase or has_figure or (len(words) > 1 and _TOLD.search(line) is not None)


def _begins_code(run: str) -> bool:
    first = "".join(run.split(maxsplit=1)[:1])
    is_keyword = (first.lower() if first.isupper() else first) in _KEYWORDS
    return is_keyword and _FUNCTION_WORD.search(run) is None


def _tells(plain: str) -> bool:
    return any(map(_is_figure, plain)) or _TOLD.search(plain) is not None


def _is_figure(character: str) -> bool:
    """Whether it is a digit, or a letter drawn as a symbol, which no list of verbs knows."""
    if character.isascii():
        return character.isdigit()
    category = unicodedata.category(character)
    return category.startswith("N") or (category == "So" and has_content(character))


def _may_be_clause(phrase: str) -> bool:
    return (
        is_clause(phrase)
        or _LOOSE_VERB.search(phrase) is not None
        or _LOOSE_EVENT.search(phrase) is not None
    )


def _without_capitals(title: str) -> str:
    """A title of which every longer word is capitalised, in small letters: they tell nothing."""
    is_capitalised = not any(word[0].islower() and len(word) > 4 for word in title.split()[1:])
    return title.lower() if is_capitalised else title


def _readable(text: str) -> str:
    """A text as it is read: without markup and invisible characters, letters in their plain form.

    Letters drawn as symbols stay.
    """
    plain = _MARKUP.sub("", html.unescape(text.strip()))
    plain = unicodedata.normalize("NFKC", plain)
    return " ".join(_without_invisible(plain).split())


def _without_invisible(text: str) -> str:
    if text.isascii():
        return text
    return "".join(one for one in text if unicodedata.category(one) != "Cf")
