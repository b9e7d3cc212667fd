"""How the answers of the NLI model become S2's value: ``python -m training.aggregation --help``.

On the held-out side of the training data, on answers made of it as retrieval gives them: several
chunks, answers of one to three sentences, short answers. Every table is an AUC by family of cases;
what is best here is frozen in ``cgs_rag/signals/nli.py`` and ``cgs_rag/text.py``.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from cgs_rag.models import CONTRADICTION, ENTAILMENT
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import BUNDLED_FOLDER, BundledEntailer
from cgs_rag.text import Span, passages, sentences
from training.edits import breaking
from training.questions import asked_rows, statement
from training.records import Passage
from training.rows import Given, load_given, load_mix
from training.statements import restated
from training.train import log

SIZES = (32, 48, 64, 96, 128, 160)
MOST_READ = (1, 2, 4, 8, 16)
SIZE, READ = 96, 16  # what the other tables hold fixed
WORDINGS = {
    "question answer": "{question} {answer}",
    "published": "The answer to '{question}' is: {answer}.",
    "answer alone": "{answer}",
}

Probabilities = NDArray[np.float64]
Unit = Callable[[str], Sequence[str]]
Rule = Callable[[Probabilities], float]


@dataclass(frozen=True, slots=True)
class Case:
    """An answer over chunks.

    Attributes:
        chunks: The context.
        claims: The answer, by sentences; of a short answer one, as it is put to the model.
        question: Of a short answer, or "".
        supported: Whether all claims are.
        family: What it was made of.
    """

    chunks: tuple[str, ...]
    claims: tuple[str, ...]
    question: str
    supported: bool
    family: str


class Judge:
    """The NLI model and the encoder; what was asked once is remembered."""

    def __init__(self, weights: Path) -> None:
        self._entailer = BundledEntailer(weights)
        self._encoder = SentenceEncoder("all-MiniLM-L6-v2")
        self._judged: dict[tuple[str, str], Probabilities] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def ask(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Judge (premise, hypothesis) pairs in one pass."""
        fresh = list(dict.fromkeys(pair for pair in pairs if pair not in self._judged))
        if fresh:
            found = self._entailer.entail(fresh).probabilities
            self._judged.update(zip(fresh, found, strict=True))

    def probabilities(self, premises: Sequence[str], claim: str) -> Probabilities:
        """Of a claim under each premise, shape (n_premises, 3)."""
        return np.stack([self._judged[premise, claim] for premise in premises])

    def embed(self, texts: Sequence[str]) -> None:
        """Encode texts in one pass."""
        fresh = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if fresh:
            found = self._encoder.encode(fresh).vectors
            self._vectors.update(zip(fresh, found, strict=True))

    def nearest(self, premises: Sequence[str], claim: str) -> list[int]:
        """The places of the premises, the most similar to the claim first."""
        similarity = np.stack([self._vectors[p] for p in premises]) @ self._vectors[claim]
        return [int(at) for at in np.argsort(-similarity, kind="stable")]


def units() -> dict[str, Unit]:
    """The ways to cut a chunk into premises."""
    return {
        "a sentence": _sentences,
        "two sentences": partial(_windows, count=2),
        "three sentences": partial(_windows, count=3),
        **{f"{limit} tokens": partial(_packed, limit=limit) for limit in SIZES},
        f"{SIZE} and sentence": _both,
        "96 and two sentences": lambda c: [*_packed(c, 96), *_windows(c, 2)],
        "whole chunk": lambda chunk: [chunk],
    }


def rules() -> dict[str, Rule]:
    """The ways to read one claim's probabilities under all premises."""
    return {
        "max e": lambda p: float(p[:, ENTAILMENT].max()),
        "max (e - c)": lambda p: float((p[:, ENTAILMENT] - p[:, CONTRADICTION]).max()),
        "max e * (1 - c)": lambda p: float((p[:, ENTAILMENT] * (1 - p[:, CONTRADICTION])).max()),
        "max e * (1 - max c)": lambda p: float(
            p[:, ENTAILMENT].max() * (1 - p[:, CONTRADICTION].max())
        ),
        "max e - max c": lambda p: float(p[:, ENTAILMENT].max() - p[:, CONTRADICTION].max()),
        "mean of two best e": lambda p: float(np.sort(p[:, ENTAILMENT])[-2:].mean()),
    }


def made_cases(given: Given, most: int) -> list[Case]:
    """At most ``most`` cases of each family, seeded."""
    rng = random.Random(0)
    neighbours: dict[str, list[str]] = defaultdict(list)
    for passage in given.passages:
        neighbours[passage.source].append(passage.text)
    cases = [*_edited(given.passages, neighbours, rng), *_asked(given, neighbours, rng)]
    cases += _given(given, neighbours, rng)
    by_family: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_family[case.family].append(case)
    return [c for group in by_family.values() for c in rng.sample(group, min(most, len(group)))]


def compared(
    cases: Sequence[Case], ways: dict[str, Unit], judge: Judge, how: dict[str, Rule]
) -> dict[str, dict[str, float]]:
    """AUC of every way to cut under every rule."""
    table = {}
    for name, unit in ways.items():
        cut = {chunk: list(dict.fromkeys(unit(chunk))) for case in cases for chunk in case.chunks}
        premises = [[p for chunk in case.chunks for p in cut[chunk]] for case in cases]
        judge.ask(
            [
                (premise, claim)
                for case, mine in zip(cases, premises, strict=True)
                for claim in case.claims
                for premise in mine
            ]
        )
        for rule_name, rule in how.items():
            values = [
                float(np.mean([rule(judge.probabilities(mine, claim)) for claim in case.claims]))
                for case, mine in zip(cases, premises, strict=True)
            ]
            table[f"{name}, {rule_name}"] = _aucs(cases, values)
    return table


def nearest_only(cases: Sequence[Case], judge: Judge) -> dict[str, dict[str, float]]:
    """AUC where only the passages nearest to a claim by cosine are read."""
    cut = {c: _packed(c, SIZE) for case in cases for c in case.chunks}
    judge.embed([p for mine in cut.values() for p in mine])
    judge.embed([claim for case in cases for claim in case.claims])
    values: dict[int, list[float]] = {k: [] for k in MOST_READ}
    for case in cases:
        premises = list(dict.fromkeys(p for chunk in case.chunks for p in cut[chunk]))
        found: dict[int, list[float]] = {k: [] for k in MOST_READ}
        for claim in case.claims:
            entailed = judge.probabilities(premises, claim)[:, ENTAILMENT]
            order = judge.nearest(premises, claim)
            for k in MOST_READ:
                found[k].append(float(entailed[order[:k]].max()))
        for k in MOST_READ:
            values[k].append(float(np.mean(found[k])))
    return {f"nearest {k}": _aucs(cases, values[k]) for k in MOST_READ}


def worded(cases: Sequence[Case], judge: Judge) -> dict[str, dict[str, float]]:
    """AUC of short answers put to the model in other words."""
    short = [case for case in cases if case.question]
    ways = {
        name: [
            replace(c, claims=(form.format(question=c.question, answer=c.claims[0]),))
            for c in short
        ]
        for name, form in WORDINGS.items()
    }
    ways["statement where a rule makes one"] = [
        replace(
            c,
            claims=(
                statement(c.question, c.claims[0])
                or WORDINGS["question answer"].format(question=c.question, answer=c.claims[0]),
            ),
        )
        for c in short
    ]
    table = {}
    for name, asked in ways.items():
        cut: dict[str, Unit] = {name: partial(_packed, limit=SIZE)}
        table.update(compared(asked, cut, judge, {"max e": rules()["max e"]}))
    return table


def _edited(
    given: Sequence[Passage], neighbours: dict[str, list[str]], rng: random.Random
) -> Iterator[Case]:
    """One to three sentences of a passage, restated; in half of the cases one of them broken."""
    for passage in given:
        spans = [s for s in sentences(passage.text) if 6 <= len(s.of(passage.text).split()) <= 60]
        if len(spans) < 3:
            continue
        count = rng.randint(1, 3)
        first = rng.randint(0, len(spans) - count)
        told = [span.of(passage.text) for span in spans[first : first + count]]
        at = rng.randrange(count)
        edits = breaking(told[at], passage.text, rng)
        if not edits:
            continue
        broken = rng.choice(edits)
        supported = rng.random() < 0.5
        if not supported:
            told[at] = broken.text
        claims = tuple(restated(claim, rng) for claim in told)
        chunks = _among(passage.text, neighbours[passage.source], rng)
        yield Case(chunks, claims, "", supported, "one sentence" if count == 1 else "sentences")


def _asked(given: Given, neighbours: dict[str, list[str]], rng: random.Random) -> Iterator[Case]:
    for asked in given.questions:
        for row in asked_rows(asked, rng):
            if len(row.answer.split()) > 6 or row.premise not in asked.passage.text:
                continue
            chunks = _among(asked.passage.text, neighbours[asked.passage.source], rng)
            supported = row.target == "entailment"
            yield Case(chunks, (row.answer,), row.question, supported, "short answer")


def _given(given: Given, neighbours: dict[str, list[str]], rng: random.Random) -> Iterator[Case]:
    for row in given.pairs:
        others = neighbours.get(row.source, [])
        if len(others) > 20:  # only premises that have others of their kind to stand among
            chunks = _among(row.premise, others, rng)
            yield Case(chunks, (row.hypothesis,), "", row.target == "entailment", "claim")


def _among(text: str, others: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """A text among up to four others of its source."""
    drawn = rng.sample(others, min(rng.randint(0, 4), len(others)))
    chunks = [text, *(other for other in drawn if other != text)]
    rng.shuffle(chunks)
    return tuple(chunks)


def _aucs(cases: Sequence[Case], values: Sequence[float]) -> dict[str, float]:
    supported = np.array([case.supported for case in cases])
    families = np.array([case.family for case in cases])
    read = np.array(values)
    found = {
        str(name): float(roc_auc_score(supported[families == name], read[families == name]))
        for name in sorted(set(families))
        if len(set(supported[families == name])) == 2
    }
    return {**found, "mean": float(np.mean(list(found.values())))} if found else {}


def _of(text: str, spans: Sequence[Span]) -> list[str]:
    return [span.of(text) for span in spans] or [text]


def _sentences(text: str) -> list[str]:
    return _of(text, sentences(text))


def _packed(text: str, limit: int) -> list[str]:
    return _of(text, passages(text, limit))


def _windows(text: str, count: int) -> list[str]:
    spans = sentences(text)
    if len(spans) <= count:
        return [text]
    return [
        text[spans[at].start : spans[at + count - 1].end] for at in range(len(spans) - count + 1)
    ]


def _both(text: str) -> list[str]:
    return [*_packed(text, SIZE), *_sentences(text)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Score the cases in every way and write the tables."""
    options = _options(arguments)
    given = load_given(load_mix(options.mix), options.data)[1]
    cases = made_cases(given, options.cases)
    log(f"{len(cases)} cases, {sum(case.supported for case in cases)} of them supported")
    # A short answer is put to the model with its question, as the signal does it.
    put = [replace(c, claims=(f"{c.question} {c.claims[0]}",)) if c.question else c for c in cases]
    judge = Judge(options.weights)
    simplest = {"max e": rules()["max e"]}
    fixed: dict[str, Unit] = {f"{SIZE} tokens": partial(_packed, limit=SIZE)}
    tables = {
        "rules": compared(put, fixed, judge, rules()),
        "most read": nearest_only(put, judge),
        "short answers": worded(cases, judge),
        "premises": compared(put, units(), judge, simplest),
    }
    if options.json:
        options.json.write_text(json.dumps(tables, indent=2) + "\n", encoding="utf-8")
    for name, table in tables.items():
        log(name)
        for row, aucs in table.items():
            log(f"  {row:44}" + " ".join(f"{key} {auc:.3f}" for key, auc in aucs.items()))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.aggregation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the .jsonl.gz files")
    parser.add_argument("--mix", type=Path, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--weights", type=Path, default=BUNDLED_FOLDER, help="an exported model")
    parser.add_argument("--cases", type=int, default=200, help="at most so many of a family")
    parser.add_argument("--json", type=Path, help="write the tables there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
