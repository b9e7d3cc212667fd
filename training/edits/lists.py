"""The lists of a sentence, "A, B and C", and the edits that lengthen or shorten them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from training.edits.edit import NEGATION, UNIVERSAL, Change, listed, previous_word, spliced
from training.edits.names import Name, other_names, sort_of
from training.edits.numbers import WORD_VALUES

_ITEM = r"(?:[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}|[a-z]{3,})"
_LIST = re.compile(
    rf"(?<![\w'’.-])(?P<first>{_ITEM}(?P<comma> ?, )(?:{_ITEM} ?, )*{_ITEM})"
    rf"(?P<link>(?: ?,)? and )(?P<last>{_ITEM})"
    r"(?![\w'’-]| [A-Z]|\.\w)"
)
_STARTS_APART = re.compile(
    r"(?:In|On|At|After|Before|From|For|By|With|When|While|If|As|Like|Unlike|Since|Until|Besides|"
    r"Although|Because|During|Near|To)\b"
)
_COUNTED = re.compile(
    rf"\d|\b(?:only|exactly|both|several|many|few|most|half|{'|'.join(WORD_VALUES)}|the \w+est)\b",
    re.I,
)
_TOGETHER = re.compile(
    r"\b(?:consist\w*|compris\w*|compos\w*|form(?:s|ed|ing)?|made up|divided|between|together|"
    r"combin\w*|mix\w*|blend|average|sum|total|respectively|namely|joint\w*|shar\w+|each other|"
    r"one another|trio|group|when|where|while|than|or|if|may|might)\b|:",
    re.IGNORECASE,
)
"""What holds of the items together need not hold of some of them."""

_LEADS = frozenset(
    listed(
        "with of including include includes included contain contains contained sell sells sold "
        "from for like use uses used grow grows grew eat eats ate produce produces produced has "
        "have had offer offers offered serve serves served"
    )
)


@dataclass(frozen=True, slots=True)
class _List:
    start: int
    end: int
    items: tuple[str, ...]
    comma: str
    link: str
    sort: str

    def written(self, items: list[str]) -> str:
        link = " and " if len(items) == 2 else self.link
        return self.comma.join(items[:-1]) + link + items[-1]


def item_added(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """A list with an item more, of the sort of the others."""
    places = list(_lists(sentence)) if _is_open(sentence) else []
    options = [(place, new) for place in places for new in _others(place, sentence, passage)]
    if not options:
        return None
    place, new = rng.choice(options)
    items = list(place.items)
    items.insert(rng.randint(0, len(items)), new)
    return Change(spliced(sentence, place.start, place.end, place.written(items)), "adds")


def item_dropped(sentence: str, rng: random.Random) -> str | None:
    """A list without one of its middle items."""
    places = list(_lists(sentence)) if _is_open(sentence) else []
    if not places:
        return None
    place = rng.choice(places)
    items = list(place.items)
    del items[rng.randrange(1, len(items) - 1)]
    return spliced(sentence, place.start, place.end, place.written(items))


def _is_open(sentence: str) -> bool:
    """Whether what a sentence says of several holds of some of them, and may hold of more."""
    patterns = (NEGATION, UNIVERSAL, _COUNTED, _TOGETHER)
    return not any(pattern.search(sentence) for pattern in patterns) and not _STARTS_APART.match(
        sentence
    )


def _lists(sentence: str) -> Iterator[_List]:
    for found in _LIST.finditer(sentence):
        items = (*re.split(" ?, ", found["first"]), found["last"])
        sorts = {_sort(item) for item in items}
        sort = sorts.pop()
        before = sentence[: found.start()].rstrip()
        if sorts or not sort or len(set(items)) < len(items) or before.endswith((",", " and")):
            continue
        is_noun = sort.startswith("noun")
        if is_noun and previous_word(sentence, found.start()).lower() not in _LEADS:
            continue
        # "Large, heavy and old" is a list only before what it describes.
        if is_noun and not re.match(
            r"\s?[.;]|\s(?:in|at|on|from|to|for)\b", sentence[found.end() :]
        ):
            continue
        yield _List(*found.span(), items, found["comma"], found["link"], sort)


def _sort(item: str) -> str:
    """What the items of a list have in common: what they name, or how they end."""
    if item[0].islower():
        return "noun in -s" if item.endswith("s") else "" if item.endswith("ing") else "noun"
    sort = sort_of(item)
    # "Peter, Paul and Mary" may be a band.
    return "" if sort == "person" and " " not in item else sort


def _others(place: _List, sentence: str, passage: str) -> list[str]:
    """Items of the sort of a list that neither it nor the passage beside it has."""
    if not place.sort.startswith("noun"):
        fitting = [
            set(other_names(Name(place.start, place.end, item, place.sort), sentence, passage))
            for item in place.items
        ]
        return sorted(set.intersection(*fitting))
    lead = previous_word(sentence, place.start)
    others = {
        item
        for other in _lists(passage)
        if other.sort == place.sort and previous_word(passage, other.start) != lead
        for item in other.items
    }
    return sorted(item for item in others if not re.search(rf"\b{item}\b", sentence))
