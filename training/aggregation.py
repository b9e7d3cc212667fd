"""How the answers of the NLI model become S2's value: ``python -m training.aggregation --help``.

On answers over several chunks (``training.retrieved``). Every table is an AUC by family of cases,
with the gain over its first row and the paired 95 % bootstrap interval of that gain, for which
texts are drawn, each with all its cases; what is best here is frozen in
``cgs_rag/signals/nli.py`` and ``cgs_rag/text.py``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.auc import RESAMPLES, auc, draws
from cgs_rag.errors import InvalidInputError
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import BUNDLED_FOLDER, BundledEntailer
from training.arguments import file, folder, new_file, whole
from training.given import load_given
from training.mix import load_mix
from training.program import program
from training.progress import log
from training.questions import statement
from training.retrieved import Case, made_cases
from training.ways import SIZE, Cut, Floats, Rule, cuts, means, rules

MOST_READ = (16, 1, 2, 4, 8)
WORDINGS = {
    "question answer": "{question} {answer}",
    "published": "The answer to '{question}' is: {answer}.",
    "answer alone": "{answer}",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table.

    Attributes:
        auc: By family, and "mean".
        gain: Of the mean over the first line of the table.
        low: Lower end of its interval.
        high: Upper end.
    """

    auc: dict[str, float]
    gain: float
    low: float
    high: float


Table = dict[str, Line]

Premises = dict[tuple[tuple[str, ...], str], list[str]]
"""By chunks and claim the premises that are read, each once."""


class Judge:
    """The NLI model and the encoder; what was asked once is remembered."""

    def __init__(self, weights: Path) -> None:
        self._entailer = BundledEntailer(weights)
        self._encoder = SentenceEncoder("all-MiniLM-L6-v2")
        self._judged: dict[tuple[str, str], Floats] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def ask(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Judge (premise, hypothesis) pairs in one pass."""
        fresh = list(dict.fromkeys(pair for pair in pairs if pair not in self._judged))
        if fresh:
            found = self._entailer.entail(fresh).probabilities
            self._judged.update(zip(fresh, found, strict=True))

    def probabilities(self, premises: Sequence[str], claim: str) -> Floats:
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


def read(
    cases: Sequence[Case], judge: Judge, cut: Cut, rule: Rule, mean: Rule | None = None
) -> Floats:
    """The value of every case, shape (n_cases,)."""
    return _read(cases, judge, _premises(cases, cut), rule, mean or means()["mean"])


def read_nearest(cases: Sequence[Case], judge: Judge, most: int) -> Floats:
    """The value of every case where only the premises nearest to a claim by cosine are read."""
    premises = _premises(cases, cuts()[f"{SIZE} tokens"])
    judge.embed([text for (_, claim), found in premises.items() for text in (claim, *found)])
    nearest = {
        key: [found[at] for at in judge.nearest(found, key[1])[:most]]
        for key, found in premises.items()
    }
    return _read(cases, judge, nearest, rules()["max e"], means()["mean"])


def _read(
    cases: Sequence[Case], judge: Judge, premises: Premises, rule: Rule, mean: Rule
) -> Floats:
    judge.ask([(p, claim) for (_, claim), found in premises.items() for p in found])
    return np.array(
        [
            mean(
                np.array(
                    [
                        rule(judge.probabilities(premises[case.chunks, claim], claim))
                        for claim in case.claims
                    ]
                )
            )
            for case in cases
        ]
    )


def compared(cases: Sequence[Case], values: Mapping[str, Floats]) -> Table:
    """AUC of every way by family, and its gain over the first way in the same draws of texts."""
    supported = np.array([case.supported for case in cases], dtype=np.int64)
    names = np.array([case.family for case in cases])
    families = [
        (str(name), names == name)
        for name in sorted(set(names.tolist()))
        if len(set(supported[names == name].tolist())) == 2
    ]
    drawn = _drawn([case.origin for case in cases])
    resamples = [[rows[mine[rows]] for rows in drawn] for _, mine in families]
    table: Table = {}
    first: tuple[float, Floats] | None = None
    for way, found in values.items():
        aucs = {name: auc(found[mine], supported[mine]) for name, mine in families}
        resampled = np.mean(
            [[auc(found[rows], supported[rows]) for rows in each] for each in resamples], axis=0
        )
        mean = float(np.mean(list(aucs.values())))
        first = first or (mean, resampled)
        low, high = np.nanquantile(resampled - first[1], [0.025, 0.975])
        table[way] = Line({**aucs, "mean": mean}, mean - first[0], float(low), float(high))
    return table


def worded(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Short answers as they are put to the model, by wording."""
    ways = {
        name: [
            replace(c, claims=(form.format(question=c.question, answer=c.claims[0]),))
            for c in cases
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
        for c in cases
    ]
    return ways


def tables(cases: Sequence[Case], judge: Judge) -> dict[str, Table]:
    """All comparisons; in each but one thing varies."""
    # As the signal does it with a question of one sentence and an answer without a full stop.
    put = [replace(c, claims=(f"{c.question} {c.claims[0]}",)) if c.question else c for c in cases]
    plain, simplest = cuts()[f"{SIZE} tokens"], rules()["max e"]
    short = [case for case in cases if case.question]
    return {
        "premises": compared(put, {n: read(put, judge, c, simplest) for n, c in cuts().items()}),
        "rules": compared(put, {n: read(put, judge, plain, r) for n, r in rules().items()}),
        "claims of an answer": compared(
            put, {n: read(put, judge, plain, simplest, mean) for n, mean in means().items()}
        ),
        "nearest that are read": compared(
            put, {str(most): read_nearest(put, judge, most) for most in MOST_READ}
        ),
        "short answers": compared(
            short, {n: read(mine, judge, plain, simplest) for n, mine in worded(short).items()}
        ),
    }


def _drawn(origins: Sequence[str]) -> list[NDArray[np.int64]]:
    """Places of the cases in each resample of their texts."""
    texts: dict[str, list[int]] = {}
    for at, origin in enumerate(origins):
        texts.setdefault(origin, []).append(at)
    members = [np.array(places) for places in texts.values()]
    return [
        np.concatenate([members[text] for text in each])
        for each in draws(len(members), RESAMPLES, seed=0)
    ]


def _premises(cases: Sequence[Case], cut: Cut) -> Premises:
    return {
        (case.chunks, claim): list(dict.fromkeys(p for c in case.chunks for p in cut(c, claim)))
        for case in cases
        for claim in case.claims
    }


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Score the cases in every way and write the tables."""
    options = _options(arguments)
    given = load_given(load_mix(options.mix), options.data).held_out
    cases = made_cases(given, options.cases)
    log(f"{len(cases)} cases, {sum(case.supported for case in cases)} of them supported")
    _check_labels(cases)
    found = tables(cases, Judge(options.weights))
    if options.json:
        plain = {n: {w: asdict(line) for w, line in t.items()} for n, t in found.items()}
        options.json.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")
    for name, table in found.items():
        log(name)
        for way, line in table.items():
            aucs = " ".join(f"{key} {value:.3f}" for key, value in line.auc.items())
            log(f"  {way:34}{aucs} gain {line.gain:+.3f} ({line.low:+.3f} to {line.high:+.3f})")
    return 0


def _check_labels(cases: Sequence[Case]) -> None:
    """Refuse cases that have no AUC.

    Raises:
        InvalidInputError: No family has supported cases and others, or none of short answers has.
    """
    for name, part in (("", cases), (" of short answers", [c for c in cases if c.question])):
        supported, others = (
            {c.family for c in part if c.supported is way} for way in (True, False)
        )
        if not supported & others:
            raise InvalidInputError(
                f"no family{name} among {len(cases)} cases has supported ones and others: raise "
                "--cases, or take a larger mix"
            )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.aggregation", description=__doc__)
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    parser.add_argument(
        "--weights", type=folder(), default=BUNDLED_FOLDER, help="an exported model"
    )
    parser.add_argument("--cases", type=whole(1), default=200, help="at most so many of a family")
    parser.add_argument("--json", type=new_file, help="write the tables there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
