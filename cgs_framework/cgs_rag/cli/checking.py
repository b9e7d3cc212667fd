"""The command that checks the installation: ``doctor``."""

from __future__ import annotations

import typer

from cgs_rag.cli.exit_codes import UNAVAILABLE
from cgs_rag.cli.options import LLM, AsJson, CosineModel, Device, NliModel, OllamaUrl
from cgs_rag.cli.terminal import show, show_json
from cgs_rag.wiring import COSINE_MODEL, NLI_MODEL, Choice, Wiring
from cgs_rag.wiring import LLM as DEFAULT_LLM


def doctor(
    ctx: typer.Context,
    as_json: AsJson = False,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    device: Device = None,
    llm: LLM = None,
    ollama_url: OllamaUrl = None,
) -> None:
    """Check the models: found, sound, how fast; and whether an LLM tells token probabilities.

    Without --llm and --ollama-url it is asked whether Ollama has llama3.2 at the usual address,
    and all is well if it has not.
    """
    from cgs_rag.doctor import check_encoder, check_entailer, check_up
    from cgs_rag.service_check import check_scorer

    wiring = ctx.ensure_object(Wiring)
    choice = Choice(
        nli_model=nli_model,
        cosine_model=cosine_model,
        device=device,
        llm=llm,
        ollama_url=ollama_url,
    )
    is_needed = llm is not None or ollama_url is not None
    scorer = wiring.scorer(choice)  # what names none is wrong usage, told before anything is loaded
    report = check_up(
        check_entailer(nli_model or NLI_MODEL, lambda: wiring.entailer(choice)),
        check_encoder(cosine_model or COSINE_MODEL, lambda: wiring.encoder(choice)),
        service=check_scorer(llm or DEFAULT_LLM, lambda: scorer, is_needed=is_needed),
    )
    if as_json:
        show_json(report.to_dict())
    else:
        show("\n".join(report.lines()))
    if not report.is_fine:
        raise typer.Exit(UNAVAILABLE)
