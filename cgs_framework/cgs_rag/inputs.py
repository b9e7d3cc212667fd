"""The caller's questions, answers and contexts as samples: checked, and made safe to read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

from cgs_rag.errors import InvalidInputError
from cgs_rag.models.log_probability import logprob
from cgs_rag.text import encodable
from cgs_rag.types import Sample


def sample(
    question: Any,
    answer: Any,
    context: Any,
    names: tuple[str, str, str] = ("question", "answer", "context"),
    *,
    logprobs: tuple[float, ...] | None = None,
) -> Sample:
    """One sample, checked as a row of ``samples`` is.

    Args:
        question: A text.
        answer: A text.
        context: A text or a list of chunks.
        names: What the three are called in a message.
        logprobs: Of the answer's tokens, as ``checked_logprobs`` gives them.

    Raises:
        InvalidInputError: One of them has another type.
    """
    return Sample(
        question=_text(names[0], question),
        answer=_text(names[1], answer),
        context=_context(names[2], context),
        logprobs=logprobs,
    )


def samples(questions: Any, answers: Any, contexts: Any, logprobs: Any = None) -> list[Sample]:
    """One sample a row.

    A missing cell (None, NaN) is a blank text, which the verdict will say; lone surrogates become
    U+FFFD, so offsets stay those of the caller's text.

    Args:
        questions: A list (or array, or column) of n texts.
        answers: Likewise.
        contexts: Likewise; each a text or a list of chunks.
        logprobs: Likewise; each a list of numbers, or None where they are not known. None: of no
            row.

    Raises:
        InvalidInputError: Not lists, of unequal length, or with a cell of another type.
    """
    columns = {"questions": questions, "answers": answers, "contexts": contexts}
    if logprobs is not None:
        columns["logprobs"] = logprobs
    listed = {name: _listed(name, column) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in listed.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{length} {name}" for name, length in lengths.items())
        *some, last = columns
        raise InvalidInputError(f"{', '.join(some)} and {last} must be as many, got {found}")
    listed.setdefault("logprobs", [None] * lengths["answers"])
    return [
        sample(
            question,
            answer,
            context,
            (f"questions[{row}]", f"answers[{row}]", f"contexts[{row}]"),
            logprobs=checked_logprobs(f"logprobs[{row}]", told),
        )
        for row, (question, answer, context, told) in enumerate(zip(*listed.values(), strict=True))
    ]


def checked_seed(seed: Any) -> int:
    """A seed of numpy's and scikit-learn's generators.

    Raises:
        InvalidInputError: No whole number in [0, 2**31).
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= int(seed) < 2**31:
        raise InvalidInputError(f"seed must be a whole number in [0, 2**31), got {seed!r:.60}")
    return int(seed)


def _listed(name: str, column: Any) -> list[Any]:
    is_table = getattr(column, "ndim", 1) != 1
    if isinstance(column, str | bytes | dict) or not isinstance(column, Iterable) or is_table:
        raise InvalidInputError(
            f"{name} must be a list with one entry a row, got {type(column).__name__}; for one "
            "row use score(question, answer, context)"
        )
    return list(column)


def _text(name: str, cell: Any) -> str:
    if isinstance(cell, str):
        return encodable(cell)
    if is_missing(cell):
        return ""
    raise InvalidInputError(f"{name} must be a text, got {type(cell).__name__}: {_shown(cell)}")


def _context(name: str, cell: Any) -> tuple[str, ...]:
    if isinstance(cell, str) or is_missing(cell):
        return (_text(name, cell),)
    is_list = isinstance(cell, Sequence) and not isinstance(cell, bytes | bytearray)
    if is_list or getattr(cell, "ndim", 0) == 1:
        return tuple(_text(f"{name}[{at}]", chunk) for at, chunk in enumerate(list(cell)))
    raise InvalidInputError(
        f"{name} must be a text or a list of texts, got {type(cell).__name__}: {_shown(cell)}"
    )


def checked_logprobs(name: str, cell: Any) -> tuple[float, ...] | None:
    """The log-probabilities of an answer's tokens, or None where the cell is missing.

    Args:
        name: What the cell is called in a message.
        cell: A list of natural logarithms of probabilities, each at most 0 (-inf is one).

    Raises:
        InvalidInputError: It is something else.
    """
    if is_missing(cell):
        return None
    is_list = isinstance(cell, Sequence) and not isinstance(cell, str | bytes | bytearray)
    if not is_list and getattr(cell, "ndim", 0) != 1:
        raise InvalidInputError(
            f"{name} must be a list of numbers, one for each token of the answer, or None, got "
            f"{type(cell).__name__}: {_shown(cell)}"
        )
    return tuple(_logprob(f"{name}[{at}]", value) for at, value in enumerate(list(cell)))


def logprobs_cell(name: str, cell: Any) -> tuple[float, ...] | None:
    """As ``checked_logprobs``, of a cell that may spell the list as JSON, as files do.

    Args:
        name: What the cell is called in a message.
        cell: A list, a text, or what is missing; a blank text is.

    Raises:
        InvalidInputError: It is something else.
    """
    if not isinstance(cell, str):
        return checked_logprobs(name, cell)
    if not cell.strip():
        return None
    try:
        read = json.loads(cell)
    except (ValueError, RecursionError):  # the second: nested too deeply
        read = cell  # which is refused by what it is
    return checked_logprobs(name, read)


def _logprob(name: str, value: Any) -> float:
    try:
        return logprob(value, least=-math.inf)
    except ValueError:
        raise InvalidInputError(
            f"{name} must be the natural logarithm of a probability, a number of at most 0, got "
            f"{_shown(value)}; of a probability take math.log"
        ) from None


def is_missing(cell: Any) -> bool:
    """Whether a cell holds nothing: None, or a missing value of numpy's or pandas' own."""
    # pandas.NA is no float and can't be compared; its type has to be known by name.
    is_nan = isinstance(cell, Real) and bool(cell != cell)  # noqa: PLR0124 -- int has no NaN
    return cell is None or is_nan or type(cell).__name__ in {"NAType", "NaTType"}


def _shown(cell: Any) -> str:
    shown = repr(cell)
    return shown if len(shown) <= 60 else shown[:57] + "..."
