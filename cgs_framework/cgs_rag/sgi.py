"""The Semantic Grounding Index of texts: ``SGI``, ``compute_sgi`` and ``SGIResult``.

Says whether a response engaged with its context or stayed with its question; not whether it is
right. The formula is in ``sgi_formula``. The context is embedded whole, as published: what the
model could not read of it is said in the explanation, and ``CGSDetector`` reads it in passages.
"""

from __future__ import annotations

import math
import reprlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.models import Embeddings, Encoder
from cgs_rag.sgi_formula import (
    EPSILON,
    SGI_REVIEW,
    SGI_STRONG_PASS,
    Distance,
    check_distance,
    grounding_index,
)
from cgs_rag.signals import MIN_COVERAGE
from cgs_rag.text import encodable, has_content

DEFAULT_MODEL = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class SGIResult:
    """The index of one response.

    Attributes:
        value: The raw index, in [0, inf), or NaN when the model saw less than half of a text, or
            its vectors were not finite or were zero.
        normalized: ``tanh(max(0, value - 0.3))``, in [0, 1], or NaN when ``value`` is.
        flagged: Whether a human should look: the value is below 0.95, or NaN.
        q_dist: Distance from response to question, at least 0; radians if angular.
        ctx_dist: Distance from response to context, at least 0; radians if angular.
        method: Always "sgi".
        explanation: The zone, the distances and what the model did not see, to be read by people.
    """

    value: float
    normalized: float
    flagged: bool
    q_dist: float
    ctx_dist: float
    method: str
    explanation: str

    def to_dict(self) -> dict[str, Any]:
        """Give the fields by name, ready for JSON: a number that is not finite becomes None."""
        return {
            name: None if isinstance(field, float) and not math.isfinite(field) else field
            for name, field in asdict(self).items()
        }


class SGI:
    """Scores responses by the Semantic Grounding Index, with one encoder.

    The encoder is loaded at the first score, once per process for the same model, revision and
    device, and then shared. An instance may be shared between threads if its encoder may.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        distance: Distance = "euclidean",
        encoder: Encoder | None = None,
        device: str | None = None,
        revision: str | None = None,
    ) -> None:
        """Choose the encoder and the distance; loads nothing.

        Args:
            model: A sentence encoder by hub name or folder; not looked at if ``encoder`` is given.
            distance: "euclidean" as published, or "angular" as in the paper's algorithm.
            encoder: An encoder that is loaded already.
            device: Where to run the model, such as "cpu" or "cuda"; None leaves it to the adapter.
            revision: Which revision of the model to load; None takes what is found.

        Raises:
            InvalidInputError: The model is not a name, the distance is unknown, or ``encoder``
                comes together with ``device`` or ``revision``, which it could not follow.
        """
        check_distance(distance)
        if encoder is None:
            _check_text("model", model, f"give the name or folder of one, as {DEFAULT_MODEL!r}.")
        elif device is not None or revision is not None:
            raise InvalidInputError(
                f"device and revision must be None where encoder is given, got device={device!r} "
                f"and revision={revision!r}; load the encoder with them instead."
            )
        for name, value in (("device", device), ("revision", revision)):
            if value is not None and not isinstance(value, str):
                raise InvalidInputError(f"{name} must be a text or None, got {value!r:.60}")
        self._distance: Distance = distance
        self._given = encoder
        self._key = (model, revision, device)

    def score(self, question: str, context: str, response: str) -> SGIResult:
        """Score one response.

        Args:
            question: What was asked; with content.
            context: The text the response should rest on, embedded whole; with content.
            response: The text to score; with content.

        Returns:
            The index, its distances and an explanation.

        Raises:
            InvalidInputError: A text is no string, or has no letter and no digit.
            ModelUnavailableError: The model's weights can't be found.
            BackendError: The model failed.
        """
        _check_row(question, context, response)
        return self._score_rows([question], [context], [response])[0]

    def score_batch(
        self, questions: Sequence[str], contexts: Sequence[str], responses: Sequence[str]
    ) -> list[SGIResult]:
        """Score n responses, in one pass of the encoder and each different text once.

        Args:
            questions: n questions, each with content.
            contexts: n contexts, one for each question, each with content.
            responses: n responses, one for each question, each with content.

        Returns:
            n results in the order given, each as ``score`` would give it.

        Raises:
            InvalidInputError: The lengths differ, an argument is no list, or a text is no string
                or has no letter and no digit; the message names its place.
            ModelUnavailableError: The model's weights can't be found.
            BackendError: The model failed.
        """
        questions = _check_list("questions", questions)
        contexts = _check_list("contexts", contexts)
        responses = _check_list("responses", responses)
        if not len(questions) == len(contexts) == len(responses):
            raise InvalidInputError(
                "questions, contexts and responses must be of one length, got "
                f"{len(questions)}, {len(contexts)} and {len(responses)}; "
                "give one of each for every row."
            )
        for row, texts in enumerate(zip(questions, contexts, responses, strict=True)):
            _check_row(*texts, row=row)
        return self._score_rows(questions, contexts, responses)

    def _score_rows(
        self, questions: Sequence[str], contexts: Sequence[str], responses: Sequence[str]
    ) -> list[SGIResult]:
        if not questions:
            return []
        place = {
            text: at for at, text in enumerate(dict.fromkeys([*questions, *contexts, *responses]))
        }
        # Tokenizers refuse half of a surrogate pair, and one such character is no reason to fail.
        readable = [encodable(text) for text in place]
        vectors, coverage = _encode(self._encoder(), readable)

        q_at, ctx_at, r_at = (
            [place[text] for text in texts] for texts in (questions, contexts, responses)
        )
        index = grounding_index(vectors[r_at], vectors[q_at], vectors[ctx_at], self._distance)
        rows = zip(
            index.value.tolist(),
            index.normalized.tolist(),
            index.flagged.tolist(),
            index.q_dist.tolist(),
            index.ctx_dist.tolist(),
            zip(
                coverage[q_at].tolist(),
                coverage[ctx_at].tolist(),
                coverage[r_at].tolist(),
                strict=True,
            ),
            strict=True,
        )
        return [
            _result(_Seen(*shares), value, normalized, flagged, q_dist, ctx_dist)
            for value, normalized, flagged, q_dist, ctx_dist, shares in rows
        ]

    def _encoder(self) -> Encoder:
        return _LOADED.get(*self._key) if self._given is None else self._given


def compute_sgi(
    question: str,
    context: str,
    response: str,
    model: str = DEFAULT_MODEL,
    distance: Distance = "euclidean",
    *,
    device: str | None = None,
    revision: str | None = None,
) -> SGIResult:
    """Score one response; a model loaded by an earlier call is used again.

    Args:
        question: What was asked; with content.
        context: The text the response should rest on, embedded whole; with content.
        response: The text to score; with content.
        model: A sentence encoder by hub name or folder.
        distance: "euclidean" as published, or "angular" as in the paper's algorithm.
        device: Where to run the model, such as "cpu" or "cuda"; None leaves it to the adapter.
        revision: Which revision of the model to load; None takes what is found.

    Returns:
        The same as ``SGI(model, ...).score(question, context, response)``.

    Raises:
        InvalidInputError: A text is no string or has no letter and no digit, the model is not a
            name, or the distance is unknown.
        ModelUnavailableError: The model's weights can't be found.
        BackendError: The model failed.
    """
    return SGI(model, distance=distance, device=device, revision=revision).score(
        question, context, response
    )


class _EncoderShelf:
    """The encoders used last, each loaded once however many threads ask for it."""

    def __init__(
        self, load: Callable[[str, str | None, str | None], Encoder], size: int = 2
    ) -> None:
        """Keep up to ``size`` encoders; ``load`` gets model, revision and device."""
        self._load = lru_cache(maxsize=size)(load)
        # lru_cache alone lets two threads that miss at the same time both load.
        self._lock = threading.Lock()

    def get(self, model: str, revision: str | None, device: str | None) -> Encoder:
        """Return the encoder, loading it if it is not here; a failed load is tried again."""
        with self._lock:
            return self._load(model, revision, device)


def _load_encoder(model: str, revision: str | None, device: str | None) -> Encoder:
    from cgs_rag.models.encoder import SentenceEncoder

    return SentenceEncoder(model, revision=revision, device=device)


_LOADED = _EncoderShelf(_load_encoder)


def _encode(encoder: Encoder, texts: list[str]) -> Embeddings:
    made = encoder.encode(texts)
    vectors, coverage = np.asarray(made.vectors), np.asarray(made.coverage)
    if vectors.ndim != 2 or len(vectors) != len(texts) or coverage.shape != (len(texts),):
        raise BackendError(
            f"the encoder was given {len(texts)} texts and must give as many rows of vectors and "
            f"of coverage, got shapes {vectors.shape} and {coverage.shape}; the port Encoder in "
            "cgs_rag.models says how."
        )
    return Embeddings(vectors, coverage)


class _Seen(NamedTuple):
    """The share of each text that the model saw, in [0, 1]."""

    question: float
    context: float
    response: float


def _result(
    seen: _Seen, value: float, normalized: float, flagged: bool, q_dist: float, ctx_dist: float
) -> SGIResult:
    # Not "share < MIN_COVERAGE": a coverage of NaN is none.
    if not all(share >= MIN_COVERAGE for share in seen):
        value, normalized, flagged = math.nan, math.nan, True
        explanation = (
            f"Flagged: no score, the model saw only {_list_shares(seen)}, and of each text it must "
            f"see {MIN_COVERAGE:.0%}. {_FLAGGED.advice}"
        )
    else:
        explanation = _explain(value, q_dist, ctx_dist)
        if listed := _list_shares(seen):
            explanation += f" The model saw only {listed}; the score speaks for no more than that."
    return SGIResult(value, normalized, flagged, q_dist, ctx_dist, "sgi", explanation)


class _Zone(NamedTuple):
    name: str
    range_: str
    advice: str


_STRONG_PASS = _Zone("Strong pass", f"at least {SGI_STRONG_PASS:.2f}", "Accept.")
_PARTIAL = _Zone(
    "Partial", f"from {SGI_REVIEW:.2f} to below {SGI_STRONG_PASS:.2f}", "Review recommended."
)
_FLAGGED = _Zone("Flagged", f"below {SGI_REVIEW:.2f}", "Human review required.")


def _zone(value: float) -> _Zone:
    if value >= SGI_STRONG_PASS:
        return _STRONG_PASS
    return _PARTIAL if value >= SGI_REVIEW else _FLAGGED


def _explain(value: float, q_dist: float, ctx_dist: float) -> str:
    if math.isnan(value):
        zero = math.isfinite(q_dist) and math.isfinite(ctx_dist)
        what = "a vector of zeros for one of" if zero else "vectors that are not finite for"
        return f"Flagged: no score, the model gave {what} these texts. {_FLAGGED.advice}"
    zone = _zone(value)
    # A value just below a border would print as the border itself.
    shown = f"{value:.3f}" if _zone(round(value, 3)) is zone else repr(value)
    if ctx_dist < EPSILON:
        place = "says the same as the context to the model"
    elif q_dist < EPSILON:
        place = "says the same as the question to the model"
    elif q_dist == ctx_dist:
        place = f"is as far from the question as from the context (distance {q_dist:.3f})"
    elif ctx_dist < q_dist:
        place = (
            f"is closer to the context (distance {ctx_dist:.3f}) than to the question "
            f"({q_dist:.3f})"
        )
    else:
        place = (
            f"is closer to the question (distance {q_dist:.3f}) than to the context "
            f"({ctx_dist:.3f})"
        )
    return f"{zone.name}: SGI {shown} ({zone.range_}). The response {place}. {zone.advice}"


def _list_shares(seen: _Seen) -> str:
    # Rounded down, for a text that was cut must not read as seen to 100%.
    parts = [
        f"{0 if math.isnan(share) else math.floor(share * 100)}% of the {name}"
        for name, share in seen._asdict().items()
        if not share >= 1
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


_WAY_OUT = {
    "question": "the index compares the response with a question; for a text without one, such as "
    "a summary, use CGSDetector.",
    "context": "give the text the response should rest on; join several chunks with blank lines.",
    "response": "give the text to score; leave out rows without one.",
}


def _check_row(question: object, context: object, response: object, row: int | None = None) -> None:
    for name, text in (("question", question), ("context", context), ("response", response)):
        _check_text(name if row is None else f"{name}s[{row}]", text, _WAY_OUT[name])


def _check_text(name: str, text: object, way_out: str) -> None:
    if not isinstance(text, str):
        got = f"{reprlib.repr(text)} ({type(text).__name__})"
    elif not has_content(text):
        got = reprlib.repr(text)
    else:
        return
    raise InvalidInputError(
        f"{name} must be a string with a letter or a digit in it, got {got}; {way_out}"
    )


def _check_list(name: str, texts: object) -> list[str]:
    # A data frame or a dict would be read by its column names or keys.
    one_column = getattr(texts, "ndim", 1) == 1 and not isinstance(texts, str | bytes | Mapping)
    if not one_column or not isinstance(texts, Iterable):
        raise InvalidInputError(
            f"{name} must be a list of strings, got {reprlib.repr(texts)} "
            f"({type(texts).__name__}); for one response use score()."
        )
    return list(texts)
