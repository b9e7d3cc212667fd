"""How the detector does on hand-judged acceptance cases, class by class.

``python -m benchmarks.cases --cases FILE`` reads them with S2 alone, ``--default`` with the default
detector, ``--claims`` with its verdicts on claims. Nothing may be chosen by these figures. See
README.md beside this file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.auc import RESAMPLES, Score
from benchmarks.case_columns import Column, Unmatched, baselines, by_claims, by_signal, judged
from benchmarks.case_figures import FEW, Figures, Ranked, Share, figures, minimal_pairs
from benchmarks.case_file import Case, load_cases
from benchmarks.table import markdown
from cgs_rag import CGSDetector, CGSError
from cgs_rag.models.entailer import BundledEntailer

SIGNAL = "s2_nli"

PACKAGES = ("cgs-rag", "numpy", "torch", "transformers", "sentence-transformers")


@dataclass(frozen=True, slots=True)
class Report:
    """All that is said of a file of cases.

    Attributes:
        overall: By column: the detector, the baselines.
        classes: By class, then by column.
        unmatched: Sentences and claims that did not meet.
        lone: Cases that name a pair which is none: not two cases of opposite labels.
    """

    overall: Mapping[str, Figures]
    classes: Mapping[str, Mapping[str, Figures]]
    unmatched: Unmatched
    lone: int


def main(arguments: Sequence[str] | None = None, **models: Any) -> int:
    """Print the tables.

    Args:
        arguments: Of the command line.
        **models: Used in place of the default ones: ``nli_model``, ``cosine_model``.

    Returns:
        The exit status: 0, or 1 when the file or a model can't be read.
    """
    options = _options(arguments)
    try:
        cases = load_cases(options.cases)
        detector = _detector(options, models)
        made = report(cases, detector, options)
        conditions = _conditions(detector, options)
    except (CGSError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    read = "any signal" if options.claims else options.signal
    sys.stdout.write(f"{_heading(conditions)}\n{table(made, read)}")
    if options.json:
        options.json.write_text(_as_json(made, conditions), encoding="utf-8")
    return 0


def report(cases: Sequence[Case], detector: CGSDetector, options: argparse.Namespace) -> Report:
    """Score the cases, and work out the figures over all and over each class.

    Args:
        cases: n cases.
        detector: Scores the answers.
        options: Of the command line: the signal, whether it is the default detector, and the seed.
    """
    rows = [case.sample for case in cases]
    asked = (
        [row.question for row in rows],
        [row.answer for row in rows],
        [row.context for row in rows],
    )
    if options.claims:
        claims = detector.score_claims_batch(*asked)
        answers, cut, name = [by_claims(one) for one in claims], claims[0].threshold, "claims"
    else:
        results = detector.score_batch(*asked)
        answers, cut = [by_signal(one, options.signal) for one in results], results[0].threshold
        name = "default" if options.default else options.signal
    column, unmatched = judged(cases, answers, name, cut)
    columns = [column, *baselines(cases)]
    kinds: dict[str, list[int]] = {}
    for at, case in enumerate(cases):
        kinds.setdefault(case.kind, []).append(at)
    classes = {kind: _of_class(cases, columns, kinds[kind]) for kind in sorted(kinds)}
    paired = sum(case.pair is not None for case in cases)
    return Report(
        {c.name: figures(cases, c, options.seed) for c in columns},
        classes,
        unmatched,
        paired - 2 * len(minimal_pairs(cases)),
    )


def table(made: Report, signal: str) -> str:
    """Two Markdown tables, over all cases and by class, and what is to be known of them."""
    first = next(iter(made.overall.values()))
    names = list(made.overall)
    cells = [_cells(found) for found in made.overall.values()]
    overall = [["", *names], *([title, *(each[title] for each in cells)] for title in cells[0])]
    pairs = [f"pairs: {names[0]}", *names[1:]]
    head = ["class", "cases", "sentences", "AUC", "risk", *pairs, "flagged: grounded"]
    by_class = [[*head, "hallucinated", "evidence"]]
    by_class += [_class_cells(kind, found) for kind, found in made.classes.items()]
    counts = (
        f"{sum(first.cases)} cases ({first.cases.unsupported} of label 1), "
        f"{first.pairs.right.total} minimal pairs, {sum(first.sentences)} sentences that state a "
        f"fact ({first.sentences.unsupported} not supported)"
    )
    legend = (
        "AUC of the risk of what is not supported, 95 % bootstrap interval over whole pairs; -k: k "
        "had no value\nand are left out. Shares with Wilson's interval. A pair that is tied or has "
        "no risk is not ranked rightly.\n"
        f"By class: 0 / 1 is supported / not supported; AUC of sentences, from {FEW} of each; risk "
        "is their mean;\nlength and novelty: the pairs that these baselines rank rightly.\n"
    )
    return (
        f"{counts}\n\n{markdown(overall)}\n{markdown(by_class)}\n{legend}{_left_out(made, signal)}"
    )


def _cells(found: Figures) -> dict[str, str]:
    grounded, hallucinated = found.flagged or (None, None)
    return {
        "sentence AUC": _area(found.sentence_auc),
        "mean risk, supported / not": _both(found.sentence_risk),
        "sentence balanced accuracy": _number(found.sentence_balanced_accuracy),
        "answer AUC": _area(found.answer_auc),
        "answer balanced accuracy": _number(found.answer_balanced_accuracy),
        "flagged, of the grounded": _share(grounded),
        "flagged, of the hallucinated": _share(hallucinated),
        "pairs ranked rightly": _pairs(found.pairs),
        "evidence hit": _share(found.evidence),
    }


def _of_class(
    cases: Sequence[Case], columns: Sequence[Column], chosen: Sequence[int]
) -> dict[str, Figures]:
    mine = [cases[at] for at in chosen]
    return {c.name: figures(mine, c.of(chosen), resamples=0, few=FEW) for c in columns}


def _class_cells(kind: str, found: Mapping[str, Figures]) -> list[str]:
    first, *others = found.values()
    flagged = first.flagged or ()
    return [
        kind,
        f"{first.cases.supported} / {first.cases.unsupported}",
        f"{first.sentences.supported} / {first.sentences.unsupported}",
        _area(first.sentence_auc),
        _both(first.sentence_risk),
        *(_of_total(each.pairs.right) for each in (first, *others)),
        *(_of_total(each) for each in flagged),
        _of_total(first.evidence),
    ]


def _left_out(made: Report, signal: str) -> str:
    lost = made.unmatched
    lines = [f"sentences without a value of {signal}: {sum(lost.sentences.values())}"]
    lines += [f"  {count}: {reason}" for reason, count in lost.sentences.items()]
    if lost.claims_without_fact:
        lines.append(f"claims in sentences that state no fact: {lost.claims_without_fact}")
    if lost.claims_elsewhere:
        lines.append(f"claims in no sentence of their case: {lost.claims_elsewhere}")
    if made.lone:
        lines.append(f"cases that name a pair but are not one of two opposite ones: {made.lone}")
    return "".join(f"{line}\n" for line in lines)


def _area(found: Score) -> str:
    left_out = f" -{found.left_out}" if found.left_out else ""
    if np.isnan(found.auc):
        return f"none{left_out}"
    between = "" if np.isnan(found.low) else f" ({found.low:.3f}-{found.high:.3f})"
    return f"{found.auc:.3f}{between}{left_out}"


def _share(found: Share | None) -> str:
    if found is None or not found.total:
        return "none"
    share = found.count / found.total
    return f"{_of_total(found)} = {share:.0%} ({found.low:.0%}-{found.high:.0%})"


def _pairs(found: Ranked) -> str:
    said = [f"{count} {what}" for count, what in ((found.tied, "tied"), (found.unread, "unread"))]
    return ", ".join([_share(found.right), *said])


def _of_total(found: Share | None) -> str:
    return f"{found.count}/{found.total}" if found and found.total else ""


def _both(values: tuple[float, float]) -> str:
    return " / ".join(map(_number, values))


def _number(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:.3f}"


def _heading(conditions: Mapping[str, Any]) -> str:
    config, cases = conditions["detector"], conditions["cases"]
    weights = ", ".join(f"{name} {weight:.3g}" for name, weight in config["weights"].items())
    calibrated = "calibrated" if config["calibrated"] else "not calibrated for it"
    lines = [
        f"cases: {cases['name']}, sha256 {cases['sha256'][:16]}",
        f"detector: {weights}; threshold {config['threshold']:.4f}, {calibrated}",
        *(
            f"{kind}: {model['name']}, sha256 {(model['sha256'] or 'not known')[:16]}"
            for kind, model in config["models"].items()
        ),
        "versions: " + ", ".join(f"{name} {v}" for name, v in conditions["versions"].items()),
    ]
    return "".join(f"{line}\n" for line in lines)


def _conditions(detector: CGSDetector, options: argparse.Namespace) -> dict[str, Any]:
    digest = hashlib.sha256(options.cases.read_bytes()).hexdigest()
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "versions": {name: version(name) for name in PACKAGES},
        "seed": options.seed,
        "resamples": RESAMPLES,
        "cases": {"name": options.cases.name, "sha256": digest},
        "detector": detector.get_config(),
    }


def _as_json(made: Report, conditions: Mapping[str, Any]) -> str:
    # JSON has no NaN: what is missing is null there.
    whole = json.dumps({"conditions": conditions, **asdict(made)})
    return json.dumps(json.loads(whole, parse_constant=lambda _: None), indent=2) + "\n"


def _detector(options: argparse.Namespace, models: Mapping[str, Any]) -> CGSDetector:
    default = CGSDetector(mode="lite", **models)
    if (options.default or options.claims) and options.model is None:
        return default
    own = {} if options.model is None else {"nli_model": BundledEntailer(options.model)}
    return CGSDetector(
        mode="lite",
        weights={options.signal: 1.0}
        if not (options.default or options.claims)
        else default.weights,
        threshold=default.threshold,
        direction=default.direction,
        **{**models, **own},
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cases", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE")
    scored_by = parser.add_mutually_exclusive_group()
    scored_by.add_argument("--signal", default=SIGNAL, metavar="NAME", help="alone, with weight 1")
    scored_by.add_argument("--default", action="store_true", help="the default detector")
    scored_by.add_argument(
        "--claims", action="store_true", help="the default detector, by the worst claim"
    )
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="in place of the bundled NLI")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
