"""What an LLM is made to read before an answer whose tokens it scores: plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgs_rag.models import Forced
from cgs_rag.text import has_content

_MARK = re.compile(r"<(?=[|｜/]?[|｜a-zA-Z_])|\[(?=/?[A-Z_]+\])")
"""How the marks begin that some servers and tokenizers read as orders: "<|im_end|>", "</s>"."""


def forced(question: str, chunks: Sequence[str], answer: str) -> Forced:
    """The prompt and the answer behind it, for a completion without a chat template.

    The context comes first, so that what a server keeps of it serves the next answer, too. What
    could be read as the mark of a chat template is broken by a blank.

    Args:
        question: Or "", which leaves its line out.
        chunks: The context; blank ones are left out.
        answer: The answer; white space around it is left out.
    """
    parts = []
    if told := [chunk.strip() for chunk in chunks if chunk.strip()]:
        parts.append("Context:\n" + "\n\n".join(told) + "\n\n")
    if has_content(question):
        parts.append(f"Question: {question.strip()}\n")
    parts.append("Answer:")
    return Forced(_unmarked("".join(parts)), " " + _unmarked(answer.strip()))


def _unmarked(text: str) -> str:
    return _MARK.sub(lambda found: f"{found.group()} ", text)
