"""The caller's questions, answers and contexts as samples: checked, and made safe to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

from cgs_rag.errors import InvalidInputError
from cgs_rag.text import encodable
from cgs_rag.types import Sample


def sample(
    question: Any,
    answer: Any,
    context: Any,
    names: tuple[str, str, str] = ("question", "answer", "context"),
) -> Sample:
    """One sample, checked as a row of ``samples`` is.

    Args:
        question: A text.
        answer: A text.
        context: A text or a list of chunks.
        names: What the three are called in a message.

    Raises:
        InvalidInputError: One of them has another type.
    """
    return Sample(
        question=_text(names[0], question),
        answer=_text(names[1], answer),
        context=_context(names[2], context),
    )


def samples(questions: Any, answers: Any, contexts: Any) -> list[Sample]:
    """One sample a row.

    A missing cell (None, NaN) is a blank text, which the verdict will say; lone surrogates become
    U+FFFD, so offsets stay those of the caller's text.

    Args:
        questions: A list (or array, or column) of n texts.
        answers: Likewise.
        contexts: Likewise; each a text or a list of chunks.

    Raises:
        InvalidInputError: Not lists, of unequal length, or with a cell of another type.
    """
    columns = {"questions": questions, "answers": answers, "contexts": contexts}
    listed = {name: _listed(name, column) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in listed.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{length} {name}" for name, length in lengths.items())
        raise InvalidInputError(f"questions, answers and contexts must be as many, got {found}")
    return [
        sample(
            question, answer, context, (f"questions[{row}]", f"answers[{row}]", f"contexts[{row}]")
        )
        for row, (question, answer, context) in enumerate(zip(*listed.values(), strict=True))
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


def is_missing(cell: Any) -> bool:
    """Whether a cell holds nothing: None, or a missing value of numpy's or pandas' own."""
    # pandas.NA is no float and can't be compared; its type has to be known by name.
    is_nan = isinstance(cell, Real) and bool(cell != cell)  # noqa: PLR0124 -- int has no NaN
    return cell is None or is_nan or type(cell).__name__ in {"NAType", "NaTType"}


def _shown(cell: Any) -> str:
    shown = repr(cell)
    return shown if len(shown) <= 60 else shown[:57] + "..."
