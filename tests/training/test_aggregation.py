"""The comparison of the ways to read a context: its cuts, its rules, its cases."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from cgs_rag.models.compact import pack
from cgs_rag.text import passages, sentences, size
from training.aggregation import (
    SIZE,
    SIZES,
    Case,
    Judge,
    compared,
    made_cases,
    main,
    nearest_only,
    rules,
    units,
    worded,
)
from training.export import write
from training.records import Asked, Passage
from training.rows import Given, load_given
from training.train import start_model

CHUNK = (
    "The weir was built in May. Herons stand on it. Nobody fishes there. "
    "The gate is green. It leaks."
)


class WordJudge:
    """Takes a claim for entailed as far as the premise has its words."""

    def __init__(self):
        self.asked = []
        self._known = set()

    def ask(self, pairs):
        self.asked.append(list(pairs))
        self._known.update(pairs)

    def embed(self, texts):
        pass

    def probabilities(self, premises, claim):
        assert all((premise, claim) in self._known for premise in premises)
        shares = np.array([_shared(premise, claim) for premise in premises])
        return np.stack([(1 - shares) * 0.75, shares, (1 - shares) * 0.25], axis=1)

    def nearest(self, premises, claim):
        """The least like it first, so that a few are not enough."""
        return [int(at) for at in np.argsort([_shared(p, claim) for p in premises])]


def _shared(premise, claim):
    told = claim.lower().strip(".").split()
    return sum(word in premise.lower() for word in told) / len(told)


# Cuts


def test_a_chunk_is_cut_as_the_unit_says():
    spans = [span.of(CHUNK) for span in sentences(CHUNK)]
    cut = {name: list(unit(CHUNK)) for name, unit in units().items()}

    assert cut["a sentence"] == spans
    assert cut["two sentences"] == [f"{a} {b}" for a, b in pairwise(spans)]
    assert cut["three sentences"] == [" ".join(spans[at : at + 3]) for at in range(3)]
    assert cut["whole chunk"] == [CHUNK]
    assert cut[f"{SIZE} and sentence"] == [CHUNK, *spans]
    assert cut["96 and two sentences"] == [CHUNK, *cut["two sentences"]]


@pytest.mark.parametrize("limit", SIZES)
def test_packed_premises_are_of_whole_sentences_up_to_their_size(limit):
    text = " ".join([CHUNK] * 12)
    cut = list(units()[f"{limit} tokens"](text))

    assert cut == [span.of(text) for span in passages(text, limit)]
    assert max(map(size, cut)) <= limit
    assert len(cut) > 1


@pytest.mark.parametrize("name", list(units()))
def test_every_unit_keeps_what_a_chunk_says(name):
    for chunk in (CHUNK, "One sentence.", "One. Two.", "no end", "..."):
        cut = list(units()[name](chunk))

        assert cut
        assert all(any(span.of(chunk) in premise for premise in cut) for span in sentences(chunk))


# Rules


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("max e", 0.7),
        ("max (e - c)", 0.5),
        ("max e * (1 - c)", 0.7 * 0.8),
        ("max e * (1 - max c)", 0.7 * 0.1),
        ("max e - max c", -0.2),
        ("mean of two best e", 0.6),
    ],
)
def test_a_rule_reads_the_probabilities_under_all_premises(rule, expected):
    """Columns: contradiction, entailment, neutral."""
    p = np.array([[0.2, 0.7, 0.1], [0.9, 0.05, 0.05], [0.1, 0.5, 0.4]])

    assert rules()[rule](p) == pytest.approx(expected)


@pytest.mark.parametrize("rule", list(rules()))
def test_a_rule_reads_one_premise_and_any_order(rule):
    read = rules()[rule]
    p = np.random.default_rng(0).dirichlet((1, 1, 1), size=6)

    assert np.isfinite(read(p[:1]))
    assert read(p[::-1]) == pytest.approx(read(p))


# Cases


@pytest.fixture
def given(mix, data):
    return load_given(mix, data)[0]


def test_cases_are_the_same_every_time(given):
    assert made_cases(given, 20) == made_cases(given, 20)


def test_no_family_has_more_cases_than_asked_for(given):
    counts = Counter(case.family for case in made_cases(given, 12))

    assert counts.keys() == {"one sentence", "sentences", "short answer", "claim"}
    assert max(counts.values()) == 12


def test_every_family_has_cases_of_both_sorts(given):
    found = Counter((case.family, case.supported) for case in made_cases(given, 60))

    assert len(found) == 8


def test_the_chunks_hold_the_text_and_up_to_four_others_of_its_source(given):
    for case in made_cases(given, 60):
        kinds = {"mill" in chunk.split() for chunk in case.chunks}

        assert 1 <= len(case.chunks) <= 5
        assert len(set(case.chunks)) == len(case.chunks)
        assert len(kinds) == 1


def test_an_answer_of_sentences_has_as_many_claims(given):
    counts = {
        family: {len(c.claims) for c in made_cases(given, 60) if c.family == family}
        for family in ("one sentence", "sentences", "short answer", "claim")
    }

    assert counts == {
        "one sentence": {1},
        "sentences": {2, 3},
        "short answer": {1},
        "claim": {1},
    }


def test_a_short_answer_comes_with_its_question_and_is_short(given):
    for case in made_cases(given, 60):
        assert bool(case.question) is (case.family == "short answer")
        assert not case.question or len(case.claims[0].split()) <= 6


def test_a_supported_short_answer_stands_in_the_context(given):
    mine = [c for c in made_cases(given, 60) if c.family == "short answer" and c.claims[0] != "yes"]
    supported = [case for case in mine if case.supported]

    assert supported
    assert all(any(case.claims[0] in chunk for chunk in case.chunks) for case in supported)


def test_a_source_of_few_passages_has_cases_too():
    text = (
        "The weir was built in May. Anna Berg paid 30 men for it. The gate is green and it leaks."
    )
    passage = Passage(text, "weirs", text)
    asked = Asked("How many men?", "30", ("40",), False, passage)
    cases = made_cases(Given([], [asked], [passage]), 99)

    assert {case.family for case in cases} >= {"short answer"}
    assert {case.chunks for case in cases} == {(text,)}


# Tables


def _case(claims, *, supported, family="sentences", chunks=(CHUNK,), question=""):
    return Case(tuple(chunks), tuple(claims), question, supported, family)


def test_a_table_has_the_auc_of_every_cut_under_every_rule():
    cases = [
        _case(["Herons stand on it."], supported=True),
        _case(["Herons stand on it.", "Geese swim below."], supported=False),
        _case(["The gate is green."], supported=True, family="claim"),
        _case(["The gate is green."], supported=False, family="claim"),
    ]
    judge = WordJudge()
    ways = {name: units()[name] for name in ("a sentence", "whole chunk")}
    how = {name: rules()[name] for name in ("max e", "max e - max c")}
    table = compared(cases, ways, judge, how)

    assert set(table) == {f"{way}, {rule}" for way in ways for rule in how}
    for aucs in table.values():
        assert aucs == {"claim": 0.5, "sentences": 1.0, "mean": 0.75}


def test_the_claims_of_an_answer_count_alike():
    """Two claims, one of them stated: less than one that is stated, more than one that isn't."""
    mixed = _case(["Herons stand on it.", "Geese swim below."], supported=False)
    cases = [_case(["Herons stand on it."], supported=True), mixed]
    worse = [_case(["Geese swim below."], supported=False), replace_supported(mixed)]
    how = {"max e": rules()["max e"]}
    ways = {"a sentence": units()["a sentence"]}

    for some in (cases, worse):
        (aucs,) = compared(some, ways, WordJudge(), how).values()
        assert aucs["sentences"] == 1.0


def replace_supported(case):
    return Case(case.chunks, case.claims, case.question, not case.supported, case.family)


def test_every_claim_is_asked_under_every_premise_of_all_chunks():
    chunks = ("It rains. It pours.", "Herons stand. It rains.")
    judge = WordJudge()
    cases = [
        _case(["A.", "B."], supported=True, chunks=chunks),
        _case(["A."], supported=False, chunks=chunks[:1]),
    ]
    compared(cases, {"s": units()["a sentence"]}, judge, {"max e": rules()["max e"]})

    (asked,) = judge.asked
    assert set(asked) == {
        (premise, claim)
        for premise in ("It rains.", "It pours.", "Herons stand.")
        for claim in ("A.", "B.")
    }


def test_reading_all_of_the_nearest_is_reading_all(given):
    cases = made_cases(given, 40)
    judge = WordJudge()
    packed = {"all": partial(units()[f"{SIZE} tokens"])}
    (whole,) = compared(cases, packed, judge, {"max e": rules()["max e"]}).values()

    table = nearest_only(cases, judge)

    assert list(table) == [f"nearest {k}" for k in (1, 2, 4, 8, 16)]
    assert table["nearest 16"] == whole
    assert table["nearest 1"]["mean"] < whole["mean"]


def test_short_answers_are_put_to_the_model_in_every_wording():
    question = "What is the colour of the gate?"
    cases = [
        _case(["green"], supported=True, question=question),
        _case(["blue"], supported=False, question=question),
        _case(["Nobody fishes there."], supported=True),
    ]
    judge = WordJudge()
    table = worded(cases, judge)
    told = [{claim for _, claim in asked} for asked in judge.asked]

    assert told == [
        {f"{question} green", f"{question} blue"},
        {f"The answer to '{question}' is: {colour}." for colour in ("green", "blue")},
        {"green", "blue"},
        {f"The colour of the gate is {colour}." for colour in ("green", "blue")},
    ]
    assert len(table) == 4
    assert all(aucs == {"sentences": 1.0, "mean": 1.0} for aucs in table.values())


# The program


@pytest.fixture(scope="module")
def weights(encoder, tmp_path_factory):
    """An untrained model in the bundled form."""
    folder = tmp_path_factory.mktemp("nli")
    model = start_model(str(encoder))
    write(folder, pack(model.state_dict()), str(encoder), model, temperature=1.0)
    return folder


# An untrained model fails the self-test; what it judges is of no interest here.
UNTRAINED = "ignore:NLI model 'bundled' behaves upside down:RuntimeWarning"


@pytest.mark.models
@pytest.mark.filterwarnings(UNTRAINED)
def test_the_judge_remembers_what_it_was_asked(weights):
    judge = Judge(weights)
    pairs = [("The mill is old.", "It is new."), ("The shop has rooms.", "It is new.")]
    judge.ask([*pairs, pairs[0]])
    judge.ask(pairs)
    found = judge.probabilities([premise for premise, _ in pairs], "It is new.")

    assert found.shape == (2, 3)
    assert found.sum(axis=1) == pytest.approx(1.0)
    with pytest.raises(KeyError):
        judge.probabilities(["It was never asked."], "It is new.")


@pytest.mark.models
def test_the_judge_finds_the_most_similar_premise_first(weights):
    judge = Judge(weights)
    premises = [
        "Bread is baked at dawn.",
        "A heron waits by the river.",
        "A bird stands at a weir.",
    ]
    claim = "A heron stands by the river."
    judge.embed([*premises, claim])

    assert judge.nearest(premises, claim)[0] == 1
    assert judge.nearest(premises, claim)[-1] == 0


@pytest.mark.models
@pytest.mark.filterwarnings(UNTRAINED)
def test_the_program_writes_its_tables(data, mix_file, weights, tmp_path, capsys):
    written = tmp_path / "tables.json"
    code = main(
        [
            *("--data", str(data), "--mix", str(mix_file), "--weights", str(weights)),
            *("--cases", "10", "--json", str(written)),
        ]
    )
    tables = json.loads(written.read_text(encoding="utf-8"))
    told = capsys.readouterr().err

    assert code == 0
    assert list(tables) == ["rules", "most read", "short answers", "premises"]
    assert set(tables["premises"]) == {f"{name}, max e" for name in units()}
    assert set(tables["rules"]) == {f"{SIZE} tokens, {name}" for name in rules()}
    assert all(
        0 <= auc <= 1
        for table in tables.values()
        for aucs in table.values()
        for auc in aucs.values()
    )
    assert tables["most read"]["nearest 16"] == pytest.approx(
        tables["rules"][f"{SIZE} tokens, max e"]
    )
    assert all(f"\n  {name}" in told for table in tables.values() for name in table)
    assert "cases, " in told.splitlines()[0]


def test_the_text_may_stand_anywhere_among_the_chunks(given):
    """The place of the text among the others tells nothing."""
    places = Counter(
        case.chunks.index(next(c for c in case.chunks if case.claims[0] in c))
        for case in made_cases(given, 99)
        if case.family == "short answer" and case.supported and case.claims[0] != "yes"
    )

    assert len(places) > 2
