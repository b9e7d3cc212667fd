"""Which tokens are the answer's: whatever stands before them, and however a service spells them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.models.token_alignment import first_of_answer


@pytest.mark.parametrize(
    ("pieces", "first"),
    [
        (["The", " sky", " is", " blue", "."], 3),
        (["<s>", "The", " sky", " is", " blue", "."], 4),
        ([" The", " sky", " is", " blue", "."], 3),
        (["The", " sky", " is", " ", "blue", "."], 3),
        (["The", " sky", " is blue", "."], 2),
        (["The", " sky is blue."], 1),
        (["The sky is blue."], 0),
        (["<s>", "The", "sky", "is", "blue", "."], 4),
        ([b"The", b" sky", b" is", b" bl", b"ue", b"."], 3),
    ],
    ids=str,
)
def test_the_first_token_of_the_answer_is_found(pieces, first):
    assert first_of_answer(pieces, "The sky is", " blue.") == first


@pytest.mark.parametrize(
    ("pieces", "first"),
    [
        ([b"A", b" \xf0\x9f", b"\xa6\x8a", b" fox"], 1),
        (["A", " �", "�", " fox"], 1),
        (["A", " �", "�", "�", " fox"], 1),
        (["A", " 🦊", " fox"], 1),
    ],
    ids=str,
)
def test_parts_of_a_character_are_tokens(pieces, first):
    assert first_of_answer(pieces, "A", " 🦊 fox") == first


@pytest.mark.parametrize(
    "pieces", [[], ["blue"], ["The", " sky", " is", " red", "."], ["the", " sky", "</s>"]], ids=str
)
def test_tokens_of_another_text_have_none(pieces):
    assert first_of_answer(pieces, "The sky is", " blue.") is None


def test_a_replacement_character_of_the_text_itself_is_one():
    assert first_of_answer(["a", " �", "."], "a", " �.") == 1


@given(st.lists(st.binary(min_size=1, max_size=4), min_size=2, max_size=12), st.data())
def test_any_cut_of_a_text_is_found_again(cuts, data):
    text = "naïve 東京 🦊 and so on, é.".encode()
    lengths = [len(cut) for cut in cuts]
    pieces, at = [], 0
    for length in lengths:
        pieces.append(text[at : at + length])
        at += length
    pieces = [piece for piece in [*pieces, text[at:]] if piece]
    whole = text.decode()
    split = data.draw(st.integers(1, len(whole) - 1))
    prompt, answer = whole[:split], whole[split:]

    found = first_of_answer(pieces, prompt, answer)

    assert found is not None
    start = len(prompt.encode())
    assert sum(map(len, pieces[:found])) <= start < sum(map(len, pieces[: found + 1]))


def test_half_of_a_surrogate_pair_is_in_no_text():
    assert first_of_answer(["a", "\ud800"], "a", "b") is None


def test_a_token_of_many_parts_of_characters_takes_no_time_to_refuse():
    # Tried in all divisions of the bytes, this would not end in a lifetime.
    assert first_of_answer(["a", "�" * 60 + "x"], "a", "é" * 40 + "y" + "é" * 40 + "x") is None
