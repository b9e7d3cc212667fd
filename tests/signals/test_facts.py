"""The rules of S5, fact consistency."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag import CGSDetector, ConfigError
from cgs_rag.facts.checked import held, lacking
from cgs_rag.facts.context import Chunk
from cgs_rag.signals.facts import ALL_HELD, NO_FACT, FactsSignal, is_latin, value
from cgs_rag.types import Direction, Reading, Sample
from tests.fakes import FakeEncoder, FakeEntailer, batch, detector
from tests.strategies import texts


def read(answer: str, *context: str, question: str = "Q?") -> Reading:
    return FactsSignal().read(batch(Sample(question, answer, context)))[0]


def test_it_speaks_for_grounding_and_runs_locally():
    """The documented key, direction and needs."""
    signal = FactsSignal()

    assert (signal.name, signal.direction, signal.needs, signal.unavailable()) == (
        "s5_facts",
        Direction.GROUNDING,
        "local",
        None,
    )


@pytest.mark.parametrize("version", [1, 2])
def test_a_detector_that_was_calibrated_on_its_former_values_is_refused(version):
    """On another scale, or before flags, files and the order of words were read."""
    stored = detector(weights={"s5_facts": 1.0}, threshold=0.5).get_config()
    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}

    with pytest.raises(ConfigError, match=rf"version {version} of s5_facts.*calibrate again"):
        CGSDetector.from_config({**stored, "signal_versions": {"s5_facts": version}}, **fakes)


def test_it_asks_no_model():
    """No text is embedded."""
    encoder = FakeEncoder()
    sample = batch(Sample("Q?", "It costs 49 euros.", ("It costs 59 euros.",)), encoder=encoder)
    FactsSignal().read(sample)

    assert list(FactsSignal().embeds(sample)) == []
    assert encoder.passes == 0


def test_facts_that_the_context_holds_are_supported():
    """Without a note; of what else is said they prove nothing."""
    reading = read("It costs 49 euros.", "The price is €49.")

    assert (reading.value, reading.note) == (ALL_HELD, "")
    assert reading.evidence[0].label == "supported"


def test_a_value_that_the_context_lacks_is_named():
    """With the nearest of its sort."""
    reading = read("The lock costs 49 euros.", "The lock is sold. The lock costs 59 euros.")

    assert reading.value < 0.2
    assert reading.note == '"49 euros" is not in the context (nearest: "59 euros")'
    assert reading.evidence[0].text == "The lock costs 59 euros."
    assert reading.evidence[0].label == "contradicted"


def test_an_answer_without_facts_is_missing():
    """With the reason."""
    reading = read("A dog sat there.", "A cat lay here.")

    assert reading.is_missing
    assert reading.note == NO_FACT


def test_claims_without_facts_are_left_out_of_the_mean():
    """They neither raise nor lower it."""
    context = "The lock costs 49 euros. It weighs 2 kg."
    with_fact = read("The lock costs 59 euros.", context)

    assert read("The lock costs 59 euros. It shines a lot.", context).value == with_fact.value


def test_it_is_that_of_the_worst_claim():
    """Right values elsewhere don't mend a wrong one."""
    context = "The lock costs 49 euros. Its depth in metres is told nowhere."
    right, wrong = "The lock costs 49 euros.", "Somebody saw 77 red ships."
    both = read(f"{right} {wrong}", context).value

    assert both == read(wrong, context).value < read(right, context).value


def test_a_note_names_three_at_most():
    """And counts the rest."""
    reading = read("They saw 11, 22, 33, 44 and 55 ships.", "Nobody came.")

    assert reading.note.count("is not in the context") == 3
    assert reading.note.endswith("; and 2 more")


def test_a_short_answer_is_of_what_the_question_asks():
    """Its words choose the sentence."""
    reading = read(
        "15 euros", "Basic costs 6 euros. Studio costs 15 euros.", question="What does Studio cost?"
    )

    assert reading.value == ALL_HELD
    assert reading.evidence[0].text == "Studio costs 15 euros."


def test_a_short_answer_of_another_thing_is_lowered():
    """The right value of the neighbour."""
    context = "The Basic package costs 6 euros.", "The Studio package costs 15 euros."
    right = read("15 euros", *context, question="What does the Studio package cost?")
    wrong = read("6 euros", *context, question="What does the Studio package cost?")

    assert wrong.value < right.value


@given(st.lists(texts(), min_size=1, max_size=3), texts())
def test_evidence_points_at_its_exact_text(chunks, answer):
    """In the chunk and in the answer."""
    answer += " It costs 49 euros."
    for piece in read(answer, *chunks).evidence:
        assert chunks[piece.chunk][piece.start : piece.end] == piece.text
        assert answer[piece.answer_start : piece.answer_end] == piece.answer_text
        assert piece.label in {"supported", "contradicted", "absent"}


@given(st.lists(texts(), min_size=1, max_size=3), texts(), texts())
def test_a_reading_is_a_share_or_missing_with_a_reason(chunks, answer, question):
    """Whatever the texts are."""
    reading = read(answer, *chunks, question=question)

    assert 0.0 <= reading.value <= 1.0 or (math.isnan(reading.value) and reading.note)


def test_samples_of_a_batch_are_read_one_by_one():
    """In order."""
    samples = [Sample("", f"It costs {n} euros.", ("It costs 49 euros.",)) for n in (49, 59)]
    together = FactsSignal().read(batch(*samples))

    assert together == [FactsSignal().read(batch(sample))[0] for sample in samples]


@pytest.mark.parametrize("support", [0.0, 0.35, 0.85])
def test_the_worst_fact_decides(support):
    """Whatever else holds: an answer with one wrong number is wrong."""
    facts = [held("a", 0), held("b", 0), lacking("c", "absent", support, 0)]

    assert value(facts) == pytest.approx(ALL_HELD * support**2)


def test_a_sentence_said_again_dilutes_no_fault():
    """It holds no fact, so it is no part of the mean."""
    context = "The lock costs 49 euros. The old parcel was not opened."
    wrong = read("The lock costs 59 euros.", context)

    assert read("The lock costs 59 euros. The old parcel was not opened.", context) == wrong


def test_a_context_is_read_once(monkeypatch):
    """However often answers are held against it."""
    made: list[str] = []

    def chunk(text: str) -> Chunk:
        made.append(text)
        return Chunk(text)

    monkeypatch.setattr("cgs_rag.facts.chunk_memory.Chunk", chunk)
    signal, context = FactsSignal(), "The lock costs 49 euros."
    for price in (49, 59):
        signal.read(batch(Sample("Q?", f"It costs {price} euros.", (context,))))

    assert made == [context]


def test_a_value_that_is_worked_out_is_told_in_the_note():
    """With what it is worked out of."""
    reading = read("In all it costs 55 euros.", "It costs 40 euros and 15 euros to send.")

    assert reading.note == '"55 euros" is worked out of "40 euros" and "15 euros"'


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("Замок стоит 49 евро.", "The lock costs 49 euros."),
        ("The lock costs 49 euros.", "Замок стоит 49 евро."),
        ("ล็อคราคา 49 ยูโร", "ล็อคราคา 49 ยูโร"),
        ("𝕿𝖍𝖊 𝖑𝖔𝖈𝖐 𝖈𝖔𝖘𝖙𝖘 49.", "The lock costs 49 euros."),
    ],
)
def test_figures_amid_what_is_not_read_are_not_enough(answer, context):
    """No other signal may be able to read the rest."""
    (reading,) = FactsSignal().read(batch(Sample("", answer, (context,))))

    assert reading.is_missing
    assert "Latin" in reading.note


@pytest.mark.parametrize("text", ["49", "€ 49.00", "", "ID-77: 49 µg"])
def test_figures_alone_may_be_read(text):
    assert is_latin(text)


@pytest.mark.parametrize(
    "answer",
    [
        "lock,price\nAlpha,99\nBeta,12",
        '"Alpha",99',
        "It costs ..99",
        "$.99",
    ],
)
def test_a_value_behind_a_mark_is_checked(answer):
    assert read(answer, "Alpha costs 49 euros. Beta costs 79 euros.").value < 0.2
    assert read(answer, answer).value == ALL_HELD
