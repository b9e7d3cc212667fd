"""How often "the context does not say" is believed: ``python -m training.untold --help``.

Of questions over their own passage, which tells the answer, it should be never; of questions over
another passage, which as a rule does not, always. By the limit on the share of the question's words
that the passage may hold: 1 is none, and ``absence.MOST_HELD`` what ships.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.table import markdown
from cgs_rag.absence import MOST_HELD, is_untold
from training.arguments import file, folder
from training.given import load_given
from training.mix import load_mix
from training.program import program
from training.records import Asked

LIMITS = (0.0, 0.1, MOST_HELD, 0.25, 0.35, 0.5, 1.0)
SAID = "The context does not say."


class Over(NamedTuple):
    """A question, and a passage that it is asked over."""

    question: str
    passage: str


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = _options(arguments)
    questions = load_given(load_mix(options.mix), options.data).held_out.questions
    told, untold = zip(*pairs(questions), strict=True)
    rows = [["words held at most", f"told ({len(told)})", f"not told ({len(untold)})"]]
    for limit in LIMITS:
        shares = (f"{believed(side, limit):.3f}" for side in (told, untold))
        rows.append([f"{limit:g}", *shares])
    sys.stdout.write(markdown(rows))
    return 0


def pairs(questions: Sequence[Asked]) -> Iterator[tuple[Over, Over]]:
    """Each question over its own passage, and over that of another question."""
    passages = [asked.passage.text for asked in questions]
    for at, asked in enumerate(questions):
        others = (one for one in (*passages[at:], *passages[:at]) if one != passages[at])
        if (other := next(others, None)) is not None:
            yield Over(asked.question, passages[at]), Over(asked.question, other)


def believed(asked: Sequence[Over], limit: float) -> float:
    """The share of questions of which a passage is taken to tell nothing, in [0, 1]."""
    found = [is_untold(SAID, one.question, [one.passage], most_held=limit) for one in asked]
    return sum(found) / len(found)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
