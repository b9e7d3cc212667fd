"""Hypothesis strategies that more than one test file may draw from."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from cgs_rag.calibration.objectives import Objective
from cgs_rag.probability_map import ProbabilityMap
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

SIGNALS = ("s2_nli", "s3_cosine", "s4_sgi", "s5_facts")
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


def factual(*, max_parts: int = 8) -> st.SearchStrategy[str]:
    """Texts of values and names of every kind, glued together by spaces, signs or nothing."""
    parts = st.tuples(st.sampled_from(_STATED), st.sampled_from(_GLUE))
    return st.lists(parts, min_size=1, max_size=max_parts).map(
        lambda pairs: "".join(part for pair in pairs for part in pair)
    )


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


class Ranked(NamedTuple):
    """Labelled risks: in [0, 1] and without NaN, both labels present, each of shape (n,)."""

    risk: NDArray[np.float64]
    labels: NDArray[np.bool_]


def unit_risks() -> st.SearchStrategy[float]:
    """Risks in [0, 1]: any, coarse ones that tie, and floats next to each other."""
    return st.one_of(
        st.floats(0.0, 1.0),
        st.integers(0, 10).map(lambda step: step / 10),
        st.sampled_from(_NEIGHBOURS),
    )


@st.composite
def ranked(draw: st.DrawFn, *, least: int = 1, max_size: int = 16) -> Ranked:
    """Labelled risks with at least so many of each label; many of them tie."""
    more = draw(st.lists(st.booleans(), max_size=max_size - 2 * least))
    labels = np.array([True, False] * least + more)
    risk = draw(hnp.arrays(np.float64, len(labels), elements=unit_risks(), fill=st.nothing()))
    return Ranked(risk, labels)


@st.composite
def separable(draw: st.DrawFn) -> Ranked:
    """Labelled risks of which every unsupported one is above every supported one."""
    distinct = sorted(draw(st.sets(unit_risks(), min_size=2, max_size=12)))
    cut = draw(st.integers(1, len(distinct) - 1))
    return Ranked(np.array(distinct), np.arange(len(distinct)) >= cut)


class Spoken(NamedTuple):
    """Risks of signals of shape (n, k), NaN where one is silent, and labels of shape (n,)."""

    risks: NDArray[np.float64]
    labels: NDArray[np.bool_]


@st.composite
def spoken(draw: st.DrawFn, *, missing: bool = True, max_signals: int = 3) -> Spoken:
    """Risks of signals and labels; some rows twice, and unless told otherwise some values NaN.

    The values are spread at random, since values of few digits would have composites that only
    rounding tells apart.
    """
    more = draw(st.lists(st.booleans(), max_size=12))
    labels = np.array([True, False, *more])
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    risks = rng.random((len(labels), draw(st.integers(1, max_signals))))
    if missing:
        risks[rng.random(risks.shape) < draw(st.sampled_from([0.0, 0.2, 0.6]))] = np.nan
    return Spoken(risks[rng.integers(0, len(labels), len(labels))], labels)


class Grouped(NamedTuple):
    """Labels and the groups of the samples, each of shape (n,)."""

    labels: NDArray[np.bool_]
    groups: NDArray[np.int64]


@st.composite
def grouped(draw: st.DrawFn) -> Grouped:
    """What can be divided into five folds: of each label at least five groups, of 1 to 4 answers.

    Some groups hold both labels.
    """
    kinds = [True] * 5 + [False] * 5 + draw(st.lists(st.sampled_from([True, False, None])))
    labels, groups = [], []
    for group, kind in enumerate(kinds):
        for _ in range(draw(st.integers(1, 4))):
            labels.append(draw(st.booleans()) if kind is None else kind)
            groups.append(group)
    return Grouped(np.array(labels), np.array(groups))


def objectives() -> st.SearchStrategy[Objective]:
    """Objectives of each kind, those that bound a rate apart."""
    share = st.integers(1, 99).map(lambda percent: percent / 100)
    factor = st.integers(1, 100).map(lambda step: step / 10)
    return st.one_of(
        st.just(Objective("f1")),
        factor.map(lambda value: Objective("fbeta", value)),
        factor.map(lambda value: Objective("cost", value)),
        share.map(lambda value: Objective("recall_at", value)),
        share.map(lambda value: Objective("fpr_at", value)),
    )


@st.composite
def probability_maps(draw: st.DrawFn) -> ProbabilityMap:
    """Maps of one knot and more."""
    knots = sorted(draw(st.sets(unit_risks(), min_size=1, max_size=8)))
    heights = draw(st.lists(unit_risks(), min_size=len(knots), max_size=len(knots)))
    method = draw(st.sampled_from(["platt", "isotonic"]))
    return ProbabilityMap(method, tuple(knots), tuple(sorted(heights)))


_NEIGHBOURS = [
    float(np.nextafter(near, towards)) for near in (0.0, 0.5, 1.0) for towards in (0.0, 0.6, 1.0)
]

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

_STATED = (
    "49",
    "5",
    "1.4 kg",
    "59 euros",
    "$1,234.50",
    "3 May 2021",
    "2021",
    "10:30",
    "twenty-five",
    "three",
    "half",
    "20%",
    "v2.5",
    "ERR_42",
    "CD-200",
    "Olga Berg",
    "McDonald",
    "Bank of England",
    "World War II",
    "type 2 diabetes",
    "Model 10",
    "Henry the Eighth",
    "UN",
    "not",
    "fell by",
    "rose to",
    "no",
    "is",
    "of",
    "the lock",
    "costs",
    "weighs",
    "6'2\"",
    "an hour and a half",
    "1/2",
    "first",
    "10th",
    "3-5",
    "a@b.com",
    "+47 22 33 44 55",
    "-12",
    "(59)",
    "[3]",
    "#12345",
    "at least",
    "a day",
    "per box",
    "1990s",
    "21st century",
    "Monday",
    "born",
    "never",
    "all",
    "more than",
    "J. Smith",
    "O'Brien",
    "Île-de-France",
    "éclair",
    "Q3",
    "COVID-19",
)
_GLUE = (
    *(" ", ". ", ", ", "; ", ": ", "\n", "\n- ", "\n\n"),
    *("", "-", "/", "_", "(", " (", ") "),
)
