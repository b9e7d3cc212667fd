"""Words that say how much, how often, how surely or on what condition, and edits of them."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from training.edits.edit import NEGATION, Change, Relation, cased, listed, spliced


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    new: tuple[str, ...]
    relation: Relation = "contradicts"


def _rule(pattern: str, *new: str, relation: Relation = "contradicts") -> _Rule:
    return _Rule(re.compile(pattern, re.IGNORECASE), new, relation)


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
    _rule(r"\bsome (?=of (?:the|these|our|their|his|her) )", "all ", relation="adds"),
    _rule(rf"{_FREE}some {_PLURAL}", "all ", relation="adds"),
    _rule(r"\bmost (?=of (?:the|these|our|their) )", "all ", relation="adds"),
    _rule(rf"{_FREE}few {_PLURAL}", "most "),
    _rule(r"\b(?<!as )(?<!\w-)always (?!-)", "never "),
    _rule(r"\bsometimes (?=[a-z])", "always ", relation="adds"),
    _rule(r"\bsometimes (?=[a-z])", "never "),
    _rule(
        r"(?<!most )(?<!more )(?<!less )(?<!as )"
        r"\b(?:usually|generally|typically|frequently) (?=[a-z])",
        "always ",
        relation="adds",
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
        relation="adds",
    ),
)
_STRENGTHS = (
    _rule(
        r"(?<=[a-z] )(?-i:"
        r"(?:may|might) (?!have any |have regarding |choose |wish |want )"
        r"(?=be |have been |[a-z]{3,} )|"
        r"could (?=be |have been |lead |cause |help ))",
        "will ",
        relation="adds",
    ),
    _rule(
        r"\b(?:probably|possibly|presumably|perhaps|reportedly|allegedly) (?=[a-z])",
        "certainly ",
        relation="adds",
    ),
    _rule(r"\bsuggest (?=that )", "prove ", relation="adds"),
    _rule(r"\bsuggests (?=that )", "proves ", relation="adds"),
    _rule(r"\bsuggested (?=that )", "proved ", relation="adds"),
    _rule(r"\b(?:seems|appears) to be ", "is definitely ", relation="adds"),
    _rule(r"(?<=[a-z] )must (?=be |have |[a-z]{3,} )", "need not "),
    _rule(r"\b(?:is|are) required to ", "{be} free not to "),
    _rule(r"\bsome evidence\b", "conclusive evidence", relation="adds"),
    _rule(r"\bpartly (?=[a-z])", "entirely ", relation="adds"),
    _rule(r"\bentirely (?=[a-z])", "only partly "),
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
    # The other way round both say the same two facts.
    _rule(r"\bdespite ", "because of ", relation="adds"),
    _rule(r"\balthough (?=[a-z]+ [a-z])", "because ", relation="adds"),
    _rule(r"\bexcept for ", "including "),
    _rule(r"(?<=, )including (?=[a-z])", "except for "),
    _rule(
        r"(?<=[a-z,] )(?:instead of|rather than) (?=the |a |an |his |her |their )", "as well as "
    ),
    _rule(r"(?<=[a-z,] )until (?=the |he |she |they |it )", "only after "),
)
_LINKS = (
    r"(?:(?:positively|significantly|strongly|closely) )?"
    r"(?:associated with|correlated with|linked to) "
)
_CAUSES = tuple(
    _rule(
        rf"\b{be} {_LINKS}(?!each other|one another|the (?:name|city|town|club|band)\b)",
        f"{causes} ",
        f"{be} caused by ",
        relation="adds",
    )
    for be, causes in (("is", "causes"), ("are", "cause"), ("was", "caused"), ("were", "caused"))
)
_MEASURED = re.compile(
    r"\b(?:risks?|increased?|decreased?|higher|lower|greater|reduced|mortality|deaths?|diseases?|"
    r"cancers?|symptoms?|depression|anxiety|obesity|diabetes|levels?|rates?|incidence|prevalence|"
    r"infections?|pain|stress|weight|exposure|outcomes?|disorders?|deficiency|damage|loss|poverty)"
    r"\b"
)
"""What is associated with such a thing may be its cause; a club with a town is not."""

_ATTRIBUTED = re.compile(
    r"(?P<who>(?:(?:The|A|An|Some|Many|His|Her|Their|Its) )?[A-Za-z][\w'’-]*(?: [\w'’-]+){0,3}?)"
    r"(?: (?:also|still|often))? "
    r"(?:claim(?:s|ed)?|says?|said|argue[sd]?|believe[sd]?) that (?P<said>[a-zA-Z][^\"“”?:;]+\.)"
)
_WRITINGS = re.compile(
    r"\b(?:passage|text|document|article|report|study|studies|paper|book|law|act|policy|rules?|"
    r"review|survey|source|page|website|guidelines?|constitution|bible)\b",
    re.IGNORECASE,
)
"""What states a thing rather than claims it."""

_NOT_PLAIN = re.compile(
    r"\b(?:it|which|who|that|few|would|may|might|could|can|does|do|did|to|if|when|should|must|has|"
    r"have|had|is|was|are|were|falsely|wrongly|\w+ing)\b",
    re.IGNORECASE,
)
_SPEAKING = frozenset(
    listed("he she they him her them his their it its i we you our my your himself herself that")
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


def cause_claimed(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """What goes with another thing said to be its cause, or caused by it."""
    if not _MEASURED.search(sentence):
        return None
    return _ruled(sentence, passage, rng, _CAUSES)


def unattributed(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """What someone claims said as a fact."""
    del passage, rng
    found = _ATTRIBUTED.fullmatch(sentence)
    if found is None or any(
        pattern.search(found["who"]) for pattern in (_WRITINGS, _NOT_PLAIN, NEGATION)
    ):
        return None
    said = found["said"]
    words = said.rstrip(".").split()
    # A pronoun would lose whom it stands for.
    if len(words) < 4 or not _SPEAKING.isdisjoint(re.findall(r"[a-z]+", said.lower())):
        return None
    if re.match(r"(?:if|when|in|although|while|as|what|would|there)\b", said):
        return None
    return Change(said[0].upper() + said[1:], "adds")


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
    return None if text in passage else Change(text, rule.relation)
