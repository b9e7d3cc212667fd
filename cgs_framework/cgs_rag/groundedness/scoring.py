"""From what an engine found to a result: the score, the threshold, and the explanation."""

from __future__ import annotations

from collections.abc import Sequence

from cgs_rag.errors import CGSError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.results import GroundednessResult, SentenceVerdict


def result_of(judged: Judged, threshold: float, engine: str) -> GroundednessResult:
    """The result of a response that was judged.

    Args:
        judged: What the engine found.
        threshold: The score below which a response fails, in [0, 1].
        engine: Its name.
    """
    counted = [sentence for sentence in judged.sentences if sentence.supported is not None]
    is_scored = judged.status == "scored" and bool(counted)
    n_supported = sum(bool(sentence.supported) for sentence in counted)
    score = n_supported / len(counted) if is_scored else None
    if score is None:
        passes = judged.status == "no_claims"
        explanation = _without_score(judged)
    else:
        passes = score >= threshold
        explanation = _with_score(counted)
    return GroundednessResult(
        result="Pass" if passes else "Fail",
        score=score,
        explanation=explanation,
        sentences=judged.sentences,
        status=judged.status,
        failure_threshold=threshold,
        engine=engine,
    )


def failed(error: CGSError | str, threshold: float, engine: str) -> GroundednessResult:
    """The result of a response that could not be judged: it does not pass."""
    return GroundednessResult(
        result="Fail",
        score=None,
        explanation=f"The response was not judged: {error}",
        sentences=(),
        status="error",
        failure_threshold=threshold,
        engine=engine,
        error=str(error) or type(error).__name__,
    )


def _with_score(counted: Sequence[SentenceVerdict]) -> str:
    lacking = [sentence for sentence in counted if not sentence.supported]
    if not lacking:
        n = len(counted)
        named = "The one sentence" if n == 1 else f"Each of the {n} sentences"
        return f"{named} of the response is supported by the context."
    noun = "sentence" if len(lacking) == 1 else "sentences"
    lines = [f"There is no evidence of the following {noun} in the context:"]
    return "\n".join(lines + [f'  - "{_quoted(sentence)}"' for sentence in lacking])


def _quoted(sentence: SentenceVerdict) -> str:
    """A sentence on one line, without its full stop."""
    text = " ".join(sentence.text.split())
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def _without_score(judged: Judged) -> str:
    reason = judged.reason or "no sentence of it could be counted"
    if judged.status == "no_claims":
        return f"The response makes no claim: {reason}."
    return f"The response could not be checked: {reason}."
