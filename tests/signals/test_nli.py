"""The rules of S2, NLI faithfulness."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag import CGSDetector, ConfigError
from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.models import ENTAILMENT, Entailments
from cgs_rag.signals.nli import CANDIDATES, NLISignal
from cgs_rag.text import PASSAGE_SIZE, size
from cgs_rag.types import Direction, Reading, Sample
from tests.fakes import FakeEncoder, FakeEntailer, ReadsOnlyLatin, Scripted, batch, detector

FACTS = [
    "The tower is in Paris.",
    "Berlin is in Germany.",
    "The river runs to the sea.",
    "A doctor is not an engine.",
    "Winter is cold in the north.",
    "The river has been cold for three years.",
    "The tower has 12 doors.",
]
CHUNKS = st.lists(st.sampled_from(FACTS), min_size=1, max_size=5)


def read(answer: str, *context: str, question: str = "", entailer=None, encoder=None) -> Reading:
    sample = Sample(question, answer, context)
    return NLISignal(entailer or FakeEntailer()).read(batch(sample, encoder=encoder))[0]


def test_it_speaks_for_grounding_and_runs_locally():
    """The documented key, direction and needs."""
    signal = NLISignal(FakeEntailer())

    assert (signal.name, signal.direction, signal.needs, signal.unavailable()) == (
        "s2_nli",
        Direction.GROUNDING,
        "local",
        None,
    )


def test_one_sentence_and_one_passage_is_the_published_probability():
    """P(entailment | premise = context, hypothesis = answer)."""
    pair = ("The tower is in Paris, France.", "The tower is in France and it is very tall.")
    expected = FakeEntailer().entail([pair]).probabilities[0, ENTAILMENT]

    assert read(pair[1], pair[0]).value == expected


def test_the_premise_is_the_passage_and_the_hypothesis_the_claim():
    """Other guards have it reversed."""
    entailer = FakeEntailer()

    read("It is a claim that is long enough.", "It is a passage.", entailer=entailer)

    assert entailer.calls == [[("It is a passage.", "It is a claim that is long enough.")]]


def test_of_the_passages_the_best_counts():
    """Not the first, and not the mean."""
    script = {"One.": (0.1, 0.3, 0.6), "Two.": (0.1, 0.8, 0.1), "Three.": (0.1, 0.5, 0.4)}

    assert read("A claim.", *script, entailer=Scripted(script)).value == 0.8


def test_over_the_claims_it_is_the_mean():
    """Each counts alike, however long it is."""
    answer = "The tower is in Paris. Berlin is elsewhere. Elephants sleep."

    assert read(answer, *FACTS[:2]).value == pytest.approx((1.0 + 2 / 3 + 0.0) / 3)


@given(CHUNKS, CHUNKS, st.randoms(use_true_random=False))
def test_adding_repeating_or_reordering_chunks_never_lowers_it(chunks, added, random):
    """Exact, while all passages are read."""
    answer = "The tower is in Germany. The river is not cold. It has a dozen doors for 36 months."
    more = [*chunks, *added, *chunks]
    random.shuffle(more)

    assert read(answer, *more).value >= read(answer, *chunks).value


def test_adding_chunks_in_a_script_the_model_cannot_read_never_lowers_it():
    """A supported claim stays supported."""
    model = ReadsOnlyLatin()
    chunks = [FACTS[0], "中文句子一。", "中文句子二。", "中文句子三。"]

    assert read(FACTS[0], *chunks, entailer=model, encoder=model).value == 1.0


def test_a_passage_the_model_cannot_read_is_no_evidence():
    """What it makes of unknown tokens is noise."""
    model = ReadsOnlyLatin()
    reading = read("Berlin burns.", FACTS[0], "中文句子一。", entailer=model, encoder=model)

    assert reading.value < 0.5
    assert {piece.chunk for piece in reading.evidence} == {0}


def test_a_text_in_a_script_the_model_cannot_read_is_missing():
    """With the reason, never a number."""
    model = ReadsOnlyLatin()
    reading = read("中文句子一。", "中文句子二。", entailer=model, encoder=model)

    assert reading.is_missing
    assert "0%" in reading.note


def test_evidence_is_one_a_claim_in_their_order():
    """Spans of the answer and of the right chunk."""
    answer = "Berlin is in Germany. The tower is in Paris."
    reading = read(answer, "", "In winter it snows. " + FACTS[0], FACTS[1])

    assert [answer[e.answer_start : e.answer_end] for e in reading.evidence] == [
        "Berlin is in Germany.",
        "The tower is in Paris.",
    ]
    assert [e.chunk for e in reading.evidence] == [2, 1]


@given(CHUNKS)
def test_evidence_points_at_its_exact_text(chunks):
    """Offsets are of the caller's chunks and answer."""
    answer = "The tower is in Germany. The river is not cold."
    for piece in read(answer, *chunks).evidence:
        assert chunks[piece.chunk][piece.start : piece.end] == piece.text
        assert answer[piece.answer_start : piece.answer_end] == piece.answer_text


@pytest.mark.parametrize(
    ("script", "chunk", "label"),
    [
        ([(0.9, 0.05, 0.05), (0.1, 0.6, 0.3)], 1, "entailment"),
        ([(0.05, 0.05, 0.9), (0.8, 0.1, 0.1)], 1, "contradiction"),
        ([(0.1, 0.1, 0.8), (0.1, 0.3, 0.6)], 1, "neutral"),
        ([(0.5, 0.1, 0.4), (0.9, 0.05, 0.05)], 1, "contradiction"),
    ],
)
def test_entailment_outranks_contradiction_which_outranks_neutral(script, chunk, label):
    """Of the passages of one claim, whatever the order."""
    passages = dict(zip(["Claim one.", "Claim two."], script, strict=True))
    piece = read("A claim.", *passages, entailer=Scripted(passages)).evidence[0]

    assert (piece.chunk, piece.label) == (chunk, label)


@pytest.mark.parametrize(
    ("passage", "label"),
    [("It costs 49 euros.", "neutral"), ("The designer works in Bergen.", "contradiction")],
)
def test_what_shares_no_word_with_a_claim_does_not_contradict_it(passage, label):
    """Whatever the model says of it; how far it is entailed stays."""
    piece = read(
        "It was designed in Oslo.", passage, entailer=Scripted({passage: (0.8, 0.05, 0.15)})
    ).evidence[0]

    assert (piece.label, piece.value) == (label, 0.05)


def test_a_short_answer_has_the_words_of_its_question():
    """They stand in the hypothesis."""
    passage = "It was designed in Bergen."
    entailer = Scripted({passage: (0.8, 0.05, 0.15)})
    entailer.template = "{question} {answer}"
    found = read("Oslo.", passage, question="Where was it designed?", entailer=entailer)

    assert found.evidence[0].label == "contradiction"


def test_a_contradiction_elsewhere_does_not_lower_an_entailment():
    """Retrieval brings unrelated chunks along."""
    script = {"One.": (0.0, 0.9, 0.1), "Two.": (1.0, 0.0, 0.0)}

    assert read("A claim.", *script, entailer=Scripted(script)).value == 0.9


def test_a_short_answer_is_read_with_its_question():
    """In the words of the model's template."""
    entailer = FakeEntailer(template="The answer to '{question}' is: {answer}.")

    read("Paris.", "Text.", question=" Where {is} it? ", entailer=entailer)

    assert entailer.calls[0][0][1] == "The answer to 'Where {is} it?' is: Paris."


@pytest.mark.parametrize(
    ("question", "answer"),
    [("", "Paris."), (" ", "Paris."), ("Where?", "The tower is in Paris and it is tall.")],
)
def test_a_long_answer_or_one_without_question_is_read_alone(question, answer):
    """The template is for short answers."""
    entailer = FakeEntailer(template="The answer to '{question}' is: {answer}.")

    read(answer, "Text.", question=question, entailer=entailer)

    assert entailer.calls[0][0][1] == answer


def test_a_model_without_a_template_reads_the_answer_alone():
    """Whatever the question."""
    entailer = FakeEntailer()

    read("Paris.", "Text.", question="Where?", entailer=entailer)

    assert entailer.calls[0][0][1] == "Paris."


def test_all_pairs_of_a_batch_take_one_pass_and_identical_ones_one_place():
    """Twins cost nothing."""
    entailer = FakeEntailer()
    sample = Sample("", "One is here. Two is here.", ("A text.", "A text.", "More."))

    NLISignal(entailer).read(batch(*[sample] * 3))

    assert [len(pairs) for pairs in entailer.calls] == [4]


def test_few_passages_need_no_vectors():
    """No encoder is loaded for them."""
    encoder = FakeEncoder()

    read("One. Two.", *["Text."] * CANDIDATES, encoder=encoder)

    assert encoder.passes == 0


def test_of_many_passages_the_nearest_are_read():
    """The one that says it is among them."""
    chunks = [f"Item{number} is number{number} of a list." for number in range(50)]
    entailer = FakeEntailer()

    reading = read("Item33 is number33 of a list.", *chunks, entailer=entailer)

    assert len(entailer.calls[0]) == CANDIDATES
    assert reading.value == 1.0


def test_what_was_not_read_of_many_passages_is_told():
    """In a note, and in the coverage."""
    reading = read("Item33 is here.", *[f"Item{number} is there." for number in range(64)])

    assert f"read {CANDIDATES} of 64 passages" in reading.note
    assert reading.coverage == pytest.approx(CANDIDATES / 64)


def test_all_passages_read_is_full_coverage_without_a_note():
    """Nothing to tell."""
    reading = read("One is here.", "Text.", "More.")

    assert (reading.coverage, reading.note) == (1.0, "")


def test_partial_coverage_of_the_model_is_passed_on():
    """What an adapter had to cut is not hidden."""

    class Cuts(FakeEntailer):
        def entail(self, pairs) -> Entailments:
            return Entailments(super().entail(pairs).probabilities, np.full(len(pairs), 0.8))

    assert read("One is here.", "Text.", entailer=Cuts()).coverage == pytest.approx(0.8)


class Misshapen(FakeEntailer):
    """Gives what the port does not promise."""

    def __init__(self, **given) -> None:
        super().__init__()
        self.given = given

    def entail(self, pairs) -> Entailments:
        made = super().entail(pairs)
        return Entailments(
            self.given.get("probabilities", made.probabilities),
            self.given.get("coverage", made.coverage),
        )

    def known(self, texts):
        return self.given.get("known", super().known(texts))


@pytest.mark.parametrize(
    "given",
    [
        {"probabilities": np.ones((1, 2))},
        {"probabilities": np.full((1, 3), np.nan)},
        {"probabilities": np.full((1, 3), 1.5)},
        {"coverage": np.ones(7)},
        {"known": np.ones(7)},
    ],
    ids=str,
)
def test_a_model_that_breaks_its_promise_fails_by_name(given):
    """And never gives a plausible number."""
    with pytest.raises(BackendError, match="NLI model"):
        read("A claim.", "A passage.", entailer=Misshapen(**given))


def test_a_template_with_other_fields_is_refused():
    """The message shows it."""
    entailer = FakeEntailer(template="{question} {reply}")

    with pytest.raises(InvalidInputError, match="reply"):
        read("Paris", "It is in Paris.", question="Where?", entailer=entailer)


def test_of_a_question_that_fills_a_model_the_end_is_asked():
    """There it asks; the answer must not be crowded out."""
    entailer = FakeEntailer(template="{question} {answer}")
    read("49", "It costs 49.", question="Please answer this. " * 99 + "Price?", entailer=entailer)
    ((_, hypothesis),) = entailer.calls[0]

    assert hypothesis.endswith("Price? 49")
    assert size(hypothesis) < 2 * PASSAGE_SIZE


def test_the_evidence_is_the_sentence_that_speaks_of_the_claim():
    """Not the whole passage around it."""
    piece = read("The tower is in Paris.", " ".join(FACTS)).evidence[0]

    assert piece.text == FACTS[0]


def test_copies_of_a_chunk_crowd_out_no_other():
    """Also where there are more of them than passages are read."""
    reading = read(FACTS[0], *["The tower is near Paris."] * (2 * CANDIDATES), FACTS[0])

    assert reading.value == read(FACTS[0], FACTS[0]).value
    assert (reading.note, reading.coverage) == ("", 1.0)


def test_a_sentence_in_pieces_is_as_good_as_its_worst_piece():
    """Seven true pieces can't carry a false one."""
    true = " ".join(f"the tower number {at} stands in Paris," for at in range(24))
    false = " ".join(f"bread number {at} needs some yeast," for at in range(12))
    answer = f"{true} and {false} it is said."
    whole = batch(Sample("", answer, (f"{true} and so on.", "It is said.")))
    reading = NLISignal(FakeEntailer()).read(whole)[0]

    assert len(whole.claims[0]) > 2
    assert {claim.sentence for claim in whole.claims[0]} == {0}
    assert reading.value == pytest.approx(min(piece.value for piece in reading.evidence))


class Doubtful(FakeEntailer):
    """Entails nothing."""

    def entail(self, pairs):
        return Entailments(np.tile([0.5, 0.0, 0.5], (len(pairs), 1)), np.ones(len(pairs)))


@pytest.mark.parametrize(
    ("answer", "context", "is_said"),
    [
        ("It costs 49 euros.", "The lock is red. It costs 49 euros. It is old.", True),
        ("it costs  49 euros", "It costs\n49 euros.", True),
        ("It costs 49 euros.", "It costs 49 euros more.", False),
        ("It costs 49 euros.", "They deny that it costs 49 euros.", False),
        ("It costs 49 euros.", "It costs 490 euros.", False),
    ],
)
def test_what_a_passage_says_word_for_word_is_entailed(answer, context, is_said):
    """Whatever the model makes of it; but only a whole sentence is."""
    (reading,) = NLISignal(Doubtful()).read(batch(Sample("", answer, (context,))))

    assert reading.value == float(is_said)
    assert (reading.evidence[0].label == "entailment") is is_said


def test_a_short_answer_with_its_question_is_left_to_the_model():
    """A "No." of the context may answer another question."""
    row = Sample("Is it free?", "No.", ("Is it red? No. It is free.",))
    (reading,) = NLISignal(Doubtful(template="{question} {answer}")).read(batch(row))

    assert reading.value == 0.0


YEARS, MONTHS = "It shuts for three years.", "It shuts for 36 months now."


class Literal(FakeEntailer):
    """Entails only what speaks of years."""

    def entail(self, pairs):
        self.calls.append(list(pairs))
        rows = [[0.9, 0.0, 0.1], [0.0, 0.9, 0.1]]
        said = [rows["years" in hypothesis] for _, hypothesis in pairs]
        return Entailments(np.array(said), np.ones(len(pairs)))


def test_a_value_in_another_spelling_is_read_in_that_of_the_passage_too():
    """The better of both counts, and is shown with the claim as it is."""
    entailer = Literal()
    reading = read(MONTHS, YEARS, "It is old.", entailer=entailer)
    (piece,) = reading.evidence

    assert entailer.calls == [
        [(YEARS, MONTHS), (YEARS, "It shuts for three years now."), ("It is old.", MONTHS)]
    ]
    assert (reading.value, piece.value, piece.label) == (0.9, 0.9, "entailment")
    assert (piece.text, piece.answer_text, piece.chunk) == (YEARS, MONTHS, 0)


def test_the_spelling_of_the_answer_counts_where_it_is_the_better():
    """Reading twice never lowers."""
    reading = read("It shuts for three years now.", "It shuts for 36 months.", entailer=Literal())

    assert reading.value == 0.9


@pytest.mark.parametrize(
    "context", ["It shuts for 36 months.", "It shuts for two years.", "It shuts for long."]
)
def test_a_claim_is_read_once_where_the_passage_has_no_other_spelling(context):
    """The same one, another value or none costs no second pair."""
    entailer = Literal()
    read(MONTHS, context, entailer=entailer)

    assert entailer.calls == [[(context, MONTHS)]]


def test_a_contradiction_that_only_the_spelling_made_is_not_shown():
    """Of a passage the reading counts that entails more."""

    class Hesitant(Literal):
        def entail(self, pairs):
            rows = [[0.9, 0.0, 0.1], [0.1, 0.2, 0.7]]
            said = [rows["years" in hypothesis] for _, hypothesis in pairs]
            return Entailments(np.array(said), np.ones(len(pairs)))

    (piece,) = read(MONTHS, YEARS, entailer=Hesitant()).evidence

    assert (piece.value, piece.label) == (0.2, "neutral")


def test_what_a_passage_says_word_for_word_but_for_a_spelling_is_entailed():
    """Whatever the model makes of it."""
    assert read("It shuts for 36 months.", YEARS, entailer=Doubtful()).value == 1.0


def test_a_short_answer_is_respelled_in_its_question():
    """And the question stays as it is."""
    entailer = FakeEntailer(template="{question} {answer}")
    read("36 months.", YEARS, question="Is it 36 months?", entailer=entailer)

    assert [hypothesis for _, hypothesis in entailer.calls[0]] == [
        "Is it 36 months? 36 months",
        "Is it 36 months? three years",
    ]


def test_a_detector_that_was_calibrated_before_values_were_respelled_is_refused():
    """Other values for the same answers."""
    stored = detector(weights={"s2_nli": 1.0}, threshold=0.5).get_config()
    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}

    with pytest.raises(ConfigError, match=r"version 1 of s2_nli.*calibrate again"):
        CGSDetector.from_config({**stored, "signal_versions": {"s2_nli": 1}}, **fakes)
