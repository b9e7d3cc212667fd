"""How often "the context does not say" is believed: ``python -m training.untold --help``.

Of questions over a text that tells the answer, it should be never: their own passage, and the few
sentences around the answer. Over others always: those of another passage, and of their own passage
some that lack the answer, which mostly are about the thing. By the share of the question's words
that the text may hold (1 is any, ``absence.MOST_HELD`` what ships), and by the cosine from which on
a passage is near (1 is none, ``settling.NEAR`` what ships).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.table import markdown
from cgs_rag.absence import MOST_HELD, is_untold
from cgs_rag.batch import Batch
from cgs_rag.models import Encoder
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.settling import NEAR
from cgs_rag.text import Span, sentences
from cgs_rag.types import Sample
from training.arguments import file, folder
from training.given import load_given
from training.mix import load_mix
from training.program import program
from training.records import Asked

HELD = (0.0, 0.1, MOST_HELD, 0.25, 0.35, 0.5, 1.0)
LIMITS = (0.1, 0.15, NEAR, 0.25, 0.3, 1.0)
SIZES = (1, 2, 3, 5)
SAID = "The context does not say."


class Over(NamedTuple):
    """A question, and a text that it is asked over."""

    question: str
    passage: str


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    options = _options(arguments)
    questions = load_given(load_mix(options.mix), options.data).held_out.questions
    told, untold = zip(*pairs(questions), strict=True)
    cases = {"told by a passage": told, "another passage": untold, **parts(questions)}
    rows = [["words held at most", "told by a passage", "another passage"]]
    rows += [
        [f"{most:g}", *(f"{believed(side, most).mean():.3f}" for side in (told, untold))]
        for most in HELD
    ]
    sys.stdout.write(f"{markdown(rows)}\n")
    encoder = SentenceEncoder()
    rows = [["the text", "texts", "words alone", *(f"cosine below {limit:g}" for limit in LIMITS)]]
    for name, asked in cases.items():
        if not asked:
            continue
        by_words, cosine = believed(asked, MOST_HELD), nearest(asked, encoder)
        shares = (by_words.mean(), *((by_words & (cosine < limit)).mean() for limit in LIMITS))
        rows.append([name, str(len(asked)), *(f"{share:.3f}" for share in shares)])
    sys.stdout.write(markdown(rows))
    return 0


def pairs(questions: Sequence[Asked]) -> Iterator[tuple[Over, Over]]:
    """Each question over its own passage, and over that of another question."""
    passages = [asked.passage.text for asked in questions]
    for at, asked in enumerate(questions):
        others = (one for one in (*passages[at:], *passages[:at]) if one != passages[at])
        if (other := next(others, None)) is not None:
            yield Over(asked.question, passages[at]), Over(asked.question, other)


def parts(questions: Sequence[Asked]) -> Mapping[str, list[Over]]:
    """Some sentences of each question's own passage, seeded: with its answer, and without.

    Only where one sentence holds the answer: of several, each may tell it or not.
    """
    told_by, untold_by = (
        [f"{kind} {size} sentence{'s' * (size > 1)}" for size in SIZES]
        for kind in ("told by", "untold by")
    )
    found: dict[str, list[Over]] = {name: [] for name in (*told_by, *untold_by)}
    rng = random.Random(0)
    for asked in questions:
        told = [span.of(asked.passage.text) for span in sentences(asked.passage.text)]
        answer = asked.answer.lower().strip(". ")
        at = [place for place, sentence in enumerate(told) if answer in sentence.lower()]
        for with_it, without, size in zip(told_by, untold_by, SIZES, strict=True):
            starts = range(len(told) - size + 1)
            if len(at) != 1 or not starts:
                continue
            for name, holds in ((with_it, True), (without, False)):
                fitting = [start for start in starts if (start <= at[0] < start + size) is holds]
                if fitting:
                    start = rng.choice(fitting)
                    found[name].append(Over(asked.question, " ".join(told[start : start + size])))
    return found


def believed(asked: Sequence[Over], limit: float) -> NDArray[np.bool_]:
    """Of which texts the words say that they tell nothing of a question, shape (n,)."""
    return np.array(
        [is_untold(SAID, one.question, [one.passage], most_held=limit) for one in asked]
    )


def nearest(asked: Sequence[Over], encoder: Encoder) -> NDArray[np.float64]:
    """The cosine of each question and the nearest passage of its text, shape (n,)."""
    batch = Batch(
        [Sample("", one.question, (one.passage,)) for one in asked],
        [[Span(0, len(one.question))] for one in asked],
        encoder,
    )
    every = range(len(batch))
    batch.embed(text for at in every for text in (*batch.claim_texts(at), *batch.passage_texts(at)))
    return np.array([batch.similarity(at).max() for at in every])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
