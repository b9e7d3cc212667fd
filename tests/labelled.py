"""Labelled answers for calibrations over the fakes: deterministic, and hard to tell apart fully."""

from __future__ import annotations

from random import Random
from typing import Any

import pandas as pd

from cgs_rag.logs import LogColumns, Logs, read_logs
from tests.fakes import STEMS

COLUMNS = LogColumns("question", "answer", "context", "label")

_WORDS = [f"{stem}{ending}" for stem in STEMS for ending in ("", "s", "like", "less", "ward")]


def labelled_rows(count: int = 60) -> list[dict[str, Any]]:
    """Rows of a question each, supported and not in turn; answers of one to three sentences.

    A sentence of a supported answer shares 3 to 6 of its 6 words with the context, one of an
    unsupported answer 0 to 4.
    """
    random = Random(0)
    return [_row(random, at, label=at % 2) for at in range(count)]


def frame(count: int = 60) -> pd.DataFrame:
    """Likewise, as a data frame."""
    return pd.DataFrame(labelled_rows(count))


def telling() -> pd.DataFrame:
    """Logs whose log-probabilities tell the labels apart; of every 5th the texts are no help."""
    table = frame(80)
    table["label"] = [label if at % 5 else 1 - label for at, label in enumerate(table["label"])]
    table["logprobs"] = [
        [-0.1, *[-0.3 - 2 * label - at * 7 % 10 / 3] * 6] for at, label in enumerate(table["label"])
    ]
    return table


def logs(rows: list[dict[str, Any]] | None = None) -> Logs:
    """Rows, or the ones above, as they are calibrated on."""
    return read_logs(labelled_rows() if rows is None else rows, COLUMNS)


def _row(random: Random, number: int, *, label: int) -> dict[str, Any]:
    drawn = random.sample(_WORDS, 30)
    held, foreign = drawn[:12], drawn[12:]
    return {
        "question": f"What of the {drawn[0]} number {number}?",
        "answer": " ".join(
            _sentence(
                random, held, foreign, random.randint(0, 4) if label else random.randint(3, 6)
            )
            for _ in range(number // 2 % 3 + 1)
        ),
        "context": " ".join(held).capitalize() + ".",
        "label": label,
    }


def _sentence(random: Random, held: list[str], foreign: list[str], shared: int) -> str:
    words = [*random.sample(held, shared), *random.sample(foreign, 6 - shared)]
    random.shuffle(words)
    return " ".join(words).capitalize() + "."
