"""The engine that asks an LLM for the evidence of each sentence, and checks what it says."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from cgs_rag.errors import BackendError, CGSError, InvalidInputError, ModelUnavailableError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.prompt import messages, schema
from cgs_rag.groundedness.proof import Checked, checked
from cgs_rag.groundedness.quotes import Quotable
from cgs_rag.groundedness.reply import UnusableReplyError, read_reply
from cgs_rag.groundedness.results import SentenceVerdict
from cgs_rag.models import ChatModel
from cgs_rag.speech import Kind, kind
from cgs_rag.text import Span, sentences, size
from cgs_rag.triage import Triage, triage
from cgs_rag.types import Abstentions, Sample

MAX_CONTEXT_TOKENS = 16_000
"""Estimated tokens (see ``cgs_rag.text.size``) of context, question and response together."""

GROUP = 10
"""So many sentences are asked about at once: small models lose the thread of more."""

_STATES_NOTHING = "states nothing that could be checked"


class LLMJudge:
    """Asks an LLM, and takes its word only for what it can show.

    The sentences are split and numbered here. The LLM says of each number whether the context
    supports it, and quotes the context; a quote must stand there word for word (white space and
    case aside), be no part of a word, and share a word that means something with the sentence, or
    with the question where the sentence is short. A supported sentence of which that does not hold
    is asked about once more, with what was wrong, and is then unsupported. A reply in another form
    than asked for is asked for once more, and is then an error. So a response or a context that
    orders the LLM to find everything supported gains nothing by it, unless the LLM obeys and finds
    quotes that fit: that a quote supports the sentence is the LLM's own judgement. A sentence that
    only says that the context lacks something needs no quote.

    Each request holds the whole context; what is too long for that is refused.

    Args:
        chat: The LLM.
        max_context_tokens: Estimated tokens that context, question and response may have together.
        abstentions: What becomes of "the document does not say": as for ``CGSDetector``.

    Raises:
        InvalidInputError: ``max_context_tokens`` is no whole number from 1.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        max_context_tokens: int = MAX_CONTEXT_TOKENS,
        abstentions: Abstentions = "grounded_if_absent",
    ) -> None:
        is_number = isinstance(max_context_tokens, int) and not isinstance(max_context_tokens, bool)
        if not is_number or max_context_tokens < 1:
            raise InvalidInputError(
                f"max_context_tokens must be a whole number from 1, got {max_context_tokens!r:.60}"
            )
        self._chat = chat
        self._limit = max_context_tokens
        self._abstentions: Abstentions = abstentions

    @property
    def name(self) -> str:
        """As an ``Engine``'s: the name of the LLM."""
        return self._chat.name

    def judge(self, samples: Sequence[Sample], max_workers: int) -> list[Judged | CGSError]:
        """As an ``Engine``'s; up to ``max_workers`` threads ask the LLM at once.

        The first sample that needs the LLM is asked about alone: if the LLM is not there, that is
        raised at once and not found out again by every row.
        """
        outcomes = [triage(sample, self._abstentions) for sample in samples]
        found = [_decided(*pair) for pair in zip(samples, outcomes, strict=True)]
        waiting = [index for index, judged in enumerate(found) if judged is None]
        results: list[Judged | CGSError | None] = list(found)
        for index in waiting[:1]:
            results[index] = first = self._tried(samples[index], outcomes[index])
            if isinstance(first, ModelUnavailableError):
                raise first
        rest = waiting[1:]
        with ThreadPoolExecutor(max_workers, thread_name_prefix="cgs_rag-judge") as pool:
            asked = pool.map(self._tried, [samples[i] for i in rest], [outcomes[i] for i in rest])
            for index, judged in zip(rest, asked, strict=True):
                results[index] = judged
        return [result for result in results if result is not None]

    def _tried(self, sample: Sample, outcome: Triage) -> Judged | CGSError:
        try:
            return self._judged(sample, outcome)
        except CGSError as error:
            return error
        except Exception as error:  # noqa: BLE001 -- a caller's own LLM may raise anything
            failure = BackendError(f"{self.name} failed: {type(error).__name__}: {error}")
            failure.__cause__ = error
            return failure

    def _judged(self, sample: Sample, outcome: Triage) -> Judged:
        self._check_size(sample)
        quotable = Quotable(sample.context)
        asked = [outcome.claims[at : at + GROUP] for at in range(0, len(outcome.claims), GROUP)]
        found = [verdict for group in asked for verdict in self._group(sample, group, quotable)]
        # Whatever is no claim, so that every sentence of the response is in the result.
        rest = [
            _uncounted(sample, span)
            for span in sentences(sample.answer)
            if all(span.end <= one.start or one.end <= span.start for one in found)
        ]
        return Judged(tuple(sorted([*found, *rest], key=lambda one: one.start)))

    def _check_size(self, sample: Sample) -> None:
        n_tokens = sum(map(size, (sample.question, sample.answer, *sample.context)))
        if n_tokens > self._limit:
            raise InvalidInputError(
                f"context, question and response have about {n_tokens} tokens, more than "
                f"max_context_tokens={self._limit}: raise it, if the window of {self.name} is "
                "larger; give fewer chunks; or use engine='nli', which looks up the passages for "
                "each sentence"
            )

    def _group(
        self, sample: Sample, spans: Sequence[Span], quotable: Quotable
    ) -> list[SentenceVerdict]:
        """The verdicts on a few sentences: of the LLM's first reply, or of the second if need be.

        Raises:
            BackendError: Neither reply is in the form asked for.
        """
        texts = [span.of(sample.answer) for span in spans]
        found: list[Checked] = []
        problems: list[str] = []
        for _ in range(2):
            said = self._chat.chat(messages(sample, texts, problems), schema(len(texts)))
            try:
                replies = read_reply(said, len(texts))
            except UnusableReplyError as error:
                # A first reply that could be read is better than none.
                problems = problems if found else [str(error)]
                continue
            pairs = zip(replies, spans, strict=True)
            found = _merged(found, [checked(*pair, sample, quotable) for pair in pairs])
            problems = [f"{n}: {one.problem}" for n, one in enumerate(found, 1) if one.problem]
            if not problems:
                break
        if not found:
            raise BackendError(
                f"{self.name} gave no reply in the form asked for, twice; the second time "
                f"{problems[0]}. A larger model, or one that is held to a JSON schema, may"
            )
        return [one.verdict for one in found]


def _merged(first: Sequence[Checked], second: Sequence[Checked]) -> list[Checked]:
    """The first verdicts, but for those that could not be used and were asked for anew."""
    if not first:
        return list(second)
    return [new if old.problem else old for old, new in zip(first, second, strict=True)]


def _decided(sample: Sample, outcome: Triage) -> Judged | None:
    """What is found without the LLM, or None if it is to be asked."""
    if outcome.status is None:
        return None
    spans = sentences(sample.answer)
    if outcome.status != "scored":
        found = tuple(_uncounted(sample, span) for span in spans)
        return Judged(found, outcome.status, outcome.reason)
    supported = outcome.risk == 0.0
    return Judged(
        tuple(
            SentenceVerdict(
                span.of(sample.answer), span.start, span.end, supported, (), outcome.reason
            )
            if kind(span.of(sample.answer)) is Kind.ABSTENTION
            else _uncounted(sample, span)
            for span in spans
        )
    )


def _uncounted(sample: Sample, span: Span) -> SentenceVerdict:
    return SentenceVerdict(span.of(sample.answer), span.start, span.end, None, (), _STATES_NOTHING)
