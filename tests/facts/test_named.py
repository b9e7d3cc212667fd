"""Names that a context knows, in part or not at all."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk


@pytest.mark.parametrize(
    ("context", "support", "remark"),
    [
        ("A lady, Ola Lund, founded the firm.", 1.0, ""),
        ("A lady, Ola, founded the firm.", 0.6, '"Lund" of "Ola Lund" is not in the context'),
        ("A lady, Ola Lund Berg, founded the firm.", 1.0, ""),
        ("A lady founded the firm.", 0.35, '"Ola Lund" is not in the context'),
        (
            "A lady, Ola Berg, founded the firm.",
            0.2,
            '"Ola Lund" stands where the context has "Ola Berg"',
        ),
    ],
)
def test_a_name_is_supported_by_what_the_context_knows_of_it(context, support, remark):
    """The same first name with another surname is another one."""
    (found,) = Comparison([Chunk(context)]).check("The founder is Ola Lund.")

    assert (found.support, found.remark) == (support, remark)


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("A lady, Ola Meier, came.", "The lady is Ola Meyer."),
        ("There were Thousands of Danes.", "They are Thousands of Swedes."),
    ],
)
def test_another_spelling_and_what_is_no_first_name_swap_nothing(context, claim):
    """They are known in part."""
    (found,) = Comparison([Chunk(context)]).check(claim)

    assert (found.verdict, found.support) == ("supported", 0.6)
