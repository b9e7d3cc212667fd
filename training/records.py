"""What the training data holds: labelled pairs, and questions asked over passages."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scipy.cluster.hierarchy import DisjointSet

from cgs_rag.errors import InvalidInputError
from cgs_rag.text import sentences

TARGETS = ("contradiction", "entailment", "neutral", "unsupported")
"""What a row can be labelled. The first three are the model's classes in their order; an
"unsupported" row only says that it is not entailed."""

_UNTOKENIZED = (
    *((mark, '"') for mark in ("``", "''")),
    *((" n't", "n't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"), (" 'll", "'ll")),
    *(("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("-COLON-", ":")),
)
"""What tokenized sources write, and what answers look like."""

_ALIASES = {"supported": "entailment"}
_TURNS = re.compile(
    r"\b(?:not|no|none|never|nobody|nothing|neither|nor|without|hardly|unless|if|or|(?-i:may)|might|"
    r"could|would|should|can|whether|few|fewer|less|every|each|all|most|any|only|at|exactly|up|"
    r"least|many|believe[sd]?|think|thought|claim(?:s|ed)?|said|says|hope[sd]?|want(?:s|ed)?|try|"
    r"tried|fail(?:s|ed)?|rumou?red|allegedly|supposedly|doubt(?:s|ed)?|den(?:y|ies|ied)|"
    r"refuse[sd]?|pretend(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words before which, or within whose reach, what is said need not hold."""

_TELLING = 40  # characters of a sentence that two texts share only by being cut from one


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled pair.

    Attributes:
        premise: The context.
        hypothesis: What is to be entailed; for a question the question with an answer.
        target: One of ``TARGETS``.
        source: Name of the file it came from.
        kind: How it was made: "given", "restated" or by which maker; then, where there is more to
            say, a space and what ("edited number", "given surrounded").
        origin: The text it comes from as the file has it, later the least text of its kin (see
            ``kin``); what is of one kin stands on one side of the split.
        question: The question, or "".
        answer: The answer alone, or "" where there is no question.
    """

    premise: str
    hypothesis: str
    target: str
    source: str
    kind: str = "given"
    origin: str = ""
    question: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of several sentences.

    Attributes:
        text: As the source gives it.
        source: Name of the file it came from.
        origin: As of a ``Row``.
    """

    text: str
    source: str
    origin: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question over a passage, with its answer.

    Attributes:
        question: In one sentence.
        answer: The right one, mostly a span of the passage.
        wrong: The set's own wrong options, or the answers to other questions over the passage.
        own_options: Whether ``wrong`` are the set's own.
        passage: What answers it.
    """

    question: str
    answer: str
    wrong: tuple[str, ...]
    own_options: bool
    passage: Passage


def read_records(path: Path, *needed: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a ``.jsonl.gz`` file.

    Args:
        path: The file.
        needed: What each holds a text of.

    Raises:
        InvalidInputError: It is damaged or empty, or a line is something else.
    """
    read = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if lacking := [name for name in needed if not _is_text(record, name)]:
                    raise InvalidInputError(f"there is no text {lacking[0]!r}")
                yield record
                read += 1
    except (ValueError, EOFError, gzip.BadGzipFile) as error:
        raise InvalidInputError(f"{path.name}, line {read + 1}: {error}") from error
    if not read:
        raise InvalidInputError(f"{path.name} holds no records")


def _is_text(record: object, name: str) -> bool:
    """Whether a record has a text of that name, one that can be written as UTF-8."""
    text = record.get(name) if isinstance(record, dict) else None
    # JSON may escape half a character.
    return isinstance(text, str) and not re.search(r"[\ud800-\udfff]", text)


def texts_of(path: Path, record: dict[str, Any], name: str) -> list[str]:
    """The text or the list of texts that a record of a file has under a name; none if neither.

    Raises:
        InvalidInputError: It has something else there.
    """
    value = record.get(name) or []
    found = value if isinstance(value, list) else [value]
    if not all(_is_text({name: text}, name) for text in found):
        raise InvalidInputError(
            f"{path.name}: {name} is {value!r:.80}, must be a text or a list of texts"
        )
    return found


def given_pairs(path: Path, source: str) -> list[Row]:
    """The pairs of a file, labelled as given; without those whose label can't be right.

    Raises:
        InvalidInputError: The file holds something else, or another label than ``TARGETS`` and
            "supported".
    """
    rows = [
        Row(
            natural(record["premise"]),
            natural(record["hypothesis"]),
            _ALIASES.get(record["label"], record["label"]),
            source,
            origin=record["premise"],
        )
        for record in read_records(path, "premise", "hypothesis", "label")
    ]
    if unknown := {row.target for row in rows} - set(TARGETS):
        known = ", ".join((*_ALIASES, *TARGETS))
        raise InvalidInputError(f"{path.name} has the label {min(unknown)!r}; there are {known}")
    return [row for row in rows if row.target == "entailment" or not _is_verbatim(row)]


def given_questions(path: Path, source: str) -> list[Asked]:
    """The questions of a file; one whose answer its passage lacks has only its own options.

    Without those to which a passage has answers that do not overlap: each is right, so each would
    be called wrong beside the other.
    """
    records = list(read_records(path, "context", "question", "answer"))
    answers: dict[str, list[str]] = {}
    right: dict[tuple[str, str], list[str]] = {}
    for record in records:
        answers.setdefault(record["context"], []).append(record["answer"])
        right.setdefault((record["context"], record["question"]), []).append(record["answer"])
    asked = []
    for record in records:
        own = tuple(texts_of(path, record, "wrong_answers"))
        mine = right[record["context"], record["question"]]
        if not own and not all(overlap(answer, record["answer"]) for answer in mine):
            continue
        others = tuple(a for a in answers[record["context"]] if not overlap(a, record["answer"]))
        passage = Passage(natural(record["context"]), source, record["context"])
        asked.append(
            Asked(
                natural(record["question"]),
                natural(record["answer"]),
                tuple(natural(text) for text in own or others),
                bool(own),
                passage,
            )
        )
    return asked


def natural(text: str) -> str:
    """A text without the marks of a tokenizer, so that it looks as in documents and answers."""
    for found, written in _UNTOKENIZED:
        text = text.replace(found, written)
    return text.strip()


def overlap(one: str, other: str) -> bool:
    """Whether one text stands within the other, whatever the case."""
    one, other = one.lower().strip(), other.lower().strip()
    return one in other or other in one


def is_held_out(origin: str, one_in: int) -> bool:
    """Whether an origin belongs to the validation side: decided by its text alone."""
    digest = hashlib.sha256(origin.encode()).digest()
    return int.from_bytes(digest[:4], "big") % one_in == 0


def kin(texts: Iterable[str]) -> dict[str, str]:
    """For each text the least text of its kin: those that share a telling sentence.

    Least in the order of characters, so that the order of the texts is of no account. Windows cut
    from one article overlap, and two sources may hold one text, written in other ways; without
    this these could stand on both sides of the split.
    """
    texts = list(dict.fromkeys(texts))
    joined = DisjointSet(texts)
    first_with: dict[str, str] = {}
    for text in texts:
        plain = natural(text)
        parts = [_bare(span.of(plain)) for span in sentences(plain)]
        for part in (_bare(plain), *(part for part in parts if len(part) >= _TELLING)):
            joined.merge(text, first_with.setdefault(part, text))
    return {text: min(members) for members in joined.subsets() for text in members}


def _bare(text: str) -> str:
    """The words of a text in lower case: what it says, however it is written."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _is_verbatim(row: Row) -> bool:
    """Whether the premise says the hypothesis in its own words, with nothing that turns it."""
    premise, hypothesis = f" {_bare(row.premise)} ", f" {_bare(row.hypothesis)} "
    return premise == hypothesis or (
        hypothesis in premise and _TURNS.search(row.premise) is None and len(hypothesis) > _TELLING
    )
