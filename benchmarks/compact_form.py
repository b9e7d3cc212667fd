"""What a smaller form of the bundled NLI model saves and costs: size, load time, speed, AUC of S2.

``python -m benchmarks.compact_form --data FILE...`` reads labelled rows as ``quality.py`` does and
writes each form into a temporary folder. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from benchmarks.auc import RESAMPLES
from benchmarks.form_figures import Measured, measure, ratio
from benchmarks.forms import FORMS, ONNX_PACKAGES, MissingPackageError, stored
from benchmarks.labelled import load
from benchmarks.table import markdown
from cgs_rag import CGSError
from cgs_rag.models.compact import unpack
from cgs_rag.models.entailer import BUNDLED_FOLDER, BundledEntailer
from cgs_rag.models.weights import WEIGHTS_FILE


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables.

    Args:
        arguments: Of the command line.

    Returns:
        The exit status: 0, or 1 when a file or model can't be read, or a form that was asked for
        by name needs a package that is not here.
    """
    options = _options(arguments)
    try:
        data_sets = [load(path, options.limit, options.seed) for path in options.data]
        with _threads(options.threads), tempfile.TemporaryDirectory() as place:
            entailers = _stored_forms(options, Path(place))
            measured = measure(
                entailers,
                data_sets,
                pairs=options.pairs,
                rounds=options.rounds,
                seed=options.seed,
            )
    except (CGSError, MissingPackageError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(table(measured))
    if options.json:
        options.json.write_text(_as_json(measured, options), encoding="utf-8")
    return 0


def table(measured: Sequence[Measured]) -> str:
    """Two Markdown tables: what was measured of the forms, and their AUC on each data set."""
    first = measured[0]
    head = ["form", "MB", "load, s", f"load / {first.form}", "ms a pair", f"time / {first.form}"]
    forms = [[*head, "change of p", "mean AUC", "loss of mean AUC"]]
    for m in measured:
        times = (m.loads, first.loads, 1.0), (m.pairs, first.pairs, 1e3)
        cells = [
            cell
            for mine, its, unit in times
            for cell in (f"{statistics.median(mine) * unit:.3g}", f"{ratio(mine, its):.2f}")
        ]
        lost = f"{m.loss.mean:+.4f} ({m.loss.low:+.4f} to {m.loss.high:+.4f})"
        forms.append(
            [
                *(
                    m.form,
                    f"{m.size / 1e6:.1f}",
                    *cells,
                    f"{m.change.mean:.4f} / {m.change.largest:.4f}",
                ),
                *(f"{_mean(m.aucs):.4f}", "" if m is first else lost),
            ]
        )
    sets = [["data set", *(m.form for m in measured)]]
    sets += [[name, *(f"{m.aucs[name]:.4f}" for m in measured)] for name in first.aucs]
    legend = (
        "Times are medians, and medians of the ratios within each round. change of p: of "
        "p(entailment)\nover the timed pairs, mean / largest. loss: with its paired 95 % bootstrap "
        f"interval; over 0, the form\nis worse than {first.form}.\n"
    )
    return f"{markdown(forms)}\n{legend}\nAUC of S2 alone:\n\n{markdown(sets)}"


def _stored_forms(options: argparse.Namespace, place: Path) -> dict[str, BundledEntailer]:
    state = unpack(load_file(options.weights or options.model / WEIGHTS_FILE))
    entailers = {}
    for name in options.forms or FORMS:
        try:
            entailers[name] = stored(name, state, options.model, place / name)
        except MissingPackageError as error:
            if options.forms:
                raise
            sys.stderr.write(f"{name} is left out: it {error}\n")
    return entailers


def _mean(aucs: Mapping[str, float]) -> float:
    known = [value for value in aucs.values() if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _as_json(measured: Sequence[Measured], options: argparse.Namespace) -> str:
    whole = {
        "conditions": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cpus": os.cpu_count(),
            "threads": options.threads,
            "versions": _versions(("cgs-rag", "numpy", "torch", "transformers", *ONNX_PACKAGES)),
            "seed": options.seed,
            "limit": options.limit,
            "resamples": RESAMPLES,
        },
        "forms": [asdict(one) for one in measured],
    }
    # JSON has no NaN: what is missing is null there.
    held = json.loads(json.dumps(whole), parse_constant=lambda _: None)
    return json.dumps(held, indent=2) + "\n"


def _versions(packages: Sequence[str]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compact_form", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--limit", type=_positive, help="at most so many rows of each file")
    parser.add_argument("--seed", type=int, default=0, help="of the draws and of the bootstrap")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    parser.add_argument("--model", type=Path, default=BUNDLED_FOLDER, metavar="FOLDER")
    parser.add_argument(
        "--weights", type=Path, metavar="FILE", help="safetensors to use in place of the model's"
    )
    parser.add_argument("--forms", type=_forms, metavar="NAME,NAME", help=", ".join(FORMS))
    parser.add_argument("--pairs", type=_positive, default=96, help="to time")
    parser.add_argument("--rounds", type=_positive, default=5)
    parser.add_argument("--threads", type=_positive, default=1)
    return parser.parse_args(arguments)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def _forms(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := sorted(set(names) - set(FORMS)):
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(FORMS)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
