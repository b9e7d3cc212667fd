"""The rules of a fit to more answers than are measured: a million, or few groups of very many."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from cgs_rag.calibration.claims import ClaimValues, fit_claims
from cgs_rag.calibration.fitting import Fitted, fit
from cgs_rag.calibration.labelled import MOST_SAMPLES, Labelled
from cgs_rag.calibration.objectives import Objective, best_threshold
from cgs_rag.calibration.point import fit_point
from cgs_rag.calibration.probability import fit_probability, reliability
from cgs_rag.calibration.ranking import auc
from cgs_rag.calibration.review import review_band
from cgs_rag.calibration_report import Calibration, calibration_of
from cgs_rag.calibrator import Calibrated
from cgs_rag.errors import CalibrationError
from cgs_rag.logs import Logs
from tests.calibration.answers import drawn

F1 = Objective("f1")
MILLION = 1_000_000
EACH = np.arange(100_000)
"""Numbers of many answers."""

pytestmark = pytest.mark.slow


class Million(NamedTuple):
    """A million answers, and what was fitted to them.

    Attributes:
        labelled: The answers, each a group of its own.
        fitted: The fit.
        risk: Of every answer, shape (MILLION,).
    """

    labelled: Labelled
    fitted: Fitted
    risk: NDArray[np.float64]

    def f1(self, threshold: float) -> float:
        """Of flagging all answers at or above a threshold."""
        flagged = self.risk >= threshold
        hits = int((flagged & self.labelled.labels).sum())
        return 2 * hits / (int(flagged.sum()) + int(self.labelled.labels.sum()))

    def best_f1(self) -> float:
        """Of every cut of all the answers: each number of the riskiest, ties flagged together."""
        order = np.argsort(-self.risk, kind="stable")
        ranked = self.risk[order]
        hits = np.cumsum(self.labelled.labels[order])
        scores = 2 * hits / (np.arange(1, MILLION + 1) + hits[-1])
        return float(scores[np.r_[ranked[1:] != ranked[:-1], True]].max())


@pytest.fixture(scope="module")
def million() -> Million:
    labelled = drawn(MILLION, [1.0, 0.5])
    fitted = fit(labelled, F1)
    return Million(labelled, fitted, fitted.point.risk(labelled.values))


@pytest.fixture(scope="module")
def report(million: Million) -> Calibration:
    """The calibration of answers that are their own only claim."""
    labelled, fitted, risk = million
    held_out = fitted.held_out.risks.mean(axis=0)
    seen = labelled.labels[fitted.measured_on]
    probability = fit_probability(held_out, seen)
    found = Calibrated(
        labelled=labelled,
        fitted=fitted,
        claims=fit_claims(fitted, labelled, ClaimValues(labelled.values, labelled.groups), F1),
        review=review_band(risk, labelled.labels),
        probability=probability,
        reliability=reliability(probability(held_out), seen),
        without_risk={},
    )
    return calibration_of(found, Logs((), labelled.labels, labelled.groups, (), "", ()), F1, 0)


def test_a_million_answers_are_measured_on_a_sample(million: Million):
    """Of distinct answers, as many as may be."""
    measured_on = million.fitted.measured_on

    assert len(measured_on) == len(np.unique(measured_on)) == MOST_SAMPLES


def test_no_answer_outside_the_sample_is_held_out(million: Million):
    """The figures come from it alone."""
    assert million.fitted.held_out.risks.shape[1] == MOST_SAMPLES


def test_directions_and_weights_are_those_of_the_sample(million: Million):
    """Only the threshold is another."""
    labelled, fitted, _ = million
    point = fit_point(labelled.part(fitted.measured_on), F1, 0)

    assert fitted.point.directions == point.directions
    assert fitted.point.weights.tolist() == point.weights.tolist()


def test_the_threshold_is_the_best_of_a_million(million: Million):
    """By brute force over every cut of all the answers."""
    assert million.f1(million.fitted.point.threshold) == pytest.approx(million.best_f1(), abs=1e-12)


def test_the_threshold_of_the_sample_would_not_be_the_best_of_a_million(million: Million):
    """What all the answers are looked at for."""
    at = million.fitted.measured_on
    of_sample = best_threshold(million.risk[at], million.labelled.labels[at], F1).threshold

    assert million.f1(of_sample) < million.best_f1() - 1e-9


def test_the_interval_of_the_sample_holds_the_auc_of_a_million(million: Million):
    """And is narrow."""
    low, high = million.fitted.metrics.auc[1:]

    assert low < auc(million.risk, million.labelled.labels) < high < low + 0.02


@pytest.mark.parametrize(
    ("name", "count"),
    [("n_samples", MILLION), ("n_unsupported", MILLION // 2), ("n_groups", MILLION)],
)
def test_every_one_of_a_million_answers_is_counted(report: Calibration, name: str, count: int):
    """Not those of the sample."""
    assert report[name] == count


def test_the_threshold_that_is_told_is_that_of_a_million(report: Calibration, million: Million):
    """To the last bit."""
    assert report["threshold"] == million.fitted.point.threshold


@pytest.mark.parametrize(
    "groups",
    [
        pytest.param(EACH % 12, id="12 groups of one label each"),
        pytest.param(EACH // 2 % 12, id="12 groups of both labels"),
        pytest.param(EACH // (MOST_SAMPLES + 2), id="5 groups larger than the sample"),
        pytest.param(
            np.where(EACH % 2 == 0, EACH // 2 % 5, EACH // 2 + 5),
            id="5 groups of all unsupported answers",
        ),
    ],
)
def test_few_large_groups_are_fitted(groups: NDArray[np.int64]):
    """As many as folds take are enough, however large."""
    fitted = fit(replace(drawn(len(EACH), [1.0]), groups=groups), F1)

    assert fitted.metrics.auc.low > 0.7


def test_the_sample_keeps_the_share_of_each_label():
    """Which precision and F1 depend on."""
    labelled = drawn(len(EACH), [1.0])
    rare = labelled.part(np.flatnonzero(~labelled.labels | (EACH % 10 == 0)))
    measured_on = fit(rare, F1).measured_on

    assert rare.labels[measured_on].mean() == pytest.approx(rare.labels.mean(), abs=1e-4)


def test_a_sample_with_too_few_of_a_label_is_refused():
    """With the way out."""
    labelled = drawn(len(EACH), [1.0])
    rare = labelled.part(np.flatnonzero(~labelled.labels | (EACH < 30)))

    with pytest.raises(
        CalibrationError, match=r"of 50015 answers.* leave out answers of the other"
    ):
        fit(rare, F1)
