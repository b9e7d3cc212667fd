"""The rules of ``row_sketch``: rows are known again by a few hashes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cgs_rag.row_sketch import MOST, known, sketch
from cgs_rag.types import Sample


def rows(first: int, end: int) -> list[Sample]:
    return [Sample(f"Question {n}?", f"Answer {n}.", (f"Chunk {n}.",)) for n in range(first, end)]


@pytest.mark.parametrize(("first", "end", "share"), [(0, 40, 1.0), (30, 70, 0.25), (40, 80, 0.0)])
def test_of_few_rows_the_share_is_exact(first, end, share):
    assert known(rows(first, end), sketch(rows(0, 40))) == (share, True)


def test_of_many_rows_it_is_about_right():
    kept = sketch(rows(0, 4000))

    assert len(kept) == MOST
    found = known(rows(2000, 6000), kept)
    assert (found.share, found.is_exact) == (pytest.approx(0.5, abs=0.1), False)
    assert known(rows(4000, 8000), kept).share == 0.0
    assert known(rows(0, 4000), kept).share == 1.0


def test_case_space_and_order_of_rows_do_not_matter():
    changed = [replace(row, answer=f"  {row.answer.upper()}\n") for row in rows(0, 9)]

    assert sketch(changed[::-1]) == sketch(rows(0, 9))


@pytest.mark.parametrize("changed", [{"question": "Q"}, {"answer": "A"}, {"context": ("C",)}])
def test_question_answer_and_context_all_count(changed):
    assert known([replace(rows(0, 1)[0], **changed)], sketch(rows(0, 1))).share == 0.0


def test_without_rows_or_a_sketch_nothing_is_known():
    assert known([], sketch(rows(0, 9))).share == 0.0
    assert known(rows(0, 9), []) == (0.0, True)
