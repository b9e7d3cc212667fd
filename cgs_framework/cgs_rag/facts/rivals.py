"""Whether a value of the context stands in the place of one that a claim has."""

from __future__ import annotations

from cgs_rag.facts.agreement import written
from cgs_rag.facts.units import CURRENCIES
from cgs_rag.facts.values import Amount, Clock, Day, Fact, Label, Measure


def is_rival(claim: Fact, held: Fact) -> bool:
    """Whether both say the same sort of thing: the same dimension, or a count of the same noun."""
    match claim.value, held.value:
        case Amount() as ours, Amount() as theirs:
            return _are_rivals(ours, theirs)
        case Day() as ours, Day() as theirs:
            one, other = ours.readings[0], theirs.readings[0]
            return any(
                getattr(one, part) is not None and getattr(other, part) is not None
                for part in ("year", "month", "day", "weekday")
            )
        case Clock(), Clock():
            return True
        case Label() as ours, Label() as theirs:
            return claim.kind == held.kind == "code" and _sort(ours) == _sort(theirs)
        case _:
            return False


def is_bare(claim: Fact) -> bool:
    """Whether it is a number in digits without a unit, as data have it: `"price": 79`."""
    is_number = isinstance(claim.value, Amount) and claim.kind == "number"
    return is_number and claim.text.isdigit()


def is_swapped(claim: Fact, held: Fact) -> bool:
    """Whether both are the same number of different units of one dimension: "3 mm" and "3 cm"."""
    if not (isinstance(claim.value, Amount) and isinstance(held.value, Amount)):
        return False
    ours, theirs = claim.value.readings[0], held.value.readings[0]
    is_other = ours.dimension == theirs.dimension != "" and ours.unit != theirs.unit
    return (
        is_other
        and _is_same_number(ours, theirs)
        and abs(ours.value - theirs.value) > 0.02 * abs(ours.value)
    )


def _is_same_number(one: Measure, other: Measure) -> bool:
    number = written(one)
    return abs(number - written(other)) < 1e-6 * max(1.0, abs(number))


def _are_rivals(ours: Amount, theirs: Amount) -> bool:
    one, other = ours.readings[0], theirs.readings[0]
    if one.dimension or other.dimension:
        money = {one.dimension, other.dimension} <= CURRENCIES
        return one.dimension == other.dimension or money or _is_same_number(one, other)
    if "ordinal" in {one.unit, other.unit}:
        return one.unit == other.unit
    return bool(ours.nouns & theirs.nouns)


def _sort(label: Label) -> str:
    code = label.parts[0]
    if "@" in code:
        return "email"
    if "/" in code or code.startswith("phone"):
        return code[:5] if code.startswith("phone") else "url"
    return "".join(character for character in code if character.isalpha())
