"""Lists of a sentence with an item more or less."""

from __future__ import annotations

import pytest

from tests.training.edited import broken, kept, relations

PASSAGE = "The shop sells apples, pears and plums. Guests brought boxes of nuts, figs and dates."


@pytest.mark.parametrize("comma", ["", ","])
def test_a_middle_item_is_left_out(comma):
    assert kept("list shortened", f"The shop sells apples, pears{comma} and plums.") == {
        "The shop sells apples and plums."
    }
    assert kept("list shortened", f"She has lived in Norway, Peru, Spain{comma} and Chile.") == {
        f"She has lived in Norway, Peru{comma} and Chile.",
        f"She has lived in Norway, Spain{comma} and Chile.",
    }


def test_where_commas_stand_apart_they_stay_so():
    assert kept("list shortened", "She has lived in Norway , Peru , Spain , and Chile .") == {
        "She has lived in Norway , Peru , and Chile .",
        "She has lived in Norway , Spain , and Chile .",
    }


def test_an_item_of_another_list_is_put_in():
    sentence = "The shop sells apples, pears and plums."
    made = broken("list", sentence, PASSAGE)

    assert {
        "The shop sells figs, apples, pears and plums.",
        "The shop sells apples, pears, plums and nuts.",
        "The shop sells apples, dates, pears and plums.",
    } <= made
    assert relations("list", sentence, PASSAGE) == {"adds"}


def test_an_item_that_the_same_is_said_of_is_not_put_in():
    passage = PASSAGE.replace("brought boxes of", "say it sells")

    assert broken("list", "The shop sells apples, pears and plums.", passage) == set()


def test_a_name_of_the_sort_of_the_others_is_put_in():
    made = broken("list", "It won fans in Norway, Sweden and Peru.")

    assert made
    assert all("Norway" in text and "Sweden" in text and "Peru" in text for text in made)
    assert any("Spain" in text or "Italy" in text or "Chile" in text for text in made)
    assert not any("London" in text or "Africa" in text for text in made)


@pytest.mark.parametrize(
    "sentence",
    [
        "The shop sells apples and plums.",
        "The shop sells only apples, pears and plums.",
        "The shop sells all apples, pears and plums.",
        "The shop does not sell apples, pears and plums.",
        "The shop sells 3 apples, pears and plums.",
        "The shop sells two things, of apples, pears and plums.",
        "The shop sells apples, pears or plums.",
        "The mix is made of apples, pears and plums.",
        "The drink consists of apples, pears and plums.",
        "She sings, dances and plays.",
        "It has large, heavy and old doors.",
        "In Norway, Sweden and Peru joined.",
        "When he left Norway, Sweden and Peru joined.",
        "He left Oslo, Norway and Peru.",
        "He heard Peter, Paul and Mary.",
        "It is larger than Norway, Sweden and Peru.",
        "It is the greatest of Norway, Sweden and Peru.",
        "It is the largest of Norway, Sweden and Peru.",
    ],
)
def test_what_is_no_open_list_is_left(sentence):
    assert kept("list shortened", sentence) == set()
    assert broken("list", sentence, f"{sentence} {PASSAGE.split('. ')[1]}") == set()
