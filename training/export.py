"""Turn a finished training into the bundled weights: ``python -m training.export --help``.

Fits the temperature on one half of the validation side, so that the probability of entailment
means what it says, measures it on the other half, and writes compact safetensors with a manifest
that holds the hash of every file.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import save_file
from torch import Tensor

from cgs_rag.models.compact import pack, unpack
from cgs_rag.models.pair_classifier import LABELS, PairClassifier
from cgs_rag.models.weights import sha256_of
from training.arguments import file, folder, new_folder, whole
from training.mix import load_mix
from training.program import program
from training.progress import log
from training.records import Row, is_held_out
from training.rows import load_rows
from training.start import ENCODER_FILES, load_weights, start_model, start_tokenizer
from training.validate import fit_temperature, logits_of, targets_of, validate

TEMPLATE = "{question} {answer}"
MAX_TOKENS = 256


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Export the model and report its calibration before and after."""
    options = _options(arguments)
    mix = load_mix(options.mix)
    torch.set_num_threads(options.threads)
    tokenizer = start_tokenizer(options.encoder, mix["max_tokens"])
    model = start_model(options.encoder)
    load_weights(model, options.weights)
    packed = pack(model.state_dict())
    model.load_state_dict(unpack(packed))  # the temperature is fitted to what is shipped
    rows = load_rows(mix, options.data).validation
    logits = logits_of(model, rows, tokenizer, mix["max_tokens"])
    places = halves(rows)
    fitted, others = ([rows[at] for at in half] for half in places)
    temperature = fit_temperature(logits[places.fitted], targets_of(fitted))
    for name, scale in (("as trained", 1.0), ("with temperature", temperature)):
        scores = validate(logits[places.measured] / scale, others)
        log(f"ECE of entailment {name}: {scores.ece:.4f} on {len(others)} other rows")
    write(options.out, packed, options.encoder, model, temperature)
    log(f"temperature {temperature:.3f}, written to {options.out}")
    return 0


class Halves(NamedTuple):
    """Places of rows: of those that the temperature is fitted on, and of the others."""

    fitted: list[int]
    measured: list[int]


def halves(rows: Sequence[Row]) -> Halves:
    """The places of the rows in two halves; all of one text are on one side."""
    # The bare hash of the origin has told the validation side from the other.
    first = [is_held_out(f"{row.origin}\ntemperature", one_in=2) for row in rows]
    return Halves(
        fitted=[at for at, mine in enumerate(first) if mine],
        measured=[at for at, mine in enumerate(first) if not mine],
    )


def write(
    out: Path,
    packed: Mapping[str, Tensor],
    encoder: Path,
    model: PairClassifier,
    temperature: float,
) -> None:
    """Write weights, configuration, tokenizer and manifest into the folder ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    save_file(dict(packed), out / "model.safetensors")
    (out / "model.safetensors").chmod(0o644)  # safetensors lets only the owner read it
    shutil.copyfile(encoder / "tokenizer.json", out / "tokenizer.json")
    config = model.encoder.config
    config.save_pretrained(out)
    manifest = {
        "sha256": sha256_of(out / "model.safetensors"),
        "tokenizer_sha256": sha256_of(out / "tokenizer.json"),
        "config_sha256": sha256_of(out / "config.json"),
        "temperature": round(temperature, 4),
        "template": TEMPLATE,
        "max_tokens": MAX_TOKENS,
        "labels": list(LABELS),
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__)
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument(
        "--encoder", type=folder(*ENCODER_FILES), required=True, help="all-MiniLM-L6-v2"
    )
    parser.add_argument("--state", type=folder(), required=True, help="folder of the training")
    parser.add_argument("--weights", default="model.safetensors", help="which of its weights")
    parser.add_argument("--out", type=new_folder, default="cgs_framework/cgs_rag/weights/nli")
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--threads", type=whole(1, 1024), default=1)
    options = parser.parse_args(arguments)
    options.weights = options.state / options.weights
    if not options.weights.is_file():
        parser.error(f"argument --weights: {options.weights} is no file; train to the end first")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
