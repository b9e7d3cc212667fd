"""The answers over chunks that the comparison of ways reads."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from training.given import Given, load_given
from training.records import Asked, Passage
from training.retrieved import made_cases

FAMILIES = {"one sentence", "sentences", "two places", "short answer", "claim"}


@pytest.fixture
def given(mix, data):
    return load_given(mix, data)[0]


def test_cases_are_the_same_every_time(given):
    assert made_cases(given, 20) == made_cases(given, 20)


def test_no_family_has_more_cases_than_asked_for(given):
    counts = Counter(case.family for case in made_cases(given, 12))

    assert counts.keys() == FAMILIES
    assert max(counts.values()) == 12


def test_every_family_has_cases_of_both_sorts(given):
    found = Counter((case.family, case.supported) for case in made_cases(given, 60))

    assert len(found) == 2 * len(FAMILIES)


def test_the_chunks_hold_the_text_and_up_to_four_others_of_its_source(given):
    for case in made_cases(given, 60):
        kinds = {"mill" in chunk.split() for chunk in case.chunks}

        assert 1 <= len(case.chunks) <= 5
        assert len(set(case.chunks)) == len(case.chunks)
        assert len(kinds) == 1 or case.family == "two places"  # that may be a part of a passage


def test_an_answer_of_sentences_has_as_many_claims(given):
    counts = {
        family: {len(c.claims) for c in made_cases(given, 60) if c.family == family}
        for family in FAMILIES
    }

    assert counts == {
        "one sentence": {1},
        "sentences": {2, 3},
        "two places": {1},
        "short answer": {1},
        "claim": {1},
    }


def test_a_short_answer_comes_with_its_question_and_is_short(given):
    for case in made_cases(given, 60):
        assert bool(case.question) is (case.family == "short answer")
        assert not case.question or len(case.claims[0].split()) <= 6


def test_a_supported_short_answer_stands_in_the_context(given):
    mine = [c for c in made_cases(given, 60) if c.family == "short answer" and c.claims[0] != "yes"]
    supported = [case for case in mine if case.supported]

    assert supported
    assert all(any(case.claims[0] in chunk for chunk in case.chunks) for case in supported)


def test_a_source_of_few_passages_has_cases_too():
    text = (
        "The weir was built in May. Anna Berg paid 30 men for it. The gate is green and it leaks."
    )
    passage = Passage(text, "weirs", text)
    asked = Asked("How many men?", "30", ("40",), False, passage)
    cases = made_cases(Given([], [asked], [passage]), 99)

    assert {case.family for case in cases} >= {"short answer"}
    assert {len(case.chunks) for case in cases} == {1}
    assert (text,) in {case.chunks for case in cases}


def test_the_text_may_stand_anywhere_among_the_chunks(given):
    """The place of the text among the others tells nothing."""
    places = Counter(
        case.chunks.index(next(c for c in case.chunks if case.claims[0] in c))
        for case in made_cases(given, 99)
        if case.family == "short answer" and case.supported and case.claims[0] != "yes"
    )

    assert len(places) > 2


def test_a_changed_text_does_not_stand_beside_its_original():
    text = "The weir was built in May. Anna Berg paid 30 men. The gate is green and it leaks."
    other = "The barn is red. Nobody has painted it since. Its roof was mended in 1990."
    passages = [Passage(each, "weirs", each) for each in (text, other)]
    cases = made_cases(Given([], [], passages), 99)
    changed = [c for c in cases if not any(chunk in {text, other} for chunk in c.chunks)]

    assert changed
    assert all(len(case.chunks) < 3 for case in cases)


def test_either_form_of_a_sentence_stands_in_the_context_and_either_is_claimed():
    """Neither is right by its looks."""
    text = (
        "The museum by the sea opened in 1954. All of the rooms are heated. "
        "Nobody has ever painted the doors."
    )
    passages = [Passage(text, "houses", "one family")] * 600
    cases = [c for c in made_cases(Given([], [], passages), 600) if c.family == "one sentence"]
    found = Counter(
        (any("1954" in chunk for chunk in case.chunks), "1954" in case.claims[0], case.supported)
        for case in cases
        if re.search("museum by the sea opened in [0-9]", case.claims[0])
    )

    assert {(True, True, True), (False, False, True)} <= found.keys()
    assert {(True, False, False), (False, True, False)} <= found.keys()
    assert not {(True, False, True), (False, True, True)} & found.keys()


def test_a_case_has_the_origin_of_its_text_and_no_other_text_of_its_kin(given):
    families = {passage.text: passage.origin for passage in given.passages}

    for case in made_cases(given, 60):
        known = [families[chunk] for chunk in case.chunks if chunk in families]
        assert case.origin
        assert known.count(case.origin) <= 1
        assert len(set(known) | {case.origin}) == len(case.chunks)
