"""Words that say how much, how often, how surely or on what condition, and edits of them."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from training.edits.edit import NEGATION, Change, cased, spliced


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    new: tuple[str, ...]
    contradicts: bool = True


def _rule(pattern: str, *new: str, contradicts: bool = True) -> _Rule:
    return _Rule(re.compile(pattern, re.IGNORECASE), new, contradicts)


_PLURAL = (
    r"(?!the |these |those |our |his |her |its |their |this |that )"
    r"(?!of |in |at |over |you |we |they |as )"
    r"(?=(?:[a-z]+ )?(?:[a-z]+[^siu\W]s|people|men|women|children)\b)"
)
_FREE = r"(?:(?<=^)|(?<=\bthat )|(?<=\band )|(?<=, ))"
# What happens once happens only where and when it does.
_REPEATED = (
    r"(?:used|observed|reported|produced|played|performed|offered|collected|detected|needed|"
    r"allowed|required|accepted|found|grown|sold|spoken|seen|eaten|taught|available|practised)"
)
_QUANTIFIERS = (
    _rule(rf"{_FREE}all of (?=the |our |his |her |its |their |these |those )", "none of "),
    _rule(rf"{_FREE}all (?=the |these |those )", "none of "),
    _rule(rf"{_FREE}(?:all|most|many) {_PLURAL}", "no "),
    _rule(rf"{_FREE}every (?!time|day|year|week|month|night|one|other|\d)(?=[a-z]+ )", "no "),
    _rule(r"\bsome (?=of (?:the|these|our|their|his|her) )", "all ", contradicts=False),
    _rule(rf"{_FREE}some {_PLURAL}", "all ", contradicts=False),
    _rule(r"\bmost (?=of (?:the|these|our|their) )", "all ", contradicts=False),
    _rule(rf"{_FREE}few {_PLURAL}", "most "),
    _rule(r"\b(?<!as )(?<!\w-)always (?!-)", "never "),
    _rule(r"\bsometimes (?=[a-z])", "always ", "never ", contradicts=False),
    _rule(
        r"(?<!most )(?<!more )(?<!less )(?<!as )"
        r"\b(?:usually|generally|typically|frequently) (?=[a-z])",
        "always ",
        contradicts=False,
    ),
    _rule(
        r"\b(?<!more )(?<!most )(?<!less )(?<!as )(?<!how )(?<!too )(?<!so )"
        r"often (?=[a-z]+ed |be |found |used )",
        "rarely ",
    ),
    _rule(r"\b(?:rarely|seldom) (?=[a-z])", "often "),
    _rule(
        rf"\b(?:is|are|was|were) {_REPEATED} "
        r"(?=(?:in|at|during|for) (?!\d|the first|[A-Z][a-z]+ (?:of )?\d))",
        "{} only ",
        contradicts=False,
    ),
)
_STRENGTHS = (
    _rule(
        r"(?<=[a-z] )(?-i:"
        r"(?:may|might) (?!have any |have regarding |choose |wish |want )"
        r"(?=be |have been |[a-z]{3,} )|"
        r"could (?=be |have been |lead |cause |help ))",
        "will ",
        contradicts=False,
    ),
    _rule(
        r"\b(?:probably|possibly|presumably|perhaps|reportedly|allegedly) (?=[a-z])",
        "certainly ",
        contradicts=False,
    ),
    _rule(r"\bsuggest (?=that )", "prove ", contradicts=False),
    _rule(r"\bsuggests (?=that )", "proves ", contradicts=False),
    _rule(r"\bsuggested (?=that )", "proved ", contradicts=False),
    _rule(r"\b(?:seems|appears) to be ", "is definitely ", contradicts=False),
    _rule(r"(?<=[a-z] )must (?=be |have |[a-z]{3,} )", "need not "),
    _rule(r"\b(?:is|are) required to ", "{be} free not to "),
    _rule(r"\bsome evidence\b", "conclusive evidence", contradicts=False),
    _rule(r"\bpartly (?=[a-z])", "entirely ", contradicts=False),
    _rule(r"\bentirely (?=[a-z])", "only partly ", contradicts=False),
)
_CONDITIONS = (
    _rule(r"\bunless (?=[a-z])", "if "),
    _rule(
        r"(?:(?<=^)|(?<=, )|(?<=[a-z]{2} ))(?<!even )(?<!as )(?<!only )(?<!what )(?<!see )"
        r"(?<!ask )(?<!asked )"
        r"(?<!know )(?<!wonder )(?<!determine )(?<!check )(?<!decide )(?<!verify )(?<!and )(?<!or )"
        r"(?<!but )(?<!tell )(?<!especially )(?<!even )(?<!sure )(?<!wondering )(?<!care )"
        r"if (?!not |necessary|any |so |only |you like|you want|you are looking)(?=[a-z]+ [a-z])",
        "unless ",
    ),
    _rule(r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )\bbecause of ", "despite "),
    _rule(
        r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!largely )(?<!mainly )\bdue to (?!be )",
        "despite ",
    ),
    _rule(r"\bdespite ", "because of "),
    _rule(r"(?<=[a-z,] )because (?!of\b)", "although "),
    _rule(r"\balthough (?=[a-z]+ [a-z])", "because "),
    _rule(r"\bexcept for ", "including "),
    _rule(r"(?<=, )including (?=[a-z])", "except for "),
    _rule(
        r"(?<=[a-z,] )(?:instead of|rather than) (?=the |a |an |his |her |their )", "as well as "
    ),
    _rule(r"(?<=[a-z,] )until (?=the |he |she |they |it )", "only after "),
    _rule(r"\bas a result of ", "despite "),
)


def other_quantity(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """How many or how often exchanged for another measure, or "only" put in."""
    return _ruled(sentence, passage, rng, _QUANTIFIERS)


def other_certainty(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """What may be said to be so for sure, or what must be left free."""
    return _ruled(sentence, passage, rng, _STRENGTHS)


def other_condition(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """A condition, cause or exception turned into another."""
    return _ruled(sentence, passage, rng, _CONDITIONS)


def _ruled(
    sentence: str, passage: str, rng: random.Random, rules: tuple[_Rule, ...]
) -> Change | None:
    if NEGATION.search(
        re.sub(r"\bunless\b|\brarely\b|\bseldom\b", "", sentence, flags=re.IGNORECASE)
    ):
        return None  # two negations may say the same
    if "?" in sentence:
        return None
    places = [(found, rule) for rule in rules for found in rule.pattern.finditer(sentence)]
    if not places:
        return None
    found, rule = rng.choice(places)
    old = found.group()
    new = rng.choice(rule.new).replace("{be}", old.split()[0]).replace("{}", old.rstrip())
    text = spliced(sentence, *found.span(), cased(new, old))
    return None if text in passage else Change(text, contradicts=rule.contradicts)
