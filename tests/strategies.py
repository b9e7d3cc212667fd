"""Hypothesis strategies that more than one test file may draw from."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from cgs_rag.types import Direction, Sample

FEW = settings(max_examples=30)
"""For tests whose every example scores."""

NEAR = 1e-2
"""No two points of a ``Triple`` are closer: far above the distance that counts as none."""


class Triple(NamedTuple):
    """Rows of vectors of question, context and response, each of shape (n, width)."""

    questions: NDArray[np.float64]
    contexts: NDArray[np.float64]
    answers: NDArray[np.float64]


def texts(*, max_size: int = 60) -> st.SearchStrategy[str]:
    """Texts a user may pass: any script, spaces and line breaks, never without content."""
    characters = st.characters(exclude_categories=("Cs", "Cn"))
    return st.text(characters, max_size=max_size).map("word {}".format)


@st.composite
def triples(
    draw: st.DrawFn, *, max_rows: int = 3, max_width: int = 6, unit: bool = False
) -> Triple:
    """Rows of three points, pairwise at least ``NEAR`` apart; of length 1 if ``unit``."""
    shape = draw(st.integers(1, max_rows)), draw(st.integers(2, max_width))
    points = draw(hnp.arrays(np.float64, (3, *shape), elements=_COORDINATES, fill=st.nothing()))
    if unit:
        length = np.linalg.norm(points, axis=-1, keepdims=True)
        assume((length > 0).all())
        points = points / length
    for one, other in combinations(points, 2):
        assume((np.linalg.norm(one - other, axis=1) >= NEAR).all())
    return Triple(*points)


@st.composite
def rotations(draw: st.DrawFn, width: int) -> NDArray[np.float64]:
    """Orthogonal matrices of shape (width, width), reflections among them."""
    seed = draw(st.integers(0, 2**32 - 1))
    square = np.random.default_rng(seed).standard_normal((width, width))
    return np.asarray(np.linalg.qr(square).Q)


_COORDINATES = st.integers(-1000, 1000).map(lambda step: step / 100)

SIGNALS = ("s2_nli", "s3_cosine", "s4_sgi")
"""The built-in signals."""


class Readings(NamedTuple):
    """What a fusion is of: values of shape (n, k) with NaN, k weights of sum 1, k directions."""

    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    directions: tuple[Direction, ...]


def raw(*, max_size: int = 30) -> st.SearchStrategy[str]:
    """Texts as Python may hold them, half of them of lone surrogates."""
    character = st.one_of(st.characters(), st.characters(categories=("Cs",)))
    return st.text(character, max_size=max_size)


def prose(*, max_size: int = 200) -> st.SearchStrategy[str]:
    """Texts of many sentences: full stops of several scripts, blank lines, lists, no content."""
    part = st.one_of(
        st.sampled_from(_PARTS),
        st.text(st.characters(exclude_categories=("Cs", "Cn")), max_size=12),
        st.text("abcdefgh ", min_size=1, max_size=30),
    )
    return st.lists(part, max_size=max_size // 5).map("".join)


def contexts() -> st.SearchStrategy[tuple[str, ...]]:
    """Chunks of any script, some of them blank, none at all too."""
    return st.lists(st.one_of(prose(), st.sampled_from(["", " \n\n ", "..."])), max_size=5).map(
        tuple
    )


def samples() -> st.SearchStrategy[Sample]:
    """Samples of any text, blank ones too."""
    return st.builds(Sample, question=prose(max_size=60), answer=prose(), context=contexts())


def weightings() -> st.SearchStrategy[dict[str, float]]:
    """Weights by the name of a built-in signal, summing to 1, some of them 0."""
    shares = st.lists(st.integers(0, 20), min_size=len(SIGNALS), max_size=len(SIGNALS)).filter(any)
    return shares.map(
        lambda parts: {name: part / sum(parts) for name, part in zip(SIGNALS, parts, strict=True)}
    )


@st.composite
def readings(draw: st.DrawFn, *, missing: bool = True) -> Readings:
    """Matrices of readings with weights and directions; with NaN unless ``missing`` is false."""
    count, width = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    value = st.floats(0.0, 1.0)
    element = st.one_of(value, st.just(np.nan)) if missing else value
    values = draw(hnp.arrays(np.float64, (count, width), elements=element, fill=st.nothing()))
    parts = draw(st.lists(st.integers(0, 20), min_size=width, max_size=width).filter(any))
    directions = draw(st.lists(st.sampled_from(list(Direction)), min_size=width, max_size=width))
    return Readings(values, np.array(parts, dtype=float) / sum(parts), tuple(directions))


_PARTS = (
    *(". ", "! ", "? ", "… ", "。", "؟ ", "। ", "\n", "\n\n", "\n \n", "\n- ", "\n1. ", "\n# "),
    *(
        "e.g. ",
        "Dr. Who ",
        "J. R. ",
        "3.14 ",
        "Paris",
        "中文句子",
        "русский ",
        "हिन्दी",
        "عربى ",
        "🙂",
    ),
    *(" ", "\u00a0", "\t", "\x00", "\u200b", "\ufffd", '"', "’", ")", "*", "|", "a" * 50),
)
