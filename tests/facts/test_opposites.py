"""Words of opposite meaning."""

from __future__ import annotations

import pytest

from cgs_rag.facts.opposites import are_opposite, has_opposite
from cgs_rag.facts.stems import stem


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [
        ("increased", "decreases", True),
        ("raise", "reduce", True),
        ("dropped", "rose", True),
        ("before", "after", True),
        ("possible", "impossible", True),
        ("likely", "unlikely", True),
        ("agree", "disagree", True),
        ("enable", "disabled", True),
        ("dog", "cat", False),
        ("increase", "raise", False),
        ("spite", "despite", False),
        ("side", "inside", False),
    ],
)
def test_opposites_are_told_by_table_and_prefix(one, other, opposite):
    """In any form, either way round."""
    assert are_opposite(stem(one), stem(other)) is opposite
    assert are_opposite(stem(other), stem(one)) is opposite


def test_a_word_of_the_table_has_an_opposite():
    """And others have not."""
    assert has_opposite(stem("increases"))
    assert not has_opposite(stem("dogs"))
