"""What a long context costs, and whether the right passage is found in it.

``python benchmarks/long_context.py``. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

if not __package__:  # run by its path, Python looks for modules beside it only
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.table import markdown
from cgs_rag import CGSDetector
from cgs_rag.models import Encoder
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import create_entailer
from cgs_rag.models.remembering import RememberingEncoder
from cgs_rag.signals.nli import ASKED, CANDIDATES
from cgs_rag.text import passages

LOGS = Path(__file__).resolve().parents[1] / "calibration_data" / "logs.jsonl"
SHORT, ANSWERS_TIMED = 500, 3


class Row(NamedTuple):
    """A supported answer and the chunks it was made from."""

    question: str
    answer: str
    chunks: tuple[str, ...]
    group: str


class Timed(NamedTuple):
    """Seconds of CPU for one answer: over a new context, and over one seen before."""

    cold: float
    warm: float


class Wanted(NamedTuple):
    """A claim, and the passage that entails it."""

    claim: str
    passage: str


class Place(NamedTuple):
    """The rank of the passage that entails a claim, from 1 on, by cosine.

    Attributes:
        claim: To the claim.
        asked: To the claim behind its question.
    """

    claim: int
    asked: int

    @property
    def is_read(self) -> bool:
        """Whether NLI reads it."""
        return self.claim <= CANDIDATES - ASKED or self.asked <= ASKED


def load(path: Path) -> list[Row]:
    """The supported answers of labelled logs."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Row(row["question"], row["answer"], tuple(row["context"]), row["group"])
        for row in rows
        if row["label"] == 0
    ]


def among(row: Row, rows: Sequence[Row], n_words: int, rng: random.Random) -> tuple[str, ...]:
    """The chunks of a row somewhere among others, so many words in all.

    Those of other groups come in any order, and again with a number where there are too few.
    """
    others = list(
        dict.fromkeys(chunk for other in rows if other.group != row.group for chunk in other.chunks)
    )
    rng.shuffle(others)
    found: list[str] = []
    words = sum(len(chunk.split()) for chunk in row.chunks)
    at = 0
    while words < n_words:
        again = f" Copy {at // len(others)}." if at >= len(others) else ""
        found.append(others[at % len(others)] + again)
        words += len(found[-1].split())
        at += 1
    place = rng.randint(0, len(found))
    return (*found[:place], *row.chunks, *found[place:])


def timed(make: Callable[[], CGSDetector], row: Row, context: tuple[str, ...]) -> Timed:
    """Score the claims of an answer twice with a detector that knows nothing yet."""
    detector = make()
    seconds = []
    for _ in range(2):
        start = time.process_time()
        detector.score_claims(row.question, row.answer, context)
        seconds.append(time.process_time() - start)
    return Timed(*seconds)


def entailed(detector: CGSDetector, row: Row) -> list[Wanted]:
    """The claims of a row that NLI finds entailed by a passage of its own chunks, each with it."""
    found = []
    for claim in detector.score_claims(row.question, row.answer, row.chunks).stated:
        for one in claim.evidence[:1]:
            if one.label != "entailment":
                continue
            chunk = row.chunks[one.chunk]
            texts = [s.of(chunk) for s in passages(chunk) if s.start <= one.start < s.end]
            found += [Wanted(claim.text, text) for text in texts]
    return found


def place(encoder: Encoder, question: str, wanted: Wanted, context: tuple[str, ...]) -> Place:
    """Where the passage that entails a claim comes among those of a context."""
    texts = list(dict.fromkeys(span.of(chunk) for chunk in context for span in passages(chunk)))
    asked = f"{question} {wanted.claim}".strip()
    vectors = encoder.encode([wanted.claim, asked, *texts]).vectors
    ranks = np.argsort(np.argsort(-(vectors[:2] @ vectors[2:].T), kind="stable"), kind="stable")
    by_claim, by_both = 1 + ranks[:, texts.index(wanted.passage)]
    return Place(int(by_claim), int(by_both))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables."""
    options = _options(arguments)
    rows, rng = load(LOGS), random.Random(options.seed)
    encoder, entailer = SentenceEncoder("all-MiniLM-L6-v2"), create_entailer("bundled")
    default = CGSDetector()

    def make() -> CGSDetector:
        return CGSDetector(
            nli_model=entailer,
            cosine_model=encoder,
            weights=default.weights,
            threshold=default.threshold,
        )

    sizes = [SHORT, *options.words]
    for size in sizes:  # not measured: loads the models, and meets the shapes of their inputs
        timed(make, rows[0], among(rows[0], rows, size, rng))
    seconds: dict[int, list[Timed]] = {size: [] for size in sizes}
    for row in rng.sample(rows, ANSWERS_TIMED * options.rounds):
        for size in sizes:
            seconds[size].append(timed(make, row, among(row, rows, size, rng)))
    short = np.mean(seconds[SHORT], axis=0)
    table = [
        [
            "words",
            "new context",
            "seen before",
            "new / new 500",
            "seen / new 500",
            "seen / seen 500",
        ]
    ]
    for size in sizes:
        cold, warm = np.mean(seconds[size], axis=0)
        ratios = (cold / short[0], warm / short[0], warm / short[1])
        table.append(
            [f"{size:,}", *(f"{s:.2f} s" for s in (cold, warm)), *(f"{r:.2f}" for r in ratios)]
        )
    sys.stdout.write(markdown(table))
    found: dict[str, Any] = {"seconds": {str(size): seconds[size] for size in sizes}, "places": {}}
    chosen = rng.sample(rows, min(options.answers, len(rows)))
    wanted = [(row, one) for row in chosen for one in entailed(default, row)]
    remembering = RememberingEncoder(encoder, most_texts=100_000)
    table = [["words", "claims", "right passage first", f"in the first {CANDIDATES}", "read"]]
    for size in options.words:
        places = [
            place(remembering, row.question, one, among(row, rows, size, rng))
            for row, one in wanted
        ]
        found["places"][str(size)] = places
        ranks = np.array([one.claim for one in places])
        shares = (ranks == 1, ranks <= CANDIDATES, [one.is_read for one in places])
        table.append([f"{size:,}", str(len(ranks)), *(f"{np.mean(share):.1%}" for share in shares)])
    sys.stdout.write(f"\n{markdown(table)}")
    if options.json:
        options.json.write_text(json.dumps(found) + "\n", encoding="utf-8")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--words", type=int, nargs="+", default=[5_000])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--answers", type=int, default=100, help="whose passage is looked for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
