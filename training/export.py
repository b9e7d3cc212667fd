"""Turn a finished training into the bundled weights: ``python -m training.export --help``.

Fits the temperature on the validation side, so that the probability of entailment means what it
says, and writes half-precision safetensors with a manifest that holds the hash of every file.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from scipy.optimize import minimize_scalar
from torch import Tensor
from transformers import AutoTokenizer

from cgs_rag.models.pair_classifier import LABELS, PairClassifier
from cgs_rag.models.weights import sha256_of
from training.rows import TARGETS, Row, load_mix, load_rows
from training.train import encode, log, pair_loss, start_model

TEMPLATE = "{question} {answer}"
MAX_TOKENS = 256


def main(arguments: Sequence[str] | None = None) -> int:
    """Export the model and report its calibration before and after."""
    options = _options(arguments)
    mix = load_mix(options.mix)
    torch.set_num_threads(options.threads)
    model = start_model(options.encoder)
    model.load_state_dict(load_file(options.state / "model.safetensors"))
    rows = load_rows(mix, options.data).validation
    logits, targets = logits_of(model, rows, options.encoder, mix["max_tokens"])
    temperature = fit_temperature(logits, targets)
    for name, scale in (("as trained", 1.0), ("with temperature", temperature)):
        log(f"ECE of entailment {name}: {expected_calibration_error(logits / scale, targets):.4f}")
    write(options.out, options.state, options.encoder, model, temperature)
    log(f"temperature {temperature:.3f}, written to {options.out}")
    return 0


@torch.no_grad()
def logits_of(
    model: PairClassifier, rows: Sequence[Row], encoder: str, max_tokens: int
) -> tuple[Tensor, Tensor]:
    """Logits of shape (n, 3) and targets of shape (n,), in the order of the rows."""
    model.eval()
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i].premise))
    logits, targets = torch.empty(len(rows), 3), torch.empty(len(rows), dtype=torch.long)
    for start in range(0, len(order), 64):
        part = order[start : start + 64]
        batch = encode([rows[i] for i in part], tokenizer, max_tokens)
        logits[part] = model(**batch.inputs).float()
        targets[part] = batch.targets
    return logits, targets


def fit_temperature(logits: Tensor, targets: Tensor) -> float:
    """The temperature with the least loss (Guo et al. 2017, arXiv:1706.04599, section 4.2)."""
    found = minimize_scalar(
        lambda t: pair_loss(logits / t, targets).item(), bounds=(0.5, 5.0), method="bounded"
    )
    return float(found.x)


def expected_calibration_error(logits: Tensor, targets: Tensor, bins: int = 10) -> float:
    """ECE of p(entailment) in equal-width bins (Guo et al. 2017, section 2)."""
    p: NDArray[np.float64] = torch.softmax(logits, dim=-1)[:, 1].double().numpy()
    entailed = (targets == TARGETS.index("entailment")).numpy()
    bin_of = np.minimum((p * bins).astype(int), bins - 1)
    gaps = [
        (bin_of == b).mean() * abs(p[bin_of == b].mean() - entailed[bin_of == b].mean())
        for b in range(bins)
        if (bin_of == b).any()
    ]
    return float(sum(gaps))


def write(out: Path, state: Path, encoder: str, model: PairClassifier, temperature: float) -> None:
    """Write weights, configuration, tokenizer and manifest into the folder ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(state / "model.safetensors", out / "model.safetensors")
    shutil.copyfile(Path(encoder) / "tokenizer.json", out / "tokenizer.json")
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
    parser.add_argument("--data", type=Path, required=True, help="folder of the .jsonl.gz files")
    parser.add_argument("--encoder", required=True, help="folder of the all-MiniLM-L6-v2 weights")
    parser.add_argument("--state", type=Path, required=True, help="folder of the training")
    parser.add_argument("--out", type=Path, default=Path("cgs_framework/cgs_rag/weights/nli"))
    parser.add_argument("--mix", type=Path, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
