"""Whether a training row stands in an evaluation set: ``python -m training.overlap --help``.

A row does if it shares its hypothesis, its question with its answer, or ``SHINGLE`` words in a row
with an evaluation row. Those found are written as they are named; the exit code is 1 if there are
any. Short texts that many sets share ("Yes.") are no sign of anything and are not counted.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cgs_rag.text import words
from training.records import Row
from training.rows import load_mix, load_rows
from training.train import log

SHINGLE = 13
"""Words in a row, as in Brown et al. 2020 (arXiv:2005.14165, appendix C)."""

_TELLING = 5  # words of a claim that two sets don't share by chance


class Seen:
    """What the evaluation sets hold."""

    def __init__(self) -> None:
        self._shingles: set[bytes] = set()
        self._claims: set[bytes] = set()

    def add(self, texts: Iterable[str], claim: str) -> None:
        """Remember the texts of an evaluation row, and what it claims."""
        for text in texts:
            self._shingles.update(_shingles(text))
        if len(words(claim)) >= _TELLING:
            self._claims.add(_digest(words(claim)))

    def holds(self, row: Row) -> bool:
        """Whether a training row stands in them."""
        if _digest(words(row.hypothesis)) in self._claims:
            return True
        texts = (row.premise, row.hypothesis)
        return any(shingle in self._shingles for text in texts for shingle in _shingles(text))


def seen_in(files: Sequence[Path]) -> Seen:
    """The rows of evaluation files (question, context, answer)."""
    seen = Seen()
    for path in files:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                context = row["context"]
                chunks = [context] if isinstance(context, str) else list(context)
                asked = f"{row.get('question') or ''} {row['answer']}".strip()
                seen.add([*chunks, asked], asked)
    return seen


def _shingles(text: str) -> Iterator[bytes]:
    found = words(text)
    for at in range(len(found) - SHINGLE + 1):
        yield _digest(found[at : at + SHINGLE])


def _digest(found: Sequence[str]) -> bytes:
    return hashlib.blake2b(" ".join(found).encode(), digest_size=8).digest()


def main(arguments: Sequence[str] | None = None) -> int:
    """Name the rows of the mix that stand in the evaluation files."""
    options = _options(arguments)
    seen = seen_in(options.eval)
    rows = load_rows(load_mix(options.mix), options.data)
    found: Counter[str] = Counter()
    unique = {(row.premise, row.hypothesis): row for row in (*rows.train, *rows.validation)}
    for row in unique.values():
        if seen.holds(row):
            found[f"{row.source} ({row.kind})"] += 1
            log(json.dumps([row.source, row.kind, row.premise, row.hypothesis]))
    log(f"{found.total()} of {len(unique)} rows stand in {len(options.eval)} evaluation files")
    for name, count in found.most_common():
        log(f"  {name}: {count}")
    return 1 if found else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.overlap", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the .jsonl.gz files")
    parser.add_argument("--eval", type=Path, nargs="+", required=True, help="evaluation .jsonl.gz")
    parser.add_argument("--mix", type=Path, default=Path(__file__).parent / "mix.toml")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
