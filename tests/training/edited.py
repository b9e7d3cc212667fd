"""What the tests of edits ask: every text that the edits of one kind make."""

from __future__ import annotations

import random

from training.edits import Edit, breaking, keeping

SEEDS = range(60)


def broken(kind: str, sentence: str, passage: str = "") -> set[str]:
    """Every text that a breaking edit of this kind makes."""
    return {edit.text for edit in _breaking(kind, sentence, passage)}


def relations(kind: str, sentence: str, passage: str = "") -> set[str]:
    """What the texts that breaking edits of this kind make are to the sentence."""
    return {edit.relation for edit in _breaking(kind, sentence, passage)}


def _breaking(kind: str, sentence: str, passage: str) -> list[Edit]:
    return [
        edit
        for seed in SEEDS
        for edit in breaking(sentence, passage or sentence, random.Random(seed))
        if edit.kind == kind
    ]


def kept(kind: str, sentence: str) -> set[str]:
    """Every text that a keeping edit of this kind makes."""
    return {
        edit.text
        for seed in SEEDS
        for edit in keeping(sentence, random.Random(seed))
        if edit.kind == kind
    }
