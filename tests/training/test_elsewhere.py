"""Rows whose hypothesis stands elsewhere than in the premise."""

from __future__ import annotations

import random
import re

import pytest

from cgs_rag.text import sentences
from training.elsewhere import extended_rows, foreign_rows, nearby_rows
from training.records import Passage

TEXT = (
    "The museum opened in 1954 and was paid for by Vera Stahl. "
    "All of the rooms are heated. "
    "The director, Paul Reuter, closes the garden on 12 October."
)
FOREIGN = "The ferry carries 80 cars. Its crew is led by Nora Weiss. It was painted blue in 2003."
PASSAGE = Passage(TEXT, "houses", TEXT)
OTHER = Passage(FOREIGN, "houses", FOREIGN)
# Of more sentences than a premise holds.
LONG = " ".join(
    f"{name} Berg sells {ware} in the {place} of {town} and keeps {at + 3} grey horses there."
    for at, (name, ware, place, town) in enumerate(
        zip(
            ("Anna", "Boris", "Carla", "David", "Elena", "Frank", "Greta", "Henry", "Irene"),
            ("flour", "paper", "cloth", "timber", "oil", "wool", "salt", "fish", "glass"),
            ("market", "harbour", "tower", "yard", "castle", "barn", "street", "port", "mill"),
            (
                "Arden",
                "Belley",
                "Corwick",
                "Dunmore",
                "Elstead",
                "Farden",
                "Gorley",
                "Haven",
                "Ing",
            ),
            strict=True,
        )
    )
)
WIDE = Passage(LONG, "traders", LONG)


def flat(make, of, seeds=300):
    return [row for seed in range(seeds) for row in make(of, random.Random(seed))]


def supported(rows):
    return [row for row in rows if row.target == "entailment"]


def unsupported(rows):
    return [row for row in rows if row.target != "entailment"]


# Foreign


def test_a_foreign_sentence_is_neutral_and_not_stated_in_the_passage():
    rows = flat(lambda p, rng: foreign_rows(p, OTHER, rng), PASSAGE)
    strange = [row for row in rows if row.target == "neutral"]

    assert len(strange) == 300
    assert all(row.hypothesis not in TEXT for row in strange)
    assert any(row.hypothesis in FOREIGN for row in strange)
    assert {row.premise in TEXT for row in rows} == {True}
    assert {(row.kind, row.origin) for row in rows} == {("foreign", TEXT)}


def test_a_sentence_of_the_passage_itself_holds():
    rows = flat(lambda p, rng: foreign_rows(p, OTHER, rng), PASSAGE)
    own = [row for row in rows if row.target == "entailment"]

    plain = [row for row in own if row.hypothesis in TEXT]
    assert len(own) == 300
    assert len(plain) > 80
    assert all(row.hypothesis in row.premise for row in plain)


def test_a_sentence_that_both_passages_have_is_not_foreign():
    shared = Passage(TEXT.split(". ")[1] + ".", "houses", "elsewhere")
    rows = flat(lambda p, rng: foreign_rows(p, shared, rng), PASSAGE, 50)

    assert {row.target for row in rows} == {"entailment"}


def test_no_passage_is_foreign_to_its_kin():
    family = Passage(FOREIGN, "houses", TEXT)

    assert flat(lambda p, rng: foreign_rows(p, family, rng), PASSAGE, 20) == []


# Nearby


def test_a_sentence_that_the_premise_does_not_reach_is_neutral():
    """Its passage is about the same things, so the topic tells nothing."""
    rows = flat(nearby_rows, WIDE)

    assert len(supported(rows)) == len(unsupported(rows)) == 300
    assert {row.target for row in unsupported(rows)} == {"neutral"}
    names = [re.search(r"\w+ Berg", row.hypothesis).group() for row in unsupported(rows)]
    assert not any(n in row.premise for n, row in zip(names, unsupported(rows), strict=True))
    assert all(re.search(r"\w+ Berg", r.hypothesis).group() in r.premise for r in supported(rows))
    assert {(row.kind, row.origin, row.source) for row in rows} == {("nearby", LONG, "traders")}


def test_a_premise_that_holds_the_whole_passage_leaves_nothing_nearby():
    rows = flat(nearby_rows, PASSAGE)

    assert rows
    assert all(row.premise != TEXT for row in rows)


@pytest.mark.parametrize("pronoun", ["He", "They", "This"])
def test_a_sentence_that_leans_on_another_is_not_told_elsewhere(pronoun):
    text = (
        "Anna Berg sells flour in Arden. The barn by the weir is painted grey. "
        f"{pronoun} left the village in May. Boris Lund bought a house there."
    )
    rows = unsupported(flat(nearby_rows, Passage(text, "s", text)))

    assert rows
    assert not any(f"{pronoun} left" in row.hypothesis for row in rows)


def test_what_the_premise_nearly_says_is_not_told_as_missing():
    text = (
        "The mill in Arden was built by Anna Berg in May. Nobody fishes at the weir. "
        "The mill in Arden was built by Anna Berg."
    )
    rows = unsupported(flat(nearby_rows, Passage(text, "s", text)))

    assert rows
    assert not any("mill" in row.hypothesis and "mill" in row.premise for row in rows)


# Extended


def test_a_statement_is_joined_with_one_of_the_premise_or_with_one_that_it_lacks():
    rows = flat(extended_rows, WIDE)

    assert len(supported(rows)) == len(unsupported(rows)) > 100
    assert {row.kind for row in rows} == {"joined far"}
    for row in rows:
        names = re.findall(r"\w+ Berg", row.hypothesis)
        held = [name in row.premise for name in names]
        assert len(names) == 2
        assert all(held) is (row.target == "entailment")
        assert held[0]


def test_nothing_is_extended_where_the_premise_has_one_sentence():
    def alone(rows):
        return [row for row in rows if len(sentences(row.premise)) == 1]

    assert alone(flat(nearby_rows, WIDE))
    assert not alone(flat(extended_rows, WIDE))
