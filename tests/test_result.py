"""The rules of ``CGSResult``: how a verdict is told."""

from __future__ import annotations

import dataclasses
import html
import json
import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import given

from cgs_rag.facts.checked import held
from cgs_rag.result import SCHEMA_VERSION, CGSResult
from cgs_rag.signals.facts import value
from cgs_rag.types import Direction, Evidence, Reading, Weights
from tests.fakes import detector
from tests.strategies import FEW, raw, samples

SUPPORTED = Evidence(0, 0, 9, 0.9, "It is so.", 0, 7, "So it is", "entailment")
CONTRADICTED = Evidence(
    1, 2, 9, 0.1, "It is not so.", 8, 20, "It’s so — “really”…", "contradiction"
)
UNSUPPORTED = Evidence(0, 0, 9, 0.2, "Else.", 21, 30, "Other things", "neutral")


def result(**fields) -> CGSResult:
    base = {
        "risk_score": 0.62,
        "is_hallucination": True,
        "threshold": 0.4,
        "mode": "lite",
        "direction": "cosine_as_grounding",
        "readings": {
            "s2_nli": Reading(0.3, (SUPPORTED, CONTRADICTED, UNSUPPORTED), "a note", 0.8),
            "s3_cosine": Reading(0.7, (SUPPORTED,)),
            "s4_sgi": Reading.missing("no question"),
        },
        "weights": Weights({"s2_nli": 0.6, "s3_cosine": 0.3, "s4_sgi": 0.1}),
        "directions": {"s2_nli": Direction.GROUNDING},
        "notes": ("mind the gap",),
    }
    return CGSResult(**{**base, **fields})


def unscorable() -> CGSResult:
    return result(
        risk_score=math.nan, status="unscorable", reason="the answer is blank", readings={}
    )


def test_the_documented_fields_are_there():
    """The published table."""
    got = result()

    assert (got.risk_score, got.is_hallucination, got.threshold) == (0.62, True, 0.4)
    assert (got.mode, got.direction) == ("lite", "cosine_as_grounding")


def test_signals_are_the_values_of_the_readings():
    """NaN where one did not speak."""
    assert dict(result().signals) == pytest.approx(
        {"s2_nli": 0.3, "s3_cosine": 0.7, "s4_sgi": math.nan}, nan_ok=True
    )


def test_signals_are_a_dict_of_their_own():
    """As published: it can be pickled and dumped, and writing to it changes no result."""
    made = result()
    made.signals["s2_nli"] = 2.0

    assert repr(pickle.loads(pickle.dumps(made.signals))) == repr(made.signals)
    assert json.loads(json.dumps(made.signals))["s2_nli"] == made.signals["s2_nli"] != 2.0


def test_a_result_can_not_be_changed():
    """It is what was said."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        result().risk_score = 0.0


def test_a_result_survives_pickling():
    """On its way between processes."""
    assert pickle.loads(pickle.dumps(result())).to_dict() == result().to_dict()


def test_evidence_is_that_of_nli():
    """It says of each sentence whether it is entailed, whatever it weighs."""
    weights = {"s2_nli": 0.1, "s3_cosine": 0.9}

    assert result(weights=weights).evidence == (SUPPORTED, CONTRADICTED, UNSUPPORTED)


@pytest.mark.parametrize("nli", [{}, {"s2_nli": Reading.missing("another script")}])
def test_without_nli_evidence_is_that_of_the_heaviest_signal(nli):
    """Of those that gave any."""
    readings = {
        **nli,
        "a": Reading(0.5, (SUPPORTED,)),
        "b": Reading(0.5, (UNSUPPORTED,)),
        "c": Reading(0.5),
    }
    weights = {"s2_nli": 0.1, "a": 0.2, "b": 0.3, "c": 0.4}

    assert result(readings=readings, weights=weights).evidence == (UNSUPPORTED,)


def test_without_readings_there_is_no_evidence():
    """An empty tuple."""
    assert unscorable().evidence == ()


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({}, "HALLUCINATION"),
        ({"is_hallucination": False}, "GROUNDED"),
        ({"status": "unscorable"}, "UNSCORABLE"),
        ({"status": "no_claims", "is_hallucination": False}, "NO CLAIMS"),
    ],
)
def test_the_verdict_is_said_in_words(fields, verdict):
    """In the first line."""
    assert result(**fields).verdict == verdict
    assert verdict in result(**fields).explain().splitlines()[0]


@pytest.mark.parametrize(
    "told",
    [
        "CGS Risk Score : 0.620",
        "Threshold      : 0.400  |  Mode: lite  |  Direction: cosine_as_grounding",
        "S2  NLI faithfulness   : 0.300",
        "S3  Cosine similarity  : 0.700",
        "weight 0.6",
        "read 80% of the text",
        "a note",
        "n/a    (no question)",
        "chunk 1, 2-9",
        "contradicted: “It’s so",
        "not supported: “Other things”",
        "note: mind the gap",
    ],
)
def test_the_explanation_tells(told):
    """Score, threshold, each signal, the spans and the notes."""
    assert told in result().explain()


def test_the_explanation_of_an_unscorable_answer_is_the_reason():
    """And no number."""
    told = unscorable().explain()

    assert "the answer is blank" in told
    assert "nan" not in told


def test_a_supported_sentence_is_not_called_unsupported():
    """Only those of evidence below 0.5."""
    assert "supported: “So it is”" not in result().explain()


def test_an_unknown_signal_is_told_by_its_name():
    """Of a package."""
    assert "x9_extra" in result(readings={"x9_extra": Reading(0.5)}).explain()


@pytest.mark.parametrize(
    ("supports", "told"),
    [
        ([1.0], "values found"),
        ([0.85], "values found"),
        ([1.0, 0.0], "some values not found"),
        ([0.15], "values not found"),
    ],
)
def test_facts_that_hold_are_told_as_found_though_their_value_is_below_1(supports, told):
    """A value that is worked out of others holds, too."""
    mean = float(np.mean([value([held("49", 0, support)]) for support in supports]))

    assert f", {told}" in result(readings={"s5_facts": Reading(mean)}).explain()


def test_the_ascii_explanation_is_the_same_in_ascii():
    """Arrows, quotes and dashes have their plain forms."""
    told = result().explain(ascii=True)

    assert told.isascii()
    assert 'contradicted: "It\'s so - "really"..."' in told
    assert len(told.splitlines()) == len(result().explain().splitlines())


@FEW
@given(samples())
def test_the_ascii_explanation_is_ascii_for_every_text(sample):
    """Of any script."""
    got = detector().score(sample.question, sample.answer, sample.context)

    assert got.explain(ascii=True).isascii()


@FEW
@given(raw())
def test_every_explanation_can_be_written(text):
    """As UTF-8, whatever was in the text."""
    got = detector().score("q", f"word {text}", f"word {text}")

    assert got.explain().encode("utf-8")


def test_a_long_sentence_is_told_short():
    """A line stays a line."""
    piece = dataclasses.replace(SUPPORTED, answer_text="word\n" * 1000)
    told = result(readings={"s2_nli": Reading(0.3, (piece,))}).explain()

    assert max(map(len, told.splitlines())) < 200


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x00", "\x9b", "\u202e"])
def test_no_control_character_of_a_text_reaches_the_console(character):
    """An answer must not recolour, ring or reverse the terminal that shows its verdict."""
    got = detector().score("q", f"The {character}[31mtower is tall.", f"A {character}[31mtower.")

    assert character not in got.explain()
    assert character not in got.explain(ascii=True)


def test_the_dict_has_the_documented_keys():
    """And its version."""
    assert result().to_dict().keys() == {
        "schema_version",
        "verdict",
        "risk_score",
        "is_hallucination",
        "threshold",
        "probability",
        "needs_review",
        "review_band",
        "mode",
        "direction",
        "status",
        "reason",
        "signals",
        "weights",
        "readings",
        "notes",
    }
    assert result().to_dict()["schema_version"] == SCHEMA_VERSION


def test_a_missing_number_is_none_in_the_dict():
    """JSON has no NaN."""
    assert unscorable().to_dict()["risk_score"] is None
    assert result().to_dict()["signals"]["s4_sgi"] is None


def test_the_dict_holds_the_evidence():
    """As spans of chunk and answer."""
    piece = result().to_dict()["readings"]["s2_nli"]["evidence"][1]

    assert piece == {
        "chunk": 1,
        "start": 2,
        "end": 9,
        "value": 0.1,
        "label": "contradiction",
        "text": CONTRADICTED.text,
        "answer_start": 8,
        "answer_end": 20,
        "answer_text": CONTRADICTED.answer_text,
    }


def test_the_unsupported_sentences_are_named():
    """Those that NLI does not call entailed."""
    assert result().unsupported == (CONTRADICTED, UNSUPPORTED)


def test_the_headline_counts_the_unsupported_sentences():
    """Also of an answer that is grounded as a whole."""
    grounded = dataclasses.replace(result(), is_hallucination=False)

    assert "GROUNDED (2 of 3 sentences not supported)" in grounded.explain()


def test_the_coverage_is_the_least_of_those_that_spoke():
    """What one signal saw in part was not checked whole."""
    readings = {"a": Reading(0.5, coverage=0.9), "b": Reading(0.5, coverage=0.4)}

    assert result(readings=readings).coverage == 0.4
    assert math.isnan(unscorable().coverage)


def test_its_short_form_is_the_verdict():
    """A console shows one line."""
    assert repr(result()).startswith("CGSResult(HALLUCINATION, risk_score=")


@FEW
@given(samples())
def test_the_dict_survives_strict_json(sample):
    """For every text."""
    got = detector().score(sample.question, sample.answer, sample.context).to_dict()

    assert json.loads(json.dumps(got, allow_nan=False)) == got


def test_numbers_of_numpy_become_numbers_of_json():
    """A package's signal may give them."""
    piece = dataclasses.replace(SUPPORTED, value=np.float32(0.5), start=np.int64(0))
    reading = Reading(np.float32(0.5), (piece,), "", np.float32(1.0))

    assert json.dumps(result(readings={"x": reading}).to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("risk", "wanted"), [(0.19, False), (0.2, True), (0.6, True), (0.61, False)]
)
def test_a_risk_in_the_review_band_needs_review(risk, wanted):
    """Both ends count."""
    assert result(risk_score=risk, review_band=(0.2, 0.6)).needs_review is wanted


@pytest.mark.parametrize("status", ["scored", "no_claims"])
def test_without_a_calibration_nobody_knows_whether_what_was_checked_needs_review(status):
    """To machines it is null."""
    made = result(status=status)

    assert made.needs_review is None
    assert made.to_dict()["needs_review"] is None
    assert "review" not in made.explain()


def test_a_calibration_that_found_no_band_says_that_nothing_needs_review():
    assert result(is_calibrated=True).needs_review is False


@pytest.mark.parametrize("risk", [0.0, 1.0])
def test_what_a_policy_decided_needs_no_review(risk):
    """Whatever the band."""
    made = result(risk_score=risk, reason="it abstains", review_band=(0.0, 1.0))

    assert made.needs_review is False


@pytest.mark.parametrize("band", [None, (0.2, 0.6)])
def test_what_could_not_be_checked_needs_review(band):
    """Whatever the band."""
    unchecked = dataclasses.replace(unscorable(), review_band=band)

    assert unchecked.needs_review


def test_an_answer_that_states_nothing_needs_no_review():
    """Its risk is NaN, in no band."""
    made = result(risk_score=math.nan, status="no_claims", review_band=(0.2, 0.6))

    assert not made.needs_review


def test_what_a_calibration_adds_is_told():
    """In words and to machines."""
    made = result(probability=0.875, review_band=(0.2, 0.7))

    assert "Probability    : 0.875" in made.explain()
    assert "review band, 0.200 to 0.700" in made.explain()
    assert (
        made.to_dict().items()
        >= {
            "probability": 0.875,
            "needs_review": True,
            "review_band": [0.2, 0.7],
        }.items()
    )


def test_without_a_calibration_there_is_no_probability():
    """And no word of one."""
    assert (result().to_dict()["probability"], result().to_dict()["review_band"]) == (None, None)
    assert "robability" not in result().explain()


def test_html_marks_the_sentences_that_no_passage_entails():
    """And leaves the others as they are."""
    told = result(answer="So it is It’s so — “really”… Other things here").to_html()

    assert 'class="cgs-supported"' in told
    assert told.count('class="cgs-unsupported"') == 2
    assert "HALLUCINATION, risk 0.620, threshold 0.400" in told


def test_html_of_an_answer_that_was_not_checked_marks_it_whole():
    """It is neither supported nor unsupported."""
    told = unscorable().to_html()

    assert "UNSCORABLE, risk n/a" in told
    assert "cgs-supported" not in told


@given(samples())
def test_html_holds_the_whole_answer(sample):
    """Whatever it is."""
    got = detector().score(sample.question, sample.answer, sample.context)
    shown = re.sub("<sup>[^<]*</sup>", "", got.to_html().partition('pre-wrap">')[2])
    shown = re.sub("<[^>]*>", "", shown.partition("</p>")[0])

    assert html.unescape(shown) == html.unescape(html.escape(sample.answer))


def test_html_of_facts_alone_marks_what_they_support():
    """Where NLI was not read."""
    held = dataclasses.replace(SUPPORTED, label="supported")
    gone = dataclasses.replace(UNSUPPORTED, label="absent")
    readings = {"s5_facts": Reading(0.5, (held, gone))}
    told = result(answer="So it is It’s so — “really”… Other things", readings=readings).to_html()

    assert told.count('class="cgs-supported"') == told.count('class="cgs-unsupported"') == 1


@pytest.mark.parametrize(("flagged", "marks"), [(True, 1), (False, 0)])
def test_html_of_what_the_policy_decided_marks_the_whole_answer(flagged, marks):
    told = result(
        answer="The text does not say.", reason="it only abstains", is_hallucination=flagged
    ).to_html()

    assert told.count('class="cgs-unsupported"') == marks
