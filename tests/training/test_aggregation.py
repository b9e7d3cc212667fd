"""The comparison of the ways to read a context."""

from __future__ import annotations

import json
from itertools import count

import numpy as np
import pytest

from cgs_rag.models.compact import pack
from training.aggregation import Judge, compared, main, read, read_nearest, worded
from training.export import write
from training.given import load_given
from training.retrieved import Case, made_cases
from training.start import start_model
from training.ways import SIZE, cuts, means, rules

CHUNK = (
    "The weir was built in May. Herons stand on it. Nobody fishes there. "
    "The gate is green. It leaks."
)
SENTENCES, WHOLE = cuts()["a sentence"], cuts()["whole chunk"]
PLAIN = rules()["max e"]


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


@pytest.fixture
def given(mix, data):
    return load_given(mix, data)[0]


TEXTS = count()


def _case(
    claims, *, supported, family="sentences", chunks=(CHUNK,), question="", origin="of its own"
):
    origin = f"text {next(TEXTS)}" if origin == "of its own" else origin
    return Case(tuple(chunks), tuple(claims), question, supported, family, origin)


# Reading


def test_the_claims_of_an_answer_count_alike():
    cases = [
        _case(["Herons stand on it."], supported=True),
        _case(["Herons stand on it.", "Geese swim below."], supported=False),
        _case(["Geese swim below."], supported=False),
    ]
    stated, mixed, foreign = read(cases, WordJudge(), SENTENCES, PLAIN)

    assert stated == 1.0
    assert mixed == (stated + foreign) / 2


def test_another_mean_of_the_claims_may_be_taken():
    cases = [_case(["Herons stand on it.", "Geese swim below."], supported=False)]
    (foreign,) = read([_case(["Geese swim below."], supported=False)], WordJudge(), WHOLE, PLAIN)

    assert read(cases, WordJudge(), WHOLE, PLAIN, means()["least"]) == [foreign]


def test_every_claim_is_asked_under_every_premise_of_all_chunks():
    chunks = ("It rains. It pours.", "Herons stand. It rains.")
    judge = WordJudge()
    cases = [
        _case(["A.", "B."], supported=True, chunks=chunks),
        _case(["A."], supported=False, chunks=chunks[:1]),
    ]
    read(cases, judge, SENTENCES, PLAIN)

    (asked,) = judge.asked
    assert set(asked) == {
        (premise, claim)
        for premise in ("It rains.", "It pours.", "Herons stand.")
        for claim in ("A.", "B.")
    }


def test_a_premise_that_two_chunks_have_counts_once():
    """Else it would be both of the two best."""
    chunks = ("Herons stand on it.", "Herons stand on it. It pours.")
    two_best = rules()["mean of two best e"]
    once = [_case(["Herons stand on it."], supported=True, chunks=chunks[1:])]
    twice = [_case(["Herons stand on it."], supported=True, chunks=chunks)]
    judge = WordJudge()

    assert read(twice, judge, SENTENCES, two_best) == read(once, judge, SENTENCES, two_best) < 1.0


def test_reading_all_of_the_nearest_is_reading_all(given):
    cases = made_cases(given, 40)
    whole = read(cases, WordJudge(), cuts()[f"{SIZE} tokens"], PLAIN)

    assert read_nearest(cases, WordJudge(), 99).tolist() == whole.tolist()
    assert read_nearest(cases, WordJudge(), 1).mean() < whole.mean()


# Tables


def test_a_line_has_the_auc_by_family_and_its_mean():
    supported = [True, False, True, False]
    families = ["sentences", "sentences", "claim", "claim"]
    cases = [_case(["A."], supported=s, family=f) for s, f in zip(supported, families, strict=True)]
    (line,) = compared(cases, {"way": np.array([0.9, 0.1, 0.5, 0.5])}).values()

    assert line.auc == {"claim": 0.5, "sentences": 1.0, "mean": 0.75}
    assert (line.gain, line.low, line.high) == (0.0, 0.0, 0.0)


def test_a_family_of_one_sort_has_no_auc():
    cases = [_case(["A."], supported=s) for s in (True, False)]
    cases.append(_case(["A."], supported=True, family="claim"))
    (line,) = compared(cases, {"way": np.array([0.9, 0.1, 0.5])}).values()

    assert set(line.auc) == {"sentences", "mean"}


def test_a_gain_is_over_the_first_line_and_its_interval_is_paired():
    rng = np.random.default_rng(0)
    supported = np.arange(200) % 2 == 0
    cases = [_case(["A."], supported=bool(s)) for s in supported]
    noise = rng.normal(size=200)
    table = compared(
        cases,
        {
            "weak": noise + 0.5 * supported,
            "same": noise + 0.5 * supported,
            "strong": noise * 0.01 + supported,
        },
    )

    assert table["same"].gain == table["same"].low == table["same"].high == 0.0
    strong = table["strong"]
    assert strong.auc["mean"] == 1.0
    assert 0 < strong.low < strong.gain < strong.high
    assert strong.gain == pytest.approx(1.0 - table["weak"].auc["mean"])


def _width(cases, noise):
    supported = np.array([case.supported for case in cases])
    ways = {"weak": noise + 0.5 * supported, "strong": 0.5 * noise + supported}
    gain = compared(cases, ways)["strong"]
    assert gain.low < gain.gain < gain.high
    return gain.high - gain.low


@pytest.mark.parametrize("families", [("claim", "claim"), ("claim", "sentences")])
def test_cases_of_one_text_are_drawn_together(families):
    """A twin tells nothing new, so the interval must not be as narrow as with another text."""
    noise = np.repeat(np.random.default_rng(0).normal(size=100), 2)
    twins, strangers = (
        [
            _case(["A."], supported=at % 4 < 2, family=families[at % 2], origin=origin(at))
            for at in range(200)
        ]
        for origin in (lambda at: f"text {at // 2}", lambda at: f"text {at}")
    )

    # Of half as many independent ones: the root of 2.
    assert _width(twins, noise) > 1.25 * _width(strangers, noise)


def test_short_answers_are_put_to_the_model_in_every_wording():
    question = "What is the colour of the gate?"
    case = _case(["green"], supported=True, question=question)

    assert {name: put[0].claims[0] for name, put in worded([case]).items()} == {
        "question answer": f"{question} green",
        "published": f"The answer to '{question}' is: green.",
        "answer alone": "green",
        "statement where a rule makes one": "The colour of the gate is green.",
    }


# The program


@pytest.fixture(scope="module")
def weights(encoder, tmp_path_factory):
    """An untrained model in the bundled form."""
    folder = tmp_path_factory.mktemp("nli")
    model = start_model(encoder)
    write(folder, pack(model.state_dict()), encoder, model, temperature=1.0)
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
    assert list(tables) == [
        *("premises", "rules", "claims of an answer", "nearest that are read", "short answers"),
    ]
    assert list(tables["premises"]) == list(cuts())
    assert list(tables["rules"]) == list(rules())
    assert all(
        0 <= auc <= 1
        for table in tables.values()
        for line in table.values()
        for auc in line["auc"].values()
    )
    plain = tables["premises"][f"{SIZE} tokens"]["auc"]
    assert tables["rules"]["max e"]["auc"] == plain
    assert tables["nearest that are read"]["16"]["auc"] == plain
    assert all(f"\n  {name}" in told for table in tables.values() for name in table)
    assert "cases, " in told.splitlines()[0]
