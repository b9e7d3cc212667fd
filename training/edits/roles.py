"""Who did what to whom, and the edit that exchanges the two."""

from __future__ import annotations

import random
import re

from training.edits.edit import Change, relation_at, spliced, states
from training.edits.names import NO_NAMES

_RETURNED = (
    "(?:beat|defeated|hired|taught|invaded|acquired|bought|employed|influenced|replaced|sued|"
    "conquered|attacked|inspired|criticized|arrested|raised|is the teacher of|was the teacher of|"
    "was (?:beaten|defeated|hired|taught|invaded|acquired|bought|replaced) by)"
)
"""What the other may have done as well, at another time."""

_ONE_SIDED = (
    "(?:succeeded|preceded|killed|murdered|"
    "is the (?:father|mother|son|daughter|capital|author|owner|boss|successor|predecessor) of|"
    "was the (?:father|mother|son|daughter|author|owner|boss|successor|predecessor) of|"
    "(?:is|was) (?:older|younger|taller|larger|smaller|bigger|richer|faster|longer) than|"
    "(?:is|lies|was) (?:north|south|east|west) of|"
    "was (?:succeeded|preceded|killed) by)"
)
_PART = r"(?:[A-Z]\.|[A-Z][\w’'-]*)"
_NAME_TEXT = rf"{_PART}(?: (?:of |de |van |von )?{_PART})*"
_ROLES = re.compile(
    rf"^(?P<one>{_NAME_TEXT}) (?:(?P<returned>{_RETURNED})|(?P<one_sided>{_ONE_SIDED})) "
    rf"(?P<two>{_NAME_TEXT})(?=[\s.,;]|$)"
)


def roles_exchanged(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """Who did it and whom it was done to, exchanged."""
    del rng
    found = _ROLES.match(sentence)
    if found is None or {found["one"].split()[0], found["two"].split()[0]} & (NO_NAMES - {"The"}):
        return None
    link = found["returned"] or found["one_sided"]
    new = f"{found['two']} {link} {found['one']}"
    if states(passage, new) or "'" in new or "’" in new:
        return None
    relation = "differs" if found["returned"] else relation_at(sentence, 0)
    return Change(spliced(sentence, *found.span(), new), relation)
