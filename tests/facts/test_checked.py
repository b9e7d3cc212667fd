"""What is told of a fact."""

from __future__ import annotations

import pytest

from cgs_rag.facts import checked


def test_what_is_held_needs_no_remark():
    """It is supported."""
    found = checked.held("49 euros", 3)

    assert (found.verdict, found.support, found.remark) == ("supported", 1.0, "")


@pytest.mark.parametrize(
    ("found", "remark"),
    [
        (checked.lacking("5 km", "absent", 0.1, 0), '"5 km" is not in the context'),
        (
            checked.lacking("5 km", "contradicted", 0.0, 0, "6 km"),
            '"5 km" is not in the context (nearest: "6 km")',
        ),
        (
            checked.derived("55 euros", 0, 0.85, ["40 euros", "15 euros"]),
            '"55 euros" is worked out of "40 euros" and "15 euros"',
        ),
        (
            checked.named_in_part("Ola Lund", 0.8, 0, "Lund"),
            '"Lund" of "Ola Lund" is not in the context',
        ),
        (checked.unnamed("Ann", 0.5, 0), '"Ann" is not in the context'),
        (
            checked.replaced("5", 0.0, 0, "6"),
            '"5" stands where the context has "6"',
        ),
        (
            checked.elsewhere("5", 0, 0.5, "6"),
            '"5" is in the context, but "6" is nearer to this',
        ),
        (checked.turned("rose", 0, "fell"), '"rose" stands where the context has "fell"'),
        (checked.turned("not", 0, ""), '"not" denies what the context says'),
        (checked.turned("", 0, "not"), 'the "not" of the context is left out'),
    ],
)
def test_what_is_wrong_is_told_in_words(found, remark):
    """With what the context has in its place."""
    assert found.remark == remark
