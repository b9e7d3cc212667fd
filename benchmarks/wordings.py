"""Other ways to ask an LLM before it is made to say an answer, beside the one that ships."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cgs_rag.models import Forced
from cgs_rag.models.causal import TransformersScorer
from cgs_rag.models.causal_network import CausalNetwork
from cgs_rag.signals.prompt import forced
from training.preset_answers import Answer

SHIPPED = "shipped"

_SYSTEM = "You answer questions with what a context says."


def _shipped(answer: Answer) -> Forced:
    return forced(answer.question, answer.context, answer.answer)


def _ordered(answer: Answer) -> Forced:
    made = _shipped(answer)
    return Forced("Answer the question with the context.\n\n" + made.prompt, made.answer)


def _in_short(answer: Answer) -> Forced:
    """Another word where nothing was asked."""
    made = _shipped(answer)
    if answer.question:
        return made
    return Forced(made.prompt.removesuffix("Answer:") + "In short:", made.answer)


def _chat(answer: Answer) -> Forced:
    """ChatML, as SmolLM2 was tuned on."""
    made = _shipped(answer)
    asked = made.prompt.removesuffix("Answer:").strip()
    turns = f"<|im_start|>system\n{_SYSTEM}<|im_end|>\n<|im_start|>user\n{asked}<|im_end|>\n"
    return Forced(turns + "<|im_start|>assistant\n", made.answer.strip())


WORDINGS: Mapping[str, Callable[[Answer], Forced]] = {
    SHIPPED: _shipped,
    "with an order": _ordered,
    "in short": _in_short,
    "chat template": _chat,
}


class ReadsMarks(TransformersScorer):
    """A scorer to which the marks of a chat template in a text are such."""

    method = "exact, marks read"

    def _loaded(self) -> CausalNetwork:
        network = super()._loaded()
        network.tokenizer.encode_special_tokens = False
        return network
