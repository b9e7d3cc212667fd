"""What kind of sentence it is: a claim, a courtesy that claims nothing, or an abstention.

Patterns for English only; a sentence in another language is a claim, the cautious reading.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from cgs_rag.abstentions import SOURCE, is_abstention, topic
from cgs_rag.citations import is_citation
from cgs_rag.denials import CROSSES
from cgs_rag.text import has_content


class Kind(StrEnum):
    """What a sentence does."""

    CLAIM = "claim"
    NON_CLAIM = "non_claim"
    ABSTENTION = "abstention"


_MORE = r"(?:any |some )?(?:(?:other|more|further|additional) )?"
_HELP = rf"{_MORE}(?:questions?|help|details?|information|assistance|clarification|support)"
_NEED = rf"(?:if you (?:have|need|want|would like|require) (?:{_HELP}|anything else|more))"
_ASSENTS = r"sure(?: thing)?|certainly|of course|absolutely|gladly|no problem|okay|ok"
_GREETINGS = r"hi|hello|hey|good (?:morning|afternoon|evening|day)"
_THANKS = r"thanks|thank you"
_FAREWELLS = r"best(?: (?:regards|wishes))?|(?:kind )?regards|cheers|goodbye|bye|sincerely"
_COURTESIES = (
    rf"(?:{_GREETINGS})(?: (?:there|all|everyone|again))?",
    r"dear \w+",
    _ASSENTS,
    r"(?:(?:that is|that's|what) an? )?(?:great|good|excellent|interesting) question",
    rf"(?:{_THANKS})(?: (?:so|very) much)?(?: for (?:asking|your \w+))?",
    r"you(?:'re| are) welcome|(?:i am |i'm )?(?:happy|glad) to help",
    _FAREWELLS,
    r"how (?:may|can) (?:i|we) help(?: you)?(?: today)?",
    r"(?:i )?hope (?:this|that|it) (?:helps|is helpful|answers your question)",
    rf"(?:please )?let me know(?: {_NEED}| if (?:that|this) helps| if i can help(?: you)?)?",
    r"(?:please )?(?:feel free|do not hesitate|don't hesitate) to "
    rf"(?:ask(?: for more)?|reach out|contact (?:me|us)|get in touch|let me know)(?: {_NEED})?",
    rf"(?:{_NEED},? )?(?:please )?(?:just )?(?:ask|let me know|reach out|contact (?:me|us))",
    r"(?:is|was) there anything else(?: (?:i|we) can (?:help|do)(?: you)?(?: with| for you)?"
    r"| you (?:need|want|would like)(?: to know)?)?",
    rf"(?:would|do) you (?:like|want|need)(?: me to (?:continue|elaborate|explain)| {_HELP}"
    r"| to know more)",
    r"that(?:'s| is) (?:all|it)(?: (?:i|we) (?:have|know|found))?|the end",
)
_PARTS = (
    r"(?:answers?|summary|steps?|points?|facts?|list|details?|response|explanation|info(?:rmation)?"
    r"|overview|breakdown|results?|instructions?|data|table|findings?|takeaways?|highlights?"
    r"|reasons?|options?|examples?|features?|requirements?|differences?|comparison|output|json)"
)
_PLAIN = (
    r"(?:(?:key|main|relevant|requested|following|full|complete|short|brief|quick|detailed|specific"
    r"|final|most|important|basic|concise|extracted|structured|step-by-step|two|three|four|five|six"
    r"|seven|eight|nine|ten) )"
)
_YOU_WANTED = (
    r"(?:you(?:'ve| have)? (?:asked (?:for|about)|requested|wanted|need(?:ed)?)"
    r"|you (?:are|were) looking for|(?:i|we)(?:'ve| have)? found)"
)
_WANTED = (
    rf"(?: (?:(?:that |which )?{_YOU_WANTED}"
    rf"|(?:based on|from|in|according to) (?:the|this|your) {SOURCE}"
    r"|(?:for|to) (?:you|your question)|as requested|below)){0,2}"
)
_LEAD_INS = (
    rf"(?:(?:based on|according to|from) (?:the|this|your) {SOURCE},? )?"
    rf"(?:(?:here|below|these|the following) (?:is|are)|here's) (?:the|your|an?|some|my|all the)? ?"
    rf"{_PLAIN}{{0,2}}{_PARTS}{_WANTED}",
    rf"(?:here|below)(?:'s| is| are) what (?:{_YOU_WANTED}|the {SOURCE} says?){_WANTED}",
    r"here (?:you go|it is|they are)|as requested|let me explain",
    r"in (?:summary|short|brief|conclusion|other words)|to (?:summari[sz]e|sum up)",
    rf"(?:based on|according to) (?:the|this|your) {SOURCE}",
)
_LEAD_IN = re.compile(rf"(?:{'|'.join(_LEAD_INS)}) ?:")
_FILE = r"[\w./-]{1,80}\.(?:md|pdf|txt|rst|html?|docx?|pptx?|xlsx?|csv|jsonl?|xml|ya?ml)"
_URL = r"[^\s,;\])\"`]"
_NUMBER = r"[\[【(]\^?\d{1,3}[\]】)]"
_PLACE = (
    rf"(?:[\[\"`]{{0,2}}(?:(?:https?://|www\.){_URL}{{1,200}}+|{_FILE})[\]\"`]{{0,2}}"
    rf"|{_NUMBER}"
    r"|\[?(?:doc(?:ument)?|chunk|passage|source|context|page|pages|p\.|pp\.|section|chapter)"
    rf" ?#?\d[\d.–-]{{0,8}}\]?|the {SOURCE})"
)
_REFERENCE = re.compile(
    rf"[(\[\"]?(?:sources?|references?|refs?|citations?)[\"*_]{{0,3}}:[*_]{{0,3}} ?"
    rf"{_PLACE}(?:(?:[,;] ?| and | & | ){_PLACE}|{_NUMBER}){{0,20}}[)\]]? *[.]?"
)
_COURTESY = "|".join(_COURTESIES)
_ASSENT = re.compile(rf"(?:{_ASSENTS})(?:,? (?:{_ASSENTS})){{0,3}} *[.!,…]*")
ANSWERS = r"yes|no|yep|yeah|yup|nope|indeed|definitely|exactly|correct"
"""Words that answer a question by themselves; courtesies that may do so are left out."""

_YES_OR_NO = re.compile(
    rf"(?:{ANSWERS}|{_ASSENTS})"
    rf"(?:,? (?:yes|no|indeed|definitely|exactly|correct|{_ASSENTS})){{0,3}} *[.!,…]*"
)
_CLOSES = rf"{_FAREWELLS}|the end|that(?:'s| is) (?:all|it)"
_CLOSING = re.compile(rf"(?:{_CLOSES}) *[.!?,…]*")
_MAY_BE_A_NAME = re.compile(rf"(?:dear \w+|{_GREETINGS}|{_THANKS}|{_CLOSES}) *[.!?,…]*")
_NON_CLAIM = re.compile(rf"(?:{_COURTESY})(?:,? (?:{_COURTESY})){{0,3}} *[.!?,:…]*")
_SAYING_NOTHING = (_NON_CLAIM, _LEAD_IN, _REFERENCE)

_LONGEST = 400
"""In characters: what is longer than any courtesy or abstention is a claim."""

_MARKDOWN = " \t\r\n>*_#`-"


def kind(sentence: str) -> Kind:
    """Say what kind of sentence it is.

    Conservative: a courtesy or an abstention is recognised only when it is the whole sentence;
    whatever goes on to say something else ("The text gives no date, but it was in May") is a claim.
    """
    bare = _bare(sentence)
    if len(bare) > _LONGEST or len(bare.splitlines()) > 1:
        return Kind.CLAIM
    plain = _plain(bare)
    is_bare = not has_content(plain) or is_citation(bare)
    if is_bare or any(one.fullmatch(plain) for one in _SAYING_NOTHING):
        return Kind.NON_CLAIM
    return Kind.ABSTENTION if is_abstention(plain.rstrip(".!")) else Kind.CLAIM


def untold(sentence: str) -> str:
    """What an abstention says to be told nowhere, in small letters; "" if it does not name it."""
    return topic(_plain(sentence).rstrip(".!"))


def is_assent(sentence: str) -> bool:
    """Whether a sentence only assents ("Of course!"): a courtesy, or the answer "yes"."""
    return _ASSENT.fullmatch(_plain(sentence)) is not None


def only_answers(sentence: str) -> bool:
    """Whether a sentence only says yes or no, so that it tells nothing without its question."""
    return len(sentence) <= _LONGEST and _YES_OR_NO.fullmatch(_plain(sentence)) is not None


def may_be_a_name(sentence: str) -> bool:
    """Whether a sentence is a courtesy, or what is asked for: the series "Cheers", say.

    So it is with a reference: to the file that was asked for.
    """
    plain = _plain(sentence)
    return any(one.fullmatch(plain) for one in (_MAY_BE_A_NAME, _REFERENCE))


def only_closes(sentence: str) -> bool:
    """Whether a sentence only closes a text ("The end."); at its start it must mean another."""
    return _CLOSING.fullmatch(_plain(sentence)) is not None


def lead_in(sentence: str) -> int:
    """Behind which character a lead-in ends that says nothing of its own; 0 without one.

    Of "In summary: it is red." it is 11.
    """
    at = sentence.find(":", 0, _LONGEST) + 1
    return at if _LEAD_IN.fullmatch(_plain(sentence[:at])) else 0


def _plain(sentence: str) -> str:
    return " ".join(_bare(sentence).replace("’", "'").lower().split())


def _bare(sentence: str) -> str:
    """A sentence without Markdown, emoji and invisible characters around it."""
    start, end = 0, len(sentence)
    while start < end and _is_around(sentence[start]):
        start += 1
    while end > start and _is_around(sentence[end - 1]):
        end -= 1
    return sentence[start:end]


def _is_around(character: str) -> bool:
    is_sign = unicodedata.category(character) in {"So", "Sk", "Cf", "Mn"}
    is_sign = is_sign and character not in CROSSES
    return character in _MARKDOWN or (is_sign and not has_content(character))
