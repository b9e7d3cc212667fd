"""The batches: every row once an epoch, like lengths together, and what the model reads."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer

from training.batches import PAD_TO, encode, plan
from training.records import TARGETS, Row


def rows_of(lengths):
    return [Row("x" * length, "y", "neutral", "s") for length in lengths]


LENGTHS = st.lists(st.integers(0, 400), max_size=120)


@given(LENGTHS, st.integers(1, 20), st.integers(0, 99), st.integers(1, 3), st.booleans())
def test_every_row_comes_once_an_epoch(lengths, size, seed, epochs, curriculum):
    batches = plan(rows_of(lengths), size, seed, epochs, curriculum=curriculum)
    per_epoch = len(batches) // epochs

    assert len(batches) == epochs * per_epoch
    for epoch in range(epochs):
        mine = batches[epoch * per_epoch : (epoch + 1) * per_epoch]
        assert sorted(i for batch in mine for i in batch) == list(range(len(lengths)))
    assert all(0 < len(batch) <= size for batch in batches)


def test_one_batch_at_most_is_not_full_among_few_rows():
    sizes = Counter(map(len, plan(rows_of(range(50)), 8, seed=0, epochs=1)))

    assert sizes == {8: 6, 2: 1}


def test_rows_of_like_length_stand_together():
    lengths = [(at * 37) % 400 for at in range(400)]
    batches = plan(rows_of(lengths), 8, seed=0, epochs=1)

    spread = [max(lengths[i] for i in b) - min(lengths[i] for i in b) for b in batches]
    assert max(spread) < 20


def test_the_hypothesis_counts_for_the_length_too():
    rows = [Row("x" * (400 - at), "y" * at, "neutral", "s") for at in range(200)]
    rows += [Row("x", "y" * at, "neutral", "s") for at in range(200)]
    batches = plan(rows, 8, seed=0, epochs=1)

    assert all(len({i < 200 for i in batch}) == 1 for batch in batches)


def test_the_order_is_decided_by_the_seed():
    rows = rows_of(range(100))

    assert plan(rows, 8, 1, 2) == plan(rows, 8, 1, 2)
    assert plan(rows, 8, 1, 2) != plan(rows, 8, 2, 2)


def test_no_epoch_is_like_the_one_before():
    batches = plan(rows_of([9] * 100), 8, seed=0, epochs=2)

    assert batches[: len(batches) // 2] != batches[len(batches) // 2 :]


def _trend(batches, lengths):
    """How the length of a batch goes with its place, from -1 to 1."""
    means = [np.mean([lengths[i] for i in batch]) for batch in batches]
    return float(np.corrcoef(np.arange(len(means)), means)[0, 1])


def test_with_a_curriculum_short_rows_come_first_on_the_average_in_every_epoch():
    lengths = [(at * 37) % 400 for at in range(1600)]
    rows = rows_of(lengths)
    batches = plan(rows, 8, seed=0, epochs=2, curriculum=True)
    plain = plan(rows, 8, seed=0, epochs=2)

    half = len(batches) // 2
    for epoch in (batches[:half], batches[half:]):
        assert 0.4 < _trend(epoch, lengths) < 0.98
    assert abs(_trend(plain[:half], lengths)) < 0.3


def test_a_curriculum_moves_batches_and_not_rows():
    rows = rows_of([(at * 37) % 400 for at in range(300)])

    assert sorted(plan(rows, 8, 0, 1, curriculum=True)) == sorted(plan(rows, 8, 0, 1))


@pytest.fixture(scope="module")
def tokenizer(encoder):
    return AutoTokenizer.from_pretrained(encoder)


@pytest.mark.parametrize(("words", "tokens"), [(3, 32), (28, 32), (29, 64), (70, 96), (500, 96)])
def test_a_batch_is_padded_to_a_multiple_and_cut_at_the_limit(tokenizer, words, tokens):
    """Three special tokens stand around the two texts, of which the hypothesis is one token."""
    rows = [Row("shop", "mill", "neutral", "s"), Row("shop " * words, "mill", "entailment", "s")]

    inputs, targets = encode(rows, tokenizer, max_tokens=96)

    assert set(inputs) == {"input_ids", "attention_mask", "token_type_ids"}
    assert {part.shape for part in inputs.values()} == {(2, tokens)}
    assert tokens % PAD_TO == 0
    assert targets.shape == (2,)
    assert inputs["attention_mask"].sum(dim=1).tolist() == [5, min(96, words + 4)]


def test_the_two_texts_are_told_apart_and_a_long_premise_loses_its_end(tokenizer):
    row = Row("shop " * 90 + "bread", "the mill", "neutral", "s")

    inputs, _ = encode([row], tokenizer, max_tokens=32)
    kinds, ids = inputs["token_type_ids"][0], inputs["input_ids"][0]
    read = tokenizer.convert_ids_to_tokens(ids[kinds == 1].tolist())

    assert read == ["the", "mill", "[SEP]"]
    assert "bread" not in tokenizer.convert_ids_to_tokens(ids.tolist())


def test_the_targets_are_places_in_the_list_of_them(tokenizer):
    rows = [Row("shop", "mill", target, "s") for target in TARGETS]

    _, targets = encode(rows, tokenizer, max_tokens=32)

    assert torch.equal(targets, torch.arange(4))
