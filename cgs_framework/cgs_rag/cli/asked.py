"""One answer to judge: out of the options of a command, or of standard input."""

from __future__ import annotations

import sys
from typing import NamedTuple

from cgs_rag.errors import InvalidInputError
from cgs_rag.json_text import TwinKeys, parse_json


class Asked(NamedTuple):
    """One answer to judge, as the command line or standard input gave it."""

    question: str
    answer: str
    context: str | list[str]
    logprobs: list[float] | None = None


def asked(question: str | None, answer: str | None, context: list[str] | None) -> Asked:
    """What the options ask for; without an answer, a JSON object on standard input.

    Raises:
        InvalidInputError: Neither is whole.
    """
    if answer is None:
        if question is not None or context:
            raise InvalidInputError("--answer is missing: there is nothing to judge")
        return _on_stdin()
    if not context:
        raise InvalidInputError("--context is missing: give what the answer was made from")
    return Asked(question or "", answer, context)


def _on_stdin() -> Asked:
    if sys.stdin is None or sys.stdin.isatty():
        raise InvalidInputError(
            "give --answer and --context, or a JSON object on standard input; see --help"
        )
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError("standard input is not UTF-8 text") from error
    if not text.strip():
        raise InvalidInputError(
            "--answer is missing, and standard input is empty: give --answer and --context, or a "
            "JSON object on standard input; see --help"
        )
    try:
        found = parse_json(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"standard input is {error}") from error
    if not isinstance(found, dict):
        raise InvalidInputError(
            f"standard input must hold a JSON object, got {type(found).__name__}: {found!r:.60}"
        )
    if isinstance(found, TwinKeys):
        raise InvalidInputError(
            f"the object on standard input has the key {found.twin!r:.60} more than once"
        )
    absent = [name for name in ("answer", "context") if name not in found]
    if absent:
        raise InvalidInputError(
            f"the object on standard input has no {absent[0]!r}; its keys are "
            f"{', '.join(map(repr, found)) or 'none'}"
        )
    return Asked(
        found.get("question", ""), found["answer"], found["context"], found.get("logprobs")
    )
