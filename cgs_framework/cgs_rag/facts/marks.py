"""Marks around a number that hide it: brackets and underscores, at the same offsets made spaces."""

from __future__ import annotations

import re

_NUMBER = r"\d[\d.,]{0,15}"
_UNITS = (
    r"(?:euros?|dollars?|pounds?|cents?|percent|%|€|£|\$|kg|km|cm|mm|kilograms?|met(?:er|re)s?)"
)
_SAYS = r"(?:is|are|was|were|be|costs?|weighs?|measures|totals|equals|nearly|almost|=)"
_MARKED = re.compile(
    rf"(?P<emphasis>_{{1,3}}(?={_NUMBER}_{{1,3}}(?!\w))|(?<!\w)_{{1,3}}(?=\d)|(?<=\d)_{{1,3}}(?!\w))"
    rf"|(?P<said>(?<![^\W_]){_SAYS}\s?)[(\[](?P<bare>{_NUMBER})[)\]]"
    rf"|[(\[](?P<measured>{_NUMBER})[)\]](?=\s?{_UNITS}(?!\w))",
    re.IGNORECASE,
)


def unmarked(text: str) -> str:
    """A text with spaces for what only sets a number off, so that each is read; offsets stay.

    "costs_59_ euros", "the price is (59)", "[59] euros"; but not what may point to a source, as
    "[3]" behind a sentence.
    """
    is_marked = "_" in text or "(" in text or "[" in text
    return _MARKED.sub(_spaced, text) if is_marked else text


def _spaced(found: re.Match[str]) -> str:
    if found["emphasis"]:
        return " " * len(found[0])
    return f"{found['said'] or ''} {found['bare'] or found['measured']} "
