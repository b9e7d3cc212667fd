"""The check-up of what tells token probabilities: there, new enough, has the model, how fast."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

from cgs_rag.errors import CGSError
from cgs_rag.models import Forced, TokenScorer, TokenScores
from cgs_rag.models.address import without_secrets
from cgs_rag.models.told_by import digest_of

_PROMPT = "The capital of France is"
_TRIALS = (Forced(_PROMPT, " Paris."), Forced(_PROMPT, " a bicycle."))
"""What any LLM should find the more and the less probable."""


@dataclass(frozen=True, slots=True)
class ServiceCheck:
    """What was found out about the LLM of full mode.

    Attributes:
        name: The source and the model, such as "ollama:llama3.2".
        is_needed: Whether it was asked for; else it is what "auto" would find.
        problem: What keeps it from telling token probabilities and what to do, or "".
        version: Of the service, or None where it has none or did not tell.
        method: How the probabilities are had, or None where they are not.
        digest: SHA-256 that tells it from others, 64 hexadecimal digits, of the file or files, or
            as Ollama lists it; None where it is not known.
        n_tokens: Of the probe's two answers together, or None where it did not get so far.
        probe_seconds: What they took, after a first one that may have loaded the model; likewise.
        plain, odd: The mean probability of a token, in [0, 1], of the answer that is plain and of
            the one that is odd; likewise.
    """

    name: str
    is_needed: bool
    problem: str = ""
    version: str | None = None
    method: str | None = None
    digest: str | None = None
    n_tokens: int | None = None
    probe_seconds: float | None = None
    plain: float | None = None
    odd: float | None = None

    @property
    def is_fine(self) -> bool:
        """Whether it is there, or nobody asked for it."""
        return not (self.problem and self.is_needed)

    def lines(self) -> list[str]:
        """The check in words."""
        state = "fine" if not self.problem else "NOT FINE" if self.is_needed else "not there"
        lines = [f"Token probabilities: {self.name}  [{state}]"]
        facts = {
            "version": self.version,
            "method": self.method,
            "sha256": self.digest,
            "probe": self._probe(),
            "problem" if self.is_needed else "reason": self.problem or None,
            "so": "mode 'auto' is 'lite' and needs no LLM" if state == "not there" else None,
        }
        return [*lines, *(f"  {name:<15}: {fact}" for name, fact in facts.items() if fact)]

    def _probe(self) -> str | None:
        if self.probe_seconds is None:
            return None
        return (
            f"{self.n_tokens} tokens in {self.probe_seconds:.3f} s; {_PROMPT!r} goes on "
            f"{_TRIALS[0].answer!r} at {self.plain:.3f} a token, {_TRIALS[1].answer!r} at "
            f"{self.odd:.3f}"
        )


def check_scorer(name: str, make: Callable[[], TokenScorer], *, is_needed: bool) -> ServiceCheck:
    """See whether an LLM tells token probabilities, and how fast.

    Args:
        name: What it is called in the report, there without the password of an address.
        make: Builds it; what it or the scorer raises as a ``CGSError`` becomes the ``problem``.
        is_needed: Whether somebody asked for it.
    """
    name = without_secrets(name)
    try:
        scorer = make()
        version = _version(scorer)
        problem = scorer.missing()
        if problem is not None:
            return ServiceCheck(name, is_needed, problem, version)
        found = ServiceCheck(name, is_needed, "", version, scorer.method, digest_of(scorer))
        return _probed(scorer, found)
    except CGSError as error:
        return ServiceCheck(name, is_needed, str(error))


def _probed(scorer: TokenScorer, so_far: ServiceCheck) -> ServiceCheck:
    scorer.score(_TRIALS[:1])
    start = perf_counter()
    found = scorer.score(_TRIALS)
    seconds = perf_counter() - start
    plain, odd = found
    if not isinstance(plain, TokenScores) or not isinstance(odd, TokenScores):
        reason = next(one.reason for one in found if not isinstance(one, TokenScores))
        return replace(so_far, problem=reason)
    likely, unlikely = map(_mean_probability, (plain, odd))
    problem = ""
    if likely <= unlikely:
        problem = (
            f"{_PROMPT!r} goes on {_TRIALS[0].answer!r} no more probably than "
            f"{_TRIALS[1].answer!r}: the model is of no use for this, or the service tells other "
            "probabilities; take another"
        )
    return replace(
        so_far,
        problem=problem,
        n_tokens=len(plain.logprobs) + len(odd.logprobs),
        probe_seconds=seconds,
        plain=likely,
        odd=unlikely,
    )


def _mean_probability(found: TokenScores) -> float:
    """The geometric mean."""
    return math.exp(math.fsum(found.logprobs) / len(found.logprobs))


def _version(scorer: TokenScorer) -> str | None:
    """What a service says its version is, if it is one that has any and it answers."""
    ask = getattr(scorer, "version", None)
    if not callable(ask):
        return None
    try:
        return str(ask()) or None
    except CGSError:
        return None
