"""What of an answer is to be checked, and whether it can be: before any model runs."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

from cgs_rag.absence import Absence
from cgs_rag.claims import Part, parts
from cgs_rag.echoes import only_echoes
from cgs_rag.questions import asks_whether
from cgs_rag.speech import Kind, is_assent, kind, may_be_a_name, only_closes
from cgs_rag.text import Span, has_content, sentences, words
from cgs_rag.types import Abstentions, Sample, Status

_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\S+",
        "a an the this that these those it its he she they we i you him her them me and or but "
        "of to at by for with from as is are was were be been am do does did so if then than",
    )
)


_ABSENT = "the context tells nothing of what this says it does not tell"
_FLAGGED = "this abstains, which the policy flags"


class Settled(NamedTuple):
    """A sentence of an answer that no signal reads, since its risk, 0.0 or 1.0, is known."""

    span: Span
    risk: float
    reason: str


@dataclass(frozen=True, slots=True)
class Triage:
    """What is decided about a sample without reading it against its context.

    Attributes:
        claims: What the answer states, as spans of it (see ``claims.parts``), whatever is decided;
            without what is settled.
        settled: Abstentions beside claims that are decided on, in order.
        status: "unscorable", "no_claims", or "scored" with the verdict in ``risk``; None: the
            signals decide.
        risk: 0.0 or 1.0 where the policy on abstentions decides, else None.
        reason: Why it is decided, or "".
        parts: The whole answer, cut into what it states and what it does not; of an answer that
            is not cut, as a blank one, none.
    """

    claims: tuple[Span, ...] = ()
    status: Status | None = None
    risk: float | None = None
    reason: str = ""
    parts: tuple[Part, ...] = ()
    settled: tuple[Settled, ...] = ()

    @property
    def believed(self) -> tuple[Span, ...]:
        """The abstentions that are grounded, since the context tells nothing of what they say."""
        if self.reason == _ABSENT:
            return self.claims
        return tuple(one.span for one in self.settled if one.reason == _ABSENT)


def triage(sample: Sample, abstentions: Abstentions) -> Triage:
    """Decide blank things, answers that claim nothing, and answers that only abstain.

    An abstention ("the document does not say") in an answer is left out of the claims under the
    policy "ignore", and under "grounded_if_absent" read like any claim, unless the context is
    blank: then what is said to be absent is absent. Under "flag" an answer that only abstains is
    flagged.
    """
    empty = _emptiness(sample)
    if empty:
        return Triage(status="unscorable", reason=empty)
    found = _answering(parts(sample.answer), sample)
    stated = tuple(part.span for part in found if part.kind is not Kind.NON_CLAIM)
    claims = tuple(part.span for part in found if part.kind is Kind.CLAIM)
    decided = _decided(sample, abstentions, is_stated=bool(stated), is_claimed=bool(claims))
    read = claims if abstentions == "ignore" else stated
    return replace(decided or Triage(), claims=read, parts=found)


def settle(sample: Sample, abstentions: Abstentions, doubted: Collection[Span] = ()) -> Triage:
    """As ``triage``, with each abstention decided on by itself where that needs no model.

    Under "grounded_if_absent" one is grounded if the context tells nothing of what it is about (see
    ``absence``), and an answer of nothing else with it; else it is read like any claim. Under
    "flag" each is flagged as a claim, and still read as a part of its answer.

    Args:
        sample: The answer.
        abstentions: The policy.
        doubted: Abstentions that are read like any claim, whatever their words.
    """
    outcome = triage(sample, abstentions)
    if outcome.status is not None or abstentions != "grounded_if_absent":
        return outcome
    absence = Absence(sample.question, sample.context)
    settled = tuple(
        Settled(part.span, 0.0, _ABSENT)
        for part in outcome.parts
        if part.kind is Kind.ABSTENTION
        and part.span not in doubted
        and absence.is_untold(part.of(sample.answer))
    )
    done = {one.span for one in settled}
    left = tuple(span for span in outcome.claims if span not in done)
    if settled and not left:
        return replace(outcome, status="scored", risk=0.0, reason=_ABSENT)
    return replace(outcome, claims=left, settled=settled)


def flagged(outcome: Triage) -> Triage:
    """An outcome under the policy "flag" for verdicts on claims: abstentions are settled, too."""
    if outcome.status is not None:
        return outcome
    settled = tuple(
        Settled(part.span, 1.0, _FLAGGED) for part in outcome.parts if part.kind is Kind.ABSTENTION
    )
    done = {one.span for one in settled}
    left = tuple(span for span in outcome.claims if span not in done)
    return replace(outcome, claims=left, settled=settled)


def _answering(found: tuple[Part, ...], sample: Sample) -> tuple[Part, ...]:
    """The parts, with those courtesies as claims that are the answer, or may be.

    Claims that only take up the question are courtesies.

    An assent is where something was asked that it answers. Where nothing else is stated all that
    may be a name is one; elsewhere what closes a text, but stands before all that is stated.
    """
    stated = [part.start for part in found if part.kind is not Kind.NON_CLAIM]
    is_asked_whether = any(asks_whether(one) for one in _asked(sample.question))
    is_asked = any(kind(one) is Kind.CLAIM for one in _asked(sample.question))

    def is_echo(part: Part) -> bool:
        is_claim = part.kind is Kind.CLAIM
        return is_claim and only_echoes(part.of(sample.answer), sample.question)

    def may_answer(part: Part) -> bool:
        said = part.of(sample.answer)
        if not stated:
            return is_asked and (is_assent(said) or may_be_a_name(said))
        is_first = part.start < stated[0] and is_asked
        return (is_asked_whether and is_assent(said)) or (is_first and only_closes(said))

    found = tuple(
        replace(part, kind=Kind.NON_CLAIM, role="courtesy") if is_echo(part) else part
        for part in found
    )
    return tuple(
        replace(part, kind=Kind.CLAIM, role="")
        if part.role == "courtesy" and may_answer(part)
        else part
        for part in found
    )


def _asked(question: str) -> list[str]:
    return [span.of(question) for span in sentences(question)]


def _decided(
    sample: Sample, abstentions: Abstentions, *, is_stated: bool, is_claimed: bool
) -> Triage | None:
    if not is_stated:
        return Triage(status="no_claims", reason="the answer states nothing that could be checked")
    blank_context = not any(has_content(chunk) for chunk in sample.context)
    if not is_claimed:
        decided = _abstains(abstentions, blank_context=blank_context)
        if decided is not None:
            return decided
    if blank_context:
        return Triage(status="unscorable", reason="the context is blank: nothing to check against")
    return None


def _emptiness(sample: Sample) -> str:
    """Why an answer holds nothing to judge, or ""."""
    if not has_content(sample.answer):
        return "the answer is blank: it has no letter or digit"
    said = words(sample.answer)
    # In capitals it may be a name or a choice: "US", "IT", "A".
    in_capitals = any(word.isupper() for word in re.findall(r"\w+", sample.answer))
    if said and not in_capitals and all(word in _FUNCTION_WORDS for word in said):
        return "the answer has no word that means something by itself"
    if said == words(sample.question) and sample.question.rstrip().endswith("?"):
        return "the answer only repeats the question"
    return ""


def _abstains(abstentions: Abstentions, *, blank_context: bool) -> Triage | None:
    if abstentions == "ignore":
        return Triage(status="no_claims", reason="the answer only abstains")
    if abstentions == "flag":
        return Triage(
            status="scored", risk=1.0, reason="the answer only abstains, which the policy flags"
        )
    if blank_context:
        return Triage(
            status="scored", risk=0.0, reason="the answer only abstains and the context is blank"
        )
    return None
