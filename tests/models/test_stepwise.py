"""One step along a text: which named token it is, how long the step, and what a miss is worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.models import TokenScores, Unscored
from cgs_rag.models.stepwise import BELOW, Named, Step, Walk, next_step


def named(**tokens: float) -> list[Named]:
    return [Named(token.replace("_", " ").encode(), log) for token, log in tokens.items()]


def walked(answer: str, *steps: list[Named]) -> TokenScores | Unscored:
    walk = Walk(answer)
    for step in steps:
        walk.take(step)
    return walk.scores()


def test_the_longest_token_that_the_text_begins_with_is_taken():
    assert next_step(b" Paris is", named(_P=-2.0, _Paris=-3.0, _London=-0.1)) == Step(
        6, -3.0, is_floor=False
    )


def test_of_the_same_token_twice_the_more_probable_is_taken():
    assert next_step(b"ab", named(a=-2.0) + named(a=-1.0)).logprob == -1.0


@pytest.mark.parametrize(
    ("text", "length"),
    [
        (" Paris is", 6),
        ("Paris is", 5),
        ("aris, then", 4),
        (", then", 1),
        (" (a)", 2),
        ("  two", 5),
        ("\n- one", 2),
        (" café.", 6),
        ("   ", 3),
        ("🦊 fox", 4),
        ("東京", 6),
    ],
)
def test_a_miss_is_as_long_as_a_word(text, length):
    assert next_step(text.encode(), named(x=-1.0, y=-4.0)) == Step(
        length, -4.0 - BELOW, is_floor=True
    )


def test_an_empty_token_is_none():
    assert next_step(b"ab", [Named(b"", -0.1), Named(b"x", -5.0)]).logprob == -5.0 - BELOW


def test_where_nothing_is_named_there_is_no_value():
    assert next_step(b"ab cd", []) == Step(2, None, is_floor=False)


@pytest.mark.parametrize("token", [b" \xf0\x9f", b" \xf0\x9f\xa6", " 🦊".encode()])
def test_a_part_of_a_character_stands_for_all_of_it(token):
    assert next_step(" 🦊 fox".encode(), [Named(token, -2.0)]) == Step(5, -2.0, is_floor=False)


def test_the_bytes_of_another_character_do_not_fit():
    assert next_step("é".encode(), [Named("è".encode(), -1.0)]).is_floor


def test_the_steps_are_the_tokens():
    found = walked(" in Oslo", named(_in=-1.0), named(_Oslo=-2.0))

    assert found == TokenScores((-1.0, -2.0), 0, 1.0)


def test_what_was_missed_behind_a_blank_counts_with_it():
    found = walked("so Oslo", named(so=-1.0), named(_=-2.0), named(x=-5.0))

    assert found == TokenScores((-1.0, -2.0 - 5.0 - BELOW), 1, 1.0)


@pytest.mark.parametrize(("beginning", "log"), [(-2.0, -6.0), (-9.0, -9.0)])
def test_of_a_word_whose_rest_was_missed_the_lower_counts(beginning, log):
    found = walked(" Oslo", [Named(b" O", beginning)], named(x=-5.0))

    assert found == TokenScores((log,), 1, 1.0)


@pytest.mark.parametrize("answer", ["so, Oslo", "in Oslo"])
def test_a_missed_word_behind_another_stays_by_itself(answer):
    first, _ = answer.split(" ")

    found = walked(answer, [Named(first.encode(), -1.0)], named(x=-5.0))

    assert found == TokenScores((-1.0, -5.0 - BELOW), 1, 1.0)


def test_what_nothing_was_told_of_is_not_covered():
    assert walked("ab cde", named(ab=-1.0), []) == TokenScores((-1.0,), 0, 2 / 6)


def test_a_miss_is_not_counted_with_a_step_before_a_gap():
    found = walked("a b c", named(a=-1.0), [], named(_=-1.0), named(x=-3.0))

    assert found == TokenScores((-1.0, -1.0 - 3.0 - BELOW), 1, 3 / 5)


def test_where_nothing_was_ever_told_there_is_no_score():
    assert isinstance(walked("ab", []), Unscored)


def test_a_walk_that_was_cut_covers_what_it_came_to():
    assert walked("ab cd", named(ab=-1.0)) == TokenScores((-1.0,), 0, 2 / 5)


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30),
    st.lists(
        st.lists(
            st.builds(Named, st.binary(min_size=1, max_size=3), st.floats(-20, 0)), max_size=4
        ),
        max_size=8,
    ),
)
def test_a_walk_ends_says_the_text_and_floors_no_more_than_it_counts(answer, told):
    walk = Walk(answer)
    for step in [*told, *[[Named(b"\x00", -1.0)]] * len(answer)]:
        if walk.is_done:
            break
        assert answer.startswith(walk.said)
        walk.take(step)

    assert walk.is_done
    found = walk.scores()
    if isinstance(found, TokenScores):
        assert 0 <= found.n_floored <= len(found.logprobs)
        assert 0 < found.coverage <= 1
        assert all(log <= 0 for log in found.logprobs)
