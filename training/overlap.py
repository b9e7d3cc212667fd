"""Whether a training row stands in an evaluation set: ``python -m training.overlap --help``.

A row does if its hypothesis is an evaluation row's answer, alone or behind its question, or if it
shares 13 words in a row with one. Those found are written as they are named; the exit code is 1 if
there are any, and 2 if a file can't be read. With ``--write`` their marks go to
``left_out.txt`` and they are rows no more.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from training.arguments import file, folder, whole
from training.mix import load_mix
from training.program import program
from training.progress import log
from training.records import read_records, texts_of
from training.rows import load_rows
from training.shingles import LEFT_OUT, claim, marks_of, read_left_out, sequences


def seen_in(files: Sequence[Path]) -> set[str]:
    """The marks of evaluation files (question, context, answer).

    Raises:
        OSError, InvalidInputError: One can't be read, or holds something else.
    """
    marks: set[str] = set()
    for path in files:
        for row in read_records(path, "answer"):
            chunks = texts_of(path, row, "context")
            asked = f"{row.get('question') or ''} {row['answer']}".strip()
            for text in (*chunks, asked):
                marks.update(sequences(text))
            marks.update(claim(asked))
            marks.update(claim(row["answer"]))
    return marks


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Name the rows of the mix that stand in the evaluation files."""
    options = _options(arguments)
    seen = seen_in(options.eval)
    mix = load_mix(options.mix)
    mix["seed"] = options.seed or mix["seed"]
    rows = load_rows(mix, options.data)
    found: Counter[str] = Counter()
    shared: set[str] = set()
    unique = {(row.premise, row.hypothesis): row for row in (*rows.train, *rows.validation)}
    for row in unique.values():
        marks = marks_of(row) & seen
        if marks:
            shared |= marks
            found[f"{row.source} ({row.kind})"] += 1
            log(json.dumps([row.source, row.kind, row.premise, row.hypothesis]))
    log(f"{found.total()} of {len(unique)} rows stand in {len(options.eval)} evaluation files")
    for name, count in found.most_common():
        log(f"  {name}: {count}")
    if options.write:
        lines = sorted(read_left_out() | shared)
        LEFT_OUT.write_text("".join(f"{mark}\n" for mark in lines), encoding="ascii")
    return 1 if found else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.overlap", description=__doc__)
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--eval", type=file, nargs="+", required=True, help="evaluation .jsonl.gz")
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--seed", type=whole(0), default=0, help="of the rows; 0: that of the mix")
    parser.add_argument(
        "--write", action="store_true", help=f"add what is found to {LEFT_OUT.name}"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
