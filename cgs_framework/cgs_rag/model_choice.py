"""Which models a detector is given: by name, by folder, or as objects."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import TypeVar

from cgs_rag.errors import InvalidInputError
from cgs_rag.models import OWN_MODEL, Encoder, Entailer, TokenScorer
from cgs_rag.models.address import OLLAMA_MODEL, without_secrets
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import BUNDLED, create_entailer
from cgs_rag.models.scorers import create_scorer
from cgs_rag.models.told_by import has_same_name
from cgs_rag.models.watched import WatchedScorer

_Model = TypeVar("_Model")


def chosen_entailer(
    model: str | PurePath | Entailer, revision: str | None, device: str | None
) -> Entailer:
    """The NLI model that the argument means; loads nothing.

    Raises:
        InvalidInputError: It is no name, folder or entailer.
    """
    _check_text("revision", revision)
    _check_text("device", device)
    if not isinstance(model, str | PurePath):
        return _checked("nli_model", model, ("entail", "known", "template"))
    return create_entailer(str(model), revision=revision, device=device)


def chosen_encoder(
    model: str | PurePath | Encoder, revision: str | None, device: str | None
) -> Encoder:
    """The embedding model that the argument means; loads nothing.

    Raises:
        InvalidInputError: It is no name, folder or encoder.
    """
    _check_text("cosine_revision", revision)
    if not isinstance(model, str | PurePath):
        return _checked("cosine_model", model, ("encode",))
    return SentenceEncoder(str(model), revision=revision, device=device)


def scorer_name(scorer: object) -> str | None:
    """What a stored detector calls it: None of Ollama's own, an object by its type.

    Of an address the name and the password are left out.
    """
    if scorer is None or isinstance(scorer, str):
        return scorer and without_secrets(scorer)
    return f"{OWN_MODEL}{type(scorer).__qualname__}"


def chosen_scorer(
    scorer: str | TokenScorer | None, ollama_model: str, ollama_url: str, device: str | None
) -> WatchedScorer:
    """The LLM that is to tell token probabilities; loads and asks nothing.

    Raises:
        InvalidInputError: It is no name of a source and a model, and no scorer; or it names a model
            of Ollama beside another one.
    """
    if scorer is None or isinstance(scorer, str):
        by_model = f"ollama:{ollama_model}"
        name = by_model if scorer is None else scorer
        # The default, given or not, is nobody's wish.
        is_ollamas = name.startswith("ollama:") and ollama_model != OLLAMA_MODEL
        if is_ollamas and not has_same_name(name, by_model):
            raise InvalidInputError(
                f"token_scorer={name!r:.80} and ollama_model={ollama_model!r:.80} name two models: "
                "give one of the two"
            )
        return create_scorer(name, url=ollama_url, device=device)
    given = _checked("token_scorer", scorer, ("name", "method", "missing", "score"))
    return WatchedScorer(given.name, lambda: given)


def preset_name(model: object, revision: str | None) -> str:
    """The name a preset is looked up by; weights that may be others have none."""
    if not isinstance(model, str | PurePath):
        return f"{OWN_MODEL}{type(model).__qualname__}"
    name = str(model)
    # Unlike pathlib's, this never raises, however odd the name.
    is_folder = name != BUNDLED and os.path.exists(name)  # noqa: PTH110
    return f"{name} ({revision or 'a folder'})" if revision or is_folder else name


def _check_text(argument: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(f"{argument} must be a text or None, got {value!r:.60}")


def _checked(argument: str, model: _Model, members: Sequence[str]) -> _Model:
    absent = [name for name in members if not hasattr(model, name)]
    if absent or isinstance(model, type):
        raise InvalidInputError(
            f"{argument} must be a name, a folder, or an object with {', '.join(members)}, got "
            f"{model!r:.80}"
        )
    return model
