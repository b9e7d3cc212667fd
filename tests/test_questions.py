"""The rules of ``asks_whether``."""

from __future__ import annotations

import pytest

from cgs_rag.questions import asks_whether


@pytest.mark.parametrize(
    "question",
    [
        *("Is it free?", "isn’t it safe", "So, does it float?", "Can you open it by hand?"),
        *("It is free?", "Tell me whether it is fireproof.", "Do you know if it is free?"),
        *("Could you tell me whether it is free?", "It is free, right?", "**Was it so?**"),
    ],
)
def test_a_question_that_yes_answers_asks_whether(question):
    """Also one that is not worded as one."""
    assert asks_whether(question)


@pytest.mark.parametrize(
    "question",
    [
        *("What does it cost?", "Can you list the steps?", "Could you please explain it?", ""),
        *("List the steps.", "Do you know what it costs?", "It costs how much?", "Why?"),
        *("Tell me the price.", "Price"),
    ],
)
def test_any_other_does_not(question):
    """Nor does one that asks to be told or shown something."""
    assert not asks_whether(question)
