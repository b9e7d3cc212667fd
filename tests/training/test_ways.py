"""The ways to read a context: its cuts and the rules that make one value of many."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from cgs_rag.text import passages, sentences, size
from training.ways import SIZE, SIZES, cuts, means, rules

CHUNK = (
    "The weir was built in May. Herons stand on it. Nobody fishes there. "
    "The gate is green. It leaks."
)
CLAIM = "The gate is painted green."


# Cuts


def test_a_chunk_is_cut_as_the_way_says():
    spans = [span.of(CHUNK) for span in sentences(CHUNK)]
    cut = {name: list(way(CHUNK, CLAIM)) for name, way in cuts().items()}

    assert cut["a sentence"] == spans
    assert cut["two sentences"] == [f"{a} {b}" for a, b in pairwise(spans)]
    assert cut["three sentences"] == [" ".join(spans[at : at + 3]) for at in range(3)]
    assert cut["whole chunk"] == [CHUNK]
    assert cut[f"{SIZE} and sentences"] == [CHUNK, *spans]
    assert cut[f"{SIZE} and two sentences"] == [CHUNK, *cut["two sentences"]]
    assert cut[f"{SIZE} and nearest sentence"] == [CHUNK, "The gate is green."]


def test_every_passage_brings_its_own_nearest_sentence():
    """So that a chunk more only adds premises, and none is lost for it."""
    way = cuts()[f"{SIZE} and nearest sentence"]
    text = " ".join([CHUNK] * 12)
    packed = list(cuts()[f"{SIZE} tokens"](text, CLAIM))

    assert len(packed) > 1
    assert way(text, CLAIM) == [*packed, *["The gate is green."] * len(packed)]


@pytest.mark.parametrize("limit", SIZES)
def test_packed_premises_are_of_whole_sentences_up_to_their_size(limit):
    text = " ".join([CHUNK] * 12)
    cut = list(cuts()[f"{limit} tokens"](text, CLAIM))

    assert cut == [span.of(text) for span in passages(text, limit)]
    assert max(map(size, cut)) <= limit
    assert len(cut) > 1


@pytest.mark.parametrize("name", list(cuts()))
def test_every_way_keeps_what_a_chunk_says(name):
    for chunk in (CHUNK, "One sentence.", "One. Two.", "no end", "..."):
        cut = list(cuts()[name](chunk, CLAIM))

        assert cut
        assert all(any(span.of(chunk) in premise for premise in cut) for span in sentences(chunk))


# Rules


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("max e", 0.7),
        ("max (e - c)", 0.5),
        ("max e * (1 - c)", 0.7 * 0.8),
        ("max e * (1 - max c)", 0.7 * 0.1),
        ("max e - max c", -0.2),
        ("mean of two best e", 0.6),
    ],
)
def test_a_rule_reads_the_probabilities_under_all_premises(rule, expected):
    """Columns: contradiction, entailment, neutral."""
    p = np.array([[0.2, 0.7, 0.1], [0.9, 0.05, 0.05], [0.1, 0.5, 0.4]])

    assert rules()[rule](p) == pytest.approx(expected)


@pytest.mark.parametrize("rule", list(rules()))
def test_a_rule_reads_one_premise_and_any_order(rule):
    read = rules()[rule]
    p = np.random.default_rng(0).dirichlet((1, 1, 1), size=6)

    assert np.isfinite(read(p[:1]))
    assert read(p[::-1]) == pytest.approx(read(p))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("mean", 0.6), ("least", 0.2), ("mean and least", 0.4)),
        ("geometric mean", (0.2 * 0.6) ** (1 / 3)),
    ],
)
def test_the_values_of_the_claims_become_one(name, expected):
    assert means()[name](np.array([0.2, 0.6, 1.0])) == pytest.approx(expected)
