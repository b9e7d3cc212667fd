"""S2, NLI faithfulness: whether the context entails each sentence of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.batch import Batch, nearest_sentence
from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.facts.chunk_memory import ChunkMemory
from cgs_rag.facts.respelled import respelled, values
from cgs_rag.facts.stems import content
from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL, Entailer
from cgs_rag.signals import MIN_COVERAGE, unread
from cgs_rag.text import Span, has_content, pieces, sentences
from cgs_rag.types import Claim, Direction, Evidence, Passage, Reading

CANDIDATES, ASKED = 16, 4
"""The most passages that are read for one claim: the nearest by cosine, and among them so many that
are nearest to the claim with its question (``benchmarks/long_context.py``). With no more passages
than this every one is read, and adding a chunk can only raise the entailment."""

_LABELS = {CONTRADICTION: "contradiction", ENTAILMENT: "entailment", NEUTRAL: "neutral"}
_UNREAD, _SURE = np.eye(3)[NEUTRAL], np.eye(3)[ENTAILMENT]


class _Pair(NamedTuple):
    """What the model is asked about one passage, and the claim as it stands in the hypothesis."""

    passage: int
    texts: tuple[str, str]
    claim: str


class _Asked(NamedTuple):
    """A claim, and what the model is asked about it."""

    claim: Claim
    pairs: list[_Pair]


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the model said: by pair of texts, and the share it knows of each text."""

    probabilities: Mapping[tuple[str, str], NDArray[np.float64]]
    coverage: Mapping[tuple[str, str], float]
    known: Mapping[str, float]


class NLISignal:
    """For each claim the passage that entails it most; then the mean over the sentences.

    A sentence too long for the model is entailed as far as the least entailed of its pieces. One
    that a passage says word for word is entailed. A claim with values that a passage holds in
    another spelling ("36 months" of "three years") is read in the passage's spelling, too, and
    entailed as far as the better of the two.

    Premise: the passage. Hypothesis: the claim, a short answer together with its question. For one
    sentence and one passage this is the published P(entailment | context, answer). An entailment
    anywhere outranks a contradiction elsewhere, which outranks neutral.
    """

    name = "s2_nli"
    direction = Direction.GROUNDING
    needs: Literal["local"] = "local"
    version = 3

    def __init__(self, entailer: Entailer) -> None:
        self._entailer = entailer
        self._memory = ChunkMemory()

    def embeds(self, batch: Batch) -> Iterator[str]:
        """The claims and passages of samples that have more passages than are read."""
        for index in range(len(batch)):
            if len(batch.passages[index]) > CANDIDATES:
                yield from batch.claim_texts(index)
                yield from batch.asked_texts(index)
                yield from batch.passage_texts(index)

    def unavailable(self) -> str | None:
        """Always None: the model is asked when it is needed."""
        return None

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing where the model can't read the answer or the context."""
        asked = [self._asked(batch, index) for index in range(len(batch))]
        judged = self._judge(batch, asked)
        return [_reading(batch, index, asked[index], judged) for index in range(len(batch))]

    def _asked(self, batch: Batch, index: int) -> list[_Asked]:
        """For each claim of a sample what the model is to judge of it."""
        return [
            _Asked(claim, list(self._pairs(batch, index, claim, _candidates(batch, index, row))))
            for row, claim in enumerate(batch.claims[index])
        ]

    def _pairs(
        self, batch: Batch, index: int, claim: Claim, candidates: Sequence[int]
    ) -> Iterator[_Pair]:
        """The claim with each candidate, and where one spells its values otherwise, in that way."""
        question = batch.samples[index].question.strip()
        facts = values(claim.text)
        for at in candidates:
            premise = batch.passages[index][at].text
            forms = [claim.text]
            if facts:
                forms.append(respelled(claim.text, facts, self._memory.chunk(premise)))
            for form in dict.fromkeys(forms):
                yield _Pair(at, (premise, self._hypothesis(question, claim, form)), form)

    def _hypothesis(self, question: str, claim: Claim, form: str) -> str:
        template = self._entailer.template
        if template is None or not claim.is_short_answer or not has_content(question):
            return form
        try:
            return template.format(question=_asking_part(question), answer=form.rstrip("."))
        except (LookupError, ValueError) as error:
            raise InvalidInputError(
                f"template must hold {{question}} and {{answer}} and no other field, got "
                f"{template!r:.80}"
            ) from error

    def _judge(self, batch: Batch, asked: Sequence[Sequence[_Asked]]) -> _Judged:
        every = list(chain.from_iterable(asked))
        claims = [one.claim.text for one in every]
        passages = [batch.passage_texts(index) for index in range(len(batch))]
        texts = list(dict.fromkeys(chain(claims, *passages)))
        shares = np.asarray(self._entailer.known(texts))
        if shares.shape != (len(texts),):
            raise BackendError(
                f"the NLI model gave {shares.shape} shares it knows of {len(texts)} texts"
            )
        known = dict(zip(texts, shares.tolist(), strict=True))
        # What the model can't read is not worth a pass.
        pairs = list(
            dict.fromkeys(
                pair.texts
                for one in every
                for pair in one.pairs
                if min(known[one.claim.text], known[pair.texts[0]]) >= MIN_COVERAGE
            )
        )
        if not pairs:
            return _Judged({}, {}, known)
        probabilities, coverage = map(np.asarray, self._entailer.entail(pairs))
        if probabilities.shape != (len(pairs), 3) or coverage.shape != (len(pairs),):
            raise BackendError(
                f"the NLI model gave probabilities of shape {probabilities.shape} and coverage of "
                f"shape {coverage.shape} for {len(pairs)} pairs"
            )
        if not ((probabilities >= 0) & (probabilities <= 1)).all():
            raise BackendError("the NLI model gave probabilities that are not in [0, 1]")
        return _Judged(
            dict(zip(pairs, probabilities, strict=True)),
            dict(zip(pairs, coverage.tolist(), strict=True)),
            known,
        )


def _asking_part(question: str) -> str:
    """The last sentence of a question that asks: what stands around it must not carry an answer.

    Without a question mark the whole question, of one that would fill the model by itself the end.
    """
    parts = [span.of(question) for span in sentences(question)]
    asking = [part for part in parts if part.rstrip("\"'”)* ").endswith(("?", "？", "؟"))]
    asked = asking[-1] if asking else question
    return pieces(asked, Span(0, len(asked)))[-1].of(asked)


def _candidates(batch: Batch, index: int, claim: int) -> list[int]:
    count = len(batch.passages[index])
    if count <= CANDIDATES:
        return list(range(count))
    asked = np.argsort(-batch.asked_similarity(index)[claim], kind="stable")[:ASKED]
    nearest = np.argsort(-batch.similarity(index)[claim], kind="stable")
    chosen = dict.fromkeys((*asked.tolist(), *nearest.tolist()))
    return sorted(islice(chosen, CANDIDATES))


def _reading(batch: Batch, index: int, asked: Sequence[_Asked], judged: _Judged) -> Reading:
    claims, passages = batch.claims[index], batch.passages[index]
    reason = unread(_known(claims, judged), claims, _known(passages, judged))
    if reason:
        return Reading.missing(f"the NLI model {reason}")
    found = [_supported(one, passages, judged) for one in asked]
    pairs = [pair for one in asked for pair in one.pairs]
    read, total = len({pair.passage for pair in pairs}), len(passages)
    note = "" if read == total else f"read {read} of {total} passages, the nearest to each sentence"
    seen = np.mean([judged.coverage.get(pair.texts, 0.0) for pair in pairs])
    worst = np.ones(claims[-1].sentence + 1)
    # Of a sentence in pieces each must be entailed.
    np.minimum.at(worst, [claim.sentence for claim in claims], [one.value for one in found])
    return Reading(
        float(worst.mean()),
        tuple(claim.evidence for claim in found),
        note,
        float(seen) * read / total,
    )


class _Supported(NamedTuple):
    """How far a claim is entailed, and the passage to show for it."""

    value: float
    evidence: Evidence


def _supported(asked: _Asked, passages: Sequence[Passage], judged: _Judged) -> _Supported:
    claim, pairs = asked
    # What the model did not read, or read in part only, entails nothing.
    said = np.array(
        [
            judged.probabilities[pair.texts]
            if judged.coverage.get(pair.texts, 0.0) >= MIN_COVERAGE
            else _UNREAD
            for pair in pairs
        ]
    )
    said[[_says(passages[pair.passage], pair) for pair in pairs]] = _SURE
    _withdraw_unrelated(said, pairs)
    best: dict[int, int] = {}
    for at, pair in enumerate(pairs):
        known = best.setdefault(pair.passage, at)
        if said[at, ENTAILMENT] > said[known, ENTAILMENT]:
            best[pair.passage] = at
    rows = list(best.values())
    shown = rows[_decisive(said[rows])]
    evidence = Evidence.linking(
        nearest_sentence(passages[pairs[shown].passage], claim),
        claim,
        float(said[shown, ENTAILMENT]),
        _LABELS[int(said[shown].argmax())],
    )
    return _Supported(float(said[:, ENTAILMENT].max()), evidence)


def _withdraw_unrelated(said: NDArray[np.float64], pairs: Sequence[_Pair]) -> None:
    """Make neutral, in place, what is called a contradiction by texts that share no word.

    Models do so ("It was designed in Oslo." over "It costs 49 euros."). What entails is untouched.
    """
    for row in np.flatnonzero(said.argmax(axis=1) == CONTRADICTION).tolist():
        premise, hypothesis = pairs[row].texts
        if set(content(premise)).isdisjoint(content(hypothesis)):
            said[row, NEUTRAL] += said[row, CONTRADICTION]
            said[row, CONTRADICTION] = 0.0


def _says(passage: Passage, pair: _Pair) -> bool:
    """Whether a claim, read by itself, is a sentence of the passage word for word.

    Then it is entailed, whatever a model makes of a short one ("It costs 49 euros." over itself).
    """
    wanted = _bare(pair.claim)
    if pair.texts[1] != pair.claim or wanted not in _bare(passage.text):
        return False
    return any(_bare(span.of(passage.text)) == wanted for span in sentences(passage.text))


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _known(parts: Sequence[Claim] | Sequence[Passage], judged: _Judged) -> NDArray[np.float64]:
    return np.array([judged.known[part.text] for part in parts])


def _decisive(probabilities: NDArray[np.float64]) -> int:
    """The passage to show: entailment outranks contradiction, which outranks neutral."""
    best = int(probabilities[:, ENTAILMENT].argmax())
    against = int(probabilities[:, CONTRADICTION].argmax())
    if probabilities[best].argmax() == ENTAILMENT:
        return best
    return against if probabilities[against].argmax() == CONTRADICTION else best
