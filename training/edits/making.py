"""All edits of a sentence, of every kind that applies."""

from __future__ import annotations

import random
from collections.abc import Callable

from training.edits.dates import clock_form, date_form, other_date
from training.edits.details import (
    bulleted,
    cited,
    detail_added,
    detail_dropped,
    filler_dropped,
    opened,
    reported,
)
from training.edits.edit import Change, Edit, states
from training.edits.lists import item_added, item_dropped
from training.edits.names import other_name
from training.edits.negation import affirmed, negated
from training.edits.numerals import numeral, percent_form, rounded, scale_form, separated
from training.edits.opposites import opposite
from training.edits.roles import roles_exchanged
from training.edits.strength import (
    cause_claimed,
    other_certainty,
    other_condition,
    other_quantity,
    unattributed,
)
from training.edits.units import converted, other_unit
from training.edits.values import other_number
from training.edits.wording import active_voice, contraction, synonym

Breaker = Callable[[str, str, random.Random], Change | None]
Keeper = Callable[[str, random.Random], str | None]

BREAKERS: dict[str, Breaker] = {
    "number": other_number,
    "unit": other_unit,
    "date": other_date,
    "negation": negated,
    "affirmation": affirmed,
    "direction": opposite,
    "quantifier": other_quantity,
    "strength": other_certainty,
    "condition": other_condition,
    "cause": cause_claimed,
    "attribution": unattributed,
    "name": other_name,
    "role": roles_exchanged,
    "list": item_added,
    "detail": detail_added,
}
KEEPERS: dict[str, Keeper] = {
    "numeral": numeral,
    "separator": separated,
    "percent": percent_form,
    "scale": scale_form,
    "conversion": converted,
    "rounding": rounded,
    "date form": date_form,
    "clock": clock_form,
    "contraction": contraction,
    "synonym": synonym,
    "voice": active_voice,
    "dropped": detail_dropped,
    "list shortened": item_dropped,
    "filler": filler_dropped,
    "reporting": reported,
    "opener": opened,
    "citation": cited,
    "bullet": bulleted,
}
LESS = frozenset({"rounding", "dropped", "list shortened"})
"""The keeping kinds after which a sentence says less; after the others it says the same."""


def breaking(sentence: str, passage: str, rng: random.Random) -> list[Edit]:
    """Edits after which ``sentence``, stated in ``passage``, is no longer supported.

    At most one of each kind; none of a kind whose place or effect is not sure.
    """
    edits = []
    # What it says that someone claims may become what it says.
    elsewhere = passage.replace(sentence, "\n") if sentence else passage
    for kind, breaker in BREAKERS.items():
        change = breaker(sentence, passage, rng)
        if change is None or change.text == sentence or states(elsewhere, change.text):
            continue
        edits.append(Edit(kind, change.text, change.relation))
    return edits


def keeping(sentence: str, rng: random.Random) -> list[Edit]:
    """Edits of ``sentence`` that say the same or less, at most one of each kind."""
    edits = []
    for kind, keeper in KEEPERS.items():
        text = keeper(sentence, rng)
        if text is not None and text != sentence:
            edits.append(Edit(kind, text, "less" if kind in LESS else "same"))
    return edits
