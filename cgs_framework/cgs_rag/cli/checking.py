"""The command that checks the installation: ``doctor``."""

from __future__ import annotations

import typer

from cgs_rag.cli.exit_codes import UNAVAILABLE
from cgs_rag.cli.options import AsJson, CosineModel, Device, NliModel
from cgs_rag.cli.terminal import show, show_json
from cgs_rag.wiring import COSINE_MODEL, NLI_MODEL, Choice, Wiring


def doctor(
    ctx: typer.Context,
    as_json: AsJson = False,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    device: Device = None,
) -> None:
    """Check the models: found, sound, how fast."""
    from cgs_rag.doctor import check_encoder, check_entailer, check_up

    wiring = ctx.ensure_object(Wiring)
    choice = Choice(nli_model=nli_model, cosine_model=cosine_model, device=device)
    report = check_up(
        check_entailer(nli_model or NLI_MODEL, lambda: wiring.entailer(choice)),
        check_encoder(cosine_model or COSINE_MODEL, lambda: wiring.encoder(choice)),
    )
    if as_json:
        show_json(report.to_dict())
    else:
        show("\n".join(report.lines()))
    if not report.is_fine:
        raise typer.Exit(UNAVAILABLE)
