"""The rules of ``calibration.claims``: worst claims by hand, and when their number counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cgs_rag.calibration.claims import EXPONENTS, ClaimsFitted, ClaimValues, fit_claims
from cgs_rag.calibration.fitting import Labelled, Point, fit
from cgs_rag.calibration.objectives import parse
from cgs_rag.types import Direction

POINT = Point((Direction.RISK, Direction.GROUNDING), np.array([0.5, 0.5]), 0.4)

CLAIMS = ClaimValues(
    np.array([[0.2, 0.8], [0.4, 1.0], [0.9, 0.1], [0.1, 0.3], [0.5, 0.7], [np.nan, np.nan]]),
    np.array([0, 0, 1, 2, 2, 3]),
)
"""Of risks 0.2 and 0.2, 0.9, 0.4 and 0.4, and 1, as no signal spoke."""


def risks(*each: list[float]) -> ClaimValues:
    """Claims of one signal, answer by answer."""
    owners = np.repeat(np.arange(len(each)), list(map(len, each)))
    return ClaimValues(np.array([risk for mine in each for risk in mine])[:, None], owners)


def worst(claims: ClaimValues, exponent: float) -> list[float]:
    alone = Point((Direction.RISK,), np.ones(1), 0.5)
    return claims.worst(alone, exponent).tolist()


class TestWorst:
    """The risk of an answer's worst claim."""

    def test_it_is_that_of_the_weights_and_directions_of_whole_answers(self):
        assert CLAIMS.worst(POINT, 0.0) == pytest.approx([0.2, 0.9, 0.4, 1.0])

    def test_it_is_the_largest_of_the_answers_claims(self):
        assert worst(risks([0.1, 0.7, 0.3], [0.2]), 0.0) == [0.7, 0.2]

    def test_an_exponent_of_0_leaves_it_as_it_is(self):
        assert worst(risks([0.5], [0.5, 0.1], [0.5, 0.5, 0.2]), 0.0) == [0.5, 0.5, 0.5]

    def test_an_exponent_of_1_raises_it_to_the_number_of_claims(self):
        found = worst(risks([0.5], [0.5, 0.1], [0.5, 0.5, 0.2]), 1.0)

        assert found == pytest.approx([0.5, 0.25, 0.125])

    def test_an_exponent_of_a_half_raises_it_to_the_root_of_the_number(self):
        assert worst(risks([0.5, 0.1, 0.1, 0.1]), 0.5) == pytest.approx([0.25])

    @pytest.mark.parametrize("exponent", [0.0, *EXPONENTS])
    def test_a_single_claim_is_never_changed(self, exponent):
        assert worst(risks([0.3], [0.0], [1.0]), exponent) == [0.3, 0.0, 1.0]

    @pytest.mark.parametrize("exponent", [0.0, *EXPONENTS])
    def test_a_claim_that_no_signal_speaks_of_is_flagged_at_any_threshold(self, exponent):
        assert worst(risks([np.nan, 0.1, 0.1]), exponent) == [1.0]

    def test_counts_are_the_claims_of_each_answer(self):
        assert CLAIMS.counts.tolist() == [2, 1, 2, 1]


class TestPart:
    """Those of some answers."""

    @pytest.mark.parametrize("at", [[0], [1], [3], [0, 2], [1, 3], [0, 1, 2, 3]], ids=str)
    def test_the_claims_are_those_of_the_answers_taken(self, at):
        mine = CLAIMS.part(np.array(at))
        expected = [CLAIMS.values[CLAIMS.owners == one] for one in at]

        np.testing.assert_array_equal(mine.values, np.concatenate(expected))

    def test_the_answers_are_numbered_anew(self):
        assert CLAIMS.part(np.array([0, 2, 3])).owners.tolist() == [0, 0, 1, 1, 2]

    def test_the_worst_claims_are_those_of_the_answers_taken(self):
        at = np.array([1, 2])

        assert CLAIMS.part(at).worst(POINT, 1.0).tolist() == CLAIMS.worst(POINT, 1.0)[at].tolist()


class TestFit:
    """The threshold of claims, and whether their number counts."""

    @staticmethod
    def fitted(labels: np.ndarray, each: list[list[float]]) -> ClaimsFitted:
        """Of answers whose risk is the mean of their claims'."""
        labelled = Labelled(
            names=("s",),
            own=(Direction.RISK,),
            values=np.array([np.mean(mine) for mine in each])[:, None],
            labels=labels,
            groups=np.arange(len(labels)),
            baselines={},
        )
        objective = parse("f1")
        return fit_claims(fit(labelled, objective), labelled, risks(*each), objective)

    @staticmethod
    def drawn(counts: list[int], n: int = 240) -> tuple[np.ndarray, list[list[float]]]:
        """Supported claims anywhere in [0, 0.8]; of unsupported answers one lies above 0.6."""
        rng = np.random.default_rng(0)
        labels = np.arange(n) % 2 == 1
        many = [counts[at // 2 % len(counts)] for at in range(n)]
        each = [rng.uniform(0, 0.8, count).tolist() for count in many]
        for mine, label in zip(each, labels, strict=True):
            mine[0] = rng.uniform(0.6, 1.0) if label else mine[0]
        return labels, each

    def test_the_number_counts_where_false_alarms_grow_with_it(self):
        found = self.fitted(*self.drawn([1, 6]))

        assert found.exponent in EXPONENTS
        assert found.false_alarms[3] > found.false_alarms[1]

    def test_the_number_does_not_count_where_false_alarms_do_not_grow(self):
        """The claims of an answer are all alike."""
        labels, each = self.drawn([1])
        alike = [mine * (at // 2 % 3 + 1) for at, mine in enumerate(each)]

        assert self.fitted(labels, alike).exponent == 0.0

    def test_answers_of_one_claim_each_are_flagged_as_whole_answers_are(self):
        labels, each = self.drawn([1])
        found = self.fitted(labels, each)
        flagged = np.array([mine[0] for mine in each]) >= found.threshold

        assert found.exponent == 0.0
        assert flagged[labels].mean() > flagged[~labels].mean()

    def test_false_alarms_of_a_number_of_claims_that_no_answer_has_are_nan(self):
        found = self.fitted(*self.drawn([1, 2]))

        assert not math.isnan(found.false_alarms[2])
        assert math.isnan(found.false_alarms[3])

    def test_false_alarms_are_told_of_1_of_2_and_of_3_or_more_claims(self):
        assert list(self.fitted(*self.drawn([1, 2, 9])).false_alarms) == [1, 2, 3]

    def test_the_threshold_is_one_of_the_corrected_risk(self):
        """It is the exact best on the worst claims."""
        labels, each = self.drawn([1, 6])
        found = self.fitted(labels, each)
        risk = np.array(worst(risks(*each), found.exponent))

        def f1(threshold: float) -> float:
            flagged = risk >= threshold
            return 2 * (flagged & labels).sum() / (flagged.sum() + labels.sum())

        assert f1(found.threshold) == max(map(f1, risk))

    def test_the_number_that_counts_gives_long_answers_fewer_false_alarms(self):
        labels, each = self.drawn([1, 6])
        found = self.fitted(labels, each)
        flagged = np.array(worst(risks(*each), found.exponent)) >= found.threshold
        many = np.array([len(mine) == 6 for mine in each])

        assert flagged[~labels & many].mean() < found.false_alarms[3]
