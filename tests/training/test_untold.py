"""How often "the context does not say" is believed of questions that are told, and that are not."""

from __future__ import annotations

import pytest

from tests.fakes import FakeEncoder
from training.records import Asked, Passage
from training.untold import Over, believed, nearest, pairs, parts

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


def test_parts_of_a_passage_hold_the_answer_or_do_not():
    one = Asked("Who built the mill?", "Ada Brook", (), False, Passage(MILL, "made", "made"))

    assert {name: [over.passage for over in found] for name, found in parts([one]).items()} == {
        "told by 1 sentence": [MILL.partition(". ")[0] + "."],
        "told by 2 sentences": [MILL],
        "told by 3 sentences": [],
        "told by 5 sentences": [],
        "untold by 1 sentence": ["It stands at the river and grinds rye."],
        "untold by 2 sentences": [],
        "untold by 3 sentences": [],
        "untold by 5 sentences": [],
    }


def test_a_passage_that_tells_the_answer_twice_is_left_out():
    twice = f"{MILL} Ada Brook was a miller."
    one = Asked("Who built the mill?", "Ada Brook", (), False, Passage(twice, "made", "made"))

    assert not any(parts([one]).values())


def test_what_words_say_is_told_of_each():
    told, untold = Over("Who built the mill?", MILL), Over("Who built the mill?", SHOP)

    assert believed([told, untold], 0.2).tolist() == [False, True]


def test_the_nearest_passage_counts():
    found = nearest([Over("rye", "rye"), Over("tea", "rye")], FakeEncoder())

    assert found[0] == pytest.approx(1.0)
    assert found[1] < 0.9
