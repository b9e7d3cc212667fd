"""Negations put into a sentence or taken out of it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from training.edits.edit import (
    NEGATION,
    SEVERAL,
    Change,
    Relation,
    cased,
    listed,
    next_word,
    spliced,
)

_PAST_TO_BASE = {
    entry.split("/")[0]: entry.split("/")[1]
    for entry in listed(
        "won/win wrote/write directed/direct starred/star played/play received/receive "
        "released/release became/become attended/attend joined/join married/marry lived/live "
        "moved/move worked/work served/serve appeared/appear produced/produce founded/found "
        "created/create sold/sell bought/buy made/make took/take went/go came/come "
        "began/begin studied/study died/die grew/grow recorded/record portrayed/portray "
        "published/publish graduated/graduate sang/sing led/lead lost/lose visited/visit "
        "helped/help voted/vote signed/sign reached/reach found/find showed/show gave/give "
        "left/leave held/hold got/get said/say told/tell saw/see knew/know ran/run paid/pay "
        "spoke/speak taught/teach ate/eat"
    )
}
_THIRD_TO_BASE = {
    entry.split("/")[0]: entry.split("/")[1]
    for entry in listed(
        "contains/contain includes/include plays/play lives/live works/work stars/star "
        "features/feature owns/own has/have provides/provide offers/offer uses/use "
        "shares/share collects/collect requires/require allows/allow applies/apply "
        "consists/consist belongs/belong produces/produce causes/cause lies/lie flows/flow "
        "depends/depend represents/represent covers/cover sells/sell supports/support "
        "describes/describe"
    )
}
_PARTICIPLE = (
    r"(?:\w+ed|been|become|made|gone|done|shown|found|had|won|led|given|taken|seen|written|known|"
    r"held|lost|sold|begun|grown|come|brought|built|bought|spent|kept|left|said|told|played)"
)
_ADVERBS = (
    r"(?!(?:also|still|even|just|only|now|then|not|probably|sometimes|often|usually|generally|"
    r"currently|never|always|mostly|mainly|largely|typically|no|all|both|almost|nearly|too|so|"
    r"thus|therefore|however|possibly|perhaps|further|already|frequently|primarily|commonly|"
    r"either|again|once|partially|partly|originally|actually|"
    r"really|that|those|as|because|"
    r"what|how|why|when|where)\b)"
)
_AUXILIARY = re.compile(
    r"(?<=[\w)’'\"] )(?:"
    rf"(?P<be>is|are|was|were|will|would|can|should)(?= {_ADVERBS}[a-z]{{1,}}[ .])|"
    rf"(?P<have>has|have|had)(?= {_PARTICIPLE}\b)|"
    r"(?P<owns>has|had|have)(?= (?:an?) (?!bit|lot|little|few|number)[a-z]))"
)
_STOPPERS = re.compile(
    r"\b(?:at least|at most|about|(?:\d+|two|three|four|five|six|ten|half) of|"
    r"which|who|whom|whose|that|where|when|if|because|while|although|though|as|what|how|why|"
    r"since|after|before|until|than|whether|so|but|whatever|whoever|once|only|some|many|most|"
    r"several|few|any|all|every|each|both|either|one of|much|more|little|parts?|there|here|"
    r"percent|per cent|half|thirds?|quarters?|majority|minority|proportion|percentage|share of|"
    r"number of|others?|"
    r"sometimes|often|always|and)\b|[?:;%\"“”()\[\]]|\.\s",
    re.IGNORECASE,
)
_PARTICIPLES = frozenset(
    listed(
        "directed received released attended joined married produced founded created sold "
        "bought made studied recorded portrayed published visited helped signed reached found "
        "left held led lost said told paid taught given played written"
    )
)
_OBJECT_STARTS = frozenset(
    listed("the a an his her its their him it them two three four this that")
)
_SUBJECT = (
    r"(?:(?:He|She|It|They|We|I|(?:The|A|An|This|Our) (?:[a-z]+ ){1,2})|"
    r"(?:The )?(?:[A-Z][\w.’'-]* |of |the |de ){1,5})"
)
_VERBS = "|".join({**_PAST_TO_BASE, **_THIRD_TO_BASE})
_MAIN_VERB = re.compile(
    rf"^(?P<subject>{_SUBJECT}) ?(?<= )(?P<verb>{_VERBS})"
    r"(?= (?!by\b|and\b|not\b|that\b|up\b|over\b|only\b|never\b)[\w$])"
)
_REMOVALS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(
            r"(?P<aux>\b(?:is|are|was|were|has|have|had|does|do|did|would|could|should|will|"
            r"must)) ?(?:not\b|n['’]t\b)"
        ),
        lambda found: found["aux"],
    ),
    (re.compile(r"\b(?:can ?not|ca ?n['’]t|can['’]t)\b"), lambda _: "can"),
    (re.compile(r"\b(?:wo ?n['’]t)\b"), lambda _: "will"),
    (
        re.compile(r"(?<=[a-z)] )(?:never) (?=(?:\w+ed|been|be|had|won|seen|made|did)\b)"),
        lambda _: "",
    ),
    (re.compile(r"(?<= )no longer(?= [a-z])"), lambda _: "still"),
    (re.compile(r"(?<=\b[Tt]here were )no (?=[a-z]+s\b)"), lambda _: "some "),
    (re.compile(r"(?<=\b[Tt]here are )no (?=[a-z]+s\b)"), lambda _: "some "),
    (
        re.compile(
            r"(?<=[a-z] )no (?=(?:effect|impact|role|cure|vaccine|difference|treatment|reason|risk|"
            r"need|link|association|relationship|correlation|plan|son|daughter|limit)\b)"
        ),
        lambda found: "an " if found.string[found.end()] in "ae" else "a ",
    ),
    (
        re.compile(r"(?<=[a-z] )no (?=(?:evidence|information|proof|doubt|interest|chance)\b)"),
        lambda _: "some ",
    ),
)
_AFTER_REMOVED = re.compile(
    r"\s+(?:only|just|merely|simply|yet|necessarily|all|every|always|until|nor|limited|be limited|"
    r"so|too|more|less|even|to mention|really|quite|very|exactly|entirely|completely|both|many|"
    r"much|enough|unlike|uncommon|unusual|unless|long|mind|help but|least|without|un\w+|"
    r"in\w+able)\b"
)
# "It does not hurt some" lets one think that it hurts others, and does not say so.
_SOME = re.compile(
    r"\b(?:some(?:one|body|thing|times)?|several|certain|others?|another)\b", re.IGNORECASE
)
_POLAR = re.compile(
    r"\b(?:any|anyone|anybody|anything|nor|either|ever|yet|at all|unless|until|anymore|but also|"
    r"neither|whether|if)\b",
    re.IGNORECASE,
)


def negated(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """The sentence with its main verb denied."""
    del passage, rng
    if NEGATION.search(sentence) or _SOME.search(sentence) or "?" in sentence:
        return None
    text = _existence_denied(sentence) or _auxiliary_denied(sentence) or _verb_denied(sentence)
    return None if text is None else Change(text, _relation(sentence))


def affirmed(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """The sentence without its only negation."""
    del passage
    if len(NEGATION.findall(re.sub(r"\bn['’]t", "n't", sentence))) != 1:
        return None
    if _POLAR.search(sentence) or _SOME.search(sentence):
        return None
    texts = list(_affirmations(sentence))
    return Change(rng.choice(texts), _relation(sentence)) if texts else None


def _relation(sentence: str) -> Relation:
    """What the sentence with its verb denied, or no longer denied, is to it."""
    is_one_of_many = SEVERAL.search(sentence) or re.match(r"An? ", sentence)
    return "differs" if is_one_of_many else "contradicts"


def _affirmations(sentence: str) -> Iterator[str]:
    for pattern, new in _REMOVALS:
        for found in pattern.finditer(sentence):
            if _AFTER_REMOVED.match(sentence, found.end()):
                continue
            after = sentence[found.end() :]
            if found.start() == 0 or "?" in after or re.match(r",? or ", after):
                continue
            if sentence[: found.start()].endswith(" or "):
                continue
            yield _tidied(spliced(sentence, *found.span(), new(found)), sentence)


def _auxiliary_denied(sentence: str) -> str | None:
    found = _AUXILIARY.search(sentence)
    if found is None or _STOPPERS.search(sentence, 0, found.start()):
        return None
    if re.search(r"\bor (?:is|are|was|were|will|has|have|had|can|would|should)\b", sentence):
        return None
    if "," in sentence[: found.start()] or found.start() > 90:
        return None
    word = found.group()
    if found.lastgroup == "owns":
        bare = (
            "did not have" if word == "had" else "does not have" if word == "has" else "do not have"
        )
        return spliced(sentence, *found.span(), bare)
    return spliced(sentence, *found.span(), "cannot" if word == "can" else f"{word} not")


def _existence_denied(sentence: str) -> str | None:
    found = re.match(
        r"There (?:is|was) (?P<article>an? )(?!lot|few|little|bit|number|large)", sentence
    )
    return None if found is None else spliced(sentence, *found.span("article"), "no ")


def _verb_denied(sentence: str) -> str | None:
    found = _MAIN_VERB.match(sentence)
    if found is None or _STOPPERS.search(found["subject"]):
        return None
    verb = found["verb"]
    after = next_word(sentence, found.end())
    if found["subject"].rstrip().endswith(("'s", "’s")) or (
        verb == "has" and re.fullmatch(_PARTICIPLE, after)
    ):
        return None  # "she's got", "she has stolen"
    if verb in _PARTICIPLES and not (after in _OBJECT_STARTS or after[:1].isupper()):
        return None  # "the first recorded settlement", "films directed in France"
    if verb in _PAST_TO_BASE:
        new = f"did not {_PAST_TO_BASE[verb]}"
    else:
        new = f"does not {_THIRD_TO_BASE[verb]}"
    return spliced(sentence, *found.span("verb"), cased(new, verb))


def _tidied(text: str, before: str) -> str:
    """The text without a double space that the edit left."""
    return text if "  " in before else text.replace("  ", " ")
