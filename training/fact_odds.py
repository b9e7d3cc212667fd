"""Which share of claims is supported, by their facts: ``python -m training.fact_odds --help``.

By the least support of the facts: on the validation side of the training rows, on questions
answered by a sentence of a passage, and on our own labelled logs. The scale of S5 is taken from it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.table import markdown
from cgs_rag.facts.chunk_memory import ChunkMemory
from cgs_rag.facts.comparison import Comparison
from cgs_rag.signals.facts import ALL_HELD
from cgs_rag.text import sentences
from training.arguments import file, folder
from training.given import load_given
from training.mix import load_mix
from training.preset_answers import LEFT_OUT, Answer, logged, of_row, quoted
from training.program import program
from training.rows import rows_of

LEAST = (0.0, 0.1, 0.3, 0.45, 0.55, 0.8, 0.95, 1.0)
"""Where the bins begin; the last one holds facts that are all held."""


class Found(NamedTuple):
    """What the facts of n answers say.

    Attributes:
        least: The least support of each one's facts, in [0, 1], shape (n,).
        supported: Whether it is, shape (n,).
    """

    least: NDArray[np.float64]
    supported: NDArray[np.bool_]


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = _options(arguments)
    mix = load_mix(options.mix)
    rows = rows_of(mix, load_given(mix, options.data)).validation
    rows = [row for row in rows if row.kind not in LEFT_OUT]
    texts = read(list(map(of_row, [*rows, *quoted(rows)])))
    sys.stdout.write(table(texts, read(logged(options.logs))) + "\n")
    return 0


def read(answers: Sequence[Answer]) -> Found:
    """The least support of the facts of each answer that holds any."""
    memory = ChunkMemory()
    found = [(_least(answer, memory), answer.supported) for answer in answers]
    told = [(least, supported) for least, supported in found if least is not None]
    return Found(np.array([one[0] for one in told]), np.array([one[1] for one in told], np.bool_))


def table(texts: Found, logs: Found) -> str:
    """By bin: how many answers there are, which share is supported, and what the signal says."""
    rows = [["least support", "training texts", "supported", "logs", "supported", "the signal"]]
    for low, high in zip(LEAST, (*LEAST[1:], np.inf), strict=True):
        cells = [f"{low:g}" if high == np.inf else f"{low:g} to {high:g}"]
        means = []
        for found in (texts, logs):
            mine = (found.least >= low) & (found.least < high)
            share = f"{found.supported[mine].mean():.2f}" if mine.any() else "-"
            cells += [str(mine.sum()), share]
            means += list(found.least[mine])
        said = f"{ALL_HELD * float(np.mean(np.square(means))):.2f}" if means else "-"
        rows.append([*cells, said])
    return markdown(rows)


def _least(answer: Answer, memory: ChunkMemory) -> float | None:
    comparison = Comparison([memory.chunk(text) for text in answer.context], answer.question)
    return min(_supports(comparison, answer.answer), default=None)


def _supports(comparison: Comparison, text: str) -> Iterator[float]:
    for span in sentences(text):
        for fact in comparison.check(span.of(text)):
            yield fact.support


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    root = Path(__file__).parents[1]
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--logs", type=file, default=root / "calibration_data" / "logs.jsonl")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
