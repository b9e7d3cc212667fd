"""Names in another form."""

from __future__ import annotations

import pytest

from cgs_rag.facts.context import Chunk, Context
from cgs_rag.facts.known_names import knows


@pytest.mark.parametrize(
    ("part", "known"),
    [
        ("france", True),
        ("french", False),
        ("norwegian", True),
        ("un", True),
        ("oslo", True),
        ("berlin", False),
    ],
)
def test_a_name_is_known_in_its_forms(part, known):
    """The word, its kin, its initials, or the question's."""
    context = Context([Chunk("France and Norway left the United Nations.")])

    assert knows(context, part, "What of Oslo?") is known
