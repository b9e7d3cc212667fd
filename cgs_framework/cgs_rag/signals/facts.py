"""S5, fact consistency: whether the context holds the numbers, dates and names of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from cgs_rag.batch import Batch
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.chunk_memory import ChunkMemory
from cgs_rag.facts.comparison import Comparison
from cgs_rag.models.scripts import is_styled, script_of
from cgs_rag.types import Claim, Direction, Evidence, Passage, Reading
from cgs_rag.yes_or_no import after_yes_or_no

NO_FACT = "no number, date or name to check"
NOT_LATIN = "facts are read in Latin script only"
_TOLD = 3
"""The most remarks that a note holds."""

ALL_HELD = 0.7
"""How probably a claim is supported whose facts all hold: it says other things, too."""


class _Judged(NamedTuple):
    """A claim that holds facts, and what the context says of them."""

    claim: Claim
    facts: list[Checked]
    value: float


class FactsSignal:
    """How probable its facts make the support of an answer, in [0, 1].

    That is ``ALL_HELD`` times the square of the least support of the facts of any claim, which is
    close to what labelled texts have (``training/fact_odds.py``); no mean, since right values
    elsewhere don't mend a wrong one: 0 where a value contradicts the context, 0.02 where one is
    absent, up to 0.09 for a name that is. A claim that turns a sentence round, or in which two of
    its phrases have changed places, is lowered likewise; one that only says a sentence again, and
    holds no value or name, is left out.
    """

    name = "s5_facts"
    direction = Direction.GROUNDING
    needs: Literal["local"] = "local"
    version = 4

    def __init__(self) -> None:
        self._memory = ChunkMemory()

    def embeds(self, batch: Batch) -> Iterator[str]:
        """Nothing."""
        del batch
        yield from ()

    def unavailable(self) -> str | None:
        """Always None."""
        return None

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing where no claim holds a fact."""
        return [_reading(batch, index, self._memory) for index in range(len(batch))]


def _reading(batch: Batch, index: int, memory: ChunkMemory) -> Reading:
    sample = batch.samples[index]
    readable = [claim for claim in batch.claims[index] if is_latin(claim.text)]
    # What only this signal could read, and only the figures of, is not checked by it alone.
    if not readable or not any(is_latin(chunk) for chunk in sample.context):
        return Reading.missing(NOT_LATIN)
    comparison = Comparison([memory.chunk(text) for text in sample.context], sample.question)
    judged = []
    for claim in readable:
        # The "No" that answers denies nothing of what goes on behind it.
        facts = comparison.check(after_yes_or_no(claim.text))
        if facts:
            judged.append(_Judged(claim, facts, value(facts)))
    if not judged:
        return Reading.missing(NO_FACT)
    evidence = tuple(_evidence(comparison, one) for one in judged)
    return Reading(min(one.value for one in judged), evidence, _note(judged))


def is_latin(text: str) -> bool:
    """Whether at least half of the letters are Latin; also where there are none."""
    letters = [c for c in text if script_of(c) is not None or is_styled(c)]
    latin = sum(script_of(c) == "LATIN" and not is_styled(c) for c in letters)
    return 2 * latin >= len(letters)


def value(facts: Sequence[Checked]) -> float:
    """How probably a claim is supported, in [0, 1], by the least support of its facts."""
    return ALL_HELD * min(fact.support for fact in facts) ** 2


def _evidence(comparison: Comparison, judged: _Judged) -> Evidence:
    """The sentence that decided: that of the fact with the least support."""
    deciding = min(judged.facts, key=lambda fact: fact.support)
    chunk, span = comparison.context.place(deciding.sentence)
    text = span.of(comparison.context.chunks[chunk].text)
    passage = Passage(chunk, span.start, span.end, text)
    return Evidence.linking(passage, judged.claim, judged.value, deciding.verdict)


def _note(judged: Sequence[_Judged]) -> str:
    """What is wrong with the facts of an answer, the worst first, at most three of them."""
    facts = [fact for one in judged for fact in one.facts if fact.remark]
    told = list(dict.fromkeys(fact.remark for fact in sorted(facts, key=lambda f: f.support)))
    more = len(told) - _TOLD
    return "; ".join(told[:_TOLD]) + (f"; and {more} more" if more > 0 else "")
