"""A state, a permission, a degree or a reason that a claim gives otherwise than the context."""

from __future__ import annotations

import pytest

from cgs_rag.facts.chunk_memory import ChunkMemory
from cgs_rag.facts.comparison import Comparison

PUMP = "The pump is made for ponds. It must never be run without water, since the seal overheats."
PARK = "Visitors must not park in the yard."
FULL = "Refunds are usually paid in full within two weeks."
SNOW = "The night train was cancelled because of heavy snow on the line."


def remarks(claim: str, *context: str) -> list[str]:
    """What is said against a claim."""
    memory = ChunkMemory()
    found = Comparison([memory.chunk(text) for text in context]).check(claim)
    return [one.remark for one in found if one.support < 1]


@pytest.mark.parametrize(
    ("claim", "context", "remark"),
    [
        (
            "The pump may be run without water.",
            PUMP,
            '"may" stands where the context has "must never"',
        ),
        (
            "Guests may bring dogs into the garden.",
            "Guests are not allowed to bring dogs into the garden.",
            "",
        ),
        ("It cannot be washed by hand.", "The cover can be washed by hand.", ""),
        (
            "Refunds are always paid in full within two weeks.",
            FULL,
            '"always" says more than the "usually" of the context',
        ),
        ("All members get a ticket for the show.", "Some members get a ticket for the show.", ""),
        (
            "The repair is certainly covered by the warranty.",
            "The repair may be covered by the warranty.",
            "",
        ),
        (
            "The night train was cancelled because the driver fell ill.",
            SNOW,
            'the context gives another reason than "the driver fell ill"',
        ),
        ("The night train was cancelled due to a strike of drivers.", SNOW, ""),
    ],
)
def test_what_is_said_otherwise_is_refuted(claim, context, remark):
    """In nearly the same words."""
    found = remarks(claim, context)

    assert len(found) == 1
    assert remark in found[0]


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("Visitors may park in the yard.", f"Visitors may park in the yard. Trucks: {PARK}"),
        ("Residents may park in the yard.", PARK),
        ("Visitors may park in the yard if they have a badge.", PARK),
        ("The pump may be run in the garden.", PUMP),
        ("Refunds are usually paid in full within two weeks.", FULL),
        (
            "Refunds are always paid in full within two weeks.",
            f"{FULL} Refunds are always paid in full within two weeks, we promise.",
        ),
        ("Refunds are not always paid in full within two weeks.", FULL),
        ("Most members get a ticket for the show.", "All members get a ticket for the show."),
        ("All parcels are sent by rail.", "Some letters are sent by air."),
        ("The night train was cancelled because snow lay on the line.", SNOW),
        (
            "The night train was cancelled because of a strike.",
            f"{SNOW} The night train was cancelled because of a strike.",
        ),
        ("The day train was praised because it was on time.", SNOW),
        ("The night train was cancelled not because of a strike of drivers.", SNOW),
        ("The full name of the firm is Acme of Leeds.", "The firm of many names is Acme of Leeds."),
        (
            "Every student must pass the exam in May.",
            "Some students passed in March; the others must pass the exam in May.",
        ),
        (
            "Visitors must wear a hard hat in the hall.",
            "Visitors can wear a hard hat in the hall. A hat is required in the hall.",
        ),
    ],
)
def test_what_may_be_so_is_not(claim, context):
    """Another subject, a limit, the same reason, or a sentence that says it as the claim does."""
    assert remarks(claim, context) == []
