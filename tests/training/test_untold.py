"""How often "the context does not say" is believed of questions that are told, and that are not."""

from __future__ import annotations

from training.records import Asked, Passage
from training.untold import Over, believed, pairs

MILL = "The mill was built in 1850 by Ada Brook. It stands at the river and grinds rye."
SHOP = "The shop opens at nine. It sells tea, coffee and a few books about gardens."


def asked(question: str, passage: str) -> Asked:
    return Asked(question, "", (), False, Passage(passage, "made", "made"))


def test_each_question_is_asked_over_its_own_passage_and_over_the_next_other_one():
    questions = [
        asked("Who built the mill?", MILL),
        asked("When was it built?", MILL),
        asked("What does the shop sell?", SHOP),
    ]

    assert list(pairs(questions)) == [
        (Over(one.question, one.passage.text), Over(one.question, other))
        for one, other in zip(questions, (SHOP, SHOP, MILL), strict=True)
    ]


def test_without_another_passage_there_is_no_pair():
    assert list(pairs([asked("Who built the mill?", MILL)])) == []


def test_what_is_believed_is_a_share():
    told, untold = Over("Who built the mill?", MILL), Over("Who built the mill?", SHOP)

    assert believed([told], 0.2) == 0.0
    assert believed([untold], 0.2) == 1.0
    assert believed([told, untold, untold, untold], 0.2) == 0.75
