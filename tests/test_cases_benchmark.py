"""The rules of ``benchmarks/cases.py``, and of what it reads and works out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import auc, case_columns, case_figures, cases
from benchmarks.case_file import load_cases
from cgs_rag import CGSResult, Direction, Evidence, Reading
from cgs_rag.claims_result import ClaimsResult
from cgs_rag.text import Span
from tests.fakes import FakeEncoder, FakeEntailer, ReadsOnlyLatin

MILL = "The mill was built in 1820. A river runs through the town. Its bridge is of stone."
OWN = Path(os.environ.get("CGS_CASES", ""))


def sentence(text, supported, evidence=None, **more):
    return {
        "text": text,
        "supported": supported,
        "factual": True,
        "evidence": evidence,
        "evidence_all": [evidence] if evidence else [],
        **more,
    }


def case(name, kind, answer, *sentences, pair=None, context=MILL, question="Tell me.", **more):
    label = int(any(s["factual"] and not s["supported"] for s in sentences))
    return {
        "id": name,
        "class": kind,
        "pair": pair,
        "question": question,
        "context": context,
        "answer": answer,
        "label": label,
        "sentences": list(sentences),
        "note": "made up",
        **more,
    }


BUILT = "The mill was built in 1820."
NOT_BUILT = "The mill was not built in 1820."
CASES = [
    case("a1", "negation", BUILT, sentence(BUILT, True, BUILT), pair="p1"),
    case("a2", "negation", NOT_BUILT, sentence(NOT_BUILT, False), pair="p1"),
    case(
        "b1",
        "detail",
        "Here you are! A river runs through the town.",
        sentence("Here you are!", True, factual=False),
        sentence(
            "A river runs through the town.",
            True,
            "A river runs through the town.",
        ),
        pair="p2",
        context=["Its bridge is of stone.", "A river runs through the town."],
    ),
    case(
        "b2",
        "detail",
        "A river runs through the town. Two castles guard every harbour gate.",
        sentence("A river runs through the town.", True, "A river runs through the town."),
        sentence("Two castles guard every harbour gate.", False),
        pair="p2",
    ),
    case(
        "c1",
        "blank",
        "The mayor is Ann Tarn.",
        sentence("The mayor is Ann Tarn.", False),
        context=[],
    ),
]


@pytest.fixture
def file(tmp_path):
    """The hand-made cases as a file."""
    return written(tmp_path / "town.jsonl", CASES)


@pytest.fixture
def run(file, tmp_path):
    """Runs the program over the fakes; the status and the JSON."""

    def running(*arguments, path=file, **models):
        out = tmp_path / "out.json"
        given = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder(), **models}
        status = cases.main(["--cases", str(path), "--json", str(out), *arguments], **given)
        stored = json.loads(out.read_text(), parse_constant=pytest.fail) if out.exists() else None
        return status, stored

    return running


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def piece(start, end, value, *, chunk=0, at=(0, 0)):
    return Evidence(chunk, *at, value, "", start, end, "")


def result(*evidence, direction=Direction.GROUNDING, risk=0.5, note=""):
    reading = Reading.missing(note) if note else Reading(0.5, evidence)
    return CGSResult(
        risk, risk >= 0.5, 0.5, "lite", "", {"s": reading}, directions={"s": direction}
    )


def loaded(tmp_path, *rows):
    return load_cases(written(tmp_path / "cases.jsonl", rows))


def judged(found, *results):
    answers = [case_columns.by_signal(one, "s") for one in results]
    return case_columns.judged(found, answers, "s", results[0].threshold)


def test_a_sentence_is_found_behind_the_one_before(tmp_path):
    twice = case("x", "k", "So it is. So it is.", *[sentence("So it is.", True)] * 2)

    (found,) = loaded(tmp_path, twice)

    assert [s.span for s in found.sentences] == [Span(0, 9), Span(10, 19)]


def test_evidence_is_every_place_that_holds_one_of_its_sentences(tmp_path):
    fact = sentence("Yes.", True, "A b.", evidence_all=["A b.", "C (d)."])
    row = case("x", "k", "Yes.", fact, context=["A b. A b.", "C (d)."])

    (found,) = loaded(tmp_path, row)

    assert found.sentences[0].evidence == ((0, Span(0, 4)), (0, Span(5, 9)), (1, Span(0, 6)))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"label": 2}, "town.jsonl:6: label: "),
        ({"context": 3}, "town.jsonl:6: context"),
        ({"id": "a1"}, "town.jsonl:6: the id 'a1' is that of line 1"),
        ({"sentences": [{"text": "No."}]}, "town.jsonl:6: sentences.0.supported: Field required"),
        ({"answer": "Other."}, "town.jsonl:6: the answer does not hold the sentence 'The mill"),
        ({"context": "Other."}, "town.jsonl:6: the context does not hold the evidence 'The mill"),
    ],
)
def test_a_case_that_is_not_as_it_should_be_is_named_by_its_line(
    change, complaint, tmp_path, run, capsys
):
    path = written(tmp_path / "town.jsonl", [*CASES, {**CASES[0], "id": "z", **change}])

    status, stored = run(path=path)

    assert (status, stored) == (1, None)
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"), [("{\n", ":1: Invalid JSON"), ("\n", "holds no cases")]
)
def test_a_file_without_cases_is_refused(text, complaint, tmp_path, run, capsys):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)

    assert run(path=path)[0] == 1
    assert complaint in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path, run, capsys):
    assert run(path=tmp_path / "none.jsonl")[0] == 1
    assert "none.jsonl" in capsys.readouterr().err


def test_a_claim_belongs_to_the_sentence_with_most_of_it_and_the_worst_claim_counts(tmp_path):
    row = case("x", "k", "Aaaa. Bbbb.", sentence("Aaaa.", True), sentence("Bbbb.", True))

    column, unmatched = judged(
        loaded(tmp_path, row), result(piece(0, 3, 0.9), piece(2, 8, 0.4), piece(4, 11, 0.7))
    )

    assert column.sentences[0] == pytest.approx([0.6, 0.3])
    assert not unmatched.sentences


def test_a_signal_that_speaks_for_risk_is_not_turned_round(tmp_path):
    row = case("x", "k", "Aaaa.", sentence("Aaaa.", True))
    said = result(piece(0, 2, 0.9), piece(2, 5, 0.2), direction=Direction.RISK)

    assert judged(loaded(tmp_path, row), said).column.sentences[0] == pytest.approx([0.9])


def test_what_did_not_meet_is_counted(tmp_path):
    rows = [
        case(
            "x",
            "k",
            "Hi! Aaaa. Bbbb.",
            sentence("Hi!", True, factual=False),
            sentence("Bbbb.", True),
        ),
        case("y", "k", "Cccc. Dddd.", sentence("Cccc.", True), sentence("Dddd.", True)),
        case("z", "k", "Eeee.", sentence("Eeee.", True)),
    ]
    results = [
        result(piece(0, 3, 0.1), piece(4, 9, 0.1)),
        result(note="too long"),
        result(),
    ]

    column, unmatched = judged(loaded(tmp_path, *rows), *results)

    assert np.isnan(np.concatenate(column.sentences)).all()
    assert unmatched.sentences == {
        "too long": 2,
        "no claim belongs to the sentence": 1,
        "the signal gives no value for a sentence": 1,
    }
    assert (unmatched.claims_without_fact, unmatched.claims_elsewhere) == (1, 1)


@pytest.mark.parametrize(
    ("chunk", "at", "expected"),
    [(0, (0, 4), 0.0), (0, (3, 6), 1.0), (1, (5, 9), 0.0), (0, (9, 12), 0.0)],
)
def test_evidence_is_hit_where_the_spans_of_one_chunk_overlap(chunk, at, expected, tmp_path):
    fact = sentence("Yes.", True, "C d.")
    row = case("x", "k", "Yes.", fact, context=["A b. C d. E.", "A b. Other."])

    column, _ = judged(loaded(tmp_path, row), result(piece(0, 4, 0.9, chunk=chunk, at=at)))

    assert column.hits[0].tolist() == [expected]


def test_evidence_is_asked_for_of_supported_sentences_only(tmp_path):
    facts = [sentence("No.", False), sentence("Yes.", True)]

    column, _ = judged(
        loaded(tmp_path, case("x", "k", "No. Yes.", *facts)),
        result(piece(0, 3, 0.9, at=(0, 9)), piece(4, 8, 0.9, at=(0, 9))),
    )

    assert np.isnan(column.hits[0]).all()


def test_only_two_cases_of_opposite_labels_are_a_pair(tmp_path):
    good, bad = sentence("Aaaa.", True), sentence("Aaaa.", False)
    facts = {"a": [bad, good], "b": [good, good], "c": [good], "d": [good, bad, bad], None: [bad]}
    rows = [
        case(f"{pair}{at}", "k", "Aaaa.", fact, pair=pair)
        for pair, several in facts.items()
        for at, fact in enumerate(several)
    ]

    assert case_figures.minimal_pairs(loaded(tmp_path, *rows)) == [(1, 0)]


def test_ties_and_unread_pairs_are_not_ranked_rightly(tmp_path):
    risks = {"a": (0.1, 0.2), "b": (0.2, 0.2), "c": (0.3, 0.2), "d": (np.nan, 0.2)}
    good, bad = sentence("Aaaa.", True), sentence("Aaaa.", False)
    rows, results = [], []
    for pair, both in risks.items():
        for fact, risk in zip((good, bad), both, strict=True):
            rows.append(case(f"{pair}{fact['supported']}", "k", "Aaaa.", fact, pair=pair))
            results.append(result(piece(0, 5, 0.5), risk=risk))
    found = loaded(tmp_path, *rows)

    pairs = case_figures.figures(found, judged(found, *results).column).pairs

    assert (pairs.right.count, pairs.right.total, pairs.tied, pairs.unread) == (1, 4, 1, 1)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilsons_interval_is_the_published_one(count, total, low, high):
    share = case_figures.Share.of(count, total)

    assert (share.low, share.high) == pytest.approx((low, high), abs=1e-4)


def test_a_share_of_nothing_has_no_interval():
    share = case_figures.Share.of(0, 0)

    assert np.isnan([share.low, share.high]).all()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1)), max_size=20))
def test_with_every_row_a_cluster_the_interval_is_the_plain_one(rows):
    risk = np.array([float(value) for value, _ in rows])
    labels = np.array([label for _, label in rows], dtype=np.int64)
    clusters = np.array([f"row {at}" for at in range(len(rows))], dtype=np.str_)

    found = case_figures.clustered_score(risk, labels, clusters, seed=3, resamples=20)

    assert found.auc == pytest.approx(auc.auc(risk, labels), nan_ok=True)
    drawn = auc.resampled_aucs(risk, labels, auc.draws(len(rows), 20, 3))
    known = drawn[~np.isnan(drawn)] if rows else np.empty(0)
    expected = np.quantile(known, [0.025, 0.975]) if len(known) else [np.nan] * 2
    assert [found.low, found.high] == pytest.approx(expected, nan_ok=True)


def test_a_cluster_is_drawn_whole():
    risk, labels = np.array([0.1, 0.9, 0.1, 0.9]), np.array([0, 1, 0, 1])

    found = case_figures.clustered_score(risk, labels, np.array(["a", "a", "b", "b"]))

    assert (found.auc, found.low, found.high) == (1.0, 1.0, 1.0)


def test_rows_without_a_value_are_left_out_and_counted():
    risk, labels = np.array([0.1, np.nan, 0.9]), np.array([0, 0, 1])

    found = case_figures.clustered_score(risk, labels, np.array(["a", "b", "c"]))

    assert (found.auc, found.left_out) == (1.0, 1)


def test_balanced_accuracy_weighs_both_labels_alike():
    flagged, labels = np.array([1.0, 0.0, 0.0, np.nan, 1.0]), np.array([1, 0, 0, 0, 0])

    assert case_figures.balanced_accuracy(flagged, labels) == pytest.approx((1 + 2 / 3) / 2)
    assert np.isnan(case_figures.balanced_accuracy(flagged[:1], labels[:1]))


def test_one_signal_alone_is_measured_by_sentence_answer_pair_and_class(run):
    status, stored = run()

    ours, classes = stored["overall"]["s2_nli"], stored["classes"]
    assert status == 0
    assert (ours["cases"], ours["sentences"]) == ([2, 3], [3, 3])
    assert ours["sentence_auc"]["auc"] == 1.0
    assert ours["sentence_auc"]["left_out"] == 1
    assert stored["unmatched"]["sentences"] == {"the context is blank: nothing to check against": 1}
    assert (ours["pairs"]["right"]["count"], ours["pairs"]["right"]["total"]) == (1, 2)
    assert ours["pairs"]["tied"] == 1  # "Here you are!" is taken for a claim
    assert ours["evidence"]["count"] == ours["evidence"]["total"] == 3
    assert ours["answer_auc"]["left_out"] == 1
    assert [flagged["total"] for flagged in ours["flagged"]] == [2, 3]
    assert ours["flagged"][1]["count"] == 3  # the one over no context can't be checked
    assert list(classes) == ["blank", "detail", "negation"]
    assert classes["negation"]["s2_nli"]["sentence_auc"]["auc"] is None
    assert classes["negation"]["s2_nli"]["sentence_risk"] == [0.0, 1.0]
    assert classes["detail"]["novelty"]["pairs"]["right"]["count"] == 1
    assert stored["conditions"]["detector"]["weights"] == {"s2_nli": 1.0}


def test_both_ways_flag_at_the_threshold_of_the_default_detector(run):
    (_, alone), (_, default) = run(), run("--default")

    configs = [stored["conditions"]["detector"] for stored in (alone, default)]
    assert configs[0]["threshold"] == configs[1]["threshold"]
    assert set(configs[1]["weights"]) == {"s2_nli", "s3_cosine"}


def test_the_default_detector_has_the_sentences_of_s2_and_its_own_answers(run):
    (_, alone), (_, default) = run(), run("--default")

    ours, theirs = alone["overall"]["s2_nli"], default["overall"]["default"]
    assert ours["sentence_risk"] == theirs["sentence_risk"]
    assert ours["answer_auc"] != theirs["answer_auc"] or ours["flagged"] != theirs["flagged"]


def test_baselines_have_no_threshold(run):
    _, stored = run()

    length = stored["overall"]["length"]
    assert length["sentence_risk"] == [6.0, 6.0]
    assert length["flagged"] is length["evidence"] is length["answer_balanced_accuracy"] is None


def test_a_signal_that_shows_no_evidence_has_no_sentences_and_says_so(run, capsys):
    status, _ = run("--signal", "s4_sgi")

    told = capsys.readouterr().out
    assert status == 0
    assert "sentences without a value of s4_sgi: 6" in told
    assert "5: the signal gives no value for a sentence" in told


def test_a_signal_that_is_none_is_refused(run, capsys):
    assert run("--signal", "s9_moon")[0] == 1
    assert "s9_moon" in capsys.readouterr().err


def test_what_the_model_can_not_read_is_said(run, tmp_path, capsys):
    text = "Река течёт через город."
    path = written(tmp_path / "ru.jsonl", [case("r", "k", text, sentence(text, True))])

    status, stored = run(path=path, nli_model=ReadsOnlyLatin())

    assert status == 0
    assert sum(stored["unmatched"]["sentences"].values()) == 1
    assert "the NLI model" in capsys.readouterr().out


def test_the_tables_have_a_line_for_each_figure_and_class_under_the_conditions(run, capsys):
    run()

    told = capsys.readouterr().out
    assert "5 cases (3 of label 1), 2 minimal pairs, 6 sentences that state a fact" in told
    assert "cases: town.jsonl, sha256 " in told
    assert "nli: fake-entailer, sha256 not known" in told
    assert "versions: cgs-rag " in told
    firsts = [line.split("|")[1].strip() for line in told.splitlines() if line.startswith("|")]
    assert firsts[-3:] == ["blank", "detail", "negation"]
    assert firsts[2:11] == [
        "sentence AUC",
        "mean risk, supported / not",
        "sentence balanced accuracy",
        "answer AUC",
        "answer balanced accuracy",
        "flagged, of the grounded",
        "flagged, of the hallucinated",
        "pairs ranked rightly",
        "evidence hit",
    ]
    assert "| 1/2 = 50% (9%-91%), 1 tied, 0 unread |" in told


def test_the_same_seed_gives_the_same_figures(run, tmp_path):
    assert run("--seed", "4")[1] == run("--seed", "4")[1]
    assert str(tmp_path) not in json.dumps(run()[1])


@pytest.mark.extra
@pytest.mark.skipif(not OWN.is_file(), reason="CGS_CASES names no file of acceptance cases")
def test_a_lent_file_of_cases_is_read_whole():
    found = load_cases(OWN)

    lines = OWN.read_text(encoding="utf-8").split("\n")
    assert len(found) == sum(bool(line.strip()) for line in lines)
    assert all(s.span.of(c.sample.answer) == s.text for c in found for s in c.sentences)
    for one in found:
        assert one.label == any(not fact.is_supported for fact in one.facts)


def test_by_claims_a_sentence_has_the_risk_of_its_claims(run):
    status, stored = run("--claims")

    assert status == 0
    assert next(iter(stored["overall"])) == "claims"
    assert stored["unmatched"]["claims_elsewhere"] == 0
    assert stored["overall"]["claims"]["flagged"] is not None


def test_by_claims_a_sentence_that_was_not_read_has_the_reason_of_its_answer(tmp_path):
    row = case("x", "k", "Aaaa.", sentence("Aaaa.", True))
    nothing = ClaimsResult("Aaaa.", (), np.nan, True, 0.5, "lite", "", reason="blank")

    found = case_columns.judged(loaded(tmp_path, row), [case_columns.by_claims(nothing)], "c", 0.5)

    assert found.unmatched.sentences == {"blank": 1}
