"""What results share: texts that a console can print, numbers and readings that JSON can hold."""

from __future__ import annotations

import math
import unicodedata
from typing import Any

from cgs_rag.types import Reading

_EXCERPT = 100
_ASCII = str.maketrans(
    {"→": "->", "…": "...", "“": '"', "”": '"', "’": "'", "–": "-", "—": "-", "✓": "+", "✗": "x"}
)


def printable(text: str) -> str:
    """The text with control and direction characters spelt out, which could garble a console."""
    return "".join(
        character
        if character.isprintable() or unicodedata.category(character) == "Zs"
        else character.encode("unicode_escape").decode()
        for character in text
    )


def in_ascii(text: str) -> str:
    """The text in ASCII only, for consoles that can print no more."""
    return text.translate(_ASCII).encode("ascii", "backslashreplace").decode()


def excerpt(text: str) -> str:
    """The text in one line, cut after 100 characters."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _EXCERPT else plain[: _EXCERPT - 1] + "…"


def as_number(value: float) -> float | None:
    """A number for JSON: Python's own, or None for NaN."""
    return None if math.isnan(value) else float(value)


def reading_dict(reading: Reading) -> dict[str, Any]:
    """A reading as JSON's own types."""
    # A signal of another package may give numpy's numbers, which JSON does not know.
    return {
        "value": as_number(reading.value),
        "coverage": float(reading.coverage),
        "note": reading.note,
        "source": reading.source,
        "evidence": [
            {
                "chunk": int(piece.chunk),
                "start": int(piece.start),
                "end": int(piece.end),
                "value": float(piece.value),
                "label": piece.label,
                "text": piece.text,
                "answer_text": piece.answer_text,
                "answer_start": int(piece.answer_start),
                "answer_end": int(piece.answer_end),
            }
            for piece in reading.evidence
        ],
    }
