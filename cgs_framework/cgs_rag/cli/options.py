"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SPELL_CHUNKS = 'spell them as JSON lists, as in ["one", "two"]'
"""The way out where contexts look like lists and are texts."""

Question = Annotated[str | None, typer.Option("--question", "-q")]
Answer = Annotated[str | None, typer.Option("--answer", "-a", help="The text to judge.")]
Context = Annotated[list[str] | None, typer.Option("--context", "-c", help="Once for each chunk.")]

Mode = Annotated[
    str | None,
    typer.Option(
        help="Which signals: lite (all that need no LLM), full (an LLM's token probabilities too, "
        "or an error) or auto (those where they have a weight and can be had)."
    ),
]
LLM = Annotated[
    str | None,
    typer.Option(
        help="What tells token probabilities: ollama:MODEL (default ollama:llama3.2), "
        "openai:MODEL, transformers:NAME, llamacpp:FILE.gguf or llamacpp:http://HOST:PORT.",
        show_default=False,
    ),
]
OllamaUrl = Annotated[
    str | None,
    typer.Option(help="Where Ollama listens; default http://localhost:11434.", show_default=False),
]
NliModel = Annotated[
    str | None, typer.Option(help='"bundled", a hub name, or a folder.', show_default=False)
]
CosineModel = Annotated[str | None, typer.Option(help="A sentence-transformers name or folder.")]
Threshold = Annotated[
    float | None, typer.Option(help="A risk at or above it is flagged, in [0, 1].")
]
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A stored detector: the JSON file that calibrate, or save() in Python, wrote. Without "
        "it: the default weights and threshold of the models.",
        show_default=False,
    ),
]
Device = Annotated[str | None, typer.Option(help='Where the models run: "cpu", "cuda", "mps".')]
Abstentions = Annotated[
    str | None,
    typer.Option(
        help='What "the document does not say" counts as: ignore (it does not count), '
        "grounded_if_absent (the default: a claim, and grounded over a blank context) or flag.",
        show_default=False,
    ),
]

AnswerCol = Annotated[str, typer.Option()]
ContextCol = Annotated[str, typer.Option()]
LogprobsCol = Annotated[
    str,
    typer.Option(
        help="Natural logarithms of the probabilities of the answer's tokens, each cell a list; "
        'default "", there are none.',
        show_default=False,
    ),
]

FailOnFlag = Annotated[
    bool, typer.Option("--fail-on-flag", help="Exit 1 if anything is flagged or can't be checked.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
